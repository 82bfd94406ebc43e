/* pair.h - the judges of an eigenpair: its residual, and a proof on the host
 * that no eigenvalue is larger:
 *
 *     symmetric      (|lambda| + d) I - A and (|lambda| + d) I + A are
 *                    positive definite: every eigenvalue is below
 *     non-negative   min (Av)_i / v_i <= rho <= max (Av)_i / v_i (Collatz
 *                    1942, Wielandt 1950), whatever the positive v
 *     general        all eigenvalues by the QR algorithm, up to n = 64
 *
 * With the residual the first proves that lambda is the dominant eigenvalue.
 */
#ifndef CHECK_PAIR_H
#define CHECK_PAIR_H

#include "ops/op.h"

/* All are in units of the promised error, tol |lambda| plus n eps |A|, except
 * for that of the length, | |v| - 1 | / (n eps). */
double pair_residual(const struct args *a);
double pair_length(const struct args *a);
double pair_symmetric(const struct args *a);	/* 0 or infinity */
double pair_enclosure(const struct args *a);	/* lambda's, by Collatz */
double pair_bracket(const struct args *a);	/* the answered bracket's */
double pair_distance(const struct args *a);	/* over the condition, too */

#endif
