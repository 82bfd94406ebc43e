/* device.c - expm on the device. blas_gemm() computes the products; LU and
 * substitution solve for the approximant. The matrices of a stack are computed
 * one after the other, so that each has the bits that it has alone. Small
 * matrices are computed on the host.
 *
 * X = (V - U)^-1 (V + U) is computed as (V + U) (V - U)^-1, which is the same
 * for polynomials of one matrix: its transpose solves Q^T Y = P^T, and right-
 * hand sides that are stored one after the other are the rows of P.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/expm/device.h"
#include "ops/expm/expm.h"
#include "ops/failure.h"
#include "ops/lapack/stack.h"
#include "ops/lu/residual.h"
#include "ops/lu/substitute.h"

enum {
	HOST_ROWS = 64,			/* up to which the host is faster */
	MATRICES = 7,
	SHIFT = 31,			/* rows are summed over 2^31, so that no
					 * sum of finite elements overflows */
};

static bool is_for_host(size_t n)
{
	return n <= HOST_ROWS;
}

static size_t matrix_bytes_of(const struct expm_task *t)
{
	return t->n * t->n * t->each;
}

/* Returns the place of the matrix's first element in the operand. */
static size_t at_of(const struct expm_task *t)
{
	return t->index * t->n * t->n;
}

/* --- norms */

/* y = 2^-e |a| x */
static void rows(const struct expm_task *t, struct buf a, size_t at, int e,
                 struct buf x, struct buf y)
{
	seq_work(t->s, 0, (double)matrix_bytes_of(t));
	seq_launch(t->s, "expm_rows", GRID1(t->n * EXPM_GROUP, EXPM_GROUP),
	           ARG_BUF(a), ARG_LONG(at), ARG_INT(t->n), ARG_INT(e),
	           ARG_BUF(x), ARG_BUF(y), ARG_BUF(t->bits));
}

/* Returns the largest of n numbers on the device, or NaN if one of them is. */
static double largest(const struct expm_task *t, struct buf y)
{
	const size_t wide = lu_wide_bytes(seq_sheet(t->s));
	double most = 0;

	seq_read(t->s, y, 0, t->host, t->n * wide);
	for (size_t i = 0; i < t->n && !seq_failed(t->s); i++) {
		const double x = wide == sizeof(float) ?
		    (double)((const float *)t->host)[i] : t->host[i];

		if (!(x <= most))
			most = isnan(x) ? NAN : fmax(most, x);
		if (isnan(x))
			break;
	}
	return most;
}

static double power(void *arg, int k)
{
	const struct expm_task *t = arg;
	const struct buf to = k == 2 ? t->a2 : k == 4 ? t->a4 : t->a6;

	expm_times(t, k == 2 ? t->a1 : t->a2, k == 2 ? t->a1 : k == 4 ? t->a2 :
	      t->a4, to);
	rows(t, to, 0, SHIFT, t->ones, t->y);
	return ldexp(largest(t, t->y), SHIFT);
}

/* Returns the largest element of |A|^k e, divided by norm^k. */
static double magnitudes(void *arg, int k)
{
	struct expm_task *t = arg;
	struct buf from = t->ones;

	for (int i = 0; i < k; i++) {
		const struct buf to = i % 2 ? t->x : t->y;

		rows(t, t->a1, 0, t->exponent, from, to);
		from = to;
	}
	return largest(t, from);
}

static void scale(const struct expm_task *t, struct buf from, size_t at,
                  int power, struct buf to)
{
	seq_launch(t->s, "expm_scale", EXPM_BY_ELEMENTS(t), ARG_BUF(from),
	           ARG_LONG(at), ARG_INT(t->n), EXPM_REAL(t, ldexp(1, power)),
	           ARG_BUF(to));
}

static void correct(const struct expm_task *t, int s, struct buf x)
{
	if (t->beside == (EXPM_BELOW | EXPM_ABOVE))
		return;
	seq_launch(t->s, "expm_correct", EXPM_BY_ELEMENTS(t), ARG_BUF(t->in),
	           ARG_LONG(at_of(t)), ARG_INT(t->n), ARG_INT(t->beside),
	           ARG_INT(s), ARG_BUF(x));
}

