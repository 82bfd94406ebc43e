/* manual.c - what the pages on QR factors say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_qr = {
	.mathematics =
		"A = Q R for an m x n matrix A, with QᵀQ = I and R upper "
		"triangular; with pivot A P = Q R, where the column of the "
		"largest remaining norm comes next, so that |r_ii| does not "
		"increase. thin has min(m,n) columns of Q, complete has m. "
		"raw has Q = H_1 ⋯ H_k with H_j = I - tau_j v_j v_jᴴ, as "
		"LAPACK's geqrf and geqp3 leave it, in the order of a's rows: "
		"v_j is 0 in its first j - 1 elements and 1 in the next one, "
		"and column j of h has the others.",
	.work =
		"With k = min(m,n) and q columns of Q: 2 k m n - k² (m + n) "
		"+ 2/3 k³ for R and 4 m q k - 2 k² (m + q) + 4/3 k³ more for "
		"Q; for m >= n and thin factors 4 m n² - 4/3 n³ together; "
		"raw takes as many as R. At the least A is read once, and Q "
		"and R, or h, are written once.",
	.verdict =
		"residual is |A - Q R| / (max(m,n) ε |A|) and orthogonality "
		"|I - QᵀQ| / (m ε), both estimated in the Frobenius norm "
		"with a few vectors of ±1. In raw, Q is the product of the "
		"reflections.",
	.source =
		"Householder's reflections, blocked: Schreiber and Van Loan "
		"(1989), as LAPACK's geqrf and geqp3. CholeskyQR2: Yamamoto, "
		"Nakatsukasa, Yanagisawa and Fukaya (2015); shifted "
		"CholeskyQR3: Fukaya, Kannan, Nakatsukasa, Yamamoto and "
		"Yanagisawa (2020). Reflections from Q: Ballard, Demmel, "
		"Grigori, Jacquelin, Knight and Nguyen (2015). Tall matrices "
		"on CPUs: Demmel, Grigori, Hoemmen and Langou (2012).",
	.see = "dense.md",
	.refusals = (const struct refusal[]){
		{ ERR_NONFINITE, "an element of a is NaN or infinite" },
		{ ERR_PARAMETER, "return names an output that the mode has "
		  "not, or p without pivot" },
		{ 0 }
	},
};
