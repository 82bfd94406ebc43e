/* sum.h - the sum of the products of parts of k. */
#ifndef OPS_MATMUL_SUM_H
#define OPS_MATMUL_SUM_H

#include "device/seq.h"

/* c = the sum of so many parts of n elements each, one after another in
 * `of`. */
void matmul_sum(struct seq *s, struct buf of, struct buf c, size_t n,
                size_t parts);

#endif
