/* sample.c - the operation's sample operands; see eigen.h. */
#include "ops/eigen/many.h"

static double hilbert(size_t i, size_t j)
{
	return 1 / (double)(i + j + 1);
}

/* Hilbert's matrix with signs that alternate like the colours of a chessboard.
 * It is not balanced, so that Krylov's method launches all of its kernels. */
static double unbalanced(size_t i, size_t j)
{
	return i % 2 == j % 2 ? hilbert(i, j) :
	       i % 2 ? -16 * hilbert(i, j) : -hilbert(i, j) / 16;
}

static int fill(struct args *a, size_t stack, size_t n,
                double (*element)(size_t i, size_t j),
                struct memory_pool *pool, struct err *e)
{
	struct matrix *m = &a->in[EIGEN_A];

	*m = (struct matrix){ .dtype = a->dtype, .ndim = stack > 1 ? 3 : 2 };
	m->dim[0] = stack;
	m->dim[m->ndim - 2] = m->dim[m->ndim - 1] = n;
	if (matrix_alloc(m, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < stack * n * n; i++)
		matrix_set(m, i, element(i / n % n, i % n));
	return 0;
}

int eigen_sample(struct args *a, size_t n, struct memory_pool *pool,
                 struct err *e)
{
	enum { SMALL = 40, STACK = 8, MIDDLE = 150, MIDDLE_LAST = 250 };
	const bool all = n <= SMALL || (n >= MIDDLE && n <= MIDDLE_LAST);

	if (n % 2) {
		if (!dtype_is_complex(a->dtype))
			a->param[EIGEN_P_METHOD] = EIGEN_KRYLOV;
		return fill(a, 1, n, unbalanced, pool, e);
	}
	if (all) {
		a->param[EIGEN_P_WHICH] = EIGEN_ALL;
		a->want = 1u << EIGEN_VALUES | 1u << EIGEN_VECTORS;
	}
	return fill(a, n <= SMALL ? STACK : 1, n, hilbert, pool, e);
}
