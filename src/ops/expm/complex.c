/* complex.c - expm of complex matrices by LAPACK on the host, in complex128
 * (ops/lapack/complex.h): the same algorithm as for real ones (expm.h). */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "matrix/complex.h"
#include "ops/expm/expm.h"
#include "ops/lapack/complex.h"
#include "ops/lapack/exported.h"

/* A, column-major, and its even powers; u, v and w are scratch. */
struct work {
	const struct lapack *l;
	size_t n;
	cplx *a, *a2, *a4, *a6, *u, *v, *w;
	double *x, *y;
	int *pivots;
	double norm;
};

enum { MATRICES = 8 };			/* those, and A as it came */

/* c = a b */
static void times(const struct work *w, const cplx *a, const cplx *b, cplx *c)
{
	const int n = (int)w->n;
	const cplx one = 1, zero = 0;

	zgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
}

static double power(void *arg, int k)
{
	const struct work *w = arg;
	cplx *to = k == 2 ? w->a2 : k == 4 ? w->a4 : w->a6;

	times(w, k == 2 ? w->a : w->a2, k == 2 ? w->a : k == 4 ? w->a2 : w->a4,
	      to);
	return complex_norm1(to, w->n, w->n);
}

/* Computes the row e^T |A|^k / norm^k and returns its largest element. */
static double magnitudes(void *arg, int k)
{
	const struct work *w = arg;
	const size_t n = w->n;
	double most = 0;

	for (size_t i = 0; i < n; i++)
		w->x[i] = 1;
	for (int turn = 0; turn < k; turn++) {
		most = 0;
		lapack_poll();
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t i = 0; i < n; i++)
				sum += cabs(w->a[j * n + i]) * w->x[i];
			w->y[j] = sum / w->norm;
			most = fmax(most, w->y[j]);
		}
		memcpy(w->x, w->y, n * sizeof *w->x);
	}
	return most;
}

/* to = sum over the even powers, c[0] being the coefficient of I; c[4] is that
 * of a8. */
static void combine(const struct work *w, const double c[5], const cplx *a8,
                    cplx *to)
{
	const cplx *const of[] = { NULL, w->a2, w->a4, w->a6, a8 };
	const size_t n = w->n;

	for (size_t i = 0; i < n * n; i++) {
		cplx sum = i % (n + 1) == 0 ? c[0] : 0;

		for (int k = 1; k < 5; k++)
			if (c[k] != 0)
				sum += c[k] * of[k][i];
		to[i] = sum;
	}
}

/* Sets w->w to U / A and w->v to V. The degree is 13, or less. */
static void polynomials(const struct work *w, int degree, const double *c)
{
	double odd[5] = { 0 }, even[5] = { 0 };
	const size_t all = w->n * w->n;

	for (int k = 0; k <= degree && k < 10; k++)
		(k % 2 ? odd : even)[k / 2] = c[k];
	if (degree < EXPM_MOST_DEGREE) {
		if (degree == 9)
			times(w, w->a4, w->a4, w->u);
		combine(w, odd, w->u, w->w);
		combine(w, even, w->u, w->v);
		return;
	}
	odd[4] = even[4] = 0;
	/* U / A = A6 (c13 A6 + c11 A4 + c9 A2) + c7 A6 + c5 A4 + c3 A2 + c1 */
	combine(w, (double[]){ 0, c[9], c[11], c[13], 0 }, NULL, w->u);
	times(w, w->a6, w->u, w->w);
	combine(w, odd, NULL, w->u);
	for (size_t i = 0; i < all; i++)
		w->w[i] += w->u[i];
	/* V = A6 (c12 A6 + c10 A4 + c8 A2) + c6 A6 + c4 A4 + c2 A2 + c0 */
	combine(w, (double[]){ 0, c[8], c[10], c[12], 0 }, NULL, w->u);
	times(w, w->a6, w->u, w->v);
	combine(w, even, NULL, w->u);
	for (size_t i = 0; i < all; i++)
		w->v[i] += w->u[i];
}

/* w->v = (V - U)^-1 (V + U) */
static bool approximate(const struct work *w, int degree)
{
	const int n = (int)w->n;
	double c[EXPM_MOST_DEGREE + 1];

	expm_coefficients(degree, c);
	polynomials(w, degree, c);
	times(w, w->a, w->w, w->u);
	for (size_t i = 0; i < w->n * w->n; i++) {
		w->w[i] = w->v[i] - w->u[i];
		w->v[i] += w->u[i];
	}
	if (w->l->z.getrf(LAPACK_COLUMNS, n, n, w->w, n, w->pivots) != 0)
		return false;
	w->l->z.getrs(LAPACK_COLUMNS, 'N', n, n, w->w, n, w->pivots, w->v, n);
	return true;
}

/* Multiplies A by 2^-s, and its powers A^k up to `most` by 2^(-s k). */
static void scale(const struct work *w, int s, int most)
{
	cplx *const of[] = { w->a, w->a2, w->a4, w->a6 };

	for (int k = 0; k < 4 && s != 0 && 2 * k <= most; k++) {
		const double by = ldexp(1, -s * (k ? 2 * k : 1));

		for (size_t i = 0; i < w->n * w->n; i++)
			of[k][i] *= by;
	}
}

