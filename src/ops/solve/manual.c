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
		"that makes the error smaller. With a sparse A an iteration "
		"multiplies by A and applies a preconditioner M: conjugate "
		"gradients (cg), MINRES, GMRES with restarts, BiCGStab, or "
		"Jacobi's method, until |b - A x| <= max(tol |b|, atol) in "
		"2-norms. Once the method's recurrence says so, b - A x is "
		"computed from x; if that is larger, the method begins again "
		"from it, at most three times.",
	.work =
		"For r right-hand sides 2/3 n³ + r (2 n² - n) operations; "
		"n³/3 in place of 2/3 n³ for spd and symmetric; r n² for "
		"triangles and r (2 n² - n) with factors. At the least A and "
		"B are read once and X is written once. Refinement is not "
		"counted. An iteration of cg takes 2 operations for each "
		"entry of A and 10 n more; gmres also 4 n for each vector it "
		"keeps, bicgstab multiplies twice. Incomplete factors take "
		"2 operations more for each entry.",
	.verdict =
		"residual is |b - A x| / (n ε/2 |A| |x|), the largest of all "
		"right-hand sides. rcond estimates 1 / (|A| |A⁻¹|) in the "
		"1-norm, forward_error bounds |x - x_true| / |x| in the "
		"maximum norm, refinements counts the steps of refinement. "
		"ill_conditioned tells that rcond is below the machine "
		"epsilon, stalled that refinement ended at an error that "
		"rounding does not explain. Where x overflows, to infinity "
		"or NaN, rcond is 0, ill_conditioned is set, and there is no "
		"forward_error and no residual. Of an iteration, residual is "
		"|b - A x| / (n ε/2 (|A| |x| + |b|)) with the maximum norm "
		"of A, which is large where tol ended it above rounding; "
		"relative_residual is |b - A x| / |b|, computed from x, and "
		"recurrence_residual what the method took it for.",
	.source =
		"LAPACK's gesv, gerfs, posv and sysv. Norm estimation: Hager "
		"(1984), Higham (1988), Higham and Tisseur (2000). Sums in "
		"higher precision: Ogita, Rump and Oishi (2005). Symmetric "
		"pivoting: Bunch and Kaufman (1977). Iterations: Hestenes and "
		"Stiefel (1952), Paige and Saunders (1975), Saad and Schultz "
		"(1986), van der Vorst (1992); incomplete factors: Meijerink "
		"and van der Vorst (1977), shifted: Manteuffel (1980).",
	.see = "solvers.md dense.md lu.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE,
		  "a is not square, or b has another number of rows" },
		{ ERR_NONFINITE, "an element of b, or of the part of a or "
		  "factors that is read, is NaN or infinite" },
		{ ERR_SINGULAR, "a pivot is exactly zero" },
		{ ERR_NOT_POSITIVE,
		  "a is not positive definite, with structure=spd or with "
		  "cg; or the preconditioner of cg or minres is not" },
		{ ERR_CONVERGENCE,
		  "an iteration does not meet tol within max_iterations, "
		  "stagnates, breaks down or diverges, x overflows, x "
		  "underflows so that tol is no longer met, or minres finds "
		  "that the system has no solution" },
		{ ERR_ZERO_PIVOT,
		  "ilu0 meets a zero pivot, a has no element on the diagonal "
		  "for jacobi, ilu0 or ichol0, or no shift makes ichol0's "
		  "pivots positive" },
		{ ERR_MATHEMATICS,
		  "an element of pivots is not the number of a row, or a is "
		  "not symmetric with cg, minres or ichol0" },
		{ ERR_PARAMETER,
		  "a parameter of iterations with a dense a or "
		  "method=direct, or transpose_a or a triangle with an "
		  "iteration; or devices is more than 1 and a is a stack, "
		  "complex or small, or is not factored by LU as it stands" },
		{ ERR_REQUEST,
		  "a is missing and factors and pivots are not both given" },
		{ 0 }
	},
};
