/* spectra.c - the rows for eigen with several eigenvalues. The symmetric
 * matrices are of LAPACK's types in xDRVST: random reflections turn diagonal
 * matrices of given eigenvalues into full ones, and some are scaled to near
 * overflow or underflow. The others are known to be hard for eigensolvers. */
#include <float.h>
#include <math.h>

#include "check/rows.h"
#include "check/several.h"
#include "ops/eigen/eigen.h"

/* --- symmetric matrices with given eigenvalues */

enum { ZERO, UNIT, EVEN, GEOMETRIC, CLUSTERED, RANDOM_SIGNS };

static double given(int shape, size_t i, size_t n, double eps)
{
	const double at = n > 1 ? (double)i / (double)(n - 1) : 0;

	switch (shape) {
	case ZERO:
		return 0;
	case UNIT:
		return 1;
	case EVEN:
		return 1 - at * (1 - eps);
	case GEOMETRIC:
		return pow(eps, at);
	case CLUSTERED:
		return i == 0 ? 1 : eps;
	default:
		return check_random(5, i) < 0 ? -1 : 1;
	}
}

/* The factor, a power of ten, by which the elements of that kind are scaled. */
static double scale_of(const struct kind *k, enum dtype t)
{
	const double most = t == FLOAT32 ? FLT_MAX_10_EXP : DBL_MAX_10_EXP;

	return pow(10, k->range * (most - 4));
}

/* A <- H A H, with H = I - 2 u u' / u'u and a random u. */
static void reflect(double *a, size_t n, uint64_t seed)
{
	double square = 0;

	for (size_t i = 0; i < n; i++)
		square += pow(check_random(seed, i), 2);
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < n; i++) {
			double *x = a + i * (side ? n : 1), sum = 0;
			const size_t step = side ? 1 : n;

			for (size_t j = 0; j < n; j++)
				sum += x[j * step] * check_random(seed, j);
			for (size_t j = 0; j < n; j++)
				x[j * step] -= 2 * sum / square *
				               check_random(seed, j);
		}
}

enum { MOST = 130 };

static int fill_spectrum(const struct kind *k, struct args *a, struct err *e)
{
	static double x[MOST * MOST];
	struct matrix *m = &a->in[0];
	const size_t n = matrix_rows(m), each = n * n;
	const double scale = scale_of(k, m->dtype);

	(void)e;
	for (size_t i = 0; i < each; i++)
		x[i] = i / n != i % n ? 0 :
		       given(k->shape, i % n, n, dtype_epsilon(m->dtype));
	reflect(x, n, 1);
	reflect(x, n, 2);
	for (size_t i = 0; i < matrix_elements(m); i++) {
		const size_t row = i / n % n, column = i % n;

		matrix_set(m, i, scale * x[row > column ? row * n + column :
		                                          column * n + row]);
	}
	return 0;
}

/* --- matrices by formula */

enum formula { HILBERT, WILKINSON, MINIJ, RANDOM_SYMMETRIC, RANDOM, FRANK,
               GRCAR, CLEMENT, JORDAN, CIRCULANT };

static double clement(size_t n, size_t i, size_t j)
{
	return i + 1 == j ? (double)(i + 1) : j + 1 == i ? (double)(n - i) : 0;
}

static double element(enum formula f, size_t n, size_t i, size_t j)
{
	const size_t least = i < j ? i : j, most = i < j ? j : i;
	const double middle = (double)(n - 1) / 2;

	switch (f) {
	case HILBERT:
		return 1 / (double)(i + j + 1);
	case WILKINSON:
		return i == j ? fabs(middle - (double)i) : most == least + 1;
	case MINIJ:
		return (double)least + 1;
	case RANDOM_SYMMETRIC:
		return check_random(7, most * n + least);
	case FRANK:
		return j + 1 < i ? 0 : (double)(n - most);
	case GRCAR:
		return j + 1 == i ? -1 : j >= i && j <= i + 3;
	case CLEMENT:
		return clement(n, i, j);
	case JORDAN:
		return i == j ? 2 : i + 1 == j;
	case CIRCULANT:
		return j == (i + 1) % n;
	default:
		return check_random(8, i * n + j);
	}
}

static int fill_formula(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = matrix_rows(m);

	(void)e;
	for (size_t i = 0; i < matrix_elements(m); i++)
		matrix_set(m, i, element((enum formula)k->shape, n, i / n % n,
		                         i % n));
	return 0;
}

#define SPECTRUM(name, shape_, range_) \
	KIND(name, fill_spectrum, .shape = shape_, .range = range_)
#define FORMULA(name, shape_) KIND(name, fill_formula, .shape = shape_)