/* Squares a4 that many times and returns the buffer that holds the result. */
static struct buf square(const struct expm_task *t, int s)
{
	struct buf x = t->a4, next = t->a6;

	correct(t, s, x);
	while (s-- > 0) {
		const struct buf old = x;

		expm_times(t, x, x, next);
		correct(t, s, next);
		x = next;
		next = old;
	}
	return x;
}

/* --- one matrix */

static void fail(const struct expm_task *t)
{
	const size_t at = lapack_find_nonfinite(t->a->dtype,
	    lapack_in(t->a, 0, t->index), t->n * t->n);

	args_fail(t->a, &(struct failure){ t->index, { .code = ERR_NONFINITE,
	          .x = (double)(at / t->n), .y = (double)(at % t->n) } });
}

/* Sets `beside`, and `exponent` by the norm; false: the matrix holds NaN or
 * infinity. */
static bool look(struct expm_task *t)
{
	double most;

	seq_fill(t->s, t->bits, 0, sizeof(int32_t), &(int32_t){ 0 },
	         sizeof(int32_t));
	rows(t, t->in, at_of(t), SHIFT, t->ones, t->y);
	most = largest(t, t->y);
	seq_read(t->s, t->bits, 0, &t->beside, sizeof t->beside);
	frexp(most, &t->exponent);
	t->exponent += SHIFT;
	return isfinite(most);
}

static struct expm_square square_of(const struct expm_task *t)
{
	return (struct expm_square){ t->each == sizeof(float), 1, t->n };
}

static bool make_room(struct expm_task *t)
{
	if (!t->powers)
		t->powers = calloc(t->n, sizeof *t->powers);
	if (!t->balanced)
		t->balanced = malloc(matrix_bytes_of(t));
	return t->powers && t->balanced;
}

/* Sets `in` to the balanced matrix, which the host computes; false: that is not
 * worth it, or the host has no memory. */
static bool balance(struct expm_task *t)
{
	const struct expm_square m = square_of(t);
	const void *const a = lapack_in(t->a, 0, t->index);

	if (!make_room(t) || !expm_balance(&m, a, t->powers))
		return false;
	memcpy(t->balanced, a, matrix_bytes_of(t));
	expm_similar(&m, t->balanced, t->powers, false);
	t->in = t->out;
	seq_write(t->s, t->in, at_of(t) * t->each, t->balanced,
	          matrix_bytes_of(t));
	return look(t);
}

/* Sets a1 to the matrix, so scaled that its powers do not overflow; *first has
 * the exponent. */
static struct expm_plan prepare(struct expm_task *t, int *first)
{
	*first = expm_first_scaling(t->a->dtype, t->exponent);
	scale(t, t->in, at_of(t), -*first, t->a1);
	t->exponent -= *first;
	return expm_choose(t->a->dtype, &(struct expm_matrix){
	    ldexp(1, t->exponent), power, magnitudes, t });
}

static struct buf exponential(struct expm_task *t)
{
	int first;
	struct expm_plan plan = prepare(t, &first);

	if ((first > 0 || plan.far) && balance(t))
		plan = prepare(t, &first);
	if (plan.squarings > 0) {
		scale(t, t->a1, 0, -plan.squarings, t->a1);
		scale(t, t->a2, 0, -2 * plan.squarings, t->a2);
		scale(t, t->a4, 0, -4 * plan.squarings, t->a4);
		scale(t, t->a6, 0, -6 * plan.squarings, t->a6);
	}
	expm_approximate(t, plan.degree);
	return square(t, first + plan.squarings);
}

