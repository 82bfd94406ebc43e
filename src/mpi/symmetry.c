/* symmetry.c - is the matrix of an eigenproblem symmetric? In process 0, which
 * reads it in the front's memory. See ops/eigen/symmetry.c. */
#include <math.h>

#include "base/size.h"
#include "mpi/eigen.h"

enum { TILE = 32 };

struct across {
	const struct matrix *m;
	size_t n;
	double slack;
	size_t row, col;		/* of an element that differs */
};

/* Element `at`, from memory that matrix_get() need not look up. */
static double element(const struct matrix *m, const void *data, size_t at)
{
	return m->dtype == FLOAT32 ? (double)((const float *)data)[at] :
	                             ((const double *)data)[at];
}

/* Looks at the tile from row i0 and column j0 on, below the diagonal. */
static bool differs(struct across *x, const void *data, size_t i0, size_t j0)
{
	const size_t rows = size_min(i0 + TILE, x->n);

	for (size_t i = i0; i < rows; i++)
		for (size_t j = j0; j < size_min(j0 + TILE, i); j++)
			if (fabs(element(x->m, data, i * x->n + j) -
			         element(x->m, data, j * x->n + i)) >
			    x->slack) {
				x->row = i;
				x->col = j;
				return true;
			}
	return false;
}

static bool is_asymmetric(struct across *x)
{
	const void *const data = matrix_data(x->m);

	for (size_t i = 0; i < x->n; i += TILE)
		for (size_t j = 0; j <= i; j += TILE)
			if (differs(x, data, i, j))
				return true;
	return false;
}

/* The power of two that is at most the largest modulus, by which the other
 * variants divide the matrix before they compare. */
static double scale_of(const struct matrix *m)
{
	const void *const data = matrix_data(m);
	const size_t n = matrix_elements(m);
	double most = 0;
	int power;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(element(m, data, i)));
	frexp(most, &power);
	return most == 0 ? 0 : ldexp(1, power - 1);
}

struct failure_detail eigen_asymmetry(const struct args *a, struct err *e)
{
	const bool named = a->param[EIGEN_P_STRUCTURE] ==
	                   EIGEN_SYMMETRIC_STRUCTURE;
	struct across x = { .m = &a->in[EIGEN_A] };

	x.n = matrix_rows(x.m);
	if (named)
		x.slack = eigen_slack(a) * scale_of(x.m);
	if (!is_asymmetric(&x))
		return (struct failure_detail){ .code = ERR_NONE };
	if (named)
		return (struct failure_detail){
			.code = ERR_MATHEMATICS,
			.at = EIGEN_FAULT_NOT_SYMMETRIC,
			.x = (double)x.row, .y = (double)x.col,
		};
	err_set_at(e, ERR_PARAMETER, "/a", "eigen: variant scalapack does not "
	           "compute eigenvalues of general matrices, and elements "
	           "(%zu, %zu) and (%zu, %zu) of this one differ", x.row,
	           x.col, x.col, x.row);
	return (struct failure_detail){ .code = ERR_PARAMETER };
}
