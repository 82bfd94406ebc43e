/* gemm_choice.c - plans of a product (ops/matmul/plan.h) are those that
 * docs/matmul.md describes, also where a device has little memory. */
#include "tests/ops/gemm_plan.h"

static const struct sheet two_cores = GEMM_SHEET(DEVICE_CPU, 2, 512),
                          cores = GEMM_SHEET(DEVICE_CPU, 64, 2048),
                          h200 = GEMM_SHEET(DEVICE_GPU, 132, 48),
                          gpu = GEMM_SHEET(DEVICE_GPU, 20, 32),
          little = { .type = DEVICE_GPU, .compute_units = 132, .float64 = true,
                     .max_allocation_bytes = UINT64_C(1) << 32,
                     .global_memory_bytes = UINT64_C(1) << 33 };

/* However little the device gives in one piece: a tile's operands at a time, or
 * operands where they lie. */
START_TEST(packed_operands_fit_in_a_piece)
{
	static const size_t k[] = { 16, 31, 32, 60, 500, 5000 };
	struct sheet d = h200;
	int packed = 0, direct = 0;

	for (size_t i = 0; i < 2 * COUNT(k) * 20; i++) {
		const struct gemm_on on = { &d, FLOAT32, i % 2 };
		const struct product p = gemm_sample(3, 1300, 1700,
		                                     k[i / 2 % COUNT(k)], 0);
		struct gemm_plan g, panel;
		struct gemm_scratch x;
		struct product first = p;

		d.max_allocation_bytes = (uint64_t)1024 << i / 2 / COUNT(k);
		g = gemm_plan_tensor(&on, &p);
		first.stack = g.cuts.stack;
		first.m = g.cuts.rows;
		first.n = g.cuts.cols;
		panel = gemm_plan_panel(&g, &on, &first);
		x = gemm_scratch_of(&on, &panel, &first);
		if (!g.kernel->pack) {
			direct++;
			continue;
		}
		ck_assert_uint_le(size_max(x.packed_a, x.packed_b),
		                  d.max_allocation_bytes);
		ck_assert_uint_ge(x.packed_a, size_min(first.m, g.rows) * p.k *
		                              sizeof(float));
		packed++;
	}
	ck_assert_int_gt(packed, 10);
	ck_assert_int_gt(direct, 10);
}
END_TEST

START_TEST(a_stack_of_no_matrices_has_the_plan_of_any_device)
{
	const struct product p = gemm_sample(0, 64, 64, 64, 0);

	for (int i = 0; i < 4; i++) {
		const struct gemm_on on = {
			&h200, i % 2 ? FLOAT64 : FLOAT32, i / 2
		};

		ck_assert_ptr_eq(gemm_plan_tensor(&on, &p).kernel,
		                 gemm_plan_any(&on, &p).kernel);
	}
}
END_TEST

/* A planner and a device. */
static const struct kind {
	gemm_plan_fn *plan;
	const struct sheet *d;
} on_two = { gemm_plan_cpu, &two_cores }, on_many = { gemm_plan_cpu, &cores },
  on_gpu = { gemm_plan_any, &gpu }, on_tensor = { gemm_plan_tensor, &h200 },
  on_little = { gemm_plan_tensor, &little };

/* What the models choose where only one choice makes sense. */
START_TEST(models_choose_as_documented)
{
	static const struct {
		const struct kind *on;
		size_t m, n, k;
		enum dtype t;
		enum gemm_kernel_id kernel;
		enum matmul_precision precision;
		bool split;
	} x[] = {
		{ &on_two, 1, 5000, 5000, FLOAT32,
		  .kernel = GEMM_MATVEC_COLUMNS, .split = true },
		{ &on_two, 5000, 1, 5000, FLOAT64, .kernel = GEMM_MATVEC_ROWS },
		{ &on_many, 12, 16, 100000, FLOAT64,
		  .kernel = GEMM_SMALL, .split = true },
		{ &on_many, 2000, 2000, 2000, FLOAT64, .kernel = GEMM_PACKED },
		{ &on_gpu, 5000, 4, 512, FLOAT32, .kernel = GEMM_FEW },
		{ &on_gpu, 20, 20, 512, FLOAT32, .kernel = GEMM_DOT },
		{ &on_gpu, 500, 500, 9, FLOAT32, .kernel = GEMM_FLAT },
		{ &on_gpu, 500, 500, 500, FLOAT32, .kernel = GEMM_TILE },
		{ &on_tensor, 8192, 8192, 8192, FLOAT32,
		  .kernel = GEMM_PAIRS },
		{ &on_tensor, 1024, 1024, 1024, FLOAT32,
		  .kernel = GEMM_3XTF32, .split = true },
		{ &on_tensor, 8192, 8192, 8192, FLOAT32,
		  .kernel = GEMM_HALVES, .precision = MATMUL_TF32 },
		{ &on_tensor, 1024, 1024, 1024, FLOAT32,
		  .kernel = GEMM_TF32, .split = true,
		  .precision = MATMUL_TF32 },
		{ &on_tensor, 128, 128, 100, FLOAT32,
		  .kernel = GEMM_DIRECT, .precision = MATMUL_TF32 },
		{ &on_tensor, 64, 64, 5000, FLOAT32,
		  .kernel = GEMM_DIRECT, .split = true },
		{ &on_tensor, 8192, 8192, 8192, FLOAT64,
		  .kernel = GEMM_RESIDUES, .precision = MATMUL_TF32 },
		{ &on_tensor, 8192, 8192, 8192, FLOAT64,
		  .kernel = GEMM_RESIDUES, .precision = MATMUL_FAST },
		{ &on_tensor, 8192, 8192, 8192, FLOAT32,
		  .kernel = GEMM_PAIRS, .precision = MATMUL_FAST },
		{ &on_tensor, 8192, 8192, 100, FLOAT64,
		  .kernel = GEMM_F64_128X128 },
		{ &on_tensor, 4096, 4096, 70000, FLOAT64,
		  .kernel = GEMM_F64_128X128 },
		{ &on_little, 8192, 8192, 8192, FLOAT64,
		  .kernel = GEMM_F64_128X128 },
		{ &on_tensor, 200, 200, 200, FLOAT64,
		  .kernel = GEMM_F64_32X32 },
		{ &on_tensor, 32, 5000, 5000, FLOAT64, .kernel = GEMM_TILE },
	};

	for (size_t i = 0; i < COUNT(x); i++) {
		const struct product p = gemm_sample(1, x[i].m, x[i].n,
		                                     x[i].k, 0);
		const struct gemm_on on = {
			x[i].on->d, x[i].t, x[i].precision
		};
		const struct gemm_plan g = x[i].on->plan(&on, &p);

		ck_assert_str_eq(g.kernel->name,
		                 gemm_kernels[x[i].kernel].name);
		ck_assert_int_eq(g.k_splits > 1, x[i].split);
		ck_assert_int_eq(g.fast, x[i].precision == MATMUL_FAST);
	}
}
END_TEST

TCase *tcase_gemm_choice(void)
{
	TCase *c = tcase_create("gemm_choice");

	tcase_add_test(c, packed_operands_fit_in_a_piece);
	tcase_add_test(c, a_stack_of_no_matrices_has_the_plan_of_any_device);
	tcase_add_test(c, models_choose_as_documented);
	return c;
}
