/* submatrix.h - C -= A B or C = A B on tensor cores, where A, B and C are parts
 * of buffers, all of one or not: the update of a trailing matrix, for the
 * operations that factor by blocks.
 *
 * k is never split, so the only scratch memory is that of packed operands: of
 * float32 A and B, however they lie. Float64 operands are read where they lie.
 */
#ifndef OPS_MATMUL_SUBMATRIX_H
#define OPS_MATMUL_SUBMATRIX_H

#include "ops/matmul/tensor.h"

/* The compute capability (10 times the major part plus the minor part) for
 * which the tensor-core kernels of both element types are written. */
enum { TENSOR_SM = 90 };

/* `stack` products of one shape, computed one after another. */
struct submatrix_product {
	struct tensor_product first;	/* places: any buffer */
	size_t stack;
	size_t a_step, b_step, c_step;	/* elements from one product to the
					   next */
	size_t groups;			/* persistent work-groups at most, each
					   of which occupies a compute unit; 0:
					   as many as the device holds */
};

/* Plans one of the products; p->stack must be 1. */
struct gemm_plan submatrix_plan(const struct sheet *d, enum dtype t,
                                const struct product *p, size_t groups);

/* Makes buffers for the packed operands of products up to that size;
 * submatrix_need() adds their memory to n. */
struct tensor_room submatrix_room(struct seq *s, const struct product *largest);
void submatrix_need(struct need *n, const struct sheet *d, enum dtype t,
                    const struct product *largest);

void submatrix_multiply(struct seq *s, const struct submatrix_product *x,
                        const struct tensor_room *room);

/* Does the device compute such products correctly, transposed operands
 * included? The first call launches a probe. matmul's probes of the same
 * kernels test only C = A B of whole matrices, so this verdict is stored under
 * `kernel`: another kernel that the caller launches, and for which nothing else
 * asks for a verdict. */
bool submatrix_works(struct seq *s, const char *kernel);

#endif
