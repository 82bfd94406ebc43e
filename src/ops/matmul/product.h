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
enum { MATMUL_TRANSPOSE_A, MATMUL_TRANSPOSE_B, MATMUL_PRECISION };

/* The choices of MATMUL_PRECISION. */
enum { MATMUL_FULL, MATMUL_TF32 };

struct product {
	size_t m, n, k;			/* C is m x n, A m x k */
	size_t stack;			/* products */
	int64_t a_row, a_col, b_row, b_col;
	const struct matrix *a, *b, *c;
	size_t a_stack, b_stack;	/* matrices in a and in b */
};

/* Leading dimension d of m counted from the right, 1 beyond the first; and
 * of the product, where one of the two is 1 or both are the same. */
size_t product_leading(const struct matrix *m, int d);
size_t product_broadcast(const struct matrix *a, const struct matrix *b,
                         int d);

/* The product that the call asks for; a stack times a single matrix is one
 * tall product. */
struct product product_of(const struct args *args);

/* The same C read as a column: for m = 1, B' A' instead of A B. */
struct product product_transposed(const struct product *p);

/* Which matrices of the stacks a and b each product multiplies: pairs of
 * 32-bit indices in a buffer. A single product needs none: *places stays the
 * buffer that it is. */
void product_places(struct seq *s, const struct product *p,
                    struct buf *places);

double product_flops(const struct product *p);
double product_bytes(const struct product *p, enum dtype dtype);

/* Is there nothing to multiply? C is empty, or all zeros, which this stores. */
bool product_is_void(struct seq *s, const struct product *p);

#endif
