/* gemm_plan.h - devices and products of the tests of plans. */
#ifndef TESTS_OPS_GEMM_PLAN_H
#define TESTS_OPS_GEMM_PLAN_H

#include "ops/matmul/plan.h"
#include "tests/test.h"

/* With buffers of any size. */
#define GEMM_SHEET(kind, units, local_kib) {                             \
	.type = kind, .compute_units = units, .float64 = true,           \
	.local_memory_bytes = local_kib << 10,                           \
	.max_allocation_bytes = UINT64_C(1) << 40,                       \
	.global_memory_bytes = UINT64_C(1) << 37,                        \
}

/* Transposed: bit 0 A, bit 1 B. Bit 2: the stack shares one B. */
static inline struct product gemm_sample(size_t stack, size_t m, size_t n,
                                         size_t k, unsigned turned)
{
	static const struct matrix none = { 0 };

	return (struct product){
		.m = m, .n = n, .k = k, .stack = stack, .a = &none, .b = &none,
		.c = &none, .a_stack = stack, .b_stack = turned & 4 ? 1 : stack,
		.a_row = turned & 1 ? 1 : (int64_t)k,
		.a_col = turned & 1 ? (int64_t)m : 1,
		.b_row = turned & 2 ? 1 : (int64_t)n,
		.b_col = turned & 2 ? (int64_t)k : 1,
	};
}

#endif
