/* plan.h - how a product is computed: the kernel, blocks of C, splits of k,
 * work-groups, panels and scratch memory.
 *
 * A plan is made once from the sizes, the device's sheet, the element type and
 * the precision; what launches kernels only reads it, and gemm_need() sums the
 * memory of the same plan. plan.c has every limit and every cost constant;
 * docs/matmul.md says how to fit them to another device.
 */
#ifndef OPS_MATMUL_PLAN_H
#define OPS_MATMUL_PLAN_H

#include "ops/matmul/panels.h"

/* The kernels that multiply. Those of float64 stand in the order of their
 * tiles' sizes, the largest first. */
enum gemm_kernel_id {
	GEMM_MATVEC_ROWS, GEMM_MATVEC_COLUMNS, GEMM_SMALL, GEMM_PACKED,
	GEMM_FEW, GEMM_DOT, GEMM_FLAT, GEMM_TILE,
	GEMM_NAIVE, GEMM_LOCAL_TILE, GEMM_BROADCAST,
	GEMM_3XTF32, GEMM_TF32, GEMM_DIRECT,
	GEMM_F64_128X128, GEMM_F64_128X64, GEMM_F64_64X64, GEMM_F64_32X64,
	GEMM_F64_32X32,
	GEMM_KERNELS
};

/* What a plan is made for, beside the product. */
struct gemm_on {
	const struct sheet *d;
	enum dtype t;
	bool tf32;			/* TF32 instead of 3xTF32 is allowed */
};

struct gemm_plan;

/* A kernel, and the functions that plan, try and launch it. */
struct gemm_kernel {
	const char *name;
	panel_launch *launch;		/* its argument: struct gemm_call */
	/* Cuts C of one panel into blocks and counts work-groups (share.h). */
	void (*share)(struct gemm_plan *g, const struct gemm_on *on,
	              const struct product *p);
	size_t rows, cols;		/* of a tile of C; 0: the plan says */
	size_t items;			/* work-items of a work-group */
	/* Does it multiply whole numbers exactly? NULL: it is trusted. */
	bool (*is_right)(struct seq *s, const char *kernel);
	size_t resident;		/* work-groups that a compute unit holds
					   at once */
	bool persistent;		/* no more are launched: each takes tile
					   after tile */
	size_t most_added;		/* splits that the kernel adds itself */
	size_t slab;			/* k of a slab that Stream-K deals out;
					   0: the kernel has no Stream-K */
	const char *pack;		/* the kernel that packs before: B, or
					   where terms > 0 A and B; or NULL */
	size_t terms;			/* TF32 numbers for an element of B */
};

extern const struct gemm_kernel gemm_kernels[GEMM_KERNELS];

struct gemm_plan {
	const struct gemm_kernel *kernel;
	size_t rows, cols;		/* the largest block of C */
	size_t m_blocks, n_blocks;	/* blocks of C of one product */
	size_t depth, k_splits;		/* the largest k of a split; splits */
	size_t kc;			/* rows of B that GEMM_SMALL packs at a
					   time */
	bool adds;			/* does the kernel add the splits? */
	size_t slices;			/* else: work-items that share the sum
					   of an element (tensor cores) */
	size_t stream_k;		/* the last blocks, whose slabs of k are
					   dealt out evenly to all work-groups
					   (Osama and others, 2023) */
	size_t groups;			/* work-groups of the launch */
	size_t most_groups;		/* their limit; 0: none */
	bool turned;			/* C is computed as a column: B' A' */
	struct cuts cuts;		/* panels */
	struct cuts packed;		/* of a panel, operands packed at a
					   time */
};

/* The plan of a product that is not void, a function for a kind of device. */
typedef struct gemm_plan gemm_plan_fn(const struct gemm_on *on,
                                      const struct product *p);
gemm_plan_fn gemm_plan_cpu, gemm_plan_any, gemm_plan_tensor;

/* A choice that is made elsewhere: the kernel, splits of k (fewer if their
 * depth, a multiple of what kernels sum at a time, covers k by fewer),
 * work-groups at most (0: as many as the device holds at once). */
struct gemm_forced {
	enum gemm_kernel_id kernel;
	size_t k_splits, most_groups, stream_k;
};

/* Its plan for tensor cores, without panels. */
struct gemm_plan gemm_plan_forced(const struct gemm_on *on,
                                  const struct gemm_forced *way,
                                  const struct product *p);

/* The plan of that kernel for any device, or for a call of one of the
 * article's variants. */
struct gemm_plan gemm_plan_whole(const struct gemm_on *on,
                                 enum gemm_kernel_id kernel,
                                 const struct product *p);

/* The plan for one panel of the product: blocks and work-groups are its own,
 * while k is split and every sum added as in the whole. */
struct gemm_plan gemm_plan_panel(const struct gemm_plan *whole,
                                 const struct gemm_on *on,
                                 const struct product *panel);

/* Bytes of the scratch memory that one panel takes by its plan. */
struct gemm_scratch {
	size_t splits;			/* the splits' products */
	size_t ones;			/* GEMM_MATVEC_*: to add the splits */
	size_t packed_a, packed_b;	/* later panels may reuse both */
	size_t fix_up;			/* Stream-K's partial sums */
};

struct gemm_scratch gemm_scratch_of(const struct gemm_on *on,
                                    const struct gemm_plan *g,
                                    const struct product *p);

/* Elements of packed operands, of which `c` is packed at a time. */
size_t gemm_packed_a(const struct gemm_kernel *w, const struct product *p,
                     const struct cuts *c);
size_t gemm_packed_b(const struct gemm_kernel *w, const struct product *p,
                     const struct cuts *c);

/* The device's memory for the product by that plan. */
void gemm_need(struct need *n, const struct gemm_on *on,
               const struct gemm_plan *g, const struct product *p);

/* May products of this size be computed by one launch, a work-group each? */
bool gemm_suits_batch(const struct product *p);

#endif
