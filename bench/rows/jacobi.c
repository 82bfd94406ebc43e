/* jacobi.c - Jacobi's iteration for a strictly diagonally dominant system. The
 * rows with precision=mixed, which uses float32 entries where they suffice,
 * have no peer. */
#include "bench/error.h"
#include "bench/rows.h"
#include "matrix/sparse.h"

/* Makes the five-point stencil of a square grid, and a random right-hand side.
 * The entries are -1 for each neighbour of a point, and on the diagonal one
 * more than the point has neighbours, so that every iteration divides the
 * error by at least 5/4. */
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

/* The error of A x = b. It is near the default of `tol`: 1e-8, or 1e-5 with
 * precision=mixed. */
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
