/* polar.c - pinv by the polar decomposition (ops/polar) and the eigenvectors of
 * its symmetric factor, on the device:
 *
 *     A = U H,  H = V D V^T,  A^+ = H^+ U^T,  H^+ = V D^+ V^T.
 *
 * A matrix with more columns than rows is decomposed as its transpose, whose
 * pseudoinverse is the transpose of A^+. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "ops/dense.h"
#include "ops/pinv/pinv.h"
#include "ops/polar/polar.h"
#include "ops/qr/judge.h"
#include "ops/room.h"

enum { ITEMS = 64 };

struct task {
	struct seq *s;			/* NULL while memory is counted */
	struct need *need;		/* NULL while a call runs */
	const struct args *a;
	size_t m, n;			/* the larger and the smaller size */
	bool turned;			/* is A^T decomposed? */
	struct polar p;
	struct blas_tensor tensor;
	struct buf h;			/* n x n: V */
	struct buf x;			/* n x n: V D^+ */
	struct buf u;			/* m x n: U in float32 */
	struct buf d;			/* n elements: D^+ */
	double *w, *inverse;		/* D and D^+ */
};

bool pinv_polar_fits(const struct args *a, const struct sheet *d)
{
	return matrix_stack(&a->in[0]) == 1 && dense_has(a, 0) &&
	       polar_pays(d, 1, dense_least(a));
}

static struct task task_of(const struct args *a)
{
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);

	return (struct task){ .a = a, .m = size_max(m, n), .n = size_min(m, n),
	                      .turned = m < n };
}

static struct buf room(const struct task *t, size_t numbers)
{
	const size_t bytes = numbers * dtype_bytes(t->a->dtype);

	return room_make(t->s, t->need, bytes);
}

static void plan(struct task *t)
{
	t->h = room(t, t->n * t->n);
	t->x = room(t, t->n * t->n);
	t->d = room(t, t->n);
	if (t->a->dtype == FLOAT32)
		t->u = room(t, t->m * t->n);
}

/* The larger one of the two products that make A^+: H^+ U^T, or U H^+ if A^T is
 * decomposed. */
static struct blas_gemm last_product(const struct task *t)
{
	return (struct blas_gemm){
		.stack = 1, .m = t->turned ? t->m : t->n,
		.n = t->turned ? t->n : t->m, .k = t->n, .alpha = 1,
		.tensor = &t->tensor,
	};
}

/* --- the verdict */

/* Measures |A P A - A| / (|A| max(m, n) eps) in the Frobenius norm, where P is
 * the pseudoinverse. */
static void judge(struct judge *j)
{
	const struct matrix *in = &j->a->in[0], *out = &j->a->out[0];
	struct judged a = { .b = judge_matrix(j, in), .rows = matrix_rows(in),
	                    .cols = matrix_cols(in), .scaled = true };
	const struct judged p = { .b = judge_matrix(j, out),
	                          .rows = matrix_rows(out),
	                          .cols = matrix_cols(out) };
	const struct vectors x = judge_probes(j, a.cols);
	struct buf square;
	const struct vectors ax = judge_times(j, &a, &x, &square);
	const struct vectors pax = judge_times(j, &p, &ax, NULL);
	struct vectors apax;

	a.scaled = false;
	apax = judge_times(j, &a, &pax, NULL);
	judge_residual(j, &ax, &apax, square, size_max(a.rows, a.cols));
}

/* The numbers about the singular values that the verdict needs. `first` is the
 * largest singular value; the other members are divided by it: `last` is the
 * smallest singular value that does not count as 0, `next` the largest one that
 * does, or 0, and `norm` is |A| in the Frobenius norm. */
struct values { double first, last, next, norm; };

static struct values values_of(const struct task *t, double rcond)
{
	struct values v = { 0 };
	double square = 0;

	for (size_t i = 0; i < t->n; i++)
		v.first = fmax(v.first, fabs(t->w[i]));
	for (size_t i = 0; i < t->n && v.first > 0; i++) {
		const double x = fabs(t->w[i]) / v.first;

		square += x * x;
		if (x > rcond)
			v.last = v.last > 0 ? fmin(v.last, x) : x;
		else
			v.next = fmax(v.next, x);
	}
	v.norm = sqrt(square);
	return v;
}

/* Converts the residual of judge() to the measure that judge() in host.c
 * defines, so that both variants report the same quantity. */
