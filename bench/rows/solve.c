/* solve.c - linear systems, with one right-hand side and with many. */
#include <math.h>

#include "bench/error.h"
#include "bench/rows.h"
#include "matrix/sparse.h"

/* The error of A X = B, computed from B - A X for a sample of the columns. */
static double error(const struct matrix *in, const struct matrix *out)
{
	size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[1]);
	double most = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t c = 0; c < bench_sample(n); c++) {
			const size_t j = bench_sampled(c, n);
			long double sum = -matrix_get(&in[1], i * n + j);
			long double size = fabsl(sum);

			for (size_t k = 0; k < m; k++) {
				long double x = matrix_get(&in[0], i * m + k);

				x *= matrix_get(&out[0], k * n + j);
				sum += x;
				size += fabsl(x);
			}
			most = bench_worse(bench_ratio(sum, size), most);
		}
	return most;
}

static double error_sparse(const struct matrix *in, const struct matrix *out)
{
	return bench_error_sparse(&in[0], &out[0], &in[1]);
}

/* Makes the five-point Laplacian of a square grid, and a random right-hand
 * side. */
static int make_laplacian(struct args *a, const struct bench_row *row,
                          const size_t dim[3], enum dtype dtype,
                          struct memory_pool *pool, struct err *e)
{
	struct matrix *const m = &a->in[0];

	if (bench_make_plane(a, row, dim, dtype, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < m->dim[0]; i++)
		for (int64_t k = sparse_starts(m)[i];
		     k < sparse_starts(m)[i + 1]; k++)
			matrix_set(m, (size_t)k,
			           (size_t)sparse_columns(m)[k] == i ? 4 : -1);
	return 0;
}

/* The tolerance bounds the error that is shown. The floor is that of one
 * iteration. */
#define ITERATE(what, method, preconditioner, ...) {                         \
		.op = "solve", .work = what,                                 \
		.params = { "method", method, "preconditioner",              \
		            preconditioner },                                \
		.operands = { "mm", "m" }, .make = make_laplacian,           \
		.results = { "x" }, .peer = { what },                        \
		.error = error_sparse, .dim = { __VA_ARGS__ },               \
	}

const struct bench_row bench_solve_rows[] = {
	{
		.op = "solve", .operands = { "mm", "mn" }, .shape = "mn",
		.results = { "x" }, .peer = { "gesv" }, .error = error,
		.dim = { { 256, 1 }, { 777, 1 }, { 1024, 1 }, { 1024, 64 },
		         { 1999, 1 }, { 2048, 1 }, { 4096, 1 } },
	},
	ITERATE("cg", "cg", "none", { 10000 }, { 250000 }),
	ITERATE("gmres ilu0", "gmres", "ilu0", { 10000 }),
	{ 0 }
};
