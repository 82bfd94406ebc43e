/* rows.c - the tables of `linalgd check`, in the order in which they run, and
 * the judges that several of them share. */
#include "check/rows.h"

const struct check_row *const check_tables[] = {
#define OP(id) check_##id##_rows,
#include "ops/ops.def"
#undef OP
	check_complex_rows, check_spectra_rows, check_pencil_rows,
	check_ends_rows, check_iterative_rows, check_seed_rows,
	check_order_rows, NULL
};

double check_own_ratio(const struct args *a)
{
	return a->verdict.residual;
}

double check_own_orthogonality(const struct args *a)
{
	return a->verdict.orthogonality;
}
