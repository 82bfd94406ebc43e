/* estimate.c - the condition number of A and a bound on the error of X, from
 * estimates of 1-norms (N. J. Higham, "FORTRAN Codes for Estimating the
 * One-Norm of a Real or Complex Matrix", 1988). PxLACON and PxGECON of
 * ScaLAPACK 2.2.1 do not do: they forget the estimate of all but the last step.
 *
 * Every process has the vectors whole, and gets those of process 0, so that all
 * take the same steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "mpi/measure.h"
#include "mpi/routines.h"
#include "mpi/solve.h"

enum { STEPS = 5, SIDES = 16 };

/* M is A^-1 or, with f, diag(f) A^-T. */
struct estimate {
	struct solving *s;
	struct dist column;		/* n x 1 */
	size_t n;
	double *x, *signs;		/* n each */
	double *f;			/* n, or NULL */
	double *room;			/* 4 n: the vectors above, and one */
};

static enum err_code begin(struct estimate *t, struct solving *s)
{
	const size_t n = s->n;
	enum err_code code;

	*t = (struct estimate){ .s = s, .n = n,
	                        .room = malloc(4 * n * sizeof *t->room) };
	if (t->room) {
		t->x = t->room + n;
		t->signs = t->x + n;
	}
	code = dist_new(&t->column, s->w->g, s->w->order.dtype, n, 1);
	return grid_agree(s->w->g, t->room ? code : ERR_MEMORY);
}

static void end(struct estimate *t)
{
	dist_fini(&t->column);
	free(t->room);
}

static void times_f(struct estimate *t)
{
	for (size_t i = 0; t->f && i < t->n; i++)
		t->x[i] *= t->f[i];
}

/* x = A^-1 x, or A^-T x */
static void substitute(struct estimate *t, bool turned)
{
	struct dist *const c = &t->column;

	for (size_t i = 0; c->cols > 0 && i < c->rows; i++)
		dist_set(c, i, 0, t->x[dist_row(c, i)]);
	routine_getrs(turned, &t->s->lu, t->s->pivots, c);
	measure_column(c, 0, t->x);
	grid_share(c->g, t->x, t->n);
}

/* x = M x, or M^T x; returns the 1-norm. */
static double apply(struct estimate *t, bool turned)
{
	double sum = 0;

	if (turned)
		times_f(t);
	substitute(t, turned == !t->f);
	if (!turned)
		times_f(t);
	for (size_t i = 0; i < t->n; i++)
		sum += fabs(t->x[i]);
	return sum;
}

/* Replaces x by its signs, and keeps them; false if they are those that were
 * kept before. */
static bool take_signs(struct estimate *t)
{
	bool changed = false;

	for (size_t i = 0; i < t->n; i++) {
		const double sign = t->x[i] < 0 ? -1 : 1;

		changed |= sign != t->signs[i];
		t->x[i] = t->signs[i] = sign;
	}
	return changed;
}

static size_t largest(const double *x, size_t n)
{
	size_t at = 0;

	for (size_t i = 1; i < n; i++)
		if (fabs(x[i]) > fabs(x[at]))
			at = i;
	return at;
}

/* Goes from column to column of M while their norms grow. */
static double climb(struct estimate *t)
{
	double norm, most;
	size_t at = t->n;

	for (size_t i = 0; i < t->n; i++)
		t->x[i] = 1 / (double)t->n;
	memset(t->signs, 0, t->n * sizeof *t->signs);
	most = apply(t, false);
	for (int step = 1; step < STEPS && take_signs(t); step++) {
		size_t next;

		apply(t, true);
		next = largest(t->x, t->n);
		if (at < t->n && fabs(t->x[next]) == fabs(t->x[at]))
			break;
		at = next;
		memset(t->x, 0, t->n * sizeof *t->x);
		t->x[at] = 1;
		norm = apply(t, false);
		if (norm <= most)
			break;
		most = norm;
	}
	return most;
}

static double norm_of(struct estimate *t)
{
	const double n = (double)t->n;
	const double most = climb(t);

	for (size_t i = 0; i < t->n; i++)
		t->x[i] = (i % 2 ? -1 : 1) *
		          (1 + (double)i / fmax(n - 1, 1));
	return fmax(most, 2 * apply(t, false) / (3 * n));
}

enum err_code solve_rcond(struct solving *s, double norm, double *rcond)
{
	struct estimate t;
	const enum err_code code = begin(&t, s);

	if (code == ERR_NONE)
		*rcond = fmin(1 / (norm * norm_of(&t)), 1);
	end(&t);
	return code;
}

/* --- The bound is | |A^-1| f | / |x| with f = |r| + (n + 1) eps (|A| |x| +
 * |b|). Its numerator is the infinity norm of A^-1 diag(f), which is the 1-norm
 * of M. */

static void set_f(struct estimate *t, size_t j)
{
	struct solving *const s = t->s;
	const double eps = dtype_epsilon(s->w->order.dtype) / 2;
	const double unit = (double)(t->n + 1) * eps;
	double *const other = t->room;

	t->f = t->signs + t->n;
	measure_times_moduli(&s->a, t->x, t->f);
	measure_column(&s->b, j, other);
	for (size_t i = 0; i < t->n; i++)
		t->f[i] = unit * (t->f[i] + fabs(other[i]));
	measure_column(&s->r, j, other);
	for (size_t i = 0; i < t->n; i++)
		t->f[i] += fabs(other[i]);
	grid_share(s->w->g, t->f, t->n);
}

static double error_of(struct estimate *t, size_t j)
{
	double size;

	measure_column(&t->s->x, j, t->x);
	grid_share(t->s->w->g, t->x, t->n);
	size = fabs(t->x[largest(t->x, t->n)]);
	set_f(t, j);
	return size == 0 ? 0 : norm_of(t) / size;
}

enum err_code solve_forward_error(struct solving *s, double *error)
{
	struct estimate t;
	enum err_code code = begin(&t, s);

	*error = 0;
	for (size_t j = 0; code == ERR_NONE && j < size_min(s->sides, SIDES);
	     j++)
		*error = fmax(*error, error_of(&t, j));
	end(&t);
	return code;
}
