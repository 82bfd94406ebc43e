/* jacobi.c - Jacobi's iteration for a strictly diagonally dominant system; with
 * entries in float32 where that suffices, for which there is no peer. */
#include "bench/error.h"
#include "bench/rows.h"
#include "matrix/sparse.h"

/* Each point of a square with its four neighbours: -1 for a neighbour and one
 * more than there are of them on the diagonal, so that a round divides the
 * error by at least 5/4; and a random right-hand side. */
static int make(struct args *a, const struct bench_row *row,
                const size_t dim[3], enum dtype dtype,
                struct memory_pool *pool, struct err *e)
{
	struct matrix *const m = &a->in[0];

	if (bench_make_plane(a, row, dim, dtype, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < m->dim[0]; i++) {
		const int64_t begin = sparse_starts(m)[i];
		const int64_t end = sparse_starts(m)[i + 1];

		for (int64_t k = begin; k < end; k++)
			matrix_set(m, (size_t)k,
			           (size_t)sparse_columns(m)[k] == i ?
			           (double)(end - begin) : -1);
	}
	return 0;
}

/* Of A x = b; it is about what `tol` demands, 1e-8, or 1e-5 with precision
 * mixed. */
static double error(const struct matrix *in, const struct matrix *out)
{
	return bench_error_sparse(&in[0], &out[0], &in[1]);
}

const struct bench_row bench_jacobi_rows[] = {
	{
		.op = "jacobi", .operands = { "mm", "m" }, .make = make,
		.results = { "x" }, .peer = { "jacobi" }, .error = error,
		.dim = { { 10000 }, { 1000000 } },
	}, {
		.op = "jacobi", .work = "jacobi mixed",
		.params = { "precision", "mixed" },
		.operands = { "mm", "m" }, .make = make, .results = { "x" },
		.error = error, .dim = { { 10000 }, { 1000000 } },
	}, { 0 }
};
