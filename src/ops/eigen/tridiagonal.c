/* tridiagonal.c - computes eigenvalues of one symmetric matrix on the device,
 * through a tridiagonal matrix (ops/tridiagonal). See many.h. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/eigen/many.h"
#include "ops/qr/judge.h"
#include "ops/tridiagonal/steps.h"
#include "ops/tridiagonal/symmetric.h"

/* With fewer rows, LAPACK on the host is at least about as fast: on an H200,
 * each column of the reduction takes 8 us, and the rest of a call about 2
 * ms. */
enum { FEWEST_ROWS = 96 };

/* The state of a call. A is divided by 2^power before its decomposition. */
struct task {
	struct seq *s;
	struct args *a;
	const struct eigen_choice *choice;
	size_t n, count;		/* rows; answered eigenvalues */
	int power;
	double *values, *beside;	/* T's diagonal, then the eigenvalues;
					 * T's off-diagonal: n numbers each */
	size_t *order;			/* indices of answered eigenvalues */
	bool vectors;			/* are eigenvectors wanted? */
};

static const int vector_outputs[] = { EIGEN_VECTORS, EIGEN_LEFT_VECTORS };

/* --- which calls */

static bool is_demanded(const struct args *a)
{
	return a->param[EIGEN_P_METHOD] == EIGEN_TRIDIAGONAL;
}

/* Returns whether the device can answer the call if the matrix is symmetric. */
static bool is_possible(const struct args *a, const struct sheet *d)
{
	return d->float64 && eigen_which(a) != EIGEN_DOMINANT &&
	       !eigen_is_large(a) &&
	       a->stack == 1 && !eigen_has_b(a) &&
	       a->param[EIGEN_P_STRUCTURE] != EIGEN_GENERAL_STRUCTURE;
}

bool eigen_wants_vectors(const struct args *a)
{
	return (args_wants(a, EIGEN_VECTORS) &&
	        a->out[EIGEN_VECTORS].ndim != MATRIX_ABSENT) ||
	       (args_wants(a, EIGEN_LEFT_VECTORS) &&
	        a->out[EIGEN_LEFT_VECTORS].ndim != MATRIX_ABSENT);
}

static void judge(struct judge *j);

/* Returns the device's memory that a call takes if the device answers it. */
static struct need need_of(const struct args *a, const struct sheet *d)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]), k = eigen_asked(a);
	const size_t each = dtype_bytes(a->dtype);
	struct need need = { 0 };

	need_matrix(&need, d, &a->in[EIGEN_A]);
	symmetric_decompose_need(&need, d, a->dtype, n);
	for (int i = EIGEN_VALUES; i <= EIGEN_LEFT_VECTORS; i++) {
		struct matrix out = a->out[i];

		if (out.ndim == MATRIX_ABSENT)
			continue;
		out.dtype = dtype_part(out.dtype);
		need_matrix(&need, d, &out);
	}
	if (!eigen_wants_vectors(a))
		return need;
	need_buffer(&need, k * sizeof(int32_t));
	need_scratch(&need, n * (n + k) * each, n * n * each);
	judge_need(&need, d, a, judge);
	return need;
}

static bool fits(const struct args *a, const struct sheet *d)
{
	const struct need need = need_of(a, d);

	return need.largest <= d->max_allocation_bytes &&
	       need.bytes <= d->global_memory_bytes / 4 * 3;
}

static bool is_worth_it(const struct args *a, const struct sheet *d,
                        const struct eigen_kernels *k)
{
	return a->param[EIGEN_P_METHOD] == EIGEN_AUTO && k->local > 1 &&
	       matrix_rows(&a->in[EIGEN_A]) >= FEWEST_ROWS && fits(a, d);
}

/* --- which matrices */

/* Finds the first element a_ij below the diagonal, column by column, that
 * differs from a_ji by more than `slack`, both divided by 2^power. */
static struct failure_detail find_asymmetry(const struct matrix *m,
                                            double slack, int power)
{
	const size_t n = matrix_rows(m);

	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 1; i < n; i++) {
			const double x = ldexp(matrix_get(m, i * n + j),
			                       -power);
			const double y = ldexp(matrix_get(m, j * n + i),
			                       -power);

			if (fabs(x - y) > slack)
				return (struct failure_detail){
					.code = ERR_MATHEMATICS,
					.at = EIGEN_FAULT_NOT_SYMMETRIC,
					.x = (double)i, .y = (double)j,
				};
		}
	return (struct failure_detail){ .code = ERR_NONE };
}

