/* ends.c - the rows of `linalgd check` for the operation eigen where it
 * computes a few eigenvalues of a large sparse matrix, at the ends of the
 * spectrum or near a given number. */
#include <math.h>
#include <stdlib.h>

#include "check/host.h"
#include "check/rows.h"
#include "check/several.h"
#include "ops/eigen/many.h"

/* The Laplacian of n points lies on a grid of SIDE x n / SIDE points. Every n
 * in `sizes` is a multiple of SIDE. */
enum { SIDE = 25 };

/* Returns element (i, j) of the five-point Laplacian of the grid. On a square
 * grid, n = SIDE^2, it has double eigenvalues. */
static double laplacian(size_t n, size_t i, size_t j)
{
	const size_t first = i < j ? i : j, second = i < j ? j : i;
	const bool beside = second == first + 1 && second % SIDE != 0;

	(void)n;
	return i == j ? 4 : beside || second == first + SIDE ? -1 : 0;
}

/* Returns element (i, j) of a random matrix with about 8 nonzero elements in
 * every row, and a diagonal that keeps the eigenvalues apart. */
static double scattered(size_t n, size_t i, size_t j)
{
	const uint64_t place = i * n + j;

	return i == j ? 20 * check_random(3, i) :
	       fabs(check_random(1, place)) < 8 / (double)n ?
	       check_random(2, place) : 0;
}

static double (*const formulas[])(size_t n, size_t i, size_t j) = {
	laplacian, scattered,
};

static int fill(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_rows(m);

	(void)e;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(m, i, formulas[k->shape](n, i / n, i % n));
	return 0;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Returns the key by which the parameter `which` chooses among the eigenvalues
 * x of a symmetric matrix: those with the smallest keys are the answer. */
static double key_of(const struct args *a, double x)
{
	switch (eigen_which(a)) {
	case EIGEN_LARGEST:
		return -fabs(x);
	case EIGEN_SMALLEST:
		return fabs(x);
	case EIGEN_LARGEST_REAL:
		return -x;
	case EIGEN_SMALLEST_REAL:
		return x;
	default:
		return fabs(x - a->param[EIGEN_P_SIGMA]);
	}
}

/* Returns the largest difference, in units of |A| n eps, between the keys of
 * the answered eigenvalues and the smallest keys of all eigenvalues of the
 * Laplacian. These are 4 sin^2(pi x / 2) + 4 sin^2(pi y / 2) for the points
 * (x, y) of the grid in the unit square. */
static double off_formula(const struct args *a)
{
	const size_t n = a->in[0].dim[0], rows = n / SIDE;
	const struct matrix *values = &a->out[EIGEN_VALUES];
	const size_t k = matrix_elements(values);
	const double unit = 8 * (double)n * dtype_epsilon(a->dtype);
	const double pi = acos(-1);
	double *keys = calloc(n + k, sizeof *keys), worst = keys ? 0 : NAN;

	for (size_t i = 0; keys && i < n; i++) {
		const double x = (double)(i % SIDE + 1) / (SIDE + 1);
		const double y = (double)(i / SIDE + 1) / (double)(rows + 1);

		keys[i] = key_of(a, 4 * pow(sin(pi * x / 2), 2) +
		                    4 * pow(sin(pi * y / 2), 2));
	}
	for (size_t i = 0; keys && i < k; i++)
		keys[n + i] = key_of(a, matrix_get(values, i));
	if (keys) {
		qsort(keys, n, sizeof *keys, ascending);
		qsort(keys + n, k, sizeof *keys, ascending);
	}
	for (size_t i = 0; keys && i < k; i++)
		worst = host_worse(worst, host_ratio(
		    (long double)keys[n + i] - keys[i], unit));
	free(keys);
	return worst;
}

static double not_converged(const struct args *a)
{
	return matrix_get(&a->out[EIGEN_CONVERGED], 0) != 1;
}

static const struct kind symmetric[] = {
	KIND("Laplacian", fill, .shape = 0), { 0 }
}, general[] = {
	KIND("scattered", fill, .shape = 1), { 0 }
};

static const struct judge of_symmetric[] = {
	{ "|Ax - lx| / |A| n eps", several_residual, 20 },
	{ "||x| - 1| / n eps", several_length, 2 },
	{ "l from the formula", off_formula, 20 },
	{ "l ascend", several_ascend, 0 },
	{ "not converged", not_converged, 0 }, { 0 }
}, of_general[] = {
	{ "|Ax - lx| / |A| n eps", several_residual, 20 },
	{ "||x| - 1| / n eps", several_length, 2 },
	{ "|l| descend", several_descend, 0 },
	{ "not converged", not_converged, 0 }, { 0 }
};

static const size_t sizes[][3] = { { 525 }, { 625 }, CHECK_END };

/* A row for each element type, because tol must be near the rounding errors of
 * the type. */
#define ENDS(what_, kind, ...)                                             \
	{ .what = what_, .op = "eigen", .only = "fused", .sparse = true,   \
	  .operands = { "mm" }, .sizes = sizes, .kinds = kind,             \
	  .judges = of_##kind, .dtypes = DTYPE_BIT(FLOAT32),               \
	  .params = { __VA_ARGS__, "tol", "1e-7", "k", "4" } },            \
	{ .what = what_, .op = "eigen", .only = "fused", .sparse = true,   \
	  .operands = { "mm" }, .sizes = sizes, .kinds = kind,             \
	  .judges = of_##kind, .dtypes = DTYPE_BIT(FLOAT64),               \
	  .params = { __VA_ARGS__, "tol", "1e-13", "k", "4" } }

const struct check_row check_ends_rows[] = {
	ENDS("sparse, largest", symmetric, "which", "largest"),
	ENDS("sparse, smallest", symmetric, "which", "smallest"),
	ENDS("sparse, largest real", symmetric, "which", "largest-real"),
	ENDS("sparse, smallest real", symmetric, "which", "smallest-real"),
	ENDS("sparse, nearest", symmetric, "which", "nearest", "sigma", "3.1"),
	ENDS("sparse, largest", general, "which", "largest"),
	ENDS("sparse, smallest", general, "which", "smallest"),
	ENDS("sparse, nearest", general, "which", "nearest", "sigma", "1.5"),
	{ 0 }
};
