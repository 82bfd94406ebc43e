/* sparse.c - the rows for y = A x with a sparse A, element by element, and for
 * Jacobi's method: its single steps, and the system that it solves. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"
#include "matrix/sparse.h"

/* Computes z = A v, or with `magnitudes` z_i = sum_j |a_ij v_j|, for a CSR
 * matrix A. */
static void times(const struct matrix *m, const long double *v,
                  long double *z, bool magnitudes)
{
	const int64_t *start = sparse_starts(m);
	const int32_t *column = sparse_columns(m);

	for (size_t i = 0; i < m->dim[0]; i++) {
		z[i] = 0;
		for (int64_t k = start[i]; k < start[i + 1]; k++) {
			const long double p = v[column[k]] *
			    matrix_get(m, (size_t)k);

			z[i] += magnitudes ? fabsl(p) : p;
		}
	}
}

static size_t longest_row(const struct matrix *m)
{
	const int64_t *start = sparse_starts(m);
	size_t most = 0;

	for (size_t i = 0; i < m->dim[0]; i++)
		most = size_max(most, (size_t)(start[i + 1] - start[i]));
	return most;
}

/* Returns a parameter's value, or `otherwise` if the operation has no such
 * parameter. */
static double param(const struct args *a, const char *name, double otherwise)
{
	const int i = op_param(a->op, name);

	return i < 0 ? otherwise : args_real(a, i, otherwise);
}

/* Overwrites v by A^k v, and `size`, which is not negative, by |A|^k size. z is
 * workspace. */
static void power(const struct args *a, long double *v, long double *size,
                  long double *z)
{
	const struct matrix *m = &a->in[0];
	const int k = (int)param(a, "repeat", 1);

	for (int i = 0; i < k; i++) {
		times(m, v, z, false);
		for (size_t j = 0; j < m->dim[0]; j++)
			v[j] = z[j];
		times(m, size, z, true);
		for (size_t j = 0; j < m->dim[0]; j++)
			size[j] = z[j];
	}
}

/* |y - A^k x| / (k (longest row + 2) eps |A|^k |x|) */
static double componentwise(const struct args *a)
{
	const struct matrix *m = &a->in[0], *y = &a->out[0];
	const size_t room = m->dim[0];
	const bool adds = param(a, "accumulate", 0) != 0;
	const double unit = dtype_epsilon(a->dtype) *
	    param(a, "repeat", 1) * (double)(longest_row(m) + 2);
	long double *v = host_values(&a->in[1], room);
	long double *size = host_values(&a->in[1], room);
	long double *z = calloc(room + 1, sizeof *z);
	double most = v && size && z ? 0 : NAN;

	if (v && size && z)
		power(a, v, size, z);
	for (size_t i = 0; !isnan(most) && i < room; i++) {
		const long double y0 = adds ? matrix_get(&a->in[2], i) : 0;

		most = host_worse(host_ratio(matrix_get(y, i) - (v[i] + y0),
		    unit * (size[i] + fabsl(y0))), most);
	}
	free(v);
	free(size);
	free(z);
	return most;
}

/* |b - A x| / (tol |b|) in the 2-norm, with an allowance for rounding. */
static double residual(const struct args *a)
{
	const struct matrix *m = &a->in[0];
	const size_t n = m->dim[0];
	const double eps = dtype_epsilon(a->dtype);
	const double tol = param(a, "tol", eps) + (double)n * eps;
	long double *x = host_values(&a->out[0], 0);
	long double *z = host_values(&a->out[0], 0);
	long double error = 0, size = 0;

	if (!x || !z)
		error = NAN;
	else
		times(m, x, z, false);
	for (size_t i = 0; z && x && i < n; i++) {
		const long double b = matrix_get(&a->in[1], i);

		error += (b - z[i]) * (b - z[i]);
		size += b * b;
	}
	free(x);
	free(z);
	return host_ratio(sqrtl(error), sqrtl(size) * tol);
}

/* Makes one step of Jacobi's method, x = (b - E x) / d = x + (b - A x) / d,
 * where d is A's diagonal and E is A without it. z is workspace. */
static void step(const struct args *a, long double *x, long double *z)
{
	const struct matrix *m = &a->in[0];
	const int64_t *start = sparse_starts(m);

	times(m, x, z, false);
	for (size_t i = 0; i < m->dim[0]; i++)
		for (int64_t k = start[i]; k < start[i + 1]; k++)
			if ((size_t)sparse_columns(m)[k] == i)
				x[i] += (matrix_get(&a->in[1], i) - z[i]) /
				        matrix_get(m, (size_t)k);
}

/* Returns |x - plain| / (k n eps |plain|), where plain is the result of k steps
 * from 0 without a permutation. By the article's identity, k steps with a
 * permutation of A, b and x give the same vector. */
