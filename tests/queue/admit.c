/* admit.c - which devices can ever hold a job, decided before it waits. */
#include <stdio.h>

#include "ops/pipeline.h"
#include "queue/admit.h"
#include "tests/test.h"

#define MIB (UINT64_C(1) << 20)
#define HAS(index_, kind, memory) {                                      \
	.index = index_, .name = "Test", .type = kind, .float64 = true,  \
	.compute_units = 4, .local_memory_bytes = 1 << 16,               \
	.max_work_group_size = 1024, .unified_memory = kind == DEVICE_CPU, \
	.global_memory_bytes = memory, .max_allocation_bytes = (memory) / 4, \
}

static const struct sheet small = HAS(0, DEVICE_GPU, 32 * MIB);
static const struct sheet large = HAS(1, DEVICE_GPU, 320 * MIB);
static const struct sheet shared = HAS(2, DEVICE_CPU, 32 * MIB);
static const struct sheet cluster = HAS(3, DEVICE_CLUSTER, 4096 * MIB);

/* The devices allowed for a call with one or two n x n operands, a among them,
 * which have shapes but no memory. */
static uint64_t allowed(const char *op, const char *variant, size_t n,
                        const struct sheet *const *sheets, int n_sheets,
                        struct err *e)
{
	struct job *j = job_new(op_find(op), e);
	uint64_t devices;

	ck_assert_ptr_nonnull(j);
	*e = (struct err){ 0 };
	for (int i = 0; j->args.op->inputs[i].name; i++)
		if (!j->args.op->inputs[i].optional || i == 0)
			j->args.in[i] = (struct matrix){
				.dtype = FLOAT64, .ndim = 2, .dim = { n, n },
			};
	j->args.variant = variant ? op_variant(j->args.op, variant) : NULL;
	ck_ok(args_settle_dtype(&j->args, FLOAT64, e), e);
	ck_ok(args_check(&j->args, e), e);
	j->devices = (UINT64_C(1) << n_sheets) - 1;
	ck_assert_int_eq(admit_devices(j, sheets, n_sheets, e),
	                 j->devices ? 0 : -1);
	devices = j->devices;
	job_unref(j);
	return devices;
}

START_TEST(a_job_goes_where_it_fits)
{
	static const struct sheet *const both[] = { &small, &large };
	struct err e;

	/* 8 MiB per matrix: three leave too little for the driver */
	ck_assert_uint_eq(allowed("matmul", NULL, 1000, both, 2, &e), 3);
	ck_assert_uint_eq(allowed("matmul", NULL, 1200, both, 2, &e), 2);
	ck_assert_uint_eq(allowed("matmul", NULL, 4000, both, 2, &e), 0);
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
}
END_TEST

START_TEST(the_detail_has_both_sizes)
{
	static const struct sheet *const one[] = { &small };
	const size_t bytes = 3 * sizeof(double) * 1200 * 1200;
	char text[32];
	struct err e;

	ck_assert_uint_eq(allowed("matmul", "register-tile", 1200, one, 1, &e),
	                  0);
	snprintf(text, sizeof text, " %zu ", bytes);
	ck_assert_msg(strstr(e.text, text) != NULL, "%s: no%s", e.text, text);
	snprintf(text, sizeof text, " %llu ",
	         (unsigned long long)sheet_room(&small));
	ck_assert_msg(strstr(e.text, text) != NULL, "%s: no%s", e.text, text);
}
END_TEST

START_TEST(scratch_counts)
{
	static const struct sheet *const one[] = { &small };
	struct err e;

	/* A and LU are 7.8 MiB each; seed-v1 also has L, seed-v0 also a copy
	 * of A. */
	ck_assert_uint_eq(allowed("lu", "tiled", 1010, one, 1, &e), 1);
	ck_assert_uint_eq(allowed("lu", "seed-v1", 1010, one, 1, &e), 1);
	ck_assert_uint_eq(allowed("lu", "seed-v0", 1010, one, 1, &e), 0);
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
}
END_TEST

START_TEST(operands_in_shared_memory_do_not)
{
	static const struct sheet *const one[] = { &shared };
	struct err e;

	/* One is larger than the memory, and too large for one piece anyway;
	 * a canonical reduction takes it in several pieces. */
	ck_assert_uint_eq(allowed("matmul", "register-tile", 1000, one, 1, &e),
	                  1);
	ck_assert_uint_eq(allowed("reduce", "canonical", 2100, one, 1, &e),
	                  1);
	ck_assert_uint_eq(allowed("reduce", "serial", 2100, one, 1, &e), 0);
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
}
END_TEST

START_TEST(the_largest_piece_is_looked_at_where_nothing_is_cut)
{
	static const struct sheet *const one[] = { &large };
	struct err e;

	/* the largest allocation is 80 MiB: 3238 x 3238 */
	ck_assert_uint_eq(allowed("eigen", NULL, 3238, one, 1, &e), 1);
	ck_assert_uint_eq(allowed("eigen", NULL, 3239, one, 1, &e), 0);
	ck_assert_msg(strstr(e.text, "in one piece") != NULL, "%s", e.text);
	ck_assert_uint_eq(allowed("transpose", NULL, 3239, one, 1, &e), 1);
}
END_TEST

