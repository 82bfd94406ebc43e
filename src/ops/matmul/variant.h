/* variant.h - how the variants of matmul differ (variant.how). */
#ifndef OPS_MATMUL_VARIANT_H
#define OPS_MATMUL_VARIANT_H

#include "ops/matmul/plan.h"

struct matmul_way {
	gemm_plan_fn *plan;
	enum gemm_kernel_id kernel;	/* the only kernel, if plan is NULL */
	bool by_rows;			/* integers are multiplied by the kernel
					   for CPUs */
};

int matmul_run(struct seq *s, struct args *args);

/* complex.c: multiply complex matrices by the kernels that the variant has for
 * reals, and tell the memory for that. */
int matmul_complex_run(struct seq *s, struct args *a);
void matmul_complex_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n);

/* integer.c: computes a product of integers exactly, or refuses it. */
int matmul_integer_run(struct seq *s, struct args *args, bool by_rows);
void matmul_integer_need(const struct args *a, const struct sheet *d,
                         struct need *n);
void matmul_need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n);

/* op_matmul's run_batch, for the packed variant. */
int matmul_batch_run(struct seq *s, struct args *const calls[], int n);

#endif
