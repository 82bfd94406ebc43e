/* dense.h - checks, shapes and defaults that operations on dense matrices
 * share. The matrix is always operand 0. */
#ifndef OPS_DENSE_H
#define OPS_DENSE_H

#include "base/size.h"
#include "ops/op.h"

/* Fails with ERR_TOO_LARGE if LAPACK's 32-bit integers cannot hold a dimension
 * of the m x n matrix, or the length of its workspace. `square` tells that the
 * workspace grows with min(m, n)^2. */
int dense_check(const struct args *a, bool square, struct err *e);

/* dense_check() that also fails with ERR_SHAPE if the matrix is not square. */
int dense_check_square(const struct args *a, struct err *e);

/* Sets the shape of an output that is wanted: the stack's dimensions, followed
 * by `dims` (at most 2) of rows and cols. */
void dense_shape(struct args *a, int output, enum dtype t, int dims,
                 size_t rows, size_t cols);

/* Parameter `param`: singular values of at most that fraction of the largest
 * one count as 0. Its default is eps max(m, n), as of NumPy's matrix_rank(). */
double dense_rcond(const struct args *a, int param);

/* Is output i part of the answer? */
static inline bool dense_has(const struct args *a, int output)
{
	return a->out[output].ndim != MATRIX_ABSENT;
}

/* An operation's sample(): an n x n matrix of random numbers. */
int dense_sample(struct args *a, size_t n, struct memory_pool *pool,
                 struct err *e);

/* min(m, n) */
static inline size_t dense_least(const struct args *a)
{
	return size_min(matrix_rows(&a->in[0]), matrix_cols(&a->in[0]));
}

/* Has the matrix, or the stack, no elements? */
static inline bool dense_is_empty(const struct args *a)
{
	return matrix_elements(&a->in[0]) == 0;
}

#endif
