/* product.h - a call of matmul as its kernels see it: a stack of
 * products C = A B with plain sizes and strides.
 *
 * Element (i, p) of A lies at i a_row + p a_col, element (p, j) of B at
 * p b_row + j b_col: a transposed operand has its steps exchanged. C is
 * row-major and dense.
 */
#ifndef OPS_MATMUL_PRODUCT_H
#define OPS_MATMUL_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ops/op.h"

struct seq;
struct buf;
struct need;

/* The parameters, in the order of op_matmul's table. */
enum { MATMUL_TRANSPOSE_A, MATMUL_TRANSPOSE_B, MATMUL_CONJUGATE_A,
       MATMUL_CONJUGATE_B, MATMUL_PRECISION };

/* The choices of MATMUL_PRECISION. */
enum matmul_precision { MATMUL_FULL, MATMUL_TF32, MATMUL_FAST };

struct product {
	size_t m, n, k;			/* C is m x n, A m x k */
	size_t stack;			/* the number of products */
	int64_t a_row, a_col, b_row, b_col;
	const struct matrix *a, *b, *c;
	size_t a_stack, b_stack;	/* matrices in a and in b */
};

/* Return the size of m's leading dimension d, counted from the right, or 1 if m
 * has no such dimension; and that size for the product, where the sizes of a
 * and b are equal or one of them is 1. */
size_t product_leading(const struct matrix *m, int d);
size_t product_broadcast(const struct matrix *a, const struct matrix *b,
                         int d);

/* The product that the call asks for; a stack times a single matrix is one
 * tall product. */
struct product product_of(const struct args *args);

/* Returns the product C' = B' A' for an m of 1, where C and C' have the same
 * elements in the same order. */
struct product product_transposed(const struct product *p);

/* Makes a buffer with a pair of 32-bit indices for each product: its matrices
 * in the stacks a and b. A single product needs no such buffer and leaves
 * *places unchanged. */
void product_places(struct seq *s, const struct product *p,
                    struct buf *places);

double product_flops(const struct product *p);
double product_bytes(const struct product *p, enum dtype dtype);

/* Is there nothing to multiply, because C is empty or k is 0? In the second
 * case the function fills C with zeros. */
bool product_is_void(struct seq *s, const struct product *p);

/* Returns the bound k eps of |c_ij - (A B)_ij| / (|a_i|_2 |b_j|_2) for sums of
 * k products of reals in the call's type, rounded one after another; 0 for
 * integers. */
double product_bound(const struct args *a, size_t k);

/* Puts the bound into the verdict, with the rounding of an answer in float16
 * or bfloat16, if the call is one with precision=fast that wants a verdict. */
void product_tell_bound(struct args *a, double bound);

#endif
