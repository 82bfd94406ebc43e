/* manual.c - what the pages on matrix exponentials say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_expm = {
	.mathematics =
		"e^A = Σ A^k / k! for a square matrix A of order n, computed "
		"as (r(2^-s A))^(2^s), where r = (V - U)⁻¹ (V + U) is a Padé "
		"approximant of degree 3 to 13. Degree and s are chosen by "
		"the norms of A², A⁴ and A⁶, so that the backward error is "
		"below the unit roundoff. Where |A| is so large that s would "
		"cost digits, and balancing makes it smaller, e^A = D e^B "
		"D⁻¹ with B = D⁻¹ A D, D a diagonal of powers of two.",
	.work =
		"About (12 + 8/3) n³ operations: six products and a system "
		"with n right-hand sides; every squaring, which is not "
		"counted, takes 2 n³ more. At the least A is read once and "
		"e^A is written once.",
	.verdict =
		"expm has no verdict.",
	.source =
		"Al-Mohy and Higham, A new scaling and squaring algorithm "
		"for the matrix exponential (2009); the bounds for float32: "
		"Higham (2005). Balancing: Osborne (1960), Parlett and "
		"Reinsch (1969).",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE, "a is not square" },
		{ ERR_NONFINITE, "an element of a is NaN or infinite" },
		{ 0 }
	},
};