START_TEST(a_cluster_gets_what_no_other_device_can_hold)
{
	static const struct sheet *const both[] = { &small, &cluster };
	static const struct sheet *const one[] = { &cluster };
	struct err e;

	ck_assert_uint_eq(allowed("matmul", NULL, 1000, both, 2, &e), 1);
	ck_assert_uint_eq(allowed("matmul", NULL, 4000, both, 2, &e), 2);
	ck_assert_uint_eq(allowed("matmul", NULL, 100, one, 1, &e), 1);
	ck_assert_uint_eq(allowed("matmul", NULL, 20000, both, 2, &e), 0);
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
	ck_assert_msg(strstr(e.text, "device 0 ") != NULL, "%s", e.text);
	ck_assert_uint_eq(allowed("transpose", NULL, 9, one, 1, &e), 0);
	ck_assert_int_eq(e.code, ERR_PARAMETER);
}
END_TEST

START_TEST(what_no_device_can_hold_is_streamed)
{
	static const struct sheet *const both[] = { &small, &large };
	static const struct sheet *const one[] = { &small };
	static const struct sheet *const far[] = { &small, &cluster };
	struct err e;

	/* No device can hold 128 MB or 288 MB twice, nor can both together. */
	ck_assert_uint_eq(allowed("lu", NULL, 4000, one, 1, &e), 1);
	ck_assert_uint_eq(allowed("lu", NULL, 6000, both, 2, &e), 3);
	/* A device or cluster that can hold it goes before those that
	 * stream. */
	ck_assert_uint_eq(allowed("lu", NULL, 3000, both, 2, &e), 2);
	ck_assert_uint_eq(allowed("lu", NULL, 4000, far, 2, &e), 2);
	ck_assert_uint_eq(allowed("lu", "streamed", 100, both, 2, &e), 3);
	ck_assert_uint_eq(allowed("solve", NULL, 3500, one, 1, &e), 1);
	ck_assert_uint_eq(allowed("solve", NULL, 1500, both, 2, &e), 2);
	/* Even a panel of 64 columns, with the buffers to factor it, is too
	 * large. */
	ck_assert_uint_eq(allowed("lu", NULL, 20000, one, 1, &e), 0);
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
}
END_TEST

/* A job of one product of n x n matrices, as the only step of a pipeline. */
static struct job *pipeline_of(size_t n, struct err *e)
{
	struct job *j = job_new(ops[0], e);
	struct pipeline *p = pipeline_new(1, e);

	ck_assert(j && p);
	step_init(&p->step[0], "c", op_find("matmul"));
	for (int i = 0; i < 2; i++) {
		p->step[0].args.in[i] = (struct matrix){
			.dtype = FLOAT64, .ndim = 2, .dim = { n, n },
		};
		ck_ok(matrix_alloc(&p->step[0].args.in[i], test_pool, e), e);
		p->step[0].from[i] = (struct source){ .step = -1 };
	}
	ck_ok(pipeline_return(p, (struct source){ 0 }, "c", e), e);
	ck_ok(pipeline_link(p, false, e), e);
	args_fini(&j->args);
	pipeline_args(&j->args, p);
	ck_ok(pipeline_prepare(&j->args, test_pool, e), e);
	return j;
}

START_TEST(every_step_of_a_pipeline_must_fit)
{
	static const struct sheet *const both[] = { &small, &large };
	static const struct sheet *const all[] = { &cluster };
	struct err e = { 0 };
	struct job *j = pipeline_of(1200, &e);

	j->devices = 3;
	ck_ok(admit_devices(j, both, 2, &e), &e);
	ck_assert_uint_eq(j->devices, 2);
	j->devices = 1;
	ck_refused(admit_devices(j, both, 2, &e), &e, ERR_TOO_LARGE);
	ck_assert_msg(strncmp(e.text, "step c: ", 8) == 0, "%s", e.text);
	ck_assert_str_eq(e.pointer, "/steps/0");
	e = (struct err){ 0 };
	j->devices = 1;
	ck_refused(admit_devices(j, all, 1, &e), &e, ERR_PARAMETER);
	ck_assert_msg(strstr(e.text, "pipelines") != NULL, "%s", e.text);
	job_unref(j);
}
END_TEST

START_TEST(a_device_that_is_not_there_is_told)
{
	static const struct sheet *const one[] = { &small };
	struct err e = { 0 };
	struct job *j = pipeline_of(1, &e);

	j->devices = 0;
	ck_refused(admit_devices(j, one, 1, &e), &e, ERR_PARAMETER);
	ck_assert_str_eq(e.text, "no device of this service was named");
	job_unref(j);
}
END_TEST

TCase *tcase_admit(void)
{
	TCase *c = tcase_create("admit");

	tcase_add_test(c, a_job_goes_where_it_fits);
	tcase_add_test(c, the_detail_has_both_sizes);
	tcase_add_test(c, scratch_counts);
	tcase_add_test(c, operands_in_shared_memory_do_not);
	tcase_add_test(c, the_largest_piece_is_looked_at_where_nothing_is_cut);
	tcase_add_test(c, a_cluster_gets_what_no_other_device_can_hold);
	tcase_add_test(c, what_no_device_can_hold_is_streamed);
	tcase_add_test(c, every_step_of_a_pipeline_must_fit);
	tcase_add_test(c, a_device_that_is_not_there_is_told);
	return c;
}