static double off_plain_steps(const struct args *a)
{
	const size_t n = a->in[0].dim[0];
	const int k = (int)param(a, "max_iterations", 1);
	const double unit = k * (double)n * dtype_epsilon(a->dtype);
	long double *x = calloc(n + 1, sizeof *x);
	long double *z = calloc(n + 1, sizeof *z);
	long double error = 0, size = 0;

	for (int i = 0; x && z && i < k; i++)
		step(a, x, z);
	for (size_t i = 0; x && z && i < n; i++) {
		const double got = matrix_get(&a->out[0], i);

		error = isnan(got) ? INFINITY :
		        fmaxl(error, fabsl(got - x[i]));
		size = fmaxl(size, fabsl(x[i]));
	}
	if (!x || !z)
		error = NAN;
	free(x);
	free(z);
	return host_ratio(error, size * unit);
}

/* Which elements of a random matrix are kept. */
enum { FEW, BANDED, LONG_ROW, EMPTY_ROWS, EVERY };

static bool is_kept(int shape, size_t i, size_t j, uint64_t place)
{
	const bool near = i <= j + 2 && j <= i + 2;
	const bool few = fabs(check_random(6, place)) < 0.05;
	const bool kept[] = {
		[FEW] = few, [BANDED] = near, [LONG_ROW] = few || i == 1,
		[EMPTY_ROWS] = i % 3 == 0 && near, [EVERY] = true,
	};

	return kept[shape];
}

static int fill_sparse(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = m->dim[1];

	fill_random(k, a, e);
	for (size_t i = 0; i < matrix_elements(m); i++)
		if (!is_kept(k->shape, i / n, i % n, i))
			matrix_set(m, i, 0);
	return 0;
}

/* Makes a matrix whose diagonal elements alternate in sign and are more than
 * 1.5 times the sum of magnitudes of the others in their row. */
static int fill_dominant(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = m->dim[1];

	fill_sparse(k, a, e);
	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += j == i ? 0 : fabs(matrix_get(m, i * n + j));
		matrix_set(m, i * n + i, (i % 2 ? -1 : 1) * (1.5 * sum + 1));
	}
	return 0;
}

/* Makes the matrix with 1 on the diagonal and 2 beside it, for which Jacobi's
 * iteration diverges: its iteration matrix has a spectral radius near 4. */
static int fill_divergent(const struct kind *k, struct args *a,
                          struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = m->dim[1];

	fill_random(k, a, e);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(m, i * n + j, i == j ? 1 :
			           i == j + 1 || j == i + 1 ? 2 : 0);
	return 0;
}

#define SHAPES(fill)                                                       \
	KIND("few", fill, .shape = FEW),                                   \
	KIND("banded", fill, .shape = BANDED),                             \
	KIND("a long row", fill, .shape = LONG_ROW),                       \
	KIND("empty rows", fill, .shape = EMPTY_ROWS),                     \
	KIND("full", fill, .shape = EVERY)

/* Makes the five-point stencil of a square grid as wide as it fits; points
 * beyond it have an equation of their own. `hardness` is added to a neighbour
 * before, and subtracted from the one behind; `range` of -1 makes the matrix
 * indefinite. */
static int fill_plane(const struct kind *k, struct args *a, struct err *e)
{
	struct matrix *m = &a->in[0];
	const size_t n = m->dim[1], g = size_max(1, (size_t)sqrt((double)n));

	fill_random(k, a, e);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t off = i > j ? i - j : j - i;
			const bool beside = off == 1 && i / g == j / g;
			const double wind = i > j ? -k->hardness : k->hardness;

			matrix_set(m, i * n + j,
			           i == j ? (k->range < 0 ? 1.3 : 4) :
			           beside ? -1 + wind : off == g ? -1 : 0);
		}
	return 0;
}

static const struct kind definite[] = {
	KIND("plane", fill_plane), { 0 }
}, indefinite[] = {
	KIND("indefinite plane", fill_plane, .range = -1), { 0 }
}, general[] = {
	KIND("convection", fill_plane, .hardness = 0.6), { 0 }
};

static const struct kind sparse[] = { SHAPES(fill_sparse), { 0 } };
static const struct kind dominant[] = { SHAPES(fill_dominant), { 0 } };
static const struct kind divergent[] = {
	KIND("divergent", fill_divergent), { 0 }
};

static const struct judge products[] = {
	{ "|y - Ax| / k eps|A||x|", componentwise, 1 }, { 0 }
}, solutions[] = {
	{ "|b - Ax| / tol |b|", residual, 1 }, { 0 }
}, steps[] = {
	{ "x off plain steps", off_plain_steps, 1 }, { 0 }
};

