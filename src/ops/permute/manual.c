/* manual.c - what the pages on permutations say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_permute = {
	.mathematics =
		"For a permutation p of 0, 1, ... n - 1: rows b_ij = "
		"a_(p_i)j, columns b_ij = a_i(p_j), symmetric b_ij = "
		"a_(p_i)(p_j), which is P A Pᵀ. inverse takes p⁻¹ in place "
		"of p.",
	.work =
		"No arithmetic. A, with the indices of its entries if it is "
		"sparse, is read once and written once.",
	.verdict =
		"permute has no verdict: the elements are the same bits.",
	.source =
		"The definition.",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE,
		  "p has another length than what is permuted, or mode is "
		  "symmetric and a is not square" },
		{ ERR_MATHEMATICS, "p is not a permutation" },
		{ 0 }
	},
};
