/* lstsq.c - the rows for least squares: LAPACK's ratio of the normal equations
 * (xQRT17) and of the singular values (xQRT12). */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/host.h"
#include "check/rows.h"
#include "check/singular.h"

enum { X, RANK, S };

/* One system, on the host. */
struct system {
	size_t m, n, sides;
	long double *a, *b, *x;
};

static bool system_init(struct system *y, const struct args *a)
{
	y->m = matrix_rows(&a->in[0]);
	y->n = matrix_cols(&a->in[0]);
	y->sides = matrix_cols(&a->in[1]);
	y->a = host_values(&a->in[0], 0);
	y->b = host_values(&a->in[1], 0);
	y->x = host_values(&a->out[X], 0);
	return y->a && y->b && y->x;
}

static void system_fini(struct system *y)
{
	free(y->a);
	free(y->b);
	free(y->x);
}

/* R = B - A X, in place of B. */
static void subtract(const struct system *y)
{
	for (size_t i = 0; i < y->m; i++)
		for (size_t k = 0; k < y->n; k++)
			for (size_t j = 0; j < y->sides; j++)
				y->b[i * y->sides + j] -= y->a[i * y->n + k] *
				    y->x[k * y->sides + j];
}

/* |A^T R|, in the 1-norm. */
static long double turned(const struct system *y)
{
	long double most = 0;

	for (size_t j = 0; j < y->sides; j++) {
		long double all = 0;

		for (size_t k = 0; k < y->n; k++) {
			long double sum = 0;

			for (size_t i = 0; i < y->m; i++)
				sum += y->a[i * y->n + k] *
				       y->b[i * y->sides + j];
			all += fabsl(sum);
		}
		most = all > most || isnan(all) ? all : most;
	}
	return most;
}

/* |A^T (B - A X)| / (|A| (|A| |X| + |B|) max(m, n, sides) eps) */
static double normal(const struct args *a)
{
	struct system y;
	double value = NAN;

	if (system_init(&y, a)) {
		const long double size = host_norm1(y.a, y.m, y.n);
		const long double all = size * host_norm1(y.x, y.n, y.sides) +
		                        host_norm1(y.b, y.m, y.sides);
		const size_t most = size_max(size_max(y.m, y.n), y.sides);

		subtract(&y);
		value = host_ratio(turned(&y), size * all *
		                   (long double)(dtype_epsilon(a->dtype) / 2) *
		                   most);
	}
	system_fini(&y);
	return value;
}

/* |s - reference| / (s_1 eps max(m, n)) */
static double values(const struct args *a)
{
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);
	const size_t k = size_min(m, n);
	long double *x = host_values(&a->in[0], k + 1), *s = x + m * n;
	long double most = 0;

	if (!x)
		return NAN;
	host_singular(x, m, n, s);
	for (size_t i = 0; i < k; i++) {
		const long double off = fabsl(s[i] -
		                              matrix_get(&a->out[S], i));

		most = off > most || isnan(off) ? off : most;
	}
	most = host_ratio(most, s[0] * (long double)(dtype_epsilon(a->dtype) /
	                  2 * (double)size_max(m, n)));
	free(x);
	return (double)most;
}

static const struct judge judges[] = {
	{ "|A'(b - Ax)| / |A|(|A||x| + |b|)eps", normal, 30 },
	{ "|s - s*| / max(m,n)|A|eps", values, 50 },
	{ "its own ratio", check_own_ratio, 30 },
	{ 0 }
};

static const struct kind random_kind[] = { KIND("random", fill_random), { 0 } };

static const size_t squares[][3] = {
	{ 1, 1 }, { 2, 3 }, { 3, 1 }, { 5, 2 }, { 10, 20 }, { 31, 2 },
	{ 64, 2 }, CHECK_END
}, wide[][3] = {
	{ 1, 5, 2 }, { 5, 1, 1 }, { 3, 50, 4 }, { 50, 3, 7 }, { 65, 32, 2 },
	{ 33, 130, 1 }, CHECK_END
};

const struct check_row check_lstsq_rows[] = {
	{ .what = "LAPACK's types", .op = "lstsq", .operands = { "mm", "mn" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = judges },
	{ .what = "rectangles", .op = "lstsq", .operands = { "mn", "mk" },
	  .sizes = wide, .kinds = random_kind, .judges = judges },
	{ 0 }
};
