/* solve.c - the rows for A X = B: LAPACK's residual and forward error. */
#include <math.h>
#include <stdlib.h>

#include "check/host.h"
#include "check/rows.h"

/* A, B, X and room for the inverse, on the host. */
struct system {
	size_t n, sides;
	long double *a, *b, *x, *inverse;
};

static bool system_init(struct system *s, const struct args *a)
{
	s->n = matrix_rows(&a->in[0]);
	s->sides = matrix_elements(&a->in[1]) / (s->n ? s->n : 1);
	s->a = host_values(&a->in[0], 0);
	s->b = host_values(&a->in[1], 0);
	s->x = host_values(&a->out[0], 0);
	s->inverse = host_values(&a->in[0], 0);
	return s->a && s->b && s->x && s->inverse;
}

static void system_fini(struct system *s)
{
	free(s->a);
	free(s->b);
	free(s->x);
	free(s->inverse);
}

/* Element (i, j) of M Y, where M is n x n and Y is n x sides. */
static long double times(const struct system *s, const long double *m,
                         const long double *y, size_t i, size_t j)
{
	long double sum = 0;

	for (size_t k = 0; k < s->n; k++)
		sum += m[i * s->n + k] * y[k * s->sides + j];
	return sum;
}

/* The 1-norm of side j. */
static long double side_norm(const struct system *s, const long double *y,
                             size_t j)
{
	long double sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += fabsl(y[i * s->sides + j]);
	return sum;
}

/* |b - A x| / (|A| |x| eps), as in xGET02, the largest of all right-hand
 * sides. */
static double worst_residual(const struct system *s, double eps)
{
	const long double norm = host_norm1(s->a, s->n, s->n);
	double most = 0;

	for (size_t j = 0; j < s->sides; j++) {
		long double error = 0;

		for (size_t i = 0; i < s->n; i++)
			error += fabsl(s->b[i * s->sides + j] -
			               times(s, s->a, s->x, i, j));
		most = host_worse(host_ratio(error, norm * eps *
		                             side_norm(s, s->x, j)), most);
	}
	return most;
}

/* max |b - A x|_i / ((|A| |x| + |b|)_i eps), the componentwise backward error
 * (Oettli and Prager 1964), which refinement is meant to reduce (Skeel
 * 1980). */
static double worst_backward(const struct system *s, double eps)
{
	double most = 0;

	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->sides; j++) {
			long double sum = -s->b[i * s->sides + j];
			long double size = fabsl(sum);

			for (size_t k = 0; k < s->n; k++) {
				const long double p = s->a[i * s->n + k] *
				                      s->x[k * s->sides + j];

				sum += p;
				size += fabsl(p);
			}
			most = host_worse(host_ratio(sum, size * eps), most);
		}
	return most;
}

static double residual(const struct args *a)
{
	struct system s;
	double value = NAN;

	if (system_init(&s, a))
		value = worst_residual(&s, dtype_epsilon(a->dtype) / 2);
	system_fini(&s);
	return value;
}

/* |x - A^-1 b| / (|A^-1 b| cond eps), as in xGET04, the largest of all
 * right-hand sides. */
static double worst_error(struct system *s, double eps)
{
	const long double norm = host_norm1(s->a, s->n, s->n);
	long double condition;
	double most = 0;

	if (!host_invert(s->a, s->inverse, s->n))
		return NAN;
	condition = norm * host_norm1(s->inverse, s->n, s->n);
	for (size_t j = 0; j < s->sides; j++) {
		long double error = 0, size = 0;

		for (size_t i = 0; i < s->n; i++) {
			const long double x = times(s, s->inverse, s->b, i, j);

			error += fabsl(s->x[i * s->sides + j] - x);
			size += fabsl(x);
		}
		most = host_worse(host_ratio(error, size * condition * eps),
		                  most);
	}
	return most;
}

static double backward_error(const struct args *a)
{
	struct system s;
	double value = NAN;

	if (system_init(&s, a))
		value = worst_backward(&s, dtype_epsilon(a->dtype) / 2);
	system_fini(&s);
	return value;
}

static double forward_error(const struct args *a)
{
	struct system s;
	double value = NAN;

	if (system_init(&s, a))
		value = worst_error(&s, dtype_epsilon(a->dtype) / 2);
	system_fini(&s);
	return value;
}

static const struct judge judges[] = {
	{ "|b - Ax| / |A||x|eps", residual, 30 },
	{ "|x - A'b| / |x|cond eps", forward_error, 30 },
	{ "backward error / eps", backward_error, 2 },
	{ "its own ratio", check_own_ratio, 30 },
	{ 0 }
};

static const size_t one_side[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 50 }, { 127 }, { 128 }, { 129 },
	{ 300 }, CHECK_END
}, sides[][3] = {
	{ 0, 2 }, { 3, 0 }, { 1, 2 }, { 2, 1 }, { 5, 3 }, { 10, 17 },
	{ 50, 3 }, { 65, 129 }, { 129, 5 }, { 300, 16 }, CHECK_END
}, few[][3] = { { 1 }, { 2 }, { 10 }, { 129 }, CHECK_END },
symmetric_sizes[][3] = {
	{ 2, 1 }, { 3, 2 }, { 5, 1 }, { 10, 16 }, { 50, 3 }, { 63, 1 },
	{ 64, 1 }, { 65, 2 }, { 129, 1 }, { 300, 2 }, CHECK_END
};

/* LAPACK's types of symmetric matrices, and some without pivots on the
 * diagonal. */
static const struct kind indefinite[] = {
	KIND("diagonal", fill_spectral, .shape = SYMMETRIC_DIAGONAL),
	KIND("definite", fill_spectral),
	KIND("indefinite", fill_spectral, .shape = SYMMETRIC_INDEFINITE),
	KIND("condition (0.1/eps)^1/2", fill_spectral, .hardness = 0.5,
	     .shape = SYMMETRIC_INDEFINITE),
	KIND("condition 0.1/eps", fill_spectral, .hardness = 1,
	     .shape = SYMMETRIC_INDEFINITE),
	KIND("near underflow", fill_spectral, .range = -1,
	     .shape = SYMMETRIC_INDEFINITE),
	KIND("near overflow", fill_spectral, .range = 1,
	     .shape = SYMMETRIC_INDEFINITE),
	KIND("zeros on the diagonal", fill_spectral, .shape = SYMMETRIC_HOLLOW),
	KIND("saddle point", fill_spectral, .shape = SYMMETRIC_SADDLE),
	{ 0 }
};

const struct check_row check_solve_rows[] = {
	{ .what = "LAPACK's types", .op = "solve", .operands = { "mm", "m" },
	  .sizes = one_side, .kinds = check_regular_kinds, .judges = judges },
	{ .what = "several sides", .op = "solve", .operands = { "mm", "mn" },
	  .sizes = sides, .kinds = check_regular_kinds, .judges = judges },
	{ .what = "singular ones", .op = "solve", .operands = { "mm", "m" },
	  .sizes = few, .kinds = check_singular_kinds,
	  .refusal = ERR_SINGULAR },
	{ .what = "symmetric", .op = "solve", .operands = { "mm", "mn" },
	  .params = { "structure", "symmetric" }, .sizes = symmetric_sizes,
	  .kinds = indefinite, .judges = judges },
	{ .what = "symmetric, singular", .op = "solve",
	  .operands = { "mm", "m" }, .params = { "structure", "symmetric" },
	  .sizes = few, .kinds = check_zeroed_kinds, .refusal = ERR_SINGULAR },
	{ 0 }
};
