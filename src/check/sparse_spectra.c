/* sparse_spectra.c - the rows for eigen with some eigenvalues of a large sparse
 * matrix, whose spectrum a formula gives: the Laplacian of a grid, with many
 * double eigenvalues, and a ring in which every node leads to the next one,
 * whose eigenvalues are the roots of unity. */
#include <math.h>
#include <stdlib.h>

#include "check/host.h"
#include "check/rows.h"
#include "check/several.h"
#include "ops/eigen/many.h"

enum { WIDTH = 24 };			/* of the grid */

static const long double PI = 3.14159265358979323846264338327950288L;

static int fill_grid(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_rows(m);

	(void)k;
	(void)e;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t far = i < j ? j - i : i - j;
			const bool beside = far == 1 &&
			    i / WIDTH == j / WIDTH;

			matrix_set(m, i * n + j, i == j ? 4 :
			           beside || far == WIDTH ? -1 : 0);
		}
	return 0;
}

static int fill_ring(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_rows(m);

	(void)k;
	(void)e;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(m, i, i % n == (i / n + 1) % n);
	return 0;
}

/* Eigenvalue i of the grid's Laplacian, in no order. */
static long double of_grid(size_t n, size_t i)
{
	const size_t height = n / WIDTH;

	return 4 - 2 * cosl(PI * (long double)(i % WIDTH + 1) / (WIDTH + 1)) -
	       2 * cosl(PI * (long double)(i / WIDTH + 1) /
	                (long double)(height + 1));
}

/* What the chosen eigenvalues have the least of. */
static double key_of(const struct args *a, long double x)
{
	switch (eigen_which(a)) {
	case EIGEN_LARGEST:
	case EIGEN_LARGEST_REAL:
		return -(double)x;
	case EIGEN_NEAREST:
		return fabs((double)x - args_real(a, EIGEN_P_SIGMA, 0));
	default:
		return (double)x;
	}
}

static int ascending(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Compares the answer with the eigenvalues that the formula says were asked
 * for: the largest difference, divided by |A| n eps. */
static double grid_distance(const struct args *a)
{
	const struct matrix *values = &a->out[EIGEN_VALUES];
	const size_t n = matrix_rows(&a->in[0]), k = matrix_elements(values);
	double *all = calloc(n + k + 1, sizeof *all), *found = all + n;
	double worst = all && k > 0 ? 0 : INFINITY;

	for (size_t i = 0; all && i < n; i++)
		all[i] = key_of(a, of_grid(n, i));
	for (size_t i = 0; all && i < k; i++)
		found[i] = key_of(a, matrix_get(values, i));
	if (all) {
		qsort(all, n, sizeof *all, ascending);
		qsort(found, k, sizeof *found, ascending);
	}
	for (size_t i = 0; all && i < k; i++)
		worst = host_worse(worst, host_ratio(found[i] - all[i],
		    8 * (double)n * dtype_epsilon(a->dtype)));
	free(all);
	return worst;
}

/* All eigenvalues of the ring have the modulus 1, so any of them answers a
 * question for the largest: the largest | |lambda| - 1 | / (n eps), and of
 * |lambda^n - 1| / (n^2 eps). */
static double ring_distance(const struct args *a)
{
	const struct matrix *values = &a->out[EIGEN_VALUES];
	const size_t n = matrix_rows(&a->in[0]), k = matrix_elements(values);
	const long double unit = (long double)n * dtype_epsilon(a->dtype);
	double worst = k > 0 ? 0 : INFINITY;

	for (size_t i = 0; i < k; i++) {
		const double re = matrix_get(values, i);
		const double im = matrix_get_imaginary(values, i);
		const long double turns = atan2l(im, re) * (long double)n /
		                          (2 * PI);

		worst = host_worse(worst, host_ratio(hypotl(re, im) - 1,
		                                     unit));
		worst = host_worse(worst, host_ratio(turns - rintl(turns),
		                                     unit * (long double)n));
	}
	return worst;
}

static const struct kind grids[] = {
	KIND("Laplacian of a grid", fill_grid), { 0 }
}, rings[] = {
	KIND("ring", fill_ring), { 0 }
};

static const struct judge of_grid_pairs[] = {
	{ "|Ax - lx| / |A| n eps", several_residual, 10 },
	{ "||x| - 1| / n eps", several_length, 2 },
	{ "|X'X - I| / n eps", several_orthogonality, 10 },
	{ "l from the formula", grid_distance, 10 },
	{ "l ascend", several_ascend, 0 }, { 0 }
}, of_ring_pairs[] = {
	{ "|Ax - lx| / |A| n eps", several_residual, 10 },
	{ "||x| - 1| / n eps", several_length, 2 },
	{ "l from the formula", ring_distance, 10 },
	{ "|l| descend", several_descend, 0 }, { 0 }
};

/* Multiples of WIDTH with more rows than are decomposed densely. */
static const size_t sizes[][3] = {
	{ 22 * WIDTH }, { 31 * WIDTH }, CHECK_END
};

#define ROW(what_, kinds_, judges_, ...) { \
	.what = what_, .op = "eigen", .only = "fused", .sparse = true, \
	.want = 1u << EIGEN_VALUES | 1u << EIGEN_VECTORS, \
	.operands = { "mm" }, .sizes = sizes, .kinds = kinds_, \
	.judges = judges_, .params = { "tol", "1e-12", __VA_ARGS__ } }

const struct check_row check_sparse_spectra_rows[] = {
	ROW("sparse, largest", grids, of_grid_pairs,
	    "which", "largest", "k", "7"),
	ROW("sparse, smallest", grids, of_grid_pairs,
	    "which", "smallest", "k", "7"),
	ROW("sparse, nearest", grids, of_grid_pairs,
	    "which", "nearest", "k", "8", "sigma", "2.03"),
	ROW("sparse, smallest real", grids, of_grid_pairs,
	    "which", "smallest-real", "k", "5"),
	ROW("sparse, largest, general", rings, of_ring_pairs,
	    "which", "largest", "k", "6"),
	{ 0 }
};
