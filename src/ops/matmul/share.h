/* share.h - what the parts of the planner (plan.c, plan_cpu.c, plan_tensor.c)
 * have in common.
 *
 * A kernel's share function cuts C of one panel into blocks and counts its
 * work-groups. It is called for the whole product, and again for each panel,
 * for which it must leave alone how k is split.
 */
#ifndef OPS_MATMUL_SHARE_H
#define OPS_MATMUL_SHARE_H

#include "ops/matmul/plan.h"
#include "shared/matmul_tensor.h"

typedef void gemm_share_fn(struct gemm_plan *g, const struct gemm_on *on,
                           const struct product *p);

/* gemm_share_tiles cuts C into blocks of g->rows x g->cols. gemm_share_tf32 and
 * gemm_share_residues also choose the operands that are packed at a time.
 * gemm_share_elements launches a work-item for each element of C. plan_cpu.c
 * describes the other two. */
gemm_share_fn gemm_share_tiles, gemm_share_tf32, gemm_share_residues,
              gemm_share_elements,
              gemm_share_small, gemm_share_packed;

/* Returns a plan with the kernel's tile size and without splits of k; the
 * caller sets the other fields. */
struct gemm_plan gemm_plan_new(enum gemm_kernel_id kernel);

/* Sets g->groups from the numbers of blocks and splits. */
void gemm_count_groups(struct gemm_plan *g, const struct product *p);

/* Sets the panels. A product that is cut into panels does without Stream-K.
 * Copies of B have columns in multiples of `pad`. */
void gemm_cut(struct gemm_plan *g, const struct gemm_on *on,
              const struct product *p, size_t pad);

static inline size_t at_least_one(size_t x)
{
	return x > 0 ? x : 1;
}

/* Returns what k of a split and of packed operands is a multiple of. */
static inline size_t gemm_depth(const struct gemm_kernel *w)
{
	return w->depth > 0 ? w->depth : TENSOR_DEPTH;
}

/* Returns the work-groups that the device holds at once. */
static inline size_t gemm_resident(const struct gemm_on *on,
                                   const struct gemm_kernel *w)
{
	return at_least_one(on->d->compute_units) * w->resident;
}

#endif
