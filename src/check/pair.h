/* pair.h - the judges of the dominant eigenpair. One judges its residual; the
 * others prove on the host that no eigenvalue of A has a larger modulus:
 *
 *     symmetric      (|lambda| + d) I - A and (|lambda| + d) I + A are
 *                    positive definite, so that no modulus exceeds |lambda| + d
 *     non-negative   min (Av)_i / v_i <= rho <= max (Av)_i / v_i for every
 *                    positive v (Collatz 1942, Wielandt 1950), where rho is the
 *                    Perron root
 *     general        the QR algorithm computes all eigenvalues, up to n = 64
 *
 * For a symmetric matrix, the residual and the proof together show that lambda
 * is the dominant eigenvalue.
 */
#ifndef CHECK_PAIR_H
#define CHECK_PAIR_H

#include "ops/op.h"

/* Every judge returns a multiple of the error that the operation promises, tol
 * |lambda| + n eps |A|, with these exceptions: pair_length() returns
 * | |v| - 1 | / (n eps), pair_symmetric() returns 0 or infinity, and
 * pair_distance() divides by the condition of the eigenvalue as well. */
double pair_residual(const struct args *a);
double pair_length(const struct args *a);
double pair_symmetric(const struct args *a);
double pair_enclosure(const struct args *a);	/* of lambda from the bounds */
double pair_bracket(const struct args *a);	/* of the answered bracket */
double pair_distance(const struct args *a);	/* of lambda from QR's value */

#endif
