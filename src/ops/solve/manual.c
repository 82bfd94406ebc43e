/* manual.c - what the pages on linear systems say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_solve = {
	.mathematics =
		"A X = B, or Aᵀ X = B with transpose_a, for a square matrix "
		"A of order n and r right-hand sides. A is factored as P A = "
		"L U; as L Lᵀ for spd; by LDLᵀ for symmetric on CPUs; "
		"triangles need no factors. Then x is refined: r = b - A x "
		"is computed in higher precision, A d = r is solved with the "
		"same factors, and x + d takes the place of x as long as "
		"that makes the error smaller.",
	.work =
		"For r right-hand sides 2/3 n³ + r (2 n² - n) operations; "
		"n³/3 in place of 2/3 n³ for spd and symmetric; r n² for "
		"triangles and r (2 n² - n) with factors. At the least A and "
		"B are read once and X is written once. Refinement is not "
		"counted.",
	.verdict =
		"residual is |b - A x| / (n ε/2 |A| |x|), the largest of all "
		"right-hand sides. rcond estimates 1 / (|A| |A⁻¹|) in the "
		"1-norm, forward_error bounds |x - x_true| / |x| in the "
		"maximum norm, refinements counts the steps of refinement. "
		"ill_conditioned tells that rcond is below the machine "
		"epsilon, stalled that refinement ended at an error that "
		"rounding does not explain.",
	.source =
		"LAPACK's gesv, gerfs, posv and sysv. Norm estimation: Hager "
		"(1984), Higham (1988), Higham and Tisseur (2000). Sums in "
		"higher precision: Ogita, Rump and Oishi (2005). Symmetric "
		"pivoting: Bunch and Kaufman (1977).",
	.see = "dense.md lu.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE,
		  "a is not square, or b has another number of rows" },
		{ ERR_NONFINITE, "an element of a or b is NaN or infinite" },
		{ ERR_SINGULAR, "a pivot is exactly zero" },
		{ ERR_NOT_POSITIVE,
		  "structure=spd, and a is not positive definite" },
		{ ERR_MATHEMATICS,
		  "an element of pivots is not the number of a row" },
		{ ERR_REQUEST,
		  "a is missing and factors and pivots are not both given" },
		{ 0 }
	},
};
