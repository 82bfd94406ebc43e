/* move.c - the rows for transpose and permute. Every element must be at its
 * place with its bits unchanged. */
#include <string.h>

#include "base/size.h"
#include "check/rows.h"

static bool same_bits(const struct matrix *x, size_t i,
                      const struct matrix *y, size_t j)
{
	const size_t bytes = dtype_bytes(x->dtype);

	return memcmp((const char *)matrix_data(x) + i * bytes,
	              (const char *)matrix_data(y) + j * bytes, bytes) == 0;
}

/* The number of elements that are not where they belong. */
static double transposed(const struct args *a)
{
	const struct matrix *x = &a->in[0], *y = &a->out[0];
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	double wrong = 0;

	for (size_t i = 0; i < matrix_elements(x); i++) {
		const size_t in = i % (m * n), first = i - in;

		wrong += !same_bits(x, i, y, first + in % n * m + in / n);
	}
	return wrong;
}

enum { MODE, INVERSE };		/* permute's parameters */
enum { BY_ROW, BY_COLUMN };	/* its modes, symmetric being the third */

/* The index of the operand's element that belongs at index i of the answer. */
static size_t source(const double *p, bool moved, size_t i)
{
	return moved ? (size_t)p[i] : i;
}

static double permuted(const struct args *a)
{
	const bool flat = a->in[0].ndim < 2, inverse = a->param[INVERSE] != 0;
	const bool rows = a->param[MODE] != BY_COLUMN || flat;
	const bool columns = a->param[MODE] != BY_ROW && !flat;
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);
	const double *p = matrix_data(&a->in[1]);
	double wrong = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t from = source(p, rows, i) * n +
			                    source(p, columns, j);

			wrong += !same_bits(&a->in[0],
			                    inverse ? i * n + j : from,
			                    &a->out[0],
			                    inverse ? from : i * n + j);
		}
	return wrong;
}

/* 0, 1, ... in random order (Fisher and Yates 1938). */
static int fill_shuffled(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *p = &a->in[1];
	const size_t n = matrix_elements(p);

	fill_random(k, a, e);
	for (size_t i = 0; i < n; i++)
		matrix_set(p, i, (double)i);
	for (size_t i = n; i > 1; i--) {
		const double share = check_random(4, i) / 2 + 0.5;
		const size_t with = (size_t)(share * (double)i);
		const double x = matrix_get(p, i - 1);

		matrix_set(p, i - 1, matrix_get(p, with));
		matrix_set(p, with, x);
	}
	return 0;
}

/* The article's own permutation, 1 -> 2 -> 3 -> 1, counted from 0 here. */
static int fill_cycle(const struct kind *k, struct args *a, struct err *e)
{
	const size_t n = matrix_elements(&a->in[1]);

	fill_random(k, a, e);
	for (size_t i = 0; i < n; i++)
		matrix_set(&a->in[1], i, (double)((i + 1) % n));
	return 0;
}

static int fill_doubled(const struct kind *k, struct args *a, struct err *e)
{
	const size_t n = matrix_elements(&a->in[1]);

	fill_cycle(k, a, e);
	matrix_set(&a->in[1], n - 1, matrix_get(&a->in[1], 0));
	return 0;
}

static const struct kind orders[] = {
	KIND("shuffled", fill_shuffled), KIND("cycle", fill_cycle), { 0 }
};
static const struct kind doubled[] = { KIND("doubled", fill_doubled), { 0 } };

static const struct judge transposes[] = {
	{ "wrong elements", transposed, 0 }, { 0 }
}, permutes[] = {
	{ "wrong elements", permuted, 0 }, { 0 }
};

static const size_t shapes[][3] = {
	{ 0, 0 }, { 0, 3 }, { 1, 1 }, { 2, 2 }, { 3, 5 }, { 5, 3 },
	{ 10, 50 }, { 50, 10 }, { 15, 17 }, { 63, 65 }, { 127, 129 },
	{ 129, 128 }, { 300, 513 }, { 513, 300 }, CHECK_END
}, squares[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, { 127 }, { 128 }, { 129 },
	{ 300 }, CHECK_END
}, stacks[][3] = {
	{ 1, 1, 1 }, { 3, 2, 5 }, { 5, 3, 17 }, { 2, 50, 33 },
	{ 3, 65, 129 }, CHECK_END
}, some[][3] = { { 2 }, { 5 }, { 129 }, CHECK_END };

#define ANY (DTYPE_REALS | DTYPE_INTEGERS)

const struct check_row check_transpose_rows[] = {
	{ .what = "matrices", .op = "transpose", .dtypes = ANY,
	  .operands = { "mn" }, .sizes = shapes, .kinds = check_random_kinds,
	  .judges = transposes },
	{ .what = "stacks", .op = "transpose", .dtypes = ANY,
	  .operands = { "mnk" }, .sizes = stacks, .kinds = check_random_kinds,
	  .judges = transposes },
	{ 0 }
};

const struct check_row check_permute_rows[] = {
	{ .what = "square", .op = "permute", .vary = "mode", .dtypes = ANY,
	  .operands = { "mm", "m" }, .sizes = squares, .kinds = orders,
	  .judges = permutes },
	{ .what = "square, inverse", .op = "permute", .vary = "mode",
	  .params = { "inverse", "true" }, .dtypes = ANY,
	  .operands = { "mm", "m" }, .sizes = squares, .kinds = orders,
	  .judges = permutes },
	{ .what = "rows", .op = "permute", .params = { "mode", "row" },
	  .dtypes = ANY, .operands = { "mn", "m" }, .sizes = shapes,
	  .kinds = orders, .judges = permutes },
	{ .what = "columns", .op = "permute", .params = { "mode", "column" },
	  .dtypes = ANY, .operands = { "mn", "n" }, .sizes = shapes,
	  .kinds = orders, .judges = permutes },
	{ .what = "vectors", .op = "permute", .dtypes = ANY,
	  .operands = { "m", "m" }, .sizes = squares, .kinds = orders,
	  .judges = permutes },
	{ .what = "vectors, inverse", .op = "permute",
	  .params = { "inverse", "true" }, .dtypes = ANY,
	  .operands = { "m", "m" }, .sizes = squares, .kinds = orders,
	  .judges = permutes },
	{ .what = "no permutation", .op = "permute", .vary = "mode",
	  .operands = { "mm", "m" }, .sizes = some, .kinds = doubled,
	  .refusal = ERR_MATHEMATICS },
	{ 0 }
};
