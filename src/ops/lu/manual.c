/* manual.c - what the pages on LU factors say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_lu = {
	.mathematics =
		"P A = L U for an m x n matrix A, where L is m x min(m,n) "
		"and unit lower triangular, U is min(m,n) x n and upper "
		"triangular, and P interchanges rows: in column k the row of "
		"the largest magnitude becomes the pivot's, so that |l_ij| "
		"<= 1. With pivot=none P is the identity. A is singular if U "
		"has an exact zero on its diagonal; the factors exist then, "
		"too.",
	.work =
		"About 2/3 n³ operations for a square matrix; m n² - n³/3 "
		"multiplications and as many subtractions for m >= n. At the "
		"least A is read once and the factors are written once.",
	.verdict =
		"residual is LAPACK's ratio |P A - L U| / (n ε |A|), "
		"estimated with one vector of ±1. It is absent where A has a "
		"NaN or an infinity.",
	.source =
		"Partial pivoting as LAPACK's getrf has it; blocked, on CPUs "
		"with look-ahead: Strazdins (1998). Larger than the device's "
		"memory: left-looking, D'Azevedo and Dongarra (2000). "
		"Singular matrices without pivoting: Okunev and Johnson "
		"(1997). seed-v0 and seed-v1: Improving Parallel LU "
		"Decomposition by ~20x (2021), without pivoting.",
	.see = "lu.md",
	.refusals = (const struct refusal[]){
		{ ERR_ZERO_PIVOT,
		  "pivot=none, or a variant without pivoting, and a pivot is "
		  "zero while the column below it is not" },
		{ 0 }
	},
};
