/* reduce_order.h - what host and kernels of a reduction agree on: the
 * canonical order's constants (docs/reduction-order.md) and the operations.
 * Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_REDUCE_ORDER_H
#define KERNELS_SHARED_REDUCE_ORDER_H

/* The order: a block's elements go to its lanes in turn. */
#define REDUCE_LANES 32
#define REDUCE_BLOCK 8192

/* A 2-norm within [SAFE, infinity) of unscaled squares is right; else the
 * elements are scaled first. */
#define REDUCE_SAFE 0x1p-450

/* Not part of the order: columns that one work-item (CPU) or one work-group
 * takes side by side when the reduced axis is not the last. */
#define REDUCE_STRIP 128
#define REDUCE_COLUMNS 8

/* Nor that: blocks that one work-group takes side by side, at most, when it is,
 * and parts that an item has in local memory. */
#define REDUCE_LINE_SLOTS 8
#define REDUCE_LINE_PARTS 4

/* Nor these, where elements come in bulk: warps of a work-group, pieces that
 * each has in local memory, and their size. */
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
