/* kron.c - the rows for the Kronecker product. Every element of the answer
 * must be the product of two elements, rounded once. */
#include "base/size.h"
#include "check/rows.h"

/* Returns the number of wrong elements of C. The stacks of A, B and C have the
 * same length. */
static double wrong(const struct args *a)
{
	const struct matrix *x = &a->in[0], *y = &a->in[1], *c = &a->out[0];
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	const size_t p = matrix_rows(y), q = matrix_cols(y);
	double count = 0;

	for (size_t at = 0; at < matrix_elements(c); at++) {
		const size_t column = at % (n * q);
		const size_t row = at / (n * q) % (m * p);
		const size_t z = at / (m * p * n * q);
		const double want = matrix_get(x, (z * m + row / p) * n +
		                                  column / q) *
		                    matrix_get(y, (z * p + row % p) * q +
		                                  column % q);

		count += matrix_get(c, at) != (x->dtype == FLOAT32 ?
		                               (float)want : want);
	}
	return count;
}

static const struct judge products[] = {
	{ "wrong elements", wrong, 0 }, { 0 }
};

/* A is m x n, B n x k, so that rows of B are shorter and longer than
 * vectors. */
static const size_t shapes[][3] = {
	{ 0, 3, 2 }, { 3, 0, 2 }, { 1, 1, 1 }, { 2, 2, 2 }, { 3, 5, 2 },
	{ 5, 3, 7 }, { 10, 3, 50 }, { 3, 9, 8 }, { 7, 4, 15 }, { 4, 5, 16 },
	{ 5, 4, 17 }, { 2, 130, 3 }, { 33, 2, 129 }, { 2, 40, 32 }, CHECK_END
}, stacks[][3] = { { 1, 1, 1 }, { 3, 5, 2 }, { 2, 17, 9 }, CHECK_END };

const struct check_row check_kron_rows[] = {
	{ .what = "matrices", .op = "kron", .operands = { "mn", "nk" },
	  .sizes = shapes, .kinds = check_random_kinds, .judges = products },
	{ .what = "stacks", .op = "kron", .operands = { "mnk", "mkn" },
	  .sizes = stacks, .kinds = check_random_kinds, .judges = products },
	{ 0 }
};
