/* manual.c - what the pages on condition numbers say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_cond = {
	.mathematics =
		"cond(A) = |A| |A⁻¹| in the norm that ord names; for ord=2, "
		"and any shape, the ratio of the largest to the smallest "
		"singular value. Without ord rcond estimates 1 / (|A| |A⁻¹|) "
		"in the 1-norm from P A = L U: it maximizes |A⁻¹ x| for |x| "
		"= 1 by a few solutions with A and Aᵀ.",
	.work =
		"2/3 n³ operations for the estimate, 2 n³ for 1, inf and "
		"fro, and for 2 those of the singular values, 4 k² (l - k/3) "
		"with k = min(m,n) and l = max(m,n). At the least A is read "
		"once.",
	.verdict =
		"cond has no verdict. Where the inverse overflows, it is "
		"computed again in float64 and scaled, so that cond is "
		"infinite only beyond the range of its type. The estimate is "
		"seldom more than three times too large, and never too small "
		"but for rounding.",
	.source =
		"LAPACK's gecon: Hager (1984), Higham (1988). ord=2 on GPUs: "
		"the polar decomposition, Chen and Chow (2014).",
	.see = "dense.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE, "a is not square, and ord is not 2" },
		{ ERR_NONFINITE, "an element of a is NaN or infinite" },
		{ ERR_MATHEMATICS, "a has no elements" },
		{ 0 }
	},
};
