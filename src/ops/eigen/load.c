/* load.c - copies an operand's matrix to column-major order, as float64, and
 * scales it; see load.h. */
#include <math.h>
#include <string.h>

#include "ops/eigen/load.h"
#include "ops/eigen/many.h"
#include "ops/eigen/parts.h"

/* A copy while it is made. */
struct task {
	const void *from;		/* n x n, row-major */
	size_t n;
	bool single;			/* `from` is float32 */
	bool same;			/* the matrix equals its transpose */
	double *x;			/* n x n, column-major */
	double peak[EIGEN_PARTS];	/* of the parts */
	int power;
};

/* Copies rows of `from`, contiguous, to the same columns of x, which hold the
 * same numbers. */
static void copy_same(const struct task *t, size_t first, size_t count)
{
	if (t->single)
		for (size_t i = 0; i < count; i++)
			t->x[first + i] = ((const float *)t->from)[first + i];
	else
		memcpy(t->x + first, (const double *)t->from + first,
		       count * sizeof *t->x);
}

/* Stores a part of x's columns, and its largest modulus. */
static void copy(void *arg, size_t i)
{
	struct task *t = arg;
	const size_t n = t->n;
	const struct eigen_span p = eigen_span(n, i);
	const size_t columns = p.end - p.first;
	double *const to = t->x + p.first * n;

	if (t->same)
		copy_same(t, p.first * n, columns * n);
	else if (t->single)
		lapack_transpose_widened((const float *)t->from + p.first, n,
		                         n, columns, to, n);
	else
		lapack_transpose((const double *)t->from + p.first, n, n,
		                 columns, sizeof *to, to, n);
	t->peak[i] = eigen_peak(to, columns * n);
}

static void scale(void *arg, size_t i)
{
	struct task *t = arg;
	const struct eigen_span p = eigen_span(t->n, i);

	eigen_divide(t->x + p.first * t->n, (p.end - p.first) * t->n,
	             t->power);
}

int eigen_load(const struct lapack_call *c, int operand, size_t index,
               bool same, double *x)
{
	struct task t = {
		.from = lapack_in(c->a, operand, index), .n = c->rows,
		.single = c->a->in[operand].dtype == FLOAT32, .same = same,
		.x = x,
	};
	double most;

	eigen_parts(c, copy, &t);
	most = eigen_peak(t.peak, EIGEN_PARTS);
	t.power = most > 0 ? ilogb(most) : 0;
	if (t.power != 0)
		eigen_parts(c, scale, &t);
	return t.power;
}
