/* manual.c - what the pages on Cholesky factors say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_cholesky = {
	.mathematics =
		"A = L Lᵀ for a symmetric positive definite matrix A of "
		"order n, with L lower triangular and l_ii > 0. Only the "
		"lower triangle of A is read.",
	.work =
		"n³/3 + n²/2 + n/6 operations. At the least one triangle of "
		"A is read and L is written.",
	.verdict =
		"residual is |A - L Lᵀ| / (n ε |A|): with quality=estimate "
		"|xᵀ A x - |Lᵀ x|²| for one vector x of ±1, and what the "
		"rounding of these sums may hide, in units of n ε times the "
		"trace.",
	.source =
		"LAPACK's potrf; on GPUs in tiles, with products by tensor "
		"cores.",
	.see = "dense.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE, "a is not square" },
		{ ERR_NONFINITE,
		  "an element of the lower triangle is NaN or infinite" },
		{ ERR_NOT_POSITIVE, "a is not positive definite" },
		{ 0 }
	},
};
