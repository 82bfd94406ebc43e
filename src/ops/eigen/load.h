/* load.h - copies an operand to the arrays that LAPACK works on; see many.h. */
#ifndef OPS_EIGEN_LOAD_H
#define OPS_EIGEN_LOAD_H

#include "ops/lapack/stack.h"

/* Copies matrix `index` of an operand to x, column-major, as float64, divides
 * it by the power of two that puts the largest modulus into [1, 2), and returns
 * the exponent. `same`: the matrix is known to equal its transpose. */
int eigen_load(const struct lapack_call *c, int operand, size_t index,
               bool same, double *x);

#endif
