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

/* Returns the largest |b - op(A) x| / (|op(A)| |x|) of a column, in the 1-norm,
 * for X as it is stored. y->a must hold op(A), and `norm` its norm. Overwrites
 * B by B - op(A) X. */
static double ratio(const struct complex_plan *h,
                    const struct complex_system *y, double norm, enum dtype t)
{
	const int n = (int)h->n, sides = (int)h->sides;
	const cplx one = 1, minus = -1;
	double worst = 0;

	complex_round(y->x, h->n * h->sides, t);
	zgemm_("N", "N", &n, &sides, &n, &minus, y->a, &n, y->x, &n, &one,
	       y->b, &n);
	for (size_t j = 0; j < h->sides; j++)
		worst = verdict_worse(worst, complex_ratio(
		    complex_sum(y->b + j * h->n, h->n),
		    norm * complex_sum(y->x + j * h->n, h->n)));
	return worst;
}

/* Returns whether all of X is finite as it is stored in type t. */
static bool is_finite(const struct complex_plan *h,
                      const struct complex_system *y, enum dtype t)
{
	const double most = t == COMPLEX64 ? FLT_MAX : DBL_MAX;

	for (size_t i = 0; i < h->n * h->sides; i++)
		if (!(fabs(creal(y->x[i])) <= most &&
		      fabs(cimag(y->x[i])) <= most))
			return false;
	return true;
}

/* Returns the largest error, relative to an x of n elements, that rounding it
 * to the type of the answer makes, which is larger for a subnormal x. */
static double rounding_of(const cplx *x, size_t n, enum dtype t)
{
	double most = 0;

	if (t != COMPLEX64)
		return 0;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, fmax(fabs(creal(x[i])), fabs(cimag(x[i]))));
	return most > 0 && most < FLT_MIN ? FLT_TRUE_MIN / most :
	       FLT_EPSILON / 2;
}

/* The verdict where X has NaN or infinities. */
static void tell_overflow(struct verdict *v)
{
	v->rcond = 0;
	v->residual = v->forward_error = INFINITY;
}

/* Returns the number of right-hand sides that are judged. */
static size_t judged_sides(const struct lapack_call *c)
{
	const struct complex_plan *h = complex_how(c);
	const bool all = h->kind != KIND_FACTORS && !complex_is_triangle(h);

	return all || c->a->quality == QUALITY_FULL ? h->sides :
	       size_min(h->sides, SOME);
}

/* The verdict on X with given factors; y->a is overwritten. */
static void judge_factors(const struct lapack_call *c, size_t index,
                          const struct complex_system *y,
                          const struct complex_spare *room)
{
	const struct complex_plan *h = complex_how(c);
	const size_t n = h->n;
	const double eps = dtype_epsilon(c->a->dtype);
	const struct complex_factors f = {
		.l = c->l, .n = n, .eps = eps, .turned = h->turned,
		.lu = y->lu, .pivots = y->pivots, .x = room->elements,
		.y = room->elements + n, .weight = room->numbers,
	};
	const double norm = complex_factors_norm(&f);
	struct verdict *v = complex_told(c, index);
	cplx *const r = y->a;

	c->l->z.gecon(LAPACK_COLUMNS, h->turned ? 'I' : '1', (int)n, y->lu,
	              (int)n, norm, &v->rcond, room->elements, room->numbers);
	for (size_t j = 0; j < judged_sides(c); j++) {
		const cplx *const b = y->b + j * n;
		cplx *const x = y->x + j * n;

		complex_factors_residual(&f, b, x, r);
		v->forward_error = verdict_worse(v->forward_error,
		    rounding_of(x, n, c->a->dtype) +
		    complex_factors_forward(&f, b, x, r, norm));
		complex_round(x, n, c->a->dtype);
		v->residual = verdict_worse(v->residual, complex_ratio(
		    complex_factors_residual(&f, b, x, r),
		    norm * complex_sum(x, n)) / ((double)n * eps / 2));
	}
}

/* Sets the condition number of a triangular A, and returns the largest bound of
 * a forward error. */
static double judge_triangle(const struct lapack_call *c, size_t index,
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

/* The same for other matrices, after complex_refine(), which has set the
 * weight. `norm` is |op(A)|. */
static double judge_refined(const struct lapack_call *c, size_t index,
                            const struct complex_system *y, double norm,
                            const struct complex_spare *room)
{
	const struct complex_plan *h = complex_how(c);
	const int n = (int)h->n;
	const struct complex_factors f = {
		.l = c->l, .n = h->n, .turned = h->turned, .lu = y->lu,
		.pivots = y->pivots, .y = room->elements,
		.weight = room->numbers,
	};

	c->l->z.gecon(LAPACK_COLUMNS, h->turned ? 'I' : '1', n, y->lu, n,
	              norm, &complex_told(c, index)->rcond, room->elements,
	              room->numbers + h->n);
	return complex_factors_bound(&f, norm, 1);
}

static void judge(const struct lapack_call *c, size_t index,
                  const struct complex_system *y,
                  const struct complex_spare *room)
{
	const struct complex_plan *h = complex_how(c);
	const double eps = dtype_epsilon(c->a->dtype);
	const bool triangle = complex_is_triangle(h);
	struct verdict *v = complex_told(c, index);
	double norm, left, rounding = 0;

	if (triangle)
		v->forward_error = judge_triangle(c, index, y, room);
	if (h->turned)
		lapack_transpose_square(y->a, h->n, sizeof *y->a);
	norm = complex_norm1(y->a, h->n, h->n);
	if (!triangle)
		v->forward_error = judge_refined(c, index, y, norm, room);
	for (size_t j = 0; j < h->sides; j++)
		rounding = fmax(rounding, rounding_of(y->x + j * h->n, h->n,
		                                      c->a->dtype));
	v->forward_error += rounding;
	left = ratio(h, y, norm, c->a->dtype);
	v->residual = left / ((double)h->n * eps / 2);
	v->forward_error = solve_forward(v->forward_error, left, v->rcond,
	                                 (double)h->n);
}

void complex_improve(const struct lapack_call *c, size_t index,
                     const struct complex_system *y,
                     const struct complex_spare *room)
{
	const struct complex_plan *h = complex_how(c);
	const bool factors = h->kind == KIND_FACTORS;

	if (!factors && !complex_is_triangle(h))
		complex_refine(&(const struct complex_refinement){
			.l = c->l, .n = h->n, .sides = h->sides,
			.turned = h->turned, .a = y->a, .lu = y->lu,
			.pivots = y->pivots, .b = y->b, .x = y->x,
			.weight = room->numbers, .room = room->refined });
	if (!complex_is_judged(c))
		return;
	(factors ? judge_factors : judge)(c, index, y, room);
	if (!is_finite(h, y, c->a->dtype))
		tell_overflow(complex_told(c, index));
}
