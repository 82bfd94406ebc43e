/* manual.c - what the pages on sparse products say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_spmv = {
	.mathematics =
		"y = A x; y + A x with accumulate; A^k x with repeat=k. Only "
		"the entries that A stores are multiplied: y_i = Σ a_ij x_j "
		"over the stored j.",
	.work =
		"2 operations for each stored entry and each repetition. At "
		"the least the entries with their indices, x and y are moved "
		"once for each repetition.",
	.verdict =
		"spmv has no verdict.",
	.source =
		"Merge-based rows on CPUs: Merrill and Garland, Merge-based "
		"Parallel Sparse Matrix-Vector Multiplication (2016). "
		"csr-lanes and ellpack-r: Mixed and Multi-Precision SpMV for "
		"GPUs (2022); sell: Monakov and others (2010).",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE,
		  "x or y is not a vector of a's size, or repeat is above 1 "
		  "and a is not square" },
		{ ERR_REQUEST,
		  "accumulate without y, or y without accumulate" },
		{ ERR_NONFINITE,
		  "repeated products overflow, or an operand is not finite and "
		  "repeat is above 1" },
		{ 0 }
	},
};
