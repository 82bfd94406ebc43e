/* matmul_tensor.h - the tile sizes of matmul's kernels for tensor cores, which
 * the host must know too: rows and columns of C a work-group, and its items.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_MATMUL_TENSOR_H
#define KERNELS_SHARED_MATMUL_TENSOR_H

#define TENSOR_ROWS 128
#define TENSOR_3XTF32_COLS 128
#define TENSOR_TF32_COLS 256
#define TENSOR_TF32_ITEMS 384
#define TENSOR_PACK_LINES 128
#define TENSOR_PACK_ITEMS 256
#define TENSOR_DIRECT_ROWS 64
#define TENSOR_DIRECT_COLS 64
#define TENSOR_DIRECT_ITEMS 128
#define TENSOR_SUM_GROUP 256

/* Items that add what is left of shared tiles, and elements of each. */
#define TENSOR_REST_ITEMS 256
#define TENSOR_REST_EACH 4

/* What the part of k that a work-group sums is a multiple of; packed float32
 * operands come in slabs of so much. */
#define TENSOR_DEPTH 32
#define TENSOR_SLAB 16

#endif
