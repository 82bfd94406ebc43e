/* manual.c - what the pages on least squares say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_lstsq = {
	.mathematics =
		"Of all x with the least |b - A x| in the 2-norm, lstsq "
		"answers the one of least |x|, which is x = A⁺ b. A is m x "
		"n, of any rank; singular values of at most rcond s_1 count "
		"as 0, and rank is the number of others.",
	.work =
		"With k = min(m,n), l = max(m,n) and r right-hand sides: 4 l "
		"k² - 4/3 k³ + 4 (m + n) k r operations. At the least A and "
		"B are read once and X is written once.",
	.verdict =
		"residual is |Aᵀ r| / (|A| (|A| |x| + |b|) δ) with r = b - A "
		"x, where δ allows for rounding and for the singular values "
		"that count as 0.",
	.source =
		"LAPACK's gelsd, the ratio of its qrt17. Corrected "
		"seminormal equations: Björck (1987). Counts: Golub and Van "
		"Loan, Matrix Computations (2013), table 8.6.1.",
	.see = "dense.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE,
		  "a and b have different numbers of rows, or different "
		  "leading dimensions" },
		{ ERR_NONFINITE, "an element of a is NaN or infinite" },
		{ 0 }
	},
};