static const struct kind symmetric[] = {
	SPECTRUM("zero", ZERO, 0), SPECTRUM("unit", UNIT, 0),
	SPECTRUM("even", EVEN, 0), SPECTRUM("geometric", GEOMETRIC, 0),
	SPECTRUM("clustered", CLUSTERED, 0),
	SPECTRUM("+-1", RANDOM_SIGNS, 0),
	SPECTRUM("even, near overflow", EVEN, 1),
	SPECTRUM("even, near underflow", EVEN, -1),
	FORMULA("random symmetric", RANDOM_SYMMETRIC),
	FORMULA("Hilbert", HILBERT), FORMULA("Wilkinson", WILKINSON),
	FORMULA("min(i, j)", MINIJ), { 0 }
}, general[] = {
	FORMULA("random", RANDOM), FORMULA("Frank", FRANK),
	FORMULA("Grcar", GRCAR), FORMULA("Clement", CLEMENT),
	FORMULA("Jordan", JORDAN), FORMULA("circulant", CIRCULANT), { 0 }
};

static const struct judge of_symmetric[] = {
	{ "|Ax - lx| / |A| n eps", several_residual, 10 },
	{ "||x| - 1| / n eps", several_length, 2 },
	{ "|X'X - I| / n eps", several_orthogonality, 10 },
	{ "l from host's Jacobi", several_distance, 10 },
	{ "l ascend", several_ascend, 0 },
	{ 0 }
}, of_values[] = {
	{ "l from host's Jacobi", several_distance, 10 },
	{ "l ascend", several_ascend, 0 }, { 0 }
}, of_general[] = {
	{ "|Ax - lx| / |A| n eps", several_residual, 10 },
	{ "|y'A - ly'| / |A| n eps", several_left_residual, 10 },
	{ "||x| - 1| / n eps", several_length, 2 },
	{ "sums of l and l^2", several_traces, 10 },
	{ "|l| descend", several_descend, 0 }, { 0 }
};

static const size_t single[][3] = {
	{ 1, 1 }, { 1, 2 }, { 1, 3 }, { 1, 5 }, { 1, 10 }, { 1, 33 }, { 1, 64 },
	{ 1, 65 }, CHECK_END
}, reduced[][3] = {
	{ 1, 1 }, { 1, 2 }, { 1, 3 }, { 1, 33 }, { 1, 34 }, { 1, 65 },
	{ 1, 100 }, { 1, 130 }, CHECK_END
}, stacks[][3] = {
	{ 9, 1 }, { 3, 2 }, { 8, 3 }, { 17, 8 }, { 9, 15 }, { 9, 16 },
	{ 9, 33 }, CHECK_END
}, larger[][3] = {
	{ 9, 1 }, { 3, 2 }, { 33, 3 }, { 9, 15 }, { 17, 16 }, { 5, 33 },
	{ 3, 64 }, { 2, 65 }, { 2, 130 }, CHECK_END
};

enum { VALUES = 1u << EIGEN_VALUES, VECTORS = 1u << EIGEN_VECTORS,
       LEFT = 1u << EIGEN_LEFT_VECTORS };

/* The first letter of operands is the stack. */
#define ROW(...) { .op = "eigen", .only = "fused", .operands = { "mnn" }, \
	           __VA_ARGS__ }

const struct check_row check_spectra_rows[] = {
	ROW(.what = "all, symmetric", .params = { "which", "all", "method",
	    "lapack" }, .want = VALUES | VECTORS, .sizes = single,
	    .kinds = symmetric, .judges = of_symmetric),
	ROW(.what = "values, symmetric", .params = { "which", "all" },
	    .want = VALUES, .sizes = single, .kinds = symmetric,
	    .judges = of_values),
	ROW(.what = "Jacobi's method", .params = { "which", "all", "method",
	    "jacobi" }, .want = VALUES | VECTORS, .sizes = stacks,
	    .kinds = symmetric, .judges = of_symmetric),
	ROW(.what = "on the device", .params = { "which", "all", "method",
	    "tridiagonal" }, .want = VALUES | VECTORS, .sizes = single,
	    .kinds = symmetric, .judges = of_symmetric),
	ROW(.what = "values, on the device", .params = { "which", "all",
	    "method", "tridiagonal" }, .want = VALUES, .sizes = single,
	    .kinds = symmetric, .judges = of_values),
	ROW(.what = "the QL method", .params = { "which", "all", "method",
	    "ql" }, .want = VALUES | VECTORS, .sizes = larger,
	    .kinds = symmetric, .judges = of_symmetric),
	ROW(.what = "all, general", .params = { "which", "all", "structure",
	    "general" }, .want = VALUES | VECTORS | LEFT, .sizes = single,
	    .kinds = general, .judges = of_general),
	ROW(.what = "reduced on the device", .params = { "which", "all",
	    "structure", "general", "method", "hessenberg" },
	    .want = VALUES | VECTORS | LEFT, .sizes = reduced,
	    .kinds = general, .judges = of_general),
	{ 0 }
};
