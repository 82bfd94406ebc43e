/* complex_verdict.c - refines and judges complex solutions; see
 * complex_system.h. */
#include <float.h>
#include <math.h>

#include "base/size.h"
#include "ops/lapack/exported.h"
#include "ops/solve/complex_factors.h"
#include "ops/solve/complex_refine.h"
#include "ops/solve/complex_system.h"

/* The errors of so many right-hand sides of a triangular system, or of one with
 * given factors, are bounded, and with quality=full those of all. */
enum { SOME = 16 };

/* Returns whether all of X, whose type is `of`, is finite as it is stored in
 * type t. */
static bool is_finite(const struct complex_plan *h, const void *x,
                      enum dtype of, enum dtype t)
{
	const size_t count = h->n * h->sides;
	const cplx *const wide = x;

	if (of == t)
		return lapack_find_nonfinite(t, x, count) == count;
	for (size_t i = 0; i < count; i++)
		if (!(fabs(creal(wide[i])) <= FLT_MAX &&
		      fabs(cimag(wide[i])) <= FLT_MAX))
			return false;
	return true;
}

/* Returns the largest error, relative to a column of X, that rounding X to type
 * t makes, which is larger for a subnormal column. */
static double rounding_of(const struct complex_plan *h, const void *x,
                          enum dtype of, enum dtype t)
{
	double worst = 0;

	for (size_t j = 0; j < h->sides && of != t; j++) {
		const cplx *const wide = (const cplx *)x + j * h->n;
		double most = 0;

		for (size_t i = 0; i < h->n; i++)
			most = fmax(most, fmax(fabs(creal(wide[i])),
			                       fabs(cimag(wide[i]))));
		worst = fmax(worst, most > 0 && most < FLT_MIN ?
		             FLT_TRUE_MIN / most : FLT_EPSILON / 2);
	}
	return worst;
}

/* The verdict where X has NaN or infinities. */
static void tell_overflow(struct verdict *v)
{
	v->rcond = 0;
	v->residual = v->forward_error = INFINITY;
}

#define LAPACK_BODY "ops/solve/complex_verdict_typed.h"
#include "ops/lapack/each_complex.h"

/* Returns the number of right-hand sides that are judged. */
static size_t judged_sides(const struct lapack_call *c)
{
	const struct complex_plan *h = complex_how(c);

	return c->a->quality == QUALITY_FULL ? h->sides :
	       size_min(h->sides, SOME);
}

void complex_judge_factors(const struct lapack_call *c, size_t index,
                           const struct complex_system *y,
                           const struct complex_spare *room)
{
	const struct complex_plan *h = complex_how(c);
	const size_t n = h->n;
	const double eps = dtype_epsilon(c->a->dtype);
	const double rounding = rounding_of(h, y->x, COMPLEX128, c->a->dtype);
	const struct complex_factors f = {
		.solver = { .l = c->l, .n = n, .lu = y->lu, .ld = y->ld,
		            .pivots = y->pivots },
		.eps = eps, .turned = h->turned, .x = room->elements,
		.y = room->elements + n, .weight = room->numbers,
	};
	const double norm = complex_factors_norm(&f);
	struct verdict *v = complex_told(c, index);
	cplx *const r = y->copy;

	v->rcond = complex_rcond(&f.solver, h->turned, norm, room->elements,
	                         room->numbers);
	for (size_t j = 0; j < judged_sides(c); j++) {
		const cplx *const b = y->b + j * n;
		cplx *const x = y->x + j * n;

		complex_factors_residual(&f, b, x, r);
		v->forward_error = verdict_worse(v->forward_error, rounding +
		    complex_factors_forward(&f, b, x, r, norm));
		complex_round(x, n, c->a->dtype);
		v->residual = verdict_worse(v->residual, complex_ratio(
		    complex_factors_residual(&f, b, x, r),
		    norm * complex_sum(x, n)) / ((double)n * eps / 2));
	}
	if (!is_finite(h, y->x, COMPLEX128, c->a->dtype))
		tell_overflow(v);
}

/* Sets the condition number of a triangular A, and returns the largest bound of
 * a forward error. */
static double bound_triangle(const struct lapack_call *c, size_t index,
                             const struct complex_system *y,
                             const struct complex_spare *room)
{
	const struct complex_plan *h = complex_how(c);
	const size_t sides = judged_sides(c);
	const int n = (int)h->n;
	const char uplo = complex_triangle(h);
	double *const forward = room->numbers + h->n;
	double *const back = forward + h->sides, *const more = back + h->sides;
	double worst = 0;

	c->l->z.trrfs(LAPACK_COLUMNS, uplo, h->turned ? 'T' : 'N', 'N', n,
	              (int)sides, y->a, n, y->b, n, y->x, n, forward, back,
	              room->elements, room->numbers);
	c->l->z.trcon(LAPACK_COLUMNS, h->turned ? 'I' : '1', uplo, 'N', n,
	              y->a, n, &complex_told(c, index)->rcond, room->elements,
	              more);
	for (size_t j = 0; j < sides; j++)
		worst = verdict_worse(worst, forward[j]);
	return worst;
}

void complex_judge_triangle(const struct lapack_call *c, size_t index,
                            const struct complex_system *y,
                            const struct complex_spare *room)
{
	const struct complex_plan *h = complex_how(c);
	const size_t n = h->n;
	const enum dtype t = c->a->dtype;
	const double eps = dtype_epsilon(t);
	struct verdict *v = complex_told(c, index);
	double norm, ratio;

	v->forward_error = bound_triangle(c, index, y, room) +
	                   rounding_of(h, y->x, COMPLEX128, t);
	norm = h->turned ? complex_norm1_by_rows(y->a, n, n, room->numbers) :
	                   complex_norm1(y->a, n, n, n);
	complex_round(y->x, n * h->sides, t);
	ratio = rest_of(h, y) / norm;
	v->residual = ratio / ((double)n * eps / 2);
	v->forward_error = solve_forward(v->forward_error, ratio, v->rcond,
	                                 (double)n);
	if (!is_finite(h, y->x, COMPLEX128, t))
		tell_overflow(v);
}
