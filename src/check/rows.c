/* rows.c - the tables of `linalgd check`, in the order that they are
 * run. */
#include "check/rows.h"

const struct check_row *const check_tables[] = {
	check_matmul_rows, check_lu_rows, check_solve_rows, check_eigen_rows,
	check_seed_rows, check_reduce_rows, check_order_rows, check_move_rows,
	check_sparse_rows, NULL
};

double check_own_ratio(const struct args *a)
{
	return a->verdict.residual;
}
