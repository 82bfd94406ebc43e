/* manual.c - what the pages on pseudoinverses say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_pinv = {
	.mathematics =
		"A⁺ = V S⁺ Uᵀ of an m x n matrix A = U S Vᵀ, where S⁺ has 1 "
		"/ s_i for the singular values above rcond s_1, and 0 for "
		"the others. A⁺ is the one matrix P with A P A = A, P A P = "
		"P, and A P and P A symmetric (for the rank that rcond "
		"leaves).",
	.work =
		"With k = min(m,n) and l = max(m,n): 14 l k² + 8 k³ + 2 m n "
		"k operations. At the least A is read once and A⁺ is written "
		"once.",
	.verdict =
		"residual is |A P A - A| in units of max(m,n) ε |A| and of "
		"A's condition, with allowance for the singular values that "
		"count as 0.",
	.source =
		"Moore (1920), Penrose (1955); the singular value "
		"decomposition, see svd.",
	.see = "dense.md",
	.refusals = (const struct refusal[]){
		{ ERR_NONFINITE, "an element of a is NaN or infinite" },
		{ 0 }
	},
};
