/* trace.c - the rows for the trace. The answer may have the error that
 * summation in any order may have. */
#include <math.h>

#include "base/size.h"
#include "check/rows.h"

/* |t - sum a_ii| / (k eps sum |a_ii|), the largest of the stack (N. Higham,
 * Accuracy and Stability of Numerical Algorithms, section 4.2). */
static double summation(const struct args *a)
{
	const struct matrix *m = &a->in[0];
	const size_t rows = matrix_rows(m), cols = matrix_cols(m);
	const size_t k = size_min(rows, cols);
	double worst = 0;

	for (size_t i = 0; i < matrix_stack(m); i++) {
		long double sum = 0, size = 0;
		double ratio;

		for (size_t j = 0; j < k; j++) {
			const double x = matrix_get(m, i * rows * cols +
			                               j * (cols + 1));

			sum += x;
			size += fabs(x);
		}
		ratio = (double)fabsl(matrix_get(&a->out[0], i) - sum);
		if (ratio > 0 || isnan(ratio))
			ratio /= (double)(k * size) * dtype_epsilon(a->dtype);
		if (ratio > worst || isnan(ratio))
			worst = ratio;
	}
	return worst;
}

static const struct judge sums[] = {
	{ "|t - sum| / k eps sum|a|", summation, 1 }, { 0 }
};

static const size_t shapes[][3] = {
	{ 0, 3 }, { 1, 1 }, { 2, 2 }, { 3, 5 }, { 5, 3 }, { 10, 50 },
	{ 63, 63 }, { 64, 64 }, { 65, 64 }, { 129, 130 }, { 1000, 1000 },
	CHECK_END
}, stacks[][3] = { { 1, 1, 1 }, { 3, 5, 2 }, { 7, 65, 66 }, CHECK_END };

const struct check_row check_trace_rows[] = {
	{ .what = "matrices", .op = "trace", .operands = { "mn" },
	  .sizes = shapes, .kinds = check_random_kinds, .judges = sums },
	{ .what = "stacks", .op = "trace", .operands = { "mnk" },
	  .sizes = stacks, .kinds = check_random_kinds, .judges = sums },
	{ 0 }
};
