/* probe.h - does a kernel for tensor cores multiply as it should? */
#ifndef OPS_MATMUL_PROBE_H
#define OPS_MATMUL_PROBE_H

#include "ops/matmul/plan.h"

/* Sizes, and whether operands lie transposed. */
struct probe {
	size_t m, n, k;
	bool ta, tb;
};

/* Rows and columns beyond a warp's, k beyond a slab, an edge in every
 * direction; lines that lie aligned, or do not. */
#define PROBE_ODD     70, 45, 131
#define PROBE_ALIGNED 72, 48, 132
#define PROBE_DEEP    9, 7, 576

/* Multiplies whole numbers that TF32 holds, of type seq_dtype(s), as one panel
 * in that way. */
bool matmul_probe(struct seq *s, const struct probe *x,
                  const struct gemm_forced *way);

#endif
