/* manual.c - what the pages on inverses say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_inverse = {
	.mathematics =
		"A⁻¹ with A A⁻¹ = I for a square matrix A of order n, from P "
		"A = L U by triangular solves.",
	.work =
		"2 n³ operations. At the least A is read once and its "
		"inverse is written once.",
	.verdict =
		"residual is |A A⁻¹ - I| / (n ε |A| |A⁻¹|) in the 1-norm. "
		"rcond is 1 / (|A| |A⁻¹|) in that norm, of the computed "
		"inverse; ill_conditioned tells that it is below the machine "
		"epsilon.",
	.source =
		"LAPACK's getri; triangular solves in which a work-group has "
		"32 columns.",
	.see = "dense.md lu.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE, "a is not square" },
		{ ERR_NONFINITE, "an element of a is NaN or infinite" },
		{ ERR_SINGULAR, "a pivot is exactly zero" },
		{ 0 }
	},
};
