/* dense.h - what the tables of operations on dense matrices share. */
#ifndef OPS_DENSE_H
#define OPS_DENSE_H

#include "base/size.h"
#include "ops/op.h"

/* ERR_TOO_LARGE for a matrix whose sizes LAPACK cannot count: a dimension or
 * workspace of 2^31 elements. `square`: the workspace has min(m, n)^2. */
int dense_check(const struct args *a, bool square, struct err *e);

/* dense_check(), and ERR_SHAPE for a matrix that is not square. */
int dense_check_square(const struct args *a, struct err *e);

/* Gives a wanted output the stack of operand 0, and `dims` more dimensions. */
void dense_shape(struct args *a, int output, enum dtype t, int dims,
                 size_t rows, size_t cols);

/* For shape(): output 0 has the shape of operand 0. Returns 0. */
int dense_shape_same(struct args *a, struct err *e);

/* Operand 0 of sample(): an n x n matrix of random numbers. */
int dense_sample(struct args *a, size_t n, struct memory_pool *pool,
                 struct err *e);

static inline size_t dense_least(const struct args *a)
{
	return size_min(matrix_rows(&a->in[0]), matrix_cols(&a->in[0]));
}

/* Is there no element in operand 0? */
static inline bool dense_is_empty(const struct args *a)
{
	return matrix_elements(&a->in[0]) == 0;
}

#endif
