/* manual.c - what the pages on singular values say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_svd = {
	.mathematics =
		"A = U S Vᵀ for an m x n matrix A, with UᵀU = I, VᵀV = I and "
		"S diagonal with s_1 >= s_2 >= ... >= 0. With k the answer "
		"has the k largest singular values and their vectors, the "
		"closest matrix of rank k.",
	.work =
		"With k = min(m,n) and l = max(m,n): 14 l k² + 8 k³ "
		"operations with vectors, 4 l k² - 4/3 k³ without. At the "
		"least A is read once and the outputs are written once.",
	.verdict =
		"residual is |A - U S Vᵀ| / (max(m,n) ε |A|), or |A V - U S| "
		"of some singular values; orthogonality is the larger of |I "
		"- UᵀU| / (m ε) and |I - VᵀV| / (n ε). fallback tells that "
		"divide and conquer did not converge and that the QR "
		"iteration answered.",
	.source =
		"LAPACK's gesdd; the implicit QR method: Golub and Kahan "
		"(1965), Golub and Reinsch (1970); one-sided Jacobi: "
		"Hestenes (1958); the polar decomposition by Newton-Schulz "
		"steps: Chen and Chow (2014). Counts: Golub and Van Loan, "
		"Matrix Computations (2013), table 8.6.1.",
	.see = "dense.md",
	.refusals = (const struct refusal[]){
		{ ERR_NONFINITE, "an element of a is NaN or infinite" },
		{ ERR_PARAMETER,
		  "k is larger than min(m,n), or goes with vectors=full" },
		{ 0 }
	},
};
