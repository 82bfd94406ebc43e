/* dense.h - checks, shapes and defaults that operations on dense matrices
 * share. The matrix is always operand 0. */
#ifndef OPS_DENSE_H
#define OPS_DENSE_H

#include "base/size.h"
#include "ops/op.h"

/* Returns -1 with ERR_TOO_LARGE for a matrix whose sizes LAPACK cannot count in
 * 32 bits: a dimension, or with `square` a workspace of about 4 min(m, n)^2
 * elements. */
int dense_check(const struct args *a, bool square, struct err *e);

/* Calls dense_check() without `square`; returns -1 with ERR_SHAPE for a matrix
 * that is not square. */
int dense_check_square(const struct args *a, struct err *e);

/* Gives an output that the client wants the leading dimensions of operand 0 and
 * `dims` more: none, rows, or rows and columns. */
void dense_shape(struct args *a, int output, enum dtype t, int dims,
                 size_t rows, size_t cols);

/* An operation's shape(): gives output 0 the shape of operand 0. Returns 0. */
int dense_shape_same(struct args *a, struct err *e);

/* Parameter `param`: singular values of at most that fraction of the largest
 * one count as 0. Its default is eps max(m, n), as of NumPy's matrix_rank(). */
double dense_rcond(const struct args *a, int param);

/* Returns whether output i is wanted. */
static inline bool dense_has(const struct args *a, int output)
{
	return a->out[output].ndim != MATRIX_ABSENT;
}

/* An operation's sample(): makes operand 0 an n x n matrix of random numbers.
 * Returns -1 with ERR_MEMORY if there is no memory for it. */
int dense_sample(struct args *a, size_t n, struct memory_pool *pool,
                 struct err *e);

/* The smaller dimension of operand 0's matrices. */
static inline size_t dense_least(const struct args *a)
{
	return size_min(matrix_rows(&a->in[0]), matrix_cols(&a->in[0]));
}

/* Returns whether operand 0 has no elements. */
static inline bool dense_is_empty(const struct args *a)
{
	return matrix_elements(&a->in[0]) == 0;
}

#endif
