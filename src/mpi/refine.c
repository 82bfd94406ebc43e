/* refine.c - the iterative refinement of solve, and its bound on the forward
 * error. ScaLAPACK 2.2.1 has PxGERFS for both, which calls PxGETRS with an
 * argument that it has not set. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "mpi/measure.h"
#include "mpi/routines.h"
#include "mpi/solve.h"
#include "ops/scalapack.h"

enum { SIDES = 16 };

void solve_defect(struct solving *s)
{
	for (size_t j = 0; j < s->r.cols; j++)
		for (size_t i = 0; i < s->r.rows; i++)
			dist_set(&s->r, i, j, dist_element(&s->b, i, j));
	routine_gemm(false, -1, &s->a, &s->x, 1, &s->r);
}

void solve_refine(struct solving *s)
{
	solve_defect(s);
	routine_getrs(false, &s->lu, s->pivots, &s->r);
	for (size_t j = 0; j < s->x.cols; j++)
		for (size_t i = 0; i < s->x.rows; i++)
			dist_set(&s->x, i, j, dist_element(&s->x, i, j) +
			         dist_element(&s->r, i, j));
}

/* The bound is | |A^-1| f | / |x| with f = |r| + (n + 1) eps (|A| |x| + |b|).
 * Its numerator is the infinity norm of A^-1 diag(f), which is the 1-norm of
 * M = diag(f) A^-T. */
struct bound {
	struct solving *s;
	struct dist v, x;		/* n x 1 */
	int *signs;
	double *f, *column, *product;	/* n each */
};

static void times_f(struct bound *b)
{
	for (size_t i = 0; i < b->x.rows && b->x.cols > 0; i++)
		dist_set(&b->x, i, 0, dist_element(&b->x, i, 0) *
		         b->f[dist_row(&b->x, i)]);
}

static void set_f(struct bound *b, size_t j)
{
	struct solving *const s = b->s;
	const double eps = dtype_epsilon(s->w->order.dtype) / 2;
	const double unit = (double)(s->n + 1) * eps;

	measure_column(&s->x, j, b->column);
	measure_times_moduli(&s->a, b->column, b->f);
	measure_column(&s->b, j, b->product);
	for (size_t i = 0; i < s->n; i++)
		b->f[i] = unit * (b->f[i] + fabs(b->product[i]));
	measure_column(&s->r, j, b->product);
	for (size_t i = 0; i < s->n; i++)
		b->f[i] += fabs(b->product[i]);
}

static double estimate(struct bound *b)
{
	struct solving *const s = b->s;
	double most = 0;

	for (int kase = routine_lacon(&b->v, &b->x, b->signs, &most, 0);
	     kase != 0;
	     kase = routine_lacon(&b->v, &b->x, b->signs, &most, kase)) {
		if (kase == 2)
			times_f(b);
		routine_getrs(kase == 1, &s->lu, s->pivots, &b->x);
		if (kase == 1)
			times_f(b);
	}
	return most;
}

static double error_of(struct bound *b, size_t j)
{
	double size = 0, numerator;

	set_f(b, j);
	for (size_t i = 0; i < b->s->n; i++)
		size = fmax(size, fabs(b->column[i]));
	numerator = estimate(b);
	return size == 0 ? 0 : numerator / size;
}

static enum err_code begin(struct bound *b, struct solving *s)
{
	const size_t n = s->n;
	enum err_code code;

	*b = (struct bound){ .s = s, .f = malloc(3 * n * sizeof *b->f) };
	b->column = b->f ? b->f + n : NULL;
	b->product = b->f ? b->column + n : NULL;
	code = dist_new(&b->v, s->w->g, s->w->order.dtype, n, 1);
	if (code == ERR_NONE)
		code = dist_new(&b->x, s->w->g, s->w->order.dtype, n, 1);
	b->signs = calloc(s->a.rows + SCALAPACK_BLOCK, sizeof *b->signs);
	return grid_agree(s->w->g, b->f && b->signs ? code : ERR_MEMORY);
}

enum err_code solve_forward_error(struct solving *s, double *error)
{
	struct bound b;
	enum err_code code = begin(&b, s);

	*error = 0;
	for (size_t j = 0; code == ERR_NONE && j < size_min(s->sides, SIDES);
	     j++)
		*error = fmax(*error, error_of(&b, j));
	grid_most(s->w->g, error, 1);
	dist_fini(&b.v);
	dist_fini(&b.x);
	free(b.signs);
	free(b.f);
	return code;
}
