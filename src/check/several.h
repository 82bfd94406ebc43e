/* several.h - the judges of several eigenpairs, of every matrix of a stack: on
 * the host, in long double. Those of LAPACK's xDRVST and xDRVEV:
 *
 *     residual       |A x - lambda x| / (|A| n eps), the largest
 *     length         | |x| - 1 | / (n eps); infinity unless the largest
 *                    component of x is real and positive
 *     orthogonality  |X^T X - I| / (n eps)
 *     distance       |lambda - lambda'| / (|A| n eps), where the symmetric
 *                    matrix has the eigenvalues lambda' by Jacobi's method
 *     traces         |sum lambda - tr A| and |sum lambda^2 - tr A^2|^(1/2),
 *                    over |A| n eps and |A| (n eps)^(1/2)
 *     order          0, or infinity if the eigenvalues are not in theirs
 *
 * |A| is the 1-norm.
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