static int give_verdict(struct task *t, struct args *a,
                        const struct values *v)
{
	const double eps = dtype_epsilon(a->dtype) / 2 * (double)t->m;
	const double n = (double)matrix_cols(&a->in[0]);

	if (v->first == 0) {
		a->verdict.residual = 0;
		return seq_finish(t->s);
	}
	if (judge_run(t->s, a, judge) < 0)
		return -1;
	a->verdict.residual *= eps * v->norm / sqrt(n) /
	                       (eps / v->last + v->next);
	return 0;
}

void pinv_polar_need(struct need *n, const struct sheet *d,
                     const struct args *a)
{
	struct task t = task_of(a);
	const struct blas_gemm most = last_product(&t);

	t.need = n;
	plan(&t);
	polar_spectrum_need(n, d, a->dtype, 1, t.m, t.n);
	blas_gemm_need(n, d, a->dtype, &most);
	judge_need(n, d, a, judge);
}

/* --- the call */

/* Computes D^+, with 0 for eigenvalues that count as 0, and writes it to the
 * device. */
static void invert(const struct task *t, const struct values *v, double rcond)
{
	float *const single = (float *)t->inverse;

	for (size_t i = 0; i < t->n; i++) {
		const double w = t->w[i];
		const bool counts = w != 0 && fabs(w) / v->first > rcond;

		if (t->a->dtype == FLOAT32)
			single[i] = counts ? (float)(1 / w) : 0;
		else
			t->inverse[i] = counts ? 1 / w : 0;
	}
	seq_write(t->s, t->d, 0, t->inverse,
	          t->n * dtype_bytes(t->a->dtype));
}

/* H^+ = (V D^+) V^T, in p.g, whose contents are not needed after the polar
 * decomposition. */
static void invert_h(const struct task *t)
{
	const size_t n = t->n;
	const struct blas_gemm g = { .stack = 1, .m = n, .n = n, .k = n,
	                             .alpha = 1, .tensor = &t->tensor };
	const struct blas_part x = { .b = t->x, .ld = n };
	const struct blas_part v = { .b = t->h, .ld = n, .transposed = true };
	const struct blas_part h = { .b = t->p.g, .ld = n };

	seq_launch(t->s, "pinv_weigh", GRID1(n * n, ITEMS), ARG_BUF(t->h),
	           ARG_INT(n), ARG_BUF(t->d), ARG_LONG(n * n), ARG_BUF(t->x));
	blas_gemm(t->s, &g, &x, &v, &h);
}

/* A^+ = H^+ U^T, or U H^+ if A^T is decomposed. */
static void multiply(const struct task *t)
{
	const struct blas_gemm g = last_product(t);
	const size_t n = t->n;
	const struct blas_part h = { .b = t->p.g, .ld = n };
	const struct blas_part to = {
		.b = seq_output(t->s, &t->a->out[0]), .ld = g.n,
	};
	const struct blas_part u = {
		.b = polar_factor(&t->p, t->u), .ld = n,
		.transposed = !t->turned,
	};

	if (t->turned)
		blas_gemm(t->s, &g, &u, &h, &to);
	else
		blas_gemm(t->s, &g, &h, &u, &to);
}

static int run(struct task *t, struct args *a, bool *done)
{
	const double rcond = dense_rcond(a, PINV_RCOND);
	const struct blas_gemm most = last_product(t);
	const struct polar_source from = {
		.b = seq_input(t->s, &a->in[0]), .transposed = t->turned,
	};
	struct values v;

	plan(t);
	t->p = polar_of(t->s, t->m, t->n);
	t->tensor = blas_tensor_of(t->s, &most);
	if (polar_spectrum(&t->p, &from, t->h, true, t->w, done) < 0)
		return -1;
	if (!*done)
		return 0;
	v = values_of(t, rcond);
	/* D^+ would be subnormal; the host scales such a matrix. */
	*done = v.first < (a->dtype == FLOAT32 ? FLT_MAX : DBL_MAX) / 4;
	if (!*done)
		return 0;
	invert(t, &v, rcond);
	invert_h(t);
	multiply(t);
	return a->quality == QUALITY_NONE ? seq_finish(t->s) :
	                                    give_verdict(t, a, &v);
}

int pinv_polar(struct seq *s, struct args *a)
{
	struct task t = task_of(a);
	bool done;
	int rc;

	if (!pinv_polar_fits(a, seq_sheet(s)))
		return pinv_host(s, a);
	t.s = s;
	t.w = malloc(2 * t.n * sizeof *t.w);
	if (!t.w)
		return err_set(seq_err(s), ERR_MEMORY, "pinv: no memory for "
		               "%zu singular values", t.n);
	t.inverse = t.w + t.n;
	rc = run(&t, a, &done);
	free(t.w);
	return rc == 0 && !done ? pinv_host(s, a) : rc;
}
