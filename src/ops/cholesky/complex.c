/* complex.c - A = L L^H of hermitian positive definite matrices by LAPACK on
 * the host; see ops/lapack/complex.h. The imaginary parts of A's diagonal are
 * taken to be 0.
 *
 * To LAPACK, whose matrices are column-major, a row-major A is its conjugate,
 * and A's lower triangle the upper one. U^H U = conj(A) gives L = U^T, which is
 * U's array in row-major order: nothing is transposed. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ops/cholesky/cholesky.h"
#include "ops/lapack/complex.h"

/* A and L, which are row-major; only their lower triangles are read. */
struct parts {
	const cplx *a, *l;
	size_t n;
	cplx *y;
};

/* r = -L L^H x */
static void subtract_factors(const struct parts *q, const cplx *x, cplx *r)
{
	const size_t n = q->n;

	memset(q->y, 0, n * sizeof *q->y);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; x[i] != 0 && j <= i; j++)
			q->y[j] += conj(q->l[i * n + j]) * x[i];
	for (size_t i = 0; i < n; i++) {
		r[i] = 0;
		for (size_t j = 0; j <= i; j++)
			r[i] -= q->l[i * n + j] * q->y[j];
	}
}

/* r = A x - L L^H x */
static void defect(const void *how, const cplx *x, cplx *r)
{
	const struct parts *q = how;

	subtract_factors(q, x, r);
	for (size_t i = 0; i < q->n; i++) {
		const cplx *row = q->a + i * q->n;

		r[i] += creal(row[i]) * x[i];
		for (size_t j = 0; j < i; j++) {
			r[i] += row[j] * x[j];
			r[j] += conj(row[j]) * x[i];
		}
	}
}

/* The 1-norm of a hermitian matrix, of its lower triangle. */
static double norm1(const cplx *a, size_t n, double *sums)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		sums[i] = fabs(creal(a[i * n + i]));
		for (size_t j = 0; j < i; j++) {
			const double size = complex_modulus(a[i * n + j]);

			sums[i] += size;
			sums[j] += size;
		}
	}
	for (size_t i = 0; i < n; i++)
		most = fmax(most, sums[i]);
	return most;
}

/* Returns the test ratio |A - L L^H| / (n |A| eps). room has 4 n elements. */
static double judge(const struct lapack_call *c, const cplx *a, cplx *l,
                    cplx *room)
{
	const size_t n = c->rows;
	const struct parts q = { a, l, n, room };
	const double norm = norm1(a, n, (double *)room);

	complex_round(l, n * n, c->a->dtype);
	return complex_ratio(complex_defect(c, n, n, defect, &q, room + n),
	                     norm * (double)n * dtype_epsilon(c->a->dtype));
}

/* Copies the lower triangle of A, whose type is t, to l, and sets the other
 * elements of l to 0. Returns ERR_NONFINITE with the place of an element that
 * is NaN or infinite, or ERR_NONE. */
static struct failure_detail take(const void *a, enum dtype t, size_t n,
                                  cplx *l)
{
	const size_t each = dtype_bytes(t);

	for (size_t i = 0; i < n; i++) {
		const char *row = (const char *)a + i * n * each;
		const size_t at = lapack_find_nonfinite(t, row, i + 1);

		if (at <= i)
			return cholesky_nonfinite(i, at);
		complex_load(row, t, 1, i + 1, l + i * n);
		l[i * n + i] = creal(l[i * n + i]);
		memset(l + i * n + i + 1, 0, (n - 1 - i) * sizeof *l);
	}
	return (struct failure_detail){ .code = ERR_NONE };
}

/* A complex128 matrix is factored in the answer itself. */
static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows;
	const enum dtype t = c->a->dtype;
	const bool narrow = t == COMPLEX64;
	struct complex_room r = { room };
	const void *const given = lapack_in(c->a, 0, index);
	void *const answer = lapack_out(c->a, 0, index);
	cplx *const more = complex_array(&r, 4 * n, sizeof *more);
	cplx *const copy = complex_array(&r, narrow ? n * n : 0, sizeof *copy);
	cplx *const l = narrow ? complex_array(&r, n * n, sizeof *l) : answer;
	struct failure_detail d = { .code = ERR_NONE };
	int info;

	if (n == 0)
		return d;
	d = take(given, t, n, l);
	if (d.code != ERR_NONE)
		return d;
	if (narrow)
		memcpy(copy, l, n * n * sizeof *l);
	info = complex_cholesky(c->l, 'U', l, n);
	if (info > 0)
		return cholesky_not_positive((size_t)info);
	if (narrow)
		complex_narrow(l, n * n, answer);
	if (complex_is_judged(c))
		complex_told(c, index)->residual = judge(c, narrow ? copy :
		                                         given, l, more);
	return d;
}

int cholesky_complex(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);

	return complex_run(&(struct lapack_call){
		.rows = n, .one = one,
		.room = 2 * COMPLEX_BYTES(a->dtype == COMPLEX64 ? n * n : 0) +
		        COMPLEX_BYTES(4 * n),
	}, s, a);
}
