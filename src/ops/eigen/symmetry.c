/* symmetry.c - is a matrix symmetric? See many.h. */
#include <math.h>

#include "base/size.h"
#include "ops/eigen/many.h"

enum { TILE = 16 };			/* rows and columns in differ() */

double eigen_slack(const struct args *a)
{
	return 100 * (double)matrix_rows(&a->in[EIGEN_A]) *
	       dtype_epsilon(a->dtype);
}

/* Does what eigen_differs() does, for the TILE x TILE elements from row i0 and
 * column j0 on. */
static bool differ(const double *x, size_t n, double slack, size_t i0,
                   size_t j0, size_t *row, size_t *column)
{
	for (size_t j = j0; j < n && j < j0 + TILE; j++)
		for (size_t i = size_max(i0, j + 1); i < n && i < i0 + TILE;
		     i++)
			if (fabs(x[j * n + i] - x[i * n + j]) > slack) {
				*row = i;
				*column = j;
				return true;
			}
	return false;
}

bool eigen_differs_early(const struct matrix *m, size_t index)
{
	const size_t n = matrix_rows(m);
	const size_t first = matrix_stack(m) == 1 ? 0 : index * n * n;

	for (size_t i = 0; i < size_min(n, TILE); i++)
		for (size_t j = 0; j < i; j++)
			if (matrix_get(m, first + i * n + j) !=
			    matrix_get(m, first + j * n + i))
				return true;
	return false;
}

/* Looks tile by tile, because a column of elements x_ji would touch n cache
 * lines. */
bool eigen_differs(const double *x, size_t n, double slack, size_t *row,
                    size_t *column)
{
	for (size_t j = 0; j < n; j += TILE)
		for (size_t i = j; i < n; i += TILE)
			if (differ(x, n, slack, i, j, row, column))
				return true;
	return false;
}
