/* eigen.c - dominant eigenpairs, and all eigenvalues with or without their
 * eigenvectors. */
#include <math.h>

#include "bench/error.h"
#include "bench/rows.h"

/* The error of the dominant eigenpair, computed from A v - lambda v. */
static double error(const struct matrix *in, const struct matrix *out)
{
	const size_t n = matrix_rows(&in[0]);
	const double lambda = matrix_get(&out[0], 0);
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = bench_worse(bench_error_dot(
		    (struct bench_line){ &in[0], i * n, 1 },
		    (struct bench_line){ &out[1], 0, 1 }, n,
		    lambda * matrix_get(&out[1], i)), most);
	return most;
}

/* Makes a symmetric matrix, or a stack of them, with elements uniform in
 * (-1, 1). */
static int make_symmetric(struct args *a, const struct bench_row *row,
                          const size_t dim[3], enum dtype dtype,
                          struct memory_pool *pool, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = dim[0];

	if (bench_make_dense(a, row, dim, dtype, pool, e) < 0)
		return -1;
	for (size_t s = 0; s < matrix_stack(m); s++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < i; j++)
				matrix_set(m, (s * n + j) * n + i,
				           matrix_get(m, (s * n + i) * n + j));
	return 0;
}

/* The error of row i of A v - lambda v for eigenpair k of one matrix of the
 * stack. Both v and lambda may be complex. */
static double error_at(const struct matrix *in, const struct matrix *out,
                       size_t which, size_t i, size_t k)
{
	const size_t n = matrix_rows(&in[0]), first = which * n * n;
	const struct matrix *v = &out[1];
	const double value[] = {
		matrix_get(&out[0], which * n + k),
		matrix_get_imaginary(&out[0], which * n + k)
	};
	const double at_i[] = {
		matrix_get(v, first + i * n + k),
		matrix_get_imaginary(v, first + i * n + k)
	};
	long double re = value[1] * at_i[1] - value[0] * at_i[0];
	long double im = -value[0] * at_i[1] - value[1] * at_i[0];
	long double size = 0;

	for (size_t j = 0; j < n; j++) {
		const long double x = matrix_get(&in[0], first + i * n + j);
		const double y = matrix_get(v, first + j * n + k);
		const double z = matrix_get_imaginary(v, first + j * n + k);

		re += x * y;
		im += x * z;
		size += fabsl(x) * hypot(y, z);
	}
	return bench_ratio(hypotl(re, im), size);
}

static double error_of_one(const struct matrix *in, const struct matrix *out,
                           size_t which)
{
	const size_t n = matrix_rows(&in[0]);
	double most = 0;

	for (size_t s = 0; s < bench_sample(n); s++)
		for (size_t i = 0; i < n; i++)
			most = bench_worse(error_at(in, out, which, i,
			    bench_sampled(s, n)), most);
	return most;
}

static double error_all(const struct matrix *in, const struct matrix *out)
{
	return bench_error_stack(in, out, error_of_one);
}

#define SYMMETRIC \
	.op = "eigen", .make = make_symmetric, \
	.params = { "which", "all", "structure", "symmetric" }
#define GENERAL \
	.op = "eigen", .params = { "which", "all" }
#define SIZES \
	.dim = { { 512 }, { 1024 }, { 2048 } }, .on_gpus = { { 4096 } }

const struct bench_row bench_eigen_rows[] = {
	{
		.op = "eigen", .work = "eigen hilbert", .operands = { "mm" },
		.generator = "hilbert",
		.results = { "eigenvalue", "eigenvector" },
		.peer = { "power" }, .error = error,
		.dim = { { 1024 }, { 8192 } },
	}, {
		SYMMETRIC, .work = "eigh", .operands = { "mm" },
		.results = { "eigenvalues", "eigenvectors" }, .named = true,
		.peer = { "syevd" }, .error = error_all, SIZES,
	}, {
		SYMMETRIC, .work = "eigh values", .operands = { "mm" },
		.peer = { "syevd_n" }, SIZES,
	}, {
		SYMMETRIC, .work = "eigh stack", .operands = { "kmm" },
		.results = { "eigenvalues", "eigenvectors" }, .named = true,
		.peer = { "syevd_stack" }, .error = error_all,
		.dim = { { 16, 0, 10000 }, { 32, 0, 2000 }, { 128, 0, 500 } },
	}, {
		GENERAL, .work = "eig", .operands = { "mm" },
		.results = { "eigenvalues", "eigenvectors" }, .named = true,
		.peer = { "geev" }, .error = error_all, SIZES,
	}, {
		GENERAL, .work = "eig values", .operands = { "mm" },
		.peer = { "geev_n" }, SIZES,
	}, { 0 }
};
