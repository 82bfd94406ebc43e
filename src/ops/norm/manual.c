/* manual.c - what the pages on norms say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_norm = {
	.mathematics =
		"For an m x n matrix A with singular values s_i: fro √(Σ "
		"|a_ij|²), nuc Σ s_i, 1 max_j Σ_i |a_ij|, 2 max s_i, inf "
		"max_i Σ_j |a_ij|, max max |a_ij|. fro neither overflows nor "
		"underflows on the way.",
	.work =
		"2 m n operations for fro and m n for 1, inf and max; for 2 "
		"and nuc 4 k² (l - k/3) with k = min(m,n) and l = max(m,n). "
		"At the least A is read once.",
	.verdict =
		"norm has no verdict.",
	.source =
		"LAPACK's lange and gesdd; on GPUs the polar decomposition "
		"(docs/dense.md): Chen and Chow (2014), Nakatsukasa, Bai and "
		"Gygi (2010).",
	.see = "dense.md",
	.refusals = (const struct refusal[]){
		{ ERR_NONFINITE,
		  "ord is 2 or nuc, and an element of a is NaN or infinite" },
		{ 0 }
	},
};
