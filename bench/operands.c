/* operands.c - makes the operands of the benchmark, which are the same in every
 * run; see rows.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "bench/rows.h"
#include "matrix/generate.h"
#include "matrix/sparse.h"
#include "ops/complex.h"

/* Uniform in (-1, 1) (Knuth's MMIX generator). */
static double next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) +
	        UINT64_C(1442695040888963407);
	return (double)(*seed >> 11) * 0x1p-52 - 1;
}

static void fill_random(struct matrix *m, uint64_t seed)
{
	struct matrix reals = dtype_is_complex(m->dtype) ?
	                      complex_as_reals(m) : *m;
	const size_t n = matrix_elements(&reals);

	for (size_t i = 0; i < n; i++)
		matrix_set(&reals, i, next_random(&seed));
}

static int alloc_operand(struct matrix *m, const char *letters,
                         const size_t dim[3], enum dtype dtype,
                         struct memory_pool *pool, struct err *e)
{
	*m = (struct matrix){ .dtype = dtype };
	for (const char *c = letters; *c; c++)
		m->dim[m->ndim++] = dim[strchr("mnk", *c) - "mnk"];
	return matrix_alloc(m, pool, e);
}

static int generate(struct matrix *m, const char *name, struct err *e)
{
	const struct generator *g = generator_find(name, e);

	return g ? generator_fill(g, m, 1, e) : -1;
}

int bench_make_dense(struct args *a, const struct bench_row *row,
                     const size_t dim[3], enum dtype dtype,
                     struct memory_pool *pool, struct err *e)
{
	for (int i = 0; row->operands[i]; i++) {
		if (alloc_operand(&a->in[i], row->operands[i], dim, dtype,
		                  pool, e) < 0)
			return -1;
		fill_random(&a->in[i], (uint64_t)i + 1);
	}
	return row->generator ? generate(&a->in[0], row->generator, e) : 0;
}

/* Row i of a sparse n x n matrix: returns its length and, unless `columns` is
 * NULL, writes its columns in ascending order. */
static size_t grid_row(size_t i, int64_t side, int64_t layers,
                       int32_t *columns)
{
	const int64_t at = (int64_t)i, layer = side * side, x = at / layer;
	const int64_t y = at / side % side, z = at % side;
	const struct { int64_t step; bool inside; } neighbours[] = {
		{ -layer, x > 0 }, { -side, y > 0 }, { -1, z > 0 }, { 0, true },
		{ 1, z < side - 1 }, { side, y < side - 1 },
		{ layer, x < layers - 1 },
	};
	size_t length = 0;

	for (size_t k = 0; k < COUNT(neighbours); k++) {
		if (!neighbours[k].inside)
			continue;
		if (columns)
			columns[length] = (int32_t)(at + neighbours[k].step);
		length++;
	}
	return length;
}

static size_t stencil_row(size_t i, size_t n, int32_t *columns)
{
	const int64_t side = llround(cbrt((double)n));

	return grid_row(i, side, side, columns);
}

static size_t plane_row(size_t i, size_t n, int32_t *columns)
{
	return grid_row(i, llround(sqrt((double)n)), 1, columns);
}

/* As grid_row(), for a row whose length is about n / 4 divided by the row's
 * rank, counted from 1. The ranks are scattered over the rows, and the columns
 * of a row are drawn from intervals that do not overlap. */
static size_t power_law_row(size_t i, size_t n, int32_t *columns)
{
	enum { SCATTER = 7919 };
	const size_t rank = i * SCATTER % n;
	const size_t length = 1 + n / 4 / (rank + 1);
	uint64_t seed = i + 1;

	next_random(&seed);
	for (size_t k = 0; columns && k < length; k++) {
		const size_t first = k * n / length;
		const size_t share = (k + 1) * n / length - first;
		const double u = (next_random(&seed) + 1) / 2;

		columns[k] = (int32_t)(first + (size_t)(u * (double)share));
	}
	return length;
}

static int make_sparse(struct args *a, size_t n, enum dtype dtype,
                       size_t (*row)(size_t i, size_t n, int32_t *columns),
                       struct memory_pool *pool, struct err *e)
{
	struct matrix *m = &a->in[0];
	size_t at = 0;

	*m = (struct matrix){ .dtype = dtype, .ndim = 2, .dim = { n, n },
	                      .layout = CSR };
	for (size_t i = 0; i < n; i++)
		m->nnz += row(i, n, NULL);
	if (matrix_alloc(m, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		sparse_starts(m)[i] = (int64_t)at;
		at += row(i, n, sparse_columns(m) + at);
	}
	sparse_starts(m)[n] = (int64_t)at;
	fill_random(m, 1);
	if (alloc_operand(&a->in[1], "m", (size_t[]){ n, 0, 0 }, dtype, pool,
	                  e) < 0)
		return -1;
	fill_random(&a->in[1], 2);
	return 0;
}

int bench_make_stencil(struct args *a, const struct bench_row *row,
                       const size_t dim[3], enum dtype dtype,
                       struct memory_pool *pool, struct err *e)
{
	(void)row;
	return make_sparse(a, dim[0], dtype, stencil_row, pool, e);
}

int bench_make_plane(struct args *a, const struct bench_row *row,
                     const size_t dim[3], enum dtype dtype,
                     struct memory_pool *pool, struct err *e)
{
	(void)row;
	return make_sparse(a, dim[0], dtype, plane_row, pool, e);
}

int bench_make_power_law(struct args *a, const struct bench_row *row,
                         const size_t dim[3], enum dtype dtype,
                         struct memory_pool *pool, struct err *e)
{
	(void)row;
	return make_sparse(a, dim[0], dtype, power_law_row, pool, e);
}
