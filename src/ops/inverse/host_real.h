/* host_real.h - getrf and getri of one matrix, in one of the two types
 * (ops/lapack/each_type.h). */
#include "ops/lapack/dot_real.h"

/* Computes y = A x, or, if v is not NULL, only returns the 1-norm of A x -
 * v. */
static double TYPED(times)(const real *a, size_t n, const real *x, real *y,
                           const real *v)
{
	double defect = 0;

	for (size_t i = 0; i < n; i++, a += n) {
		const double sum = TYPED(dot)(a, x, n);

		if (v)
			defect += fabs(sum - v[i]);
		else
			y[i] = (real)sum;
	}
	return defect;
}

static struct inverse_look TYPED(look)(const real *a, const real *x, size_t n,
                                       real *v, real *y, double *sums)
{
	struct inverse_look l = {
		.norm = lapack_norm1(REAL_DTYPE, a, n, n, sums),
		.norm_of_inverse = lapack_norm1(REAL_DTYPE, x, n, n, sums),
	};

	for (size_t i = 0; i < n; i++)
		v[i] = (real)lapack_sign(i);
	/* y = X v, and A y should be v. */
	TYPED(times)(x, n, v, y, NULL);
	l.defect = TYPED(times)(a, n, y, NULL, v);
	return l;
}

/* Inverts one matrix that has rows. LAPACK, whose matrices are column-major,
 * inverts A^T and stores the result column-major: row-major, that is A^-1. */
static struct failure_detail TYPED(invert)(const struct lapack_call *c,
                                           size_t index, void *room)
{
	const size_t n = c->rows;
	const int k = (int)n;
	const real *a = lapack_in(c->a, 0, index);
	struct inverse_look *looks = (struct inverse_look *)c->how;
	real *x = lapack_out(c->a, 0, index);
	double *sums = room;
	real *work = (real *)(sums + n), *v = work + BLOCK * n;
	int *pivots = (int *)(work + size_round_up((BLOCK + 2) * n, 2));

	memcpy(x, a, n * n * sizeof *x);
	if (OF(c->l)->getrf(LAPACK_COLUMNS, k, k, x, k, pivots) > 0)
		return (struct failure_detail){ .code = ERR_SINGULAR };
	OF(c->l)->getri(LAPACK_COLUMNS, k, x, k, pivots, work, BLOCK * k);
	if (c->a->quality != QUALITY_NONE)
		looks[index] = TYPED(look)(a, x, n, v, v + n, sums);
	return (struct failure_detail){ .code = ERR_NONE };
}
