/* manual.c - what the pages on transposes say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_transpose = {
	.mathematics =
		"B = Aᵀ, b_ji = a_ij, for every matrix of a stack. A vector "
		"stays as it is, as in NumPy.",
	.work =
		"No arithmetic. A is read once and its transpose is written "
		"once.",
	.verdict =
		"transpose has no verdict: the elements are the same bits.",
	.source =
		"The definition; through local memory in tiles.",
	.refusals = (const struct refusal[]){
		{ 0 }
	},
};
