/* complex.c - A = L L^H of hermitian positive definite matrices by LAPACK on
 * the host; see ops/lapack/complex.h. The imaginary parts of A's diagonal are
 * taken to be 0. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ops/cholesky/cholesky.h"
#include "ops/lapack/complex.h"

struct parts {
	const cplx *a, *l;
	size_t n;
	cplx *y, *z;
};

/* r = A x - L L^H x */
static void defect(const void *how, const cplx *x, cplx *r)
{
	const struct parts *q = how;

	complex_times_turned(q->l, q->n, q->n, x, q->y);
	complex_times(q->l, q->n, q->n, q->y, q->z);
	complex_times(q->a, q->n, q->n, x, r);
	for (size_t i = 0; i < q->n; i++)
		r[i] -= q->z[i];
}

/* Replaces the upper triangle by the conjugate of the lower one, or by 0. */
static void set_upper(cplx *a, size_t n, bool mirror)
{
	for (size_t j = 0; j < n; j++) {
		if (mirror)
			a[j * n + j] = creal(a[j * n + j]);
		for (size_t i = 0; i < j; i++)
			a[j * n + i] = mirror ? conj(a[i * n + j]) : 0;
	}
}

static struct failure_detail find_nonfinite(const cplx *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++)
			if (!isfinite(creal(a[j * n + i])) ||
			    !isfinite(cimag(a[j * n + i])))
				return cholesky_nonfinite(i, j);
	return (struct failure_detail){ .code = ERR_NONE };
}

static double judge(const struct lapack_call *c, cplx *a, cplx *l, cplx *room)
{
	const size_t n = c->rows;
	const struct parts q = { a, l, n, room, room + n };

	complex_round(l, n * n, c->a->dtype);
	return complex_ratio(complex_defect(c, n, n, defect, &q, room + 2 * n),
	                     complex_norm1(a, n, n) * (double)n *
	                     dtype_epsilon(c->a->dtype));
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows;
	const enum dtype t = c->a->dtype;
	struct complex_room r = { room };
	cplx *const a = complex_array(&r, n * n, sizeof *a);
	cplx *const l = complex_array(&r, n * n, sizeof *l);
	cplx *const more = complex_array(&r, 4 * n, sizeof *more);
	struct failure_detail bad;
	int info;

	if (n == 0)
		return (struct failure_detail){ .code = ERR_NONE };
	complex_load(lapack_in(c->a, 0, index), t, n, n, a);
	bad = find_nonfinite(a, n);
	if (bad.code != ERR_NONE)
		return bad;
	set_upper(a, n, true);
	memcpy(l, a, n * n * sizeof *l);
	info = complex_cholesky(c->l, l, n);
	if (info > 0)
		return cholesky_not_positive((size_t)info);
	set_upper(l, n, false);
	complex_store(l, n, n, n, t, lapack_out(c->a, 0, index));
	if (complex_is_judged(c))
		complex_told(c, index)->residual = judge(c, a, l, more);
	return (struct failure_detail){ .code = ERR_NONE };
}

int cholesky_complex(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);

	return complex_run(&(struct lapack_call){
		.rows = n, .one = one,
		.room = 2 * COMPLEX_BYTES(n * n) + COMPLEX_BYTES(4 * n),
	}, s, a);
}
