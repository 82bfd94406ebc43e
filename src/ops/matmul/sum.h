/* sum.h - the second launch of a split-K product: adds the splits. */
#ifndef OPS_MATMUL_SUM_H
#define OPS_MATMUL_SUM_H

#include "device/seq.h"

/* c = the sum of k_splits arrays of n elements each, one after another in
 * `splits`. */
void matmul_sum(struct seq *s, struct buf splits, struct buf c, size_t n,
                size_t k_splits);

#endif