/* Writes the answer, x unless that is to be turned back from balancing. */
static void put(struct expm_task *t, struct buf x)
{
	const size_t at = at_of(t) * t->each, bytes = matrix_bytes_of(t);
	const struct expm_square m = square_of(t);

	if (t->in.id == t->operand.id) {
		seq_copy(t->s, x, 0, t->out, at, bytes);
		return;
	}
	seq_read(t->s, x, 0, t->balanced, bytes);
	if (seq_failed(t->s))
		return;
	expm_similar(&m, t->balanced, t->powers, true);
	seq_write(t->s, t->out, at, t->balanced, bytes);
}

static void run_one(struct expm_task *t)
{
	struct buf x = t->a4;

	t->in = t->operand;
	if (!look(t)) {
		if (!seq_failed(t->s))
			fail(t);
		return;
	}
	if (t->beside)
		x = exponential(t);
	else
		correct(t, 0, x);
	put(t, x);
	seq_progress(t->s, (double)(t->index + 1) / (double)t->a->stack);
}

static struct factors factors_of(const struct args *a)
{
	const size_t n = matrix_cols(&a->in[0]);

	return (struct factors){ .stack = 1, .m = n, .n = n, .pivoting = true };
}

static void make_buffers(struct expm_task *t)
{
	struct seq *s = t->s;
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	struct buf *const matrices[MATRICES] = {
		&t->a1, &t->a2, &t->a4, &t->a6, &t->u, &t->v, &t->w,
	}, *const vectors[] = { &t->ones, &t->x, &t->y };
	const double one = 1;
	const float single = 1;

	t->operand = seq_input(s, &t->a->in[0]);
	t->out = seq_output(s, &t->a->out[0]);
	for (int i = 0; i < MATRICES; i++)
		*matrices[i] = seq_scratch(s, matrix_bytes_of(t));
	for (int i = 0; i < 3; i++)
		*vectors[i] = seq_scratch(s, t->n * wide);
	seq_fill(s, t->ones, 0, t->n * wide, wide == sizeof one ?
	         (const void *)&one : &single, wide);
	t->bits = seq_scratch(s, sizeof(int32_t));
	t->place = seq_scratch(s, t->n * sizeof(int32_t));
	t->f = factors_of(t->a);
	t->f.a = t->w;
	t->f.lu = t->a2;
	factors_alloc(s, &t->f);
	t->how = lu_substitution(s, &t->f, *(const bool *)t->a->variant->how,
	                         t->n);
}

int expm_device(struct seq *s, struct args *a)
{
	struct expm_task t = { .s = s, .a = a, .n = matrix_cols(&a->in[0]),
	                  .each = dtype_bytes(a->dtype) };

	if (is_for_host(t.n) || matrix_elements(&a->in[0]) == 0)
		return expm_host(s, a);
	t.host = calloc(t.n, sizeof *t.host);
	if (!t.host)
		return err_set(seq_err(s), ERR_MEMORY, "expm: no memory for "
		               "%zu sums", t.n);
	make_buffers(&t);
	for (; t.index < a->stack && !seq_failed(s); t.index++)
		run_one(&t);
	free(t.host);
	free(t.powers);
	free(t.balanced);
	return seq_finish(s);
}

/* Every factorization makes scratch of its own. */
void expm_device_need(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *n)
{
	const bool spread = *(const bool *)v->how;
	const struct factors f = factors_of(a);
	const size_t one = f.n * f.n * dtype_bytes(a->dtype);

	if (is_for_host(f.n) || matrix_elements(&a->in[0]) == 0)
		return;
	need_matrices(n, d, a);
	for (int i = 0; i < MATRICES; i++)
		need_buffer(n, one);
	for (int i = 0; i < 3; i++)
		need_buffer(n, f.n * lu_wide_bytes(d));
	need_buffer(n, sizeof(int32_t));
	need_buffer(n, f.n * sizeof(int32_t));
	need_buffer(n, factors_swaps(&f));
	lu_substitution_need(n, &f, a->dtype, spread, f.n);
	for (size_t i = 0; i < a->stack; i++)
		(spread ? lu_need_spread : lu_need_tiled)(n, d, a->dtype, &f);
}
