/* plan.h - how a product is computed: the kernel, blocks of C, splits of k,
 * work-groups, panels and scratch memory.
 *
 * A plan is made once from the sizes, the device's sheet, the element type and
 * the precision. The launch functions only read the plan, and gemm_need() sums
 * the memory that the plan takes. costs.h has every limit and every cost
 * constant; docs/matmul.md says how to fit them to another device.
 */
#ifndef OPS_MATMUL_PLAN_H
#define OPS_MATMUL_PLAN_H

#include "ops/matmul/panels.h"

/* The kernels that multiply. The float64 kernels for tensor cores are sorted by
 * the size of their tiles, the largest first. */
enum gemm_kernel_id {
	GEMM_MATVEC_ROWS, GEMM_MATVEC_COLUMNS, GEMM_SMALL, GEMM_PACKED,
	GEMM_FEW, GEMM_DOT, GEMM_FLAT, GEMM_TILE,
	GEMM_NAIVE, GEMM_LOCAL_TILE, GEMM_BROADCAST,
	GEMM_3XTF32, GEMM_TF32, GEMM_DIRECT, GEMM_PAIRS, GEMM_HALVES,
	GEMM_F64_128X128, GEMM_F64_128X64, GEMM_F64_64X64, GEMM_F64_32X64,
	GEMM_F64_32X32, GEMM_RESIDUES,
	GEMM_KERNELS
};

/* What a plan depends on besides the product. */
struct gemm_on {
	const struct sheet *d;
	enum dtype t;
	enum matmul_precision precision;
};

struct gemm_plan;
struct gemm_scratch;
struct tensor_product;
struct tensor_room;
struct part;

/* A kernel, and the functions that plan, test and launch it. */
struct gemm_kernel {
	const char *name;
	panel_launch *launch;		/* its argument: struct gemm_call */
	/* Cuts C of one panel into blocks and counts work-groups (share.h). */
	void (*share)(struct gemm_plan *g, const struct gemm_on *on,
	              const struct product *p);
	size_t rows, cols;		/* of a tile of C; 0: the plan sets
					   them */
	size_t items;			/* work-items of a work-group */
	/* Does the kernel multiply whole numbers exactly? NULL: the kernel is
	 * not tested. */
	bool (*is_right)(struct seq *s, const char *kernel);
	size_t resident;		/* work-groups that a compute unit holds
					   at once */
	bool persistent;		/* only resident work-groups are
					   launched, and each computes tile
					   after tile */
	size_t most_added;		/* splits that the kernel adds itself */
	size_t slab;			/* k of a slab that Stream-K deals out;
					   0: the kernel has no Stream-K */
	const char *pack;		/* the kernel that packs operands first:
					   B alone, or A and B if terms > 0;
					   NULL: there is none */
	size_t terms;			/* words per element of packed B */
	size_t halves;			/* float16 numbers per element of both
					   operands; if this is not 0, `terms`
					   is that of 3xTF32, which computes
					   some blocks again */
	size_t depth;			/* k of a split, and of packed operands,
					   is a multiple of it; 0:
					   TENSOR_DEPTH */
	/* Kernels of tensor cores with packed operands have two functions more
	 * (tensor.h), which are NULL for all others: `scratch` sets the sizes
	 * of the buffers for packed operands; `part` packs the operands of a
	 * part of the product, and multiplies them. */
	void (*scratch)(const struct gemm_plan *g, const struct product *p,
	                struct gemm_scratch *x);
	void (*part)(struct seq *s, const struct gemm_plan *g,
	             const struct tensor_product *x,
	             const struct tensor_room *room, const struct part *at);
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
	size_t slices;			/* if it does not: work-items that share
					   the sum of an element (tensor
					   cores) */
	size_t stream_k;		/* the number of last blocks of C whose
					   slabs of k are distributed evenly
					   over all work-groups (Osama and
					   others, 2023) */
	size_t groups;			/* work-groups of the launch */
	size_t most_groups;		/* their limit; 0: none */
	bool turned;			/* C' = B' A' is computed, a column */
	bool fast;			/* residues: without a certificate */
	struct cuts cuts;		/* panels */
	struct cuts packed;		/* the part of a panel whose operands
					   are packed at a time */
};

/* Plan a product that is not void; one function for each kind of device. */
typedef struct gemm_plan gemm_plan_fn(const struct gemm_on *on,
                                      const struct product *p);
gemm_plan_fn gemm_plan_cpu, gemm_plan_any, gemm_plan_tensor;

/* A choice that the caller makes: the kernel, the splits of k, the most
 * work-groups (0: as many as the device holds at once), and the blocks for
 * Stream-K. The depth of a split is rounded up to a multiple of the kernel's,
 * so there may be fewer splits. */
struct gemm_forced {
	enum gemm_kernel_id kernel;
	size_t k_splits, most_groups, stream_k;
};

/* Returns the plan for tensor cores by that choice, without panels. */
struct gemm_plan gemm_plan_forced(const struct gemm_on *on,
                                  const struct gemm_forced *way,
                                  const struct product *p);

/* Returns the plan with that kernel, which does not split k: for any device, or
 * for a variant from the article. */
struct gemm_plan gemm_plan_whole(const struct gemm_on *on,
                                 enum gemm_kernel_id kernel,
                                 const struct product *p);

/* Returns the plan for one panel of the product. Its blocks and work-groups are
 * counted anew, while k is split and sums are added as in the whole product. */
struct gemm_plan gemm_plan_panel(const struct gemm_plan *whole,
                                 const struct gemm_on *on,
                                 const struct product *panel);

/* The bytes of scratch memory that one panel takes by its plan. */
struct gemm_scratch {
	size_t splits;			/* the splits' products */
	size_t ones;			/* GEMM_MATVEC_*: the vector of ones
					   that adds the splits */
	size_t packed_a, packed_b;	/* later panels may reuse both, */
	size_t lines, residues;		/* what GEMM_PAIRS, GEMM_HALVES and
					   GEMM_RESIDUES store about rows of A
					   and columns of B; the residues of
					   C */
	size_t fix_up;			/* Stream-K's partial sums */
};

struct gemm_scratch gemm_scratch_of(const struct gemm_on *on,
                                    const struct gemm_plan *g,
                                    const struct product *p);

/* Return the elements of packed A and of packed B, if the part `c` of the
 * product is packed at a time. */
size_t gemm_packed_a(const struct gemm_kernel *w, const struct product *p,
                     const struct cuts *c);
size_t gemm_packed_b(const struct gemm_kernel *w, const struct product *p,
                     const struct cuts *c);

/* Adds to n the device memory that the product takes by that plan. */
void gemm_need(struct need *n, const struct gemm_on *on,
               const struct gemm_plan *g, const struct product *p);

/* May many products of this size be computed by one launch, with a work-group
 * for each? */
bool gemm_suits_batch(const struct product *p);

#endif
