/* several.h - the judges of several eigenpairs of every matrix of a stack. They
 * compute on the host in long double and return the worst of these measures,
 * which are those of LAPACK's tests xDRVST and xDRVEV. |A| is the 1-norm, and
 * eps is that of the operand's type.
 *
 *     residual       |A x - lambda x| / (|A| n eps); left_residual is that of
 *                    left eigenvectors, |y^H A - lambda y^H| / (|A| n eps)
 *     length         | |x| - 1 | / (n eps), or infinity unless the largest
 *                    component of x is real and positive
 *     orthogonality  |X^T X - I| / (n eps)
 *     distance       |lambda - lambda'| / (|A| n eps) for a symmetric matrix,
 *                    where Jacobi's method on the host computes lambda'
 *     traces         |sum lambda - tr A| / (|A| n eps) and
 *                    |sum lambda^2 - tr A^2|^(1/2) / (|A| (n eps)^(1/2))
 *     ascend         0 if the eigenvalues ascend, else infinity
 *     descend        0 if their moduli descend and the two values of every
 *                    conjugate pair stand side by side, the one with the
 *                    positive imaginary part first, else infinity
 */
#ifndef CHECK_SEVERAL_H
#define CHECK_SEVERAL_H

#include "ops/op.h"

double several_residual(const struct args *a);
double several_left_residual(const struct args *a);
double several_length(const struct args *a);
double several_orthogonality(const struct args *a);
double several_distance(const struct args *a);
double several_traces(const struct args *a);
double several_ascend(const struct args *a);
double several_descend(const struct args *a);

#endif
