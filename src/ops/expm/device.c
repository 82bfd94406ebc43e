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

#include "base/size.h"
#include "ops/blas/gemm.h"
#include "ops/expm/expm.h"
#include "ops/failure.h"
#include "ops/lapack/stack.h"
#include "ops/lu/residual.h"
#include "ops/lu/substitute.h"
#include "shared/expm_tile.h"

enum {
	HOST_ROWS = 64,			/* up to which the host is faster */
	MATRICES = 7,
	SHIFT = 31,			/* rows are summed over 2^31, so that no
					 * sum of finite elements overflows */
};

struct task {
	struct seq *s;
	struct args *a;
	size_t n, each;			/* bytes of an element */
	size_t index;			/* of the matrix in the stack */
	int exponent;			/* its norm is below 2^exponent */
	int32_t beside;			/* EXPM_BELOW, EXPM_ABOVE */
	double *host;			/* n sums */
	struct buf in, out;
	struct buf a1, a2, a4, a6, u, v, w;
	struct buf ones, x, y;		/* n wide numbers each */
	struct buf bits;		/* `beside` */
	struct buf place;
	struct factors f;
	struct substitution how;
};

static bool is_for_host(size_t n)
{
	return n <= HOST_ROWS;
}

static size_t matrix_bytes_of(const struct task *t)
{
	return t->n * t->n * t->each;
}

/* Returns the place of the matrix's first element in the operand. */
static size_t at_of(const struct task *t)
{
	return t->index * t->n * t->n;
}

static struct grid by_elements(const struct task *t)
{
	return GRID2(t->n, t->n, EXPM_GROUP, 1);
}

/* A real argument of a kernel has the sequence's element type. */
#define ARG_REAL(t, x)                                                       \
	((t)->each == sizeof(double) ?                                       \
	 (struct arg){ sizeof(double), &(double){ (x) }, 0 } :               \
	 (struct arg){ sizeof(float), &(float){ (float)(x) }, 0 })

/* c = a b */
static void times(const struct task *t, struct buf a, struct buf b,
                  struct buf c)
{
	const struct blas_part x = { .b = a, .ld = t->n };
	const struct blas_part y = { .b = b, .ld = t->n };
	const struct blas_part z = { .b = c, .ld = t->n };

	blas_gemm(t->s, &(struct blas_gemm){ .stack = 1, .m = t->n, .n = t->n,
	          .k = t->n, .alpha = 1 }, &x, &y, &z);
}

/* --- norms */

/* y = 2^-e |a| x */
static void rows(const struct task *t, struct buf a, size_t at, int e,
                 struct buf x, struct buf y)
{
	seq_work(t->s, 0, (double)matrix_bytes_of(t));
	seq_launch(t->s, "expm_rows", GRID1(t->n * EXPM_GROUP, EXPM_GROUP),
	           ARG_BUF(a), ARG_LONG(at), ARG_INT(t->n), ARG_INT(e),
	           ARG_BUF(x), ARG_BUF(y), ARG_BUF(t->bits));
}

/* Returns the largest of n numbers on the device, or NaN if one of them is. */
static double largest(const struct task *t, struct buf y)
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
	const struct task *t = arg;
	const struct buf to = k == 2 ? t->a2 : k == 4 ? t->a4 : t->a6;

	times(t, k == 2 ? t->a1 : t->a2, k == 2 ? t->a1 : k == 4 ? t->a2 :
	      t->a4, to);
	rows(t, to, 0, SHIFT, t->ones, t->y);
	return ldexp(largest(t, t->y), SHIFT);
}

/* Returns the largest element of |A|^k e, divided by norm^k. */
static double magnitudes(void *arg, int k)
{
	struct task *t = arg;
	struct buf from = t->ones;

	for (int i = 0; i < k; i++) {
		const struct buf to = i % 2 ? t->x : t->y;

		rows(t, t->a1, 0, t->exponent, from, to);
		from = to;
	}
	return largest(t, from);
}

/* --- the approximant */

/* to (+)= c[0] I + c[1] A^2 + c[2] A^4 + c[3] A^6 + c[4] a8 */
static void combine(const struct task *t, const double c[5], struct buf a8,
                    bool add, struct buf to)
{
	seq_launch(t->s, "expm_combine", by_elements(t), ARG_BUF(t->a2),
	           ARG_BUF(t->a4), ARG_BUF(t->a6), ARG_BUF(a8),
	           ARG_REAL(t, c[0]), ARG_REAL(t, c[1]), ARG_REAL(t, c[2]),
	           ARG_REAL(t, c[3]), ARG_REAL(t, c[4]), ARG_INT(t->n),
	           ARG_INT(add), ARG_BUF(to));
}

/* w = U / A, v = V */
static void polynomials(const struct task *t, int m,
                        const double c[EXPM_MOST_DEGREE + 1])
{
	double odd[5] = { 0 }, even[5] = { 0 };

	for (int k = 0; k <= m && k < 10; k++)
		(k % 2 ? odd : even)[k / 2] = c[k];
	if (m < EXPM_MOST_DEGREE) {
		if (m == 9)
			times(t, t->a4, t->a4, t->u);
		combine(t, odd, t->u, false, t->w);
		combine(t, even, t->u, false, t->v);
		return;
	}
	odd[4] = even[4] = 0;
	/* U / A = A6 (c13 A6 + c11 A4 + c9 A2) + c7 A6 + c5 A4 + c3 A2 + c1 */
	combine(t, (double[]){ 0, c[9], c[11], c[13], 0 }, t->a2, false, t->u);
	times(t, t->a6, t->u, t->w);
	combine(t, odd, t->a2, true, t->w);
	/* V = A6 (c12 A6 + c10 A4 + c8 A2) + c6 A6 + c4 A4 + c2 A2 + c0 */
	combine(t, (double[]){ 0, c[8], c[10], c[12], 0 }, t->a2, false, t->u);
	times(t, t->a6, t->u, t->v);
	combine(t, even, t->a2, true, t->v);
}

