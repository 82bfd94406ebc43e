/* reduce_order.h - the constants of the canonical order
 * (docs/reduction-order.md) and the operations, for host and kernels. Included
 * by C and by OpenCL C. */
#ifndef KERNELS_SHARED_REDUCE_ORDER_H
#define KERNELS_SHARED_REDUCE_ORDER_H

/* The order: the elements of a block go to its lanes in turn. */
#define REDUCE_LANES 32
#define REDUCE_BLOCK 8192

/* A 2-norm computed without scaling is accurate if it is in [SAFE, infinity);
 * otherwise the elements are scaled. */
#define REDUCE_SAFE 0x1p-450

/* Not part of the order: columns that a work-item (CPU) or a work-group takes
 * side by side when the reduced axis is not the last. */
#define REDUCE_STRIP 128
#define REDUCE_COLUMNS 8

/* Not part of the order: when the reduced axis is the last, the most blocks
 * that a work-group takes side by side, and the parts that an item has in local
 * memory. */
#define REDUCE_LINE_SLOTS 8
#define REDUCE_LINE_PARTS 4

/* Not part of the order, for bulk copies: warps of a work-group, the pieces
 * that each has in local memory, and the bytes of a piece. */
#define REDUCE_BULK_WARPS 8
#define REDUCE_BULK_AHEAD 3
#define REDUCE_BULK_BYTES 8192

/* In the order of the choices of reduce's parameter `op`. */
enum reduce_op {
	REDUCE_SUM, REDUCE_PROD, REDUCE_MIN, REDUCE_MAX, REDUCE_MEAN,
	REDUCE_NORM1, REDUCE_NORM2, REDUCE_NORMINF, REDUCE_ARGMIN,
	REDUCE_ARGMAX, REDUCE_OPS
};

#endif