/* --- triangles */

static cplx scaled(cplx x, int s)
{
	return complex_of(ldexp(creal(x), -s), ldexp(cimag(x), -s));
}

/* The element beside the diagonal of e^[a b; 0 d]; see expm_beside(). */
static cplx beside(cplx a, cplx b, cplx d)
{
	const cplx x = (a - d) / 2;

	if (cabs(x) < 1e-4)
		return b * cexp((a + d) / 2) * (1 + x * x / 6);
	if (cabs(x) > 1)
		return b * ((cexp(a) - cexp(d)) / (a - d));
	return b * cexp((a + d) / 2) * (csinh(x) / x);
}

/* Sets *upper and *lower to whether the matrix has nothing beyond that
 * triangle. */
static void look(const cplx *a, size_t n, bool *upper, bool *lower)
{
	*upper = *lower = true;
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++) {
			*upper = *upper && (i <= j || a[j * n + i] == 0);
			*lower = *lower && (i >= j || a[j * n + i] == 0);
		}
}

/* Sets what is known of X = e^(2^-s T), T triangular: the diagonal, the
 * elements beside it unless T is diagonal, and the other triangle. */
static void correct(cplx *x, const cplx *t, size_t n, bool upper, bool lower,
                    int s)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < n; i++)
			if ((upper && i > j) || (lower && i < j))
				x[j * n + i] = 0;
	for (size_t i = 0; i < n; i++)
		x[i * (n + 1)] = cexp(scaled(t[i * (n + 1)], s));
	for (size_t i = 0; i + 1 < n && upper != lower; i++) {
		const size_t at = i * (n + 1) + (upper ? n : 1);

		x[at] = beside(scaled(t[i * (n + 1)], s), scaled(t[at], s),
		               scaled(t[(i + 1) * (n + 1)], s));
	}
}

/* --- one matrix */

/* Squares w->v s times and returns where the result is. */
static cplx *square(const struct work *w, const cplx *from, bool upper,
                    bool lower, int s)
{
	cplx *x = w->v, *next = w->u;

	if (upper || lower)
		correct(x, from, w->n, upper, lower, s);
	while (s-- > 0) {
		cplx *const old = x;

		times(w, x, x, next);
		x = next;
		next = old;
		if (upper || lower)
			correct(x, from, w->n, upper, lower, s);
	}
	return x;
}

/* Returns an exponent such that the norm is below 2^exponent. */
static int exponent(const cplx *a, size_t n)
{
	double most = 0;
	int of_most = 0, of_n = 0;

	for (size_t i = 0; i < n * n; i++)
		most = fmax(most, fmax(fabs(creal(a[i])), fabs(cimag(a[i]))));
	frexp(most, &of_most);
	frexp((double)n, &of_n);
	return of_most + of_n + 1;
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows, all = n * n;
	struct complex_room r = { room };
	cplx *const from = complex_array(&r, all, sizeof *from);
	struct work w = {
		.l = c->l, .n = n, .a = complex_array(&r, all, sizeof *w.a),
		.a2 = complex_array(&r, all, sizeof *w.a),
		.a4 = complex_array(&r, all, sizeof *w.a),
		.a6 = complex_array(&r, all, sizeof *w.a),
		.u = complex_array(&r, all, sizeof *w.a),
		.v = complex_array(&r, all, sizeof *w.a),
		.w = complex_array(&r, all, sizeof *w.a),
		.x = complex_array(&r, n, sizeof *w.x),
		.y = complex_array(&r, n, sizeof *w.y),
		.pivots = complex_array(&r, n, sizeof *w.pivots),
	};
	void *const to = lapack_out(c->a, 0, index);
	struct expm_plan plan = { 0 };
	bool upper, lower;
	int first = 0;

	complex_load(lapack_in(c->a, 0, index), c->a->dtype, n, n, from);
	look(from, n, &upper, &lower);
	if (!(upper && lower)) {
		first = expm_first_scaling(FLOAT64, exponent(from, n));
		memcpy(w.a, from, all * sizeof *w.a);
		scale(&w, first, 0);
		w.norm = complex_norm1(w.a, n, n);
		plan = expm_choose(FLOAT64, &(struct expm_matrix){
			w.norm, power, magnitudes, &w });
		scale(&w, plan.squarings, 6);
		if (!approximate(&w, plan.degree))
			return (struct failure_detail){
				.code = ERR_SINGULAR };
	}
	complex_store(square(&w, from, upper, lower, first + plan.squarings),
	              n, n, n, c->a->dtype, to);
	return (struct failure_detail){ .code = ERR_NONE };
}

int expm_complex(struct seq *s, struct args *a)
{
	const size_t n = matrix_cols(&a->in[0]);

	if (matrix_elements(&a->in[0]) == 0)
		return seq_finish(s);
	return lapack_run(&(struct lapack_call){
		.rows = n, .operands = 1, .one = one,
		.flops = 4 * a->op->flops(a) / (double)size_max(a->stack, 1),
		.room = MATRICES * COMPLEX_BYTES(n * n) + 3 * COMPLEX_BYTES(n),
	}, s, a);
}
