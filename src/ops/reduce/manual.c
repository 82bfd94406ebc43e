/* manual.c - what the pages on reductions say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_reduce = {
	.mathematics =
		"For the elements x_i that are reduced: sum Σ x_i, prod Π "
		"x_i, min and max, mean Σ x_i / n, norm1 Σ |x_i|, norm2 √(Σ "
		"x_i²), norminf max |x_i|, argmin and argmax the first i "
		"with the extreme element. NaN propagates. Sums and products "
		"are compensated and follow one tree whose shape depends on "
		"n alone, so that the same elements give the same bits on "
		"every device.",
	.work =
		"One operation for each element. At the least every element "
		"is read once and every result is written once.",
	.verdict =
		"reduce has no verdict: a float64 sum is as exact as if it "
		"were computed with twice the digits and rounded, as long as "
		"it is not smaller than the sum of magnitudes by more than "
		"these digits.",
	.source =
		"Compensated sums and products: Ogita, Rump and Oishi "
		"(2005), Graillat (2009). docs/reduction-order.md defines "
		"the order. The other variants: Reduction, oneAPI GPU "
		"Optimization Guide.",
	.see = "reduction-order.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE, "axis is not a dimension of a" },
		{ ERR_MATHEMATICS,
		  "an extreme or a mean of no elements, or an integer sum or "
		  "product beyond int64" },
		{ 0 }
	},
};
