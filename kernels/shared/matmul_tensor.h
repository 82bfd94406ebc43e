/* matmul_tensor.h - tile sizes of matmul's tensor-core kernels that the host
 * needs too: the rows and columns of C of a work-group, and its items. Included
 * by C and by OpenCL C. */
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

/* Pairs of float16: columns of a tile, twice of which are whole tiles of
 * 3xTF32; work-items; the depth of a slab of packed operands, and that of two
 * slabs, which are multiplied together; lines and items of a work-group that
 * packs; columns of a block of C that is computed again. */
#define PAIRS_COLS 192
#define PAIRS_ITEMS 384
#define PAIRS_SLAB 32
#define PAIRS_DEPTH 64
#define PAIRS_PACK_LINES 64
#define PAIRS_PACK_ITEMS 256
#define PAIRS_AGAIN_COLS 64

/* Adding the partial sums of shared tiles: work-items of a group, and elements
 * of each item. */
#define TENSOR_REST_ITEMS 256
#define TENSOR_REST_EACH 4

/* A work-group sums a multiple of this many products along k; packed float32
 * operands come in slabs of this depth. */
#define TENSOR_DEPTH 32
#define TENSOR_SLAB 16

#endif