struct failure_detail eigen_symmetric_fault(const struct args *a,
                                            const struct symmetric_told *told)
{
	const struct matrix *m = &a->in[EIGEN_A];
	const bool lenient = a->param[EIGEN_P_STRUCTURE] ==
	                     EIGEN_SYMMETRIC_STRUCTURE;
	const double slack = lenient ? eigen_slack(a) : 0;
	const int power = symmetric_power(told);

	if (!told->finite)
		return lapack_nonfinite(a, EIGEN_A, matrix_data(m));
	return ldexp(told->asymmetry, -power) > slack ?
	       find_asymmetry(m, slack, power) :
	       (struct failure_detail){ .code = ERR_NONE };
}

/* --- the answer */

/* Makes an output real, and reduces the number of its columns to that of the
 * answered eigenvalues. */
static void settle(struct args *a, int output, size_t columns)
{
	struct matrix *out = &a->out[output];

	if (dtype_is_complex(out->dtype)) {
		out->dtype = dtype_part(out->dtype);
		a->real |= 1u << output;
	}
	if (out->dim[out->ndim - 1] > columns) {
		a->fewer = out->dim[out->ndim - 1] - columns;
		out->dim[out->ndim - 1] = columns;
		a->shorter |= 1u << output;
	}
}

void eigen_settle_symmetric(struct args *a, size_t count)
{
	for (int i = EIGEN_VALUES; i <= EIGEN_LEFT_VECTORS; i++)
		if (a->out[i].memory)
			settle(a, i, count);
}

static void put_values(const struct task *t)
{
	struct matrix *out = &t->a->out[EIGEN_VALUES];

	for (size_t i = 0; i < t->count && out->memory; i++)
		matrix_set(out, i, t->values[t->order[i]]);
}

/* Multiplies the eigenvalues by 2^power and chooses among them. Returns whether
 * the chosen ones are within the range of the call's type, or -1 if there is no
 * memory. */
static int choose(struct task *t)
{
	const double most = t->a->dtype == FLOAT32 ? FLT_MAX : DBL_MAX;
	bool within = true;
	int count;

	for (size_t i = 0; i < t->n; i++)
		t->values[i] = ldexp(t->values[i], t->power);
	count = eigen_choose(t->choice, t->values, NULL, t->n, t->order);
	if (count < 0)
		return err_set(seq_err(t->s), ERR_MEMORY, "eigen: no memory "
		               "for %zu eigenvalues", t->n);
	t->count = (size_t)count;
	for (size_t i = 0; i < t->count; i++)
		within &= fabs(t->values[t->order[i]]) <= most;
	return within;
}

/* Computes the chosen columns of Z = Q Z_T, where z contains Z_T, and copies
 * them to the wanted outputs. */
static void put_vectors(const struct task *t, const struct tridiagonal_form *f,
                        struct buf z)
{
	const size_t bytes = t->n * t->count * dtype_bytes(t->a->dtype);
	struct buf x = z;

	if (t->count < t->n) {
		x = seq_scratch(t->s, bytes);
		tridiagonal_gather(t->s, t->n, z, t->order, t->count, x);
	}
	tridiagonal_back(f, x, t->count);
	tridiagonal_signs(t->s, t->n, x, t->count);
	for (size_t i = 0; i < COUNT(vector_outputs); i++) {
		const struct matrix *out = &t->a->out[vector_outputs[i]];

		if (out->memory)
			seq_copy(t->s, x, 0, seq_output(t->s, out), 0, bytes);
	}
}

/* --- the verdict */

/* Returns an output that has the eigenvectors. */
static const struct matrix *vectors_of(const struct args *a)
{
	const struct matrix *right = &a->out[EIGEN_VECTORS];

	return args_wants(a, EIGEN_VECTORS) && right->ndim != MATRIX_ABSENT ?
	       right : &a->out[EIGEN_LEFT_VECTORS];
}

/* Measures the residual |A X - X diag(lambda)|, if the eigenvalues are known,
 * and the orthogonality |I - X^T X|. */
static void judge(struct judge *j)
{
	const struct args *a = j->a;
	const struct matrix *values = &a->out[EIGEN_VALUES];
	const size_t n = matrix_rows(&a->in[EIGEN_A]);
	const bool known = args_wants(a, EIGEN_VALUES);
	const struct judged of_a = { .b = judge_matrix(j, &a->in[EIGEN_A]),
	                             .rows = n, .cols = n, .scaled = true };
	const struct matrix *v = vectors_of(a);
	const struct judged x = { .b = judge_matrix(j, v), .rows = n,
	                          .cols = matrix_cols(v) };
	const struct vectors p = judge_probes(j, x.cols);
	const struct vectors xp = judge_times(j, &x, &p, NULL);

	if (known) {
		const struct judged scaled = {
			.b = x.b, .rows = n, .cols = x.cols, .scaled = true,
			.weights = judge_matrix(j, values),
		};
		const struct vectors w = judge_times(j, &scaled, &p, NULL);
		struct buf square;
		const struct vectors t = judge_times(j, &of_a, &xp, &square);

		judge_residual(j, &t, &w, square, n);
	}
	judge_orthogonality(j, &xp, &p, n);
}

