/* eigen.c - dominant eigenpairs. */
#include "bench/error.h"
#include "bench/rows.h"

/* The error of the eigenvalue and its vector, from A v - lambda v. */
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

const struct bench_row bench_eigen_rows[] = {
	{
		.op = "eigen", .work = "eigen hilbert", .operands = { "mm" },
		.generator = "hilbert",
		.results = { "eigenvalue", "eigenvector" },
		.peer = { "power" }, .error = error,
		.dim = { { 1024 }, { 8192 } },
	}, { 0 }
};
