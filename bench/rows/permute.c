/* permute.c - permutations of rows, and of rows and columns together. */
#include <math.h>

#include "bench/error.h"
#include "bench/rows.h"

enum { SCATTER = 7919 };		/* a prime that divides no m below */

/* Makes a random matrix and the permutation p[i] = i SCATTER mod m. */
static int make(struct args *a, const struct bench_row *row,
                const size_t dim[3], enum dtype dtype,
                struct memory_pool *pool, struct err *e)
{
	struct matrix *p = &a->in[1];

	if (bench_make_dense(a, row, dim, dtype, pool, e) < 0 ||
	    matrix_convert(p, FLOAT64, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < dim[0]; i++)
		matrix_set(p, i, (double)(i * SCATTER % dim[0]));
	return 0;
}

static size_t index_at(const struct matrix *p, size_t i)
{
	return (size_t)matrix_get(p, i);
}

static double difference(const struct matrix *in, const struct matrix *out,
                         bool columns)
{
	const size_t m = matrix_rows(&in[0]), n = matrix_cols(&in[0]);
	double most = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t from = index_at(&in[1], i) * n +
			    (columns ? index_at(&in[1], j) : j);

			most = bench_worse(fabs(matrix_get(&in[0], from) -
			    matrix_get(&out[0], i * n + j)), most);
		}
	return most;
}

static double error_rows(const struct matrix *in, const struct matrix *out)
{
	return difference(in, out, false);
}

static double error_both(const struct matrix *in, const struct matrix *out)
{
	return difference(in, out, true);
}

const struct bench_row bench_permute_rows[] = {
	{
		.op = "permute", .operands = { "mn", "m" }, .make = make,
		.results = { "a" }, .peer = { "permute" },
		.error = error_rows,
		.dim = { { 1024, 1024 }, { 4096, 4096 } },
	}, {
		.op = "permute", .work = "permute both",
		.params = { "mode", "symmetric" },
		.operands = { "mm", "m" }, .make = make,
		.results = { "a" }, .peer = { "permute_both" },
		.error = error_both, .dim = { { 1024 }, { 4096 } },
	}, { 0 }
};
