/* costs.h - every limit and every cost constant by which a plan (plan.h) is
 * chosen. docs/matmul.md gives the models and says how to fit them to another
 * device. Limits that the kernels use as well are in kernels/shared. */
#ifndef OPS_MATMUL_COSTS_H
#define OPS_MATMUL_COSTS_H

#include "ops/matmul/plan.h"

/* Limits for CPUs (plan_cpu.c). Each was measured on its own, on cores with
 * AVX-512. */
enum {
	/* The most 10^6 floating-point operations of a work-group, some 10 ms
	 * of a core: a call can be cancelled between launches of some of the
	 * work-groups. */
	CPU_GROUP_MFLOPS = 250,
	/* The work-groups wanted for each compute unit, over the whole stack.
	 * There are several, so that a compute unit that falls behind runs
	 * fewer of them. */
	CPU_GROUPS_PER_UNIT = 4,
	/* Up to this many floating-point operations per product, a single
	 * launch that packs as it goes is faster than a separate launch that
	 * packs B. */
	CPU_SMALL_FLOPS = 2 * 384 * 384 * 384,
	/* If C has at most this many strips or panels, the single launch is
	 * used at any size: with few strips a packed B is hardly reused, and
	 * with few panels a packed A is hardly reused. */
	CPU_FEW_STRIPS = 8,
	CPU_FEW_PANELS = 2,
	/* The least number of strips in a block of C. With fewer strips,
	 * reading B once more costs more time than the even distribution of the
	 * work saves. */
	CPU_MIN_STRIPS = 8,
};

/* Limits for a matrix times a vector on CPUs. */
enum {
	/* A work-group reads at least this many elements of A, because fewer do
	 * not pay for starting it. */
	MATVEC_SHARE = 1 << 15,
	/* The most work-groups, as a multiple of the number wanted. */
	MATVEC_MOST_GROUPS = 4,
	/* The depth of a split of k is a multiple of this many elements, which
	 * are whole cache lines. */
	MATVEC_ALIGNED = 64,
};

/* Limits for any device (plan.c). */
enum {
	/* From this many rows of C on, matmul_few keeps a device busy with one
	 * work-group for every MATMUL_THIN_ROWS rows. */
	FEW_LEAST_ROWS = 512,
	/* Up to this k, writing C takes longer than computing it. */
	FLAT_MOST_DEPTH = 15,
};

/* Limits for tensor cores (plan_tensor.c). */
enum {
	/* The largest k of a product by residues: a sum of so many products of
	 * two bytes is at most 2^30. */
	RESIDUES_MOST_DEPTH = 1 << 16,
	/* The packed operands and the residues of a product may take this
	 * fraction of the device's memory: a quarter. */
	RESIDUES_MEMORY = 4,
	/* The least number of rows and of columns of C. With fewer, most of a
	 * tile lies beyond an edge of C. */
	TENSOR_LEAST_LINES = 33,
	TENSOR_LEAST_DEPTH = FLAT_MOST_DEPTH + 1,
	/* The most elements of A, and of B, that are packed at a time: 4 GiB
	 * each. */
	TENSOR_MOST_PACKED = 1 << 30,
	/* With up to this many splits of k, the direct kernel and those for
	 * packed TF32 add the splits themselves: the last work-group to finish
	 * its split of a tile adds all of that tile's splits. More splits are
	 * added by another launch. */
	TENSOR_MOST_ADDED = 8,
	/* A launch of a persistent kernel computes at most this many 10^9
	 * floating-point operations, some 40 ms of an H200: a call can be
	 * cancelled between launches. */
	TENSOR_LAUNCH_GFLOPS = 2000,
	/* The splits that the kernel itself adds are stored as whole tiles,
	 * which take at most this many times the elements of the panel's C. */
	TENSOR_TILE_PADDING = 4,
	/* In the launch that adds the splits, a work-item adds at most
	 * SUM_ITEM_SPLITS of them, and at most SUM_MOST_SLICES work-items share
	 * an element of C. The second limit takes precedence. */
	SUM_ITEM_SPLITS = 8,
	SUM_MOST_SLICES = 32,
};

/* The constants of the cost model for tensor cores. Times are in nanoseconds
 * and were fitted to measurements on an H200 (132 compute units, 1.98 GHz). */
enum {
	PACK_BYTES_PER_NS = 3000,	/* packing reads and writes operands at
					   3 TB/s */
	ARRIVE_NS = 2000,		/* time to count the splits that have
					   arrived */
	ADD_NS = 350,			/* time to add one split within the
					   kernel */
	SUM_LAUNCH_NS = 5000,		/* time of the separate launch that adds
					   the splits */
	SUM_BYTES_PER_NS = 2500,	/* that launch reads the splits at 2.5
					   TB/s */
	FIX_UP_NS = 12000,		/* time of the launch that adds
					   Stream-K's partial sums */
	/* A product whose estimated time is longer than this does without
	 * Stream-K. Stream-K changes the order of the sums, and hence the
	 * rounding. A long product may be one device's part of a product that
	 * several devices compute, and C must have the same bits however many
	 * devices compute it. */
	MOST_STREAM_K_NS = 5000000,
};

/* The constants of the cost model for one kernel. The model counts k in
 * steps. */
struct gemm_cost {
	double launch_ns;		/* time of all launches except the one
					   that adds splits */
	double tile_ns;			/* time of a tile without its steps: the
					   first load and the store */
	size_t step;			/* k of a step */
	double step_ns;			/* time of one step of a tile */
	double alone_ns;		/* time of a step if a compute unit has
					   a single tile, so that nothing hides
					   latency */
	bool sum_bytes;			/* does the time of the launch that adds
					   splits grow with their bytes? (The
					   float64 model was fitted without this
					   term.) */
	size_t least_split;		/* the least k of a split, because
					   shorter splits do not pay for adding
					   their sums; 0: the model compares
					   numbers of splits */
	size_t shares;			/* the number of equal parts, each the
					   work of one work-group, into which
					   the computation of a tile is divided;
					   0: it is not divided */
	double a_bytes, b_bytes, c_bytes;	/* the bytes that all launches
					   but the product read and write for
					   each element of A, B and C */
};

/* In the order of enum gemm_kernel_id. */
extern const struct gemm_cost gemm_costs[GEMM_KERNELS];

#endif