static const size_t shapes[][3] = {
	{ 1, 1 }, { 2, 2 }, { 3, 5 }, { 5, 3 }, { 10, 50 }, { 50, 10 },
	{ 31, 33 }, { 127, 129 }, { 129, 128 }, { 3, 10007 }, { 300, 257 },
	CHECK_END
}, squares[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, { 127 }, { 128 }, { 129 },
	{ 300 }, CHECK_END
}, some[][3] = { { 10 }, { 129 }, CHECK_END },
  large[][3] = { { 2500 }, { 3001 }, CHECK_END };

#define DOUBLE .dtypes = DTYPE_BIT(FLOAT64)
#define SYSTEMS .op = "jacobi", .operands = { "mm", "m" }, .kinds = dominant
#define STEPS "max_iterations", "5", "allow_partial", "true", "tol", "1e-30"

const struct check_row check_spmv_rows[] = {
	{ .what = "y = A x", .op = "spmv", .operands = { "mn", "n" },
	  .sizes = shapes, .kinds = sparse, .judges = products },
	{ .what = "y += A x", .op = "spmv", .operands = { "mn", "n", "m" },
	  .params = { "accumulate", "true" }, .sizes = shapes,
	  .kinds = sparse, .judges = products },
	{ .what = "y = A^3 x", .op = "spmv", .operands = { "mm", "m" },
	  .params = { "repeat", "3" }, .sizes = squares, .kinds = sparse,
	  .judges = products },
	{ 0 }
};

#define ITERATE(method, kinds_) ITERATE_ON(squares, method, kinds_)
#define ITERATE_ON(sizes_, method, kinds_) .op = "solve", \
	.operands = { "mm", "m" }, \
	.sparse = true, .sizes = sizes_, .kinds = kinds_, DOUBLE, \
	.judges = solutions, .params = { "tol", "1e-9", "method", method, \
	"max_iterations", "3000" }

const struct check_row check_iterative_rows[] = {
	{ .what = "cg", ITERATE("cg", definite), .vary = "preconditioner" },
	{ .what = "cg, large", ITERATE_ON(large, "cg", definite),
	  .vary = "preconditioner" },
	{ .what = "minres", ITERATE("minres", indefinite) },
	{ .what = "minres", ITERATE("minres", definite),
	  .vary = "preconditioner" },
	{ .what = "gmres", ITERATE("gmres", general) },
	{ .what = "bicgstab", ITERATE("bicgstab", general) },
	{ .what = "auto", ITERATE("auto", general) },
	{ .what = "auto", ITERATE("auto", indefinite) },
	{ .what = "jacobi", ITERATE("jacobi", definite) },
	{ .what = "float32", .op = "solve", .operands = { "mm", "m" },
	  .sparse = true, .sizes = squares, .kinds = definite,
	  .dtypes = DTYPE_BIT(FLOAT32), .judges = solutions,
	  .params = { "tol", "1e-4", "method", "cg" } },
	{ .what = "not definite", .op = "solve", .operands = { "mm", "m" },
	  .sparse = true, .sizes = some, .kinds = indefinite,
	  .params = { "method", "cg" }, .refusal = ERR_NOT_POSITIVE },
	{ .what = "not symmetric", .op = "solve", .operands = { "mm", "m" },
	  .sparse = true, .sizes = some, .kinds = general,
	  .params = { "method", "cg" }, .refusal = ERR_MATHEMATICS },
	{ 0 }
};

const struct check_row check_jacobi_rows[] = {
	{ .what = "permutations", SYSTEMS, .vary = "permutation",
	  .params = { "tol", "1e-5" }, .dtypes = DTYPE_BIT(FLOAT32),
	  .sizes = squares, .judges = solutions },
	{ .what = "permutations", SYSTEMS, .vary = "permutation", DOUBLE,
	  .params = { "tol", "1e-12" }, .sizes = squares,
	  .judges = solutions },
	{ .what = "precisions", SYSTEMS, .vary = "precision", DOUBLE,
	  .params = { "tol", "1e-5" }, .sizes = squares,
	  .judges = solutions },
	{ .what = "selections", SYSTEMS, .vary = "selection", DOUBLE,
	  .params = { "tol", "1e-5", "precision", "mixed" },
	  .sizes = squares, .judges = solutions },
	{ .what = "swaps", SYSTEMS, .vary = "swap", DOUBLE,
	  .params = { "tol", "1e-5", "precision", "mixed" },
	  .sizes = squares, .judges = solutions },
	{ .what = "identities", SYSTEMS, .vary = "permutation", DOUBLE,
	  .params = { "precision", "float64", STEPS }, .sizes = squares,
	  .judges = steps },
	{ .what = "divergence", .op = "jacobi", .operands = { "mm", "m" },
	  .sizes = some, .kinds = divergent, .refusal = ERR_CONVERGENCE },
	{ 0 }
};
