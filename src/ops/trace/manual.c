/* manual.c - what the pages on traces say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_trace = {
	.mathematics =
		"tr A = Σ a_ii, of the main diagonal, which has min(m,n) "
		"elements.",
	.work =
		"min(m,n) operations. Only the diagonal is read.",
	.verdict =
		"trace has no verdict.",
	.source =
		"The definition; summed in float64 where the device has it.",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE, "a is a vector" },
		{ 0 }
	},
};
