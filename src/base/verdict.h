/* verdict.h - how accurate an answer is: the measures in a response's
 * `quality`. Plain data, which a worker sends through its socket.
 *
 * For a stack they are the measures of its worst matrix. A flag appears as true
 * or not at all, any other measure as a number.
 *
 *     residual         LAPACK's test ratio of the operation
 *     orthogonality    |I - Q^T Q| / (n eps), the largest of all such factors
 *     rcond            reciprocal 1-norm condition number of A, estimated
 *     forward_error    bound on |x - x_true| / |x|, infinity norm, estimated
 *     error_bound      bound on |c_ij - (A B)_ij| / (|a_i| |b_j|), 2-norms of
 *                      rows of A and columns of B
 *     relative_residual    |b - A x| / |b| of an iteration, in 2-norms
 *     recurrence_residual  the same, as the method's recurrence has it
 *     shift            a preconditioner's factors are of a matrix whose
 *                      diagonal was multiplied by 1 + shift
 *     condition        condition number of the eigenvalue
 *     refinements      steps of iterative refinement that were taken
 *     stalled          a flag: refinement ended because it gained no more
 *     fallback         a flag: the first method did not converge, and a slower
 *                      one answered
 *     ill_conditioned  a flag: rcond is below the machine epsilon
 */
#ifndef BASE_VERDICT_H
#define BASE_VERDICT_H

#include <math.h>
#include <stdbool.h>

/* X(measure, whether it is a flag) */
#define VERDICT_MEASURES(X)      \
	X(residual, false)       \
	X(orthogonality, false)  \
	X(rcond, false)          \
	X(forward_error, false)  \
	X(error_bound, false)    \
	X(relative_residual, false)   \
	X(recurrence_residual, false) \
	X(shift, false)          \
	X(condition, false)      \
	X(refinements, false)    \
	X(stalled, true)         \
	X(fallback, true)        \
	X(ill_conditioned, true)

/* A measure is NAN when it was not computed, a flag when it is not set; a flag
 * that is set is 1. */
struct verdict {
#define X(measure, flag) double measure;
	VERDICT_MEASURES(X)
#undef X
};

static inline struct verdict verdict_none(void)
{
	return (struct verdict){
#define X(measure, flag) .measure = NAN,
		VERDICT_MEASURES(X)
#undef X
	};
}

/* The larger of two measures, of which a may be NAN, not computed yet. A b that
 * is NaN counts as infinity. */
static inline double verdict_worse(double a, double b)
{
	b = isnan(b) ? INFINITY : b;
	return isnan(a) || b > a ? b : a;
}

/* Adds the rcond of one matrix to the verdict on its stack. */
static inline void verdict_add_rcond(struct verdict *v, double rcond,
                                     double epsilon)
{
	v->rcond = fmin(v->rcond, rcond);
	if (rcond < epsilon)
		v->ill_conditioned = 1;
}

#endif