static int measure(const struct task *t)
{
	if (t->a->quality == QUALITY_NONE)
		return 0;
	if (t->vectors && t->count > 0 && judge_run(t->s, t->a, judge) < 0)
		return -1;
	t->a->verdict.condition = 1;
	return 0;
}

/* --- one matrix */

static int fail(const struct task *t, struct failure_detail why)
{
	args_fail(t->a, &(struct failure){ 0, why });
	eigen_settle_symmetric(t->a, t->count);
	return seq_finish(t->s);
}

/* Computes T, its eigenvalues and, if they are wanted, its eigenvectors Z_T,
 * in a buffer that *z becomes. */
static int decompose(struct task *t, struct tridiagonal_form *f, struct buf *z)
{
	const size_t bytes = t->n * t->n * dtype_bytes(t->a->dtype);

	*f = tridiagonal_reduce(t->s, t->n, seq_input(t->s,
	                        &t->a->in[EIGEN_A]), t->power);
	if (tridiagonal_read(f, t->values, t->beside) < 0)
		return -1;
	if (!t->vectors)
		return tridiagonal_values(t->s, t->n, t->values,
		                          t->beside);
	*z = seq_scratch(t->s, bytes);
	return tridiagonal_decompose(t->s, t->n, t->values, t->beside, *z);
}

static int answer(struct task *t)
{
	struct tridiagonal_form f;
	struct buf z = { 0 };
	int within;

	if (decompose(t, &f, &z) < 0)
		return -1;
	within = choose(t);
	if (within < 0)
		return -1;
	if (!within)
		return fail(t, (struct failure_detail){
			.code = ERR_MATHEMATICS, .at = EIGEN_FAULT_BEYOND });
	eigen_settle_symmetric(t->a, t->count);
	put_values(t);
	if (t->vectors && t->count > 0)
		put_vectors(t, &f, z);
	return measure(t) < 0 ? -1 : seq_finish(t->s);
}

/* Answers the call. Returns the same as eigen_tridiagonal_try(). */
static int run(struct task *t)
{
	struct symmetric_told told;
	struct failure_detail why;

	if (symmetric_look(t->s, t->n, seq_input(t->s, &t->a->in[EIGEN_A]),
	                   &told) < 0)
		return -1;
	t->power = symmetric_power(&told);
	if (told.finite && told.asymmetry > 0 && !is_demanded(t->a) &&
	    t->a->param[EIGEN_P_STRUCTURE] == EIGEN_ANY_STRUCTURE)
		return 0;
	why = eigen_symmetric_fault(t->a, &told);
	return (why.code != ERR_NONE ? fail(t, why) : answer(t)) < 0 ? -1 : 1;
}

int eigen_tridiagonal_try(struct seq *s, struct args *a,
                          const struct eigen_kernels *k,
                          const struct eigen_choice *c)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);
	struct task t = { .s = s, .a = a, .choice = c, .n = n,
	                  .count = c->k, .vectors = eigen_wants_vectors(a) };
	int rc = -1;

	if (is_demanded(a) && !is_possible(a, seq_sheet(s)))
		return err_set_at(seq_err(s), ERR_PARAMETER, "/method",
		                  "eigen: method=tridiagonal takes one "
		                  "symmetric matrix that is not sparse, on a "
		                  "device with float64");
	if (!is_demanded(a) &&
	    !(is_possible(a, seq_sheet(s)) && is_worth_it(a, seq_sheet(s), k)))
		return 0;
	t.values = malloc(2 * n * sizeof *t.values);
	t.order = malloc(n * sizeof *t.order);
	t.beside = t.values ? t.values + n : NULL;
	if (t.values && t.order)
		rc = run(&t);
	else
		err_set(seq_err(s), ERR_MEMORY, "eigen: no memory for %zu "
		        "eigenvalues", n);
	free(t.values);
	free(t.order);
	return rc;
}

void eigen_tridiagonal_need(const struct args *a, const struct sheet *d,
                            const struct eigen_kernels *k, struct need *need)
{
	struct need more;

	if (!is_possible(a, d) || (!is_demanded(a) && !is_worth_it(a, d, k)))
		return;
	more = need_of(a, d);
	need->bytes += more.bytes;
	need->largest = size_max(need->largest, more.largest);
}
