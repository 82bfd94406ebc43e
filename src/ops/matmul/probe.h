/* probe.h - tests whether a kernel for tensor cores multiplies correctly. */
#ifndef OPS_MATMUL_PROBE_H
#define OPS_MATMUL_PROBE_H

#include "ops/matmul/plan.h"

/* The sizes of a test product, and whether its operands are stored
 * transposed. */
struct probe {
	size_t m, n, k;
	bool ta, tb;
};

/* Values of m, n and k. PROBE_ODD and PROBE_ALIGNED have more rows and columns
 * than a warp computes, more k than a slab, and an edge in every direction;
 * their lines are not aligned in the first and aligned in the second.
 * PROBE_DEEP has many slabs of k. */
#define PROBE_ODD     70, 45, 131
#define PROBE_ALIGNED 72, 48, 132
#define PROBE_DEEP    9, 7, 576

/* Multiplies whole numbers that TF32 represents, of type seq_dtype(s), as one
 * panel planned by `way`. Returns whether the product is exact, and false if a
 * call failed. */
bool matmul_probe(struct seq *s, const struct probe *x,
                  const struct gemm_forced *way);

#endif
