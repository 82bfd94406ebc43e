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
#include "ops/lapack/exported.h"

#define LAPACK_BODY "ops/cholesky/complex_typed.h"
#include "ops/lapack/each_complex.h"

/* Factors a matrix of complex64 in complex128. */
static struct failure_detail factor_wide(const struct lapack_call *c,
                                         size_t index,
                                         struct complex_room *r, cplx *room)
{
	const size_t n = c->rows;
	cplx *const copy = complex_array(r, n * n, sizeof *copy);
	cplx *const l = complex_array(r, n * n, sizeof *l);
	struct failure_detail d = take(lapack_in(c->a, 0, index), COMPLEX64, n,
	                               false, l);
	double norm;
	int info;

	if (d.code != ERR_NONE)
		return d;
	memcpy(copy, l, n * n * sizeof *l);
	norm = norm1(copy, n, (double *)room, (double *)(room + n));
	info = complex_cholesky(c->l, 'U', l, n, n);
	if (info > 0)
		return cholesky_not_positive((size_t)info);
	complex_narrow(l, n * n, lapack_out(c->a, 0, index));
	if (complex_is_judged(c))
		complex_told(c, index)->residual = judge(c, copy, l, norm,
		                                         room);
	return d;
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const size_t n = c->rows;
	struct complex_room r = { room };
	cplx *const more = complex_array(&r, 3 * n, sizeof *more);
	bool left = false;
	struct failure_detail d = { .code = ERR_NONE };

	if (n == 0)
		return d;
	if (c->a->dtype == COMPLEX128)
		return factor(c, index, more, &left);
	d = factor_c(c, index, (cplx_c *)more, &left);
	return left ? factor_wide(c, index, &r, more) : d;
}

int cholesky_complex(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);

	return complex_run(&(struct lapack_call){
		.rows = n, .one = one,
		.room = 2 * COMPLEX_BYTES(a->dtype == COMPLEX64 ? n * n : 0) +
		        COMPLEX_BYTES(3 * n),
	}, s, a);
}
