/* lstsq.c - the rows for least squares. They demand LAPACK's ratio for the
 * normal equations (xQRT17), and for the singular values (xQRT12). */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/rows.h"
#include "check/stack.h"

enum { A, B };
enum { X, RANK, S };

/* |A^T (B - A X)| / (|A| (|A| |X| + |B|) max(m, n, sides) eps). Overwrites B by
 * the residual. */
static double normal_off(const struct stack_one *s)
{
	const size_t sides = matrix_cols(&s->a->in[B]);
	const size_t most = size_max(size_max(s->m, s->n), sides);
	const long double size = host_norm1(s->in[A], s->m, s->n);
	const long double all = size * host_norm1(s->out[X], s->n, sides) +
	                        host_norm1(s->in[B], s->m, sides);
	long double *g = calloc(s->n * sides + 1, sizeof *g);
	double value;

	if (!g)
		return NAN;
	host_subtract(s->in[B], &(struct host_product){
		s->m, s->n, sides, s->in[A], s->n, 1, s->out[X] });
	host_subtract(g, &(struct host_product){
		s->n, s->m, sides, s->in[A], 1, s->n, s->in[B] });
	value = host_ratio(host_norm1(g, s->n, sides), size * all *
	                   (long double)s->eps * most);
	free(g);
	return value;
}

static double values_off(const struct stack_one *s)
{
	return stack_singular(s, S);
}

static double normal(const struct args *a)
{
	return stack_worst(a, normal_off);
}

static double values(const struct args *a)
{
	return stack_worst(a, values_off);
}

static const struct judge judges[] = {
	{ "|A'(b - Ax)| / |A|(|A||x| + |b|)eps", normal, 30 },
	{ "|s - s*| / max(m,n)|A|eps", values, 50 },
	{ "its own ratio", check_own_ratio, 30 },
	{ 0 }
};

static const size_t squares[][3] = {
	{ 1, 1 }, { 2, 3 }, { 3, 1 }, { 5, 2 }, { 10, 20 }, { 31, 2 },
	{ 64, 2 }, CHECK_END
}, wide[][3] = {
	{ 1, 5, 2 }, { 5, 1, 1 }, { 3, 50, 4 }, { 50, 3, 7 }, { 65, 32, 2 },
	{ 33, 130, 1 }, { 600, 40, 3 }, { 400, 130, 1 }, CHECK_END
};

const struct check_row check_lstsq_rows[] = {
	{ .what = "LAPACK's types", .op = "lstsq", .operands = { "mm", "mn" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = judges },
	{ .what = "rectangles", .op = "lstsq", .operands = { "mn", "mk" },
	  .sizes = wide, .kinds = check_random_kinds, .judges = judges },
	{ 0 }
};
