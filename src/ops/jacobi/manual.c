/* manual.c - what the pages on Jacobi's method say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_jacobi = {
	.mathematics =
		"A x = b with A = D + E, where D is the diagonal: x ← x + ω "
		"D⁻¹ (b - E x - D x), from x = 0, until |b - A x| <= tol |b| "
		"in 2-norms. It converges if the spectral radius of I - ω "
		"D⁻¹ A is below 1, as for strictly diagonally dominant "
		"matrices with ω = 1. Entries of E may be multiplied in "
		"float32 as long as the residual is judged in float64.",
	.work =
		"2 operations for each stored entry and iteration. At the "
		"least each entry and its index are read once an iteration.",
	.verdict =
		"residual is |b - A x| / (n ε/2 |A| |x|) in the maximum "
		"norm. tol ends the iteration far above rounding, so that "
		"this ratio is large.",
	.source =
		"Jacobi (1845), weighted: Young (1971). Selection of entries "
		"by precision, and their orders: Mixed and Multi-Precision "
		"SpMV for GPUs with Row-wise Precision Selection (2022).",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE,
		  "a is not square, or b is not a vector of its size" },
		{ ERR_NONFINITE, "an element of a is NaN or infinite" },
		{ ERR_MATHEMATICS, "a diagonal entry is zero or missing" },
		{ ERR_PARAMETER, "schedule has no steps" },
		{ ERR_CONVERGENCE,
		  "tol was not met within max_iterations, the iteration "
		  "diverges, or x overflows, or underflows so that tol "
		  "is no longer met" },
		{ 0 }
	},
};
