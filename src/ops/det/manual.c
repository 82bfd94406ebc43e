/* manual.c - what the pages on determinants say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_det = {
	.mathematics =
		"det A = sign(P) Π u_ii from P A = L U. The product is kept "
		"as a fraction and an exponent of 2, so that sign and "
		"logabsdet = Σ log |u_ii| are right where det overflows or "
		"underflows. Where the factors overflow or may have "
		"underflowed, the host scales A's rows by powers of two and "
		"factors it again. The determinant of a matrix of order 0 is "
		"1.",
	.work =
		"2/3 n³ operations, as for lu, and n for the product. At the "
		"least A is read once.",
	.verdict =
		"residual is that of the LU factors, |P A - L U| / (n ε "
		"|A|), and absent where A has a NaN or an infinity.",
	.source =
		"LAPACK's getrf; the sources of lu.",
	.see = "lu.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE, "a is not square" },
		{ 0 }
	},
};
