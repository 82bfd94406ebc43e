/* manual.c - what the pages on Kronecker products say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_kron = {
	.mathematics =
		"C = A ⊗ B for an m x n matrix A and a p x q matrix B: the m "
		"p x n q matrix of the blocks a_ij B, so that c_(i p + k)(j "
		"q + l) = a_ij b_kl.",
	.work =
		"One multiplication for each element of C, which is m n p q. "
		"At the least A and B are read once and C is written once.",
	.verdict =
		"kron has no verdict: every element is one product, "
		"correctly rounded.",
	.source =
		"The definition.",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE, "leading dimensions differ and neither is 1" },
		{ 0 }
	},
};
