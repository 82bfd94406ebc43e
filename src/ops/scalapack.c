/* scalapack.c - see scalapack.h. */
#include "ops/eigen/many.h"
#include "ops/lu/complex.h"
#include "ops/matmul/product.h"
#include "ops/scalapack.h"
#include "ops/solve/iterative.h"

static int refuse(const struct args *a, const char *pointer, const char *what,
                  struct err *e)
{
	return err_set_at(e, ERR_PARAMETER, pointer, "%s: variant scalapack "
	                  "does not compute %s", a->op->name, what);
}

static int takes(const struct args *a, struct err *e)
{
	for (int i = 0; i < OP_INPUTS; i++)
		if (a->in[i].layout == CSR)
			return refuse(a, "", "with sparse matrices", e);
	for (int i = 0; i < OP_INPUTS; i++)
		if (a->in[i].ndim > 2)
			return refuse(a, "", "stacks of matrices", e);
	return args_has_halves(a) ?
	       refuse(a, "/dtype", "with numbers of 16 bits", e) : 0;
}

int scalapack_takes_lu(const struct args *a, struct err *e)
{
	return a->param[LU_PIVOT] != LU_PARTIAL ?
	       refuse(a, "/pivot", "factors without pivoting", e) :
	       takes(a, e);
}

int scalapack_takes_solve(const struct args *a, struct err *e)
{
	const double structure = a->param[SOLVE_P_STRUCTURE];

	if (a->in[SOLVE_FACTORS].ndim != MATRIX_ABSENT)
		return refuse(a, "/factors", "with given factors", e);
	if (solve_is_iterative(a) || solve_names_iteration(a))
		return refuse(a, "/method", "iterations, nor with sparse "
		              "matrices", e);
	if (structure != STRUCTURE_AUTO && structure != STRUCTURE_GENERAL)
		return refuse(a, "/structure", "with a named structure other "
		              "than general", e);
	return takes(a, e);
}

int scalapack_takes_matmul(const struct args *a, struct err *e)
{
	return takes(a, e);
}

int scalapack_takes_eigen(const struct args *a, struct err *e)
{
	const double method = a->param[EIGEN_P_METHOD];

	if (eigen_which(a) == EIGEN_DOMINANT)
		return refuse(a, "/which", "which=dominant; which=largest "
		              "answers the same eigenvalue", e);
	if (eigen_has_b(a))
		return refuse(a, "/b", "problems of two matrices", e);
	if (a->param[EIGEN_P_STRUCTURE] == EIGEN_GENERAL_STRUCTURE)
		return refuse(a, "/structure", "eigenvalues of general "
		              "matrices", e);
	if (method != EIGEN_AUTO && method != EIGEN_LAPACK)
		return refuse(a, "/method", "by this method", e);
	return takes(a, e);
}

/* Square blocks are shared out unevenly: by less than a block in each direction
 * for each process, which SHEET_HEADROOM allows for. */
static void need_matrices_of(struct need *n, const struct args *a, size_t rows,
                             size_t columns, size_t copies)
{
	need_scratch(n, copies * rows * columns * dtype_bytes(a->dtype), 0);
}

void scalapack_need_lu(const struct args *a, const struct variant *v,
                       const struct sheet *d, struct need *n)
{
	(void)v;
	(void)d;
	need_matrices_of(n, a, matrix_rows(&a->in[0]), matrix_cols(&a->in[0]),
	                 a->quality == QUALITY_FULL ? 3 : 1);
}

/* A and its factors; B, X and the residual. */
void scalapack_need_solve(const struct args *a, const struct variant *v,
                          const struct sheet *d, struct need *n)
{
	const size_t rows = matrix_rows(solve_matrices(a));

	(void)v;
	(void)d;
	need_matrices_of(n, a, rows, rows, 2);
	need_matrices_of(n, a, rows, matrix_cols(&a->in[SOLVE_B]), 3);
}

void scalapack_need_matmul(const struct args *a, const struct variant *v,
                           const struct sheet *d, struct need *n)
{
	const struct product p = product_of(a);

	(void)v;
	(void)d;
	need_matrices_of(n, a, p.m, p.k, 1);
	need_matrices_of(n, a, p.k, p.n, 1);
	need_matrices_of(n, a, p.m, p.n, 1);
}

/* A, its eigenvectors, and as much again as workspace of PDSYEVD. */
void scalapack_need_eigen(const struct args *a, const struct variant *v,
                          const struct sheet *d, struct need *n)
{
	const size_t rows = matrix_rows(&a->in[EIGEN_A]);

	(void)v;
	(void)d;
	need_matrices_of(n, a, rows, rows, 4);
}