/* a4 = (V + U) (V - U)^-1; a2 gets the factors. */
static void approximate(struct task *t, int degree)
{
	const size_t lanes = seq_sheet(t->s)->type == DEVICE_CPU ? 1 :
	                     EXPM_GROUP;
	double c[EXPM_MOST_DEGREE + 1];

	expm_coefficients(degree, c);
	polynomials(t, degree, c);
	times(t, t->a1, t->w, t->u);
	seq_launch(t->s, "expm_denominator", GRID2(t->n, t->n, EXPM_TILE,
	           EXPM_TILE), ARG_BUF(t->v), ARG_BUF(t->u), ARG_INT(t->n),
	           ARG_BUF(t->w));
	/* P Q^T = L U */
	(*(const bool *)t->a->variant->how ? lu_factor_spread :
	                                     lu_factor_tiled)(t->s, &t->f);
	lu_refactored(&t->how);
	seq_launch(t->s, "solve_places",
	           GRID2(lanes == 1 ? 1 : t->n, 1, lanes, 1),
	           ARG_BUF(t->f.swaps), ARG_INT(t->n), ARG_BUF(t->place));
	seq_launch(t->s, "expm_numerator", by_elements(t), ARG_BUF(t->v),
	           ARG_BUF(t->u), ARG_INT(t->n), ARG_BUF(t->place),
	           ARG_BUF(t->a4));
	lu_substitute(&t->how, t->a4, t->n);
}

static void scale(const struct task *t, struct buf from, size_t at, int power,
                  struct buf to)
{
	seq_launch(t->s, "expm_scale", by_elements(t), ARG_BUF(from),
	           ARG_LONG(at), ARG_INT(t->n), ARG_REAL(t, ldexp(1, power)),
	           ARG_BUF(to));
}

static void correct(const struct task *t, int s, struct buf x)
{
	if (t->beside == (EXPM_BELOW | EXPM_ABOVE))
		return;
	seq_launch(t->s, "expm_correct", by_elements(t), ARG_BUF(t->in),
	           ARG_LONG(at_of(t)), ARG_INT(t->n), ARG_INT(t->beside),
	           ARG_INT(s), ARG_BUF(x));
}

/* Squares a4 that many times and returns the buffer that holds the result. */
static struct buf square(const struct task *t, int s)
{
	struct buf x = t->a4, next = t->a6;

	correct(t, s, x);
	while (s-- > 0) {
		const struct buf old = x;

		times(t, x, x, next);
		correct(t, s, next);
		x = next;
		next = old;
	}
	return x;
}

/* --- one matrix */

static void fail(const struct task *t)
{
	const size_t at = lapack_find_nonfinite(t->a->dtype,
	    lapack_in(t->a, 0, t->index), t->n * t->n);

	args_fail(t->a, &(struct failure){ t->index, { .code = ERR_NONFINITE,
	          .x = (double)(at / t->n), .y = (double)(at % t->n) } });
}

/* Sets `beside`, and `exponent` by the norm; false: the matrix holds NaN or
 * infinity. */
static bool look(struct task *t)
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

static struct buf exponential(struct task *t)
{
	const int first = expm_first_scaling(t->a->dtype, t->exponent);
	struct expm_plan plan;

	scale(t, t->in, at_of(t), -first, t->a1);
	t->exponent -= first;
	plan = expm_choose(t->a->dtype, &(struct expm_matrix){
	    ldexp(1, t->exponent), power, magnitudes, t });
	if (plan.squarings > 0) {
		scale(t, t->a1, 0, -plan.squarings, t->a1);
		scale(t, t->a2, 0, -2 * plan.squarings, t->a2);
		scale(t, t->a4, 0, -4 * plan.squarings, t->a4);
		scale(t, t->a6, 0, -6 * plan.squarings, t->a6);
	}
	approximate(t, plan.degree);
	return square(t, first + plan.squarings);
}

static void run_one(struct task *t)
{
	struct buf x = t->a4;

	if (!look(t)) {
		if (!seq_failed(t->s))
			fail(t);
		return;
	}
	if (t->beside)
		x = exponential(t);
	else
		correct(t, 0, x);
	seq_copy(t->s, x, 0, t->out, at_of(t) * t->each, matrix_bytes_of(t));
	seq_progress(t->s, (double)(t->index + 1) / (double)t->a->stack);
}

static struct factors factors_of(const struct args *a)
{
	const size_t n = matrix_cols(&a->in[0]);

	return (struct factors){ .stack = 1, .m = n, .n = n, .pivoting = true };
}

static void make_buffers(struct task *t)
{
	struct seq *s = t->s;
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	struct buf *const matrices[MATRICES] = {
		&t->a1, &t->a2, &t->a4, &t->a6, &t->u, &t->v, &t->w,
	}, *const vectors[] = { &t->ones, &t->x, &t->y };
	const double one = 1;
	const float single = 1;

	t->in = seq_input(s, &t->a->in[0]);
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
	struct task t = { .s = s, .a = a, .n = matrix_cols(&a->in[0]),
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
