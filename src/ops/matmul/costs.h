/* costs.h - every limit and every cost constant by which a plan (plan.h) is
 * chosen. docs/matmul.md gives the models and says how to fit them to another
 * device. Limits that kernels know, too, are in kernels/shared.
 */
#ifndef OPS_MATMUL_COSTS_H
#define OPS_MATMUL_COSTS_H

#include "ops/matmul/plan.h"

/* CPUs (plan_cpu.c). Each limit was measured by itself, on cores with
 * AVX-512. */
enum {
	/* Work-groups wanted for each compute unit, over the whole stack:
	 * several, so that a unit which falls behind gets fewer. */
	CPU_GROUPS_PER_UNIT = 4,
	/* Floating-point operations of one product up to which a single launch,
	 * which packs as it goes, is faster than packing B by another. */
	CPU_SMALL_FLOPS = 2 * 384 * 384 * 384,
	/* Up to so many strips of C, or panels, a single launch is taken at
	 * any size: with few strips a packed B is hardly used twice, with few
	 * panels a packed A. */
	CPU_FEW_STRIPS = 8,
	CPU_FEW_PANELS = 2,
	/* Least strips of a block of C: with fewer, reading B once more costs
	 * more time than an even share of the work saves. */
	CPU_MIN_STRIPS = 8,
};

/* CPUs, a matrix times a vector. */
enum {
	/* Elements of A that a work-group reads at least: fewer do not pay for
	 * its start. */
	MATVEC_SHARE = 1 << 15,
	/* Work-groups at most, as a multiple of those wanted. */
	MATVEC_MOST_GROUPS = 4,
	/* A split's lines are a multiple of so many, whole cache lines. */
	MATVEC_ALIGNED = 64,
};

/* Any device (plan.c). */
enum {
	/* Rows of C from which matmul_few, with a work-group for every
	 * MATMUL_THIN_ROWS of them, keeps a device busy. */
	FEW_LEAST_ROWS = 512,
	/* k up to which C takes longer to write than to compute. */
	FLAT_MOST_DEPTH = 15,
};

/* Tensor cores (plan_tensor.c). */
enum {
	/* Least rows and columns of C: with fewer, most of a tile is empty. */
	TENSOR_LEAST_LINES = 33,
	TENSOR_LEAST_DEPTH = FLAT_MOST_DEPTH + 1,
	/* Packed elements of A, or of B, at a time: 4 GiB each. */
	TENSOR_MOST_PACKED = 1 << 30,
	/* Splits of k up to which the last work-group of a tile to arrive adds
	 * them all, in the direct kernel; more are added by another launch. */
	TENSOR_MOST_ADDED = 8,
	/* Splits that the kernel adds are stored as whole tiles: at most so
	 * many times the elements of a panel's part of C. */
	TENSOR_TILE_PADDING = 4,
	/* Splits that one work-item of the launch that adds them adds at most,
	 * and work-items that share an element of C at most: the second limit
	 * wins. */
	SUM_ITEM_SPLITS = 8,
	SUM_MOST_SLICES = 32,
};

/* The cost model of tensor cores: nanoseconds, fitted to times that were
 * measured on an H200 (132 compute units, 1.98 GHz). */
enum {
	PACK_BYTES_PER_NS = 3000,	/* read and written where operands are
					   packed: 3 TB/s */
	ARRIVE_NS = 2000,		/* to count the splits that arrived */
	ADD_NS = 350,			/* to add one split within the kernel */
	SUM_LAUNCH_NS = 5000,		/* of the launch that adds them else */
	SUM_BYTES_PER_NS = 2500,	/* read there: 2.5 TB/s */
	FIX_UP_NS = 12000,		/* of the launch that adds Stream-K's
					   partial sums */
	/* Stream-K changes the order of sums, hence bits. A product that takes
	 * longer may be one device's part of what several compute, which must
	 * not show in the bits of C: it does without Stream-K. */
	MOST_STREAM_K_NS = 5000000,
};

/* What the model has for each kernel; it counts k in steps. */
struct gemm_cost {
	double launch_ns;		/* all launches but one that adds */
	double tile_ns;			/* a tile besides its steps: first load,
					   store */
	size_t step;			/* k of a step */
	double step_ns;			/* a step of a tile */
	double alone_ns;		/* the same where a compute unit has one
					   tile alone: nothing hides latency */
	bool sum_bytes;			/* does a launch that adds splits take
					   longer for more bytes? (float64 was
					   fitted without) */
	size_t least_split;		/* least k of a split: shorter ones do
					   not pay for adding their sums; 0: the
					   model compares numbers of splits */
};

/* In the order of enum gemm_kernel_id. */
extern const struct gemm_cost gemm_costs[GEMM_KERNELS];

#endif
