/* pinv.c - the rows for the pseudoinverse P of A. They demand two of Penrose's
 * conditions, A P A = A and P A P = P. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/rows.h"
#include "check/stack.h"

/* |(I - X Y) X| / (|X|^2 |Y| max(m, n) eps) in the 1-norm, for the m x n matrix
 * X and the n x m matrix Y. */
static double off(const long double *x, const long double *y, size_t m,
                  size_t n, double eps)
{
	const long double size = host_norm1(x, m, n);
	long double *t = calloc(m * m + 1, sizeof *t);
	long double *error = calloc(m * n + 1, sizeof *error);
	double value = NAN;

	if (t && error) {
		for (size_t i = 0; i < m; i++)
			t[i * (m + 1)] = 1;
		host_subtract(t, &(struct host_product){
			m, n, m, x, n, 1, y });
		host_subtract(error, &(struct host_product){
			m, m, n, t, m, 1, x });
		value = host_ratio(host_norm1(error, m, n),
		                   size * host_norm1(y, n, m) * size *
		                   (long double)eps * size_max(m, n));
	}
	free(t);
	free(error);
	return value;
}

static double first_off(const struct stack_one *s)
{
	return off(s->in[0], s->out[0], s->m, s->n, s->eps);
}

static double second_off(const struct stack_one *s)
{
	return off(s->out[0], s->in[0], s->n, s->m, s->eps);
}

static double first(const struct args *a)
{
	return stack_worst(a, first_off);
}

static double second(const struct args *a)
{
	return stack_worst(a, second_off);
}

static const struct judge judges[] = {
	{ "|APA - A| / |A|^2|P|eps", first, 30 },
	{ "|PAP - P| / |P|^2|A|eps", second, 30 },
	{ "its own ratio", check_own_ratio, 30 },
	{ 0 }
};

static const size_t squares[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 31 }, { 64 }, CHECK_END
}, wide[][3] = {
	{ 0, 0 }, { 0, 3 }, { 3, 0 }, { 1, 5 }, { 5, 1 }, { 3, 50 },
	{ 50, 3 }, { 65, 32 }, { 33, 130 }, CHECK_END
}, stacks[][3] = { { 1, 1, 2 }, { 3, 5, 4 }, { 33, 20, 3 }, CHECK_END };

const struct check_row check_pinv_rows[] = {
	{ .what = "LAPACK's types", .op = "pinv", .operands = { "mm" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = judges },
	{ .what = "rectangles", .op = "pinv", .operands = { "mn" },
	  .sizes = wide, .kinds = check_random_kinds, .judges = judges },
	{ .what = "stacks", .op = "pinv", .operands = { "kmn" },
	  .sizes = stacks, .kinds = check_random_kinds, .judges = judges },
	{ 0 }
};
