/* sum.h - the second launch of a split-K product, which adds the splits. */
#ifndef OPS_MATMUL_SUM_H
#define OPS_MATMUL_SUM_H

#include "ops/matmul/plan.h"

/* Launches the kernel that sets c to the sum of the plan's splits, which are
 * arrays of n elements, one after another in `splits`. */
void matmul_sum(struct seq *s, const struct gemm_plan *g, struct buf splits,
                struct buf c, size_t n);

#endif
