/* variant.c - which variants a device can run, and which one a call takes. */
#include "ops/tuning.h"
#include "ops/variant.h"
#include "tests/test.h"

#define SOME(kind) {                                                     \
	.name = "Test", .type = kind, .float64 = true,                   \
	.compute_units = 4, .global_memory_bytes = UINT64_C(1) << 62,    \
	.max_allocation_bytes = UINT64_C(1) << 60,                       \
	.local_memory_bytes = 1 << 16, .max_work_group_size = 1024,      \
}
static const struct sheet cpu = SOME(DEVICE_CPU), gpu = SOME(DEVICE_GPU);

static const struct variant *matmul(const char *name)
{
	return op_variant(op_find("matmul"), name);
}

/* An n x n product in float32, by that variant; NULL: auto. */
static struct args product(size_t n, const char *variant)
{
	const struct matrix m = { .dtype = FLOAT32, .ndim = 2,
	                          .dim = { n, n } };
	struct err e = { 0 };
	struct args a;

	args_init(&a, op_find("matmul"));
	a.dtype = FLOAT32;
	a.in[0] = a.in[1] = m;
	a.variant = variant ? matmul(variant) : NULL;
	ck_ok(args_check(&a, &e), &e);
	return a;
}

static const char *taken(const struct args *a, const struct tuning *t,
                         const struct sheet *s, struct err *e)
{
	const struct variant *v;

	*e = (struct err){ 0 };
	v = variant_for(a, t, s, e);
	ck_assert(!v == (e->code != ERR_NONE));
	return v ? v->name : "none";
}

START_TEST(auto_goes_by_the_kind_of_device)
{
	const struct args a = product(9, NULL);
	const struct tuning none = { 0 };
	struct err e;

	ck_assert_str_eq(taken(&a, NULL, &cpu, &e), "packed");
	ck_assert_str_eq(taken(&a, &none, &cpu, &e), "packed");
	ck_assert_str_eq(taken(&a, NULL, &gpu, &e), "register-tile");
}
END_TEST

START_TEST(the_table_comes_before_the_usual_variant)
{
	const struct args a = product(9, NULL);
	struct tuning t = { 0 };
	struct err e;

	tuning_set(&t, &a, matmul("register-tile"));
	ck_assert_str_eq(taken(&a, &t, &cpu, &e), "register-tile");
	tuning_set(&t, &a, matmul("packed"));	/* which no GPU can run */
	ck_assert_str_eq(taken(&a, &t, &cpu, &e), "packed");
	ck_assert_str_eq(taken(&a, &t, &gpu, &e), "register-tile");
}
END_TEST

START_TEST(the_request_comes_before_both)
{
	const struct args a = product(9, "naive");
	struct tuning t = { 0 };
	struct err e;

	tuning_set(&t, &a, matmul("register-tile"));
	ck_assert_str_eq(taken(&a, &t, &cpu, &e), "naive");
	ck_assert_str_eq(taken(&a, NULL, &gpu, &e), "naive");
}
END_TEST

START_TEST(a_refusal_says_what_the_device_lacks)
{
	const struct args a = product(9, "packed");
	struct err e;

	ck_assert_str_eq(taken(&a, NULL, &gpu, &e), "none");
	ck_assert_int_eq(e.code, ERR_PARAMETER);
	ck_assert_str_eq(e.pointer, "/variant");
	ck_assert_str_eq(e.text, "matmul: variant packed cannot run on Test: "
	                 "written for CPUs");
}
END_TEST

START_TEST(a_device_without_float64_refuses_it)
{
	struct args named = product(9, "naive"), usual = product(9, NULL);
	struct sheet narrow = gpu;
	struct err e;

	narrow.float64 = false;
	ck_assert_str_eq(taken(&named, NULL, &narrow, &e), "naive");
	named.dtype = usual.dtype = FLOAT64;
	ck_assert_str_eq(taken(&named, NULL, &gpu, &e), "naive");
	ck_assert_str_eq(taken(&named, NULL, &narrow, &e), "none");
	ck_assert_str_eq(e.text, "matmul: variant naive cannot compute in "
	                 "float64 on Test");
	ck_assert_str_eq(taken(&usual, NULL, &narrow, &e), "none");
	ck_assert_str_eq(e.text, "matmul: Test cannot compute in float64");
}
END_TEST

START_TEST(what_does_not_fit_is_not_taken)
{
	const struct args named = product(1000, "naive");
	const struct args usual = product(1000, NULL);
	struct tuning t = { 0 };
	struct sheet small = gpu;
	struct err e;

	tuning_set(&t, &usual, matmul("naive"));
	small.global_memory_bytes = 8000000;
	ck_assert_str_eq(taken(&named, NULL, &small, &e), "none");
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
	ck_assert_str_eq(taken(&usual, &t, &small, &e), "none");
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
	ck_assert(!variant_is_candidate(matmul("register-tile"), &usual,
	                                &small));
	ck_assert(variant_is_candidate(matmul("register-tile"), &usual, &gpu));
}
END_TEST

START_TEST(a_variant_runs_contends_or_is_usual)
{
	static const struct {
		const char *name;
		bool runs, contends, usual;	/* on a GPU, in float32 */
		bool integers;			/* runs, in int32 */
	} rows[] = {
		{ "packed", false, false, false, false },
		{ "naive", true, false, false, false },
		{ "register-tile", true, true, true, true },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct variant *v = matmul(rows[i].name);

		ck_assert_int_eq(variant_runs(v, FLOAT32, &gpu), rows[i].runs);
		ck_assert_int_eq(variant_contends(v, FLOAT32, &gpu),
		                 rows[i].contends);
		ck_assert_int_eq(variant_is_usual(v, FLOAT32, &gpu),
		                 rows[i].usual);
		ck_assert_int_eq(variant_runs(v, INT32, &gpu),
		                 rows[i].integers);
	}
	ck_assert_str_eq(variant_requirement(matmul("packed"), 0), "cpu");
	ck_assert_ptr_null(variant_requirement(matmul("packed"), 1));
}
END_TEST

/* A variant that only a GPU takes by itself contends on a CPU, too. */
START_TEST(a_table_may_name_another_kind_of_devices_variant)
{
	const struct variant *v = matmul("register-tile");
	const struct variant of_gpus = {
		.name = "test", .auto_for = DEVICE_GPU, .dtypes = v->dtypes,
	};

	ck_assert(variant_contends(&of_gpus, FLOAT32, &cpu));
	ck_assert(!variant_is_usual(&of_gpus, FLOAT32, &cpu));
}
END_TEST

START_TEST(float64_is_not_computed_without_it)
{
	const struct variant v = { .dtypes = DTYPE_BIT(FLOAT64) };
	struct sheet s = gpu;

	ck_assert_ptr_null(variant_lacks(&v, &s));
	ck_assert(op_runs(op_find("lu"), FLOAT64, &s));
	s.float64 = false;
	ck_assert_str_eq(variant_lacks(&v, &s), "needs float64");
	ck_assert(!op_runs(op_find("lu"), FLOAT64, &s));
	ck_assert(op_runs(op_find("lu"), FLOAT32, &s));
	ck_assert(!op_runs(op_find("lu"), INT32, &s));
}
END_TEST

START_TEST(a_cluster_has_variants_of_its_own)
{
	static const struct sheet cluster = SOME(DEVICE_CLUSTER);
	static const struct sheet starting = {
		.name = "Test", .type = DEVICE_CLUSTER, .float64 = true,
	};
	struct args a = product(9, NULL);
	struct err e;

	ck_assert_str_eq(taken(&a, NULL, &cluster, &e), "scalapack");
	ck_assert_str_eq(taken(&a, NULL, &starting, &e), "scalapack");
	a.variant = matmul("register-tile");
	ck_assert_str_eq(taken(&a, NULL, &cluster, &e), "none");
	ck_assert_ptr_nonnull(strstr(e.text, "written for OpenCL devices"));
	a.variant = matmul("scalapack");
	ck_assert_str_eq(taken(&a, NULL, &cpu, &e), "none");
	ck_assert_ptr_nonnull(strstr(e.text, "linalgd-mpi"));
	a.variant = NULL;
	a.in[0].ndim = a.in[1].ndim = 3;
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 3; k++)
			a.in[i].dim[k] = 9;
	ck_assert_str_eq(taken(&a, NULL, &cluster, &e), "none");
	ck_assert_ptr_nonnull(strstr(e.text, "stacks of matrices"));
	a.op = op_find("transpose");
	ck_assert_str_eq(taken(&a, NULL, &cluster, &e), "none");
	ck_assert_ptr_nonnull(strstr(e.text, "does not compute this"));
}
END_TEST

START_TEST(lapack_cannot_count_what_a_cluster_can)
{
	static const struct sheet cluster = SOME(DEVICE_CLUSTER);
	struct args a;
	struct err e = { 0 };

	args_init(&a, op_find("eigen"));
	a.dtype = FLOAT32;
	a.in[0] = (struct matrix){ .dtype = FLOAT32, .ndim = 2,
	                           .dim = { 40000, 40000 } };
	ck_ok(args_set(&a, op_param(a.op, "which"), "all", &e), &e);
	ck_ok(args_check(&a, &e), &e);
	ck_assert_str_eq(taken(&a, NULL, &cpu, &e), "none");
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
	ck_assert_ptr_nonnull(strstr(e.text, "at most 32000"));
	ck_assert_str_eq(taken(&a, NULL, &gpu, &e), "none");
	ck_assert_str_eq(taken(&a, NULL, &cluster, &e), "scalapack");
}
END_TEST

TCase *tcase_variant(void)
{
	TCase *c = tcase_create("variant");

	tcase_add_test(c, auto_goes_by_the_kind_of_device);
	tcase_add_test(c, the_table_comes_before_the_usual_variant);
	tcase_add_test(c, the_request_comes_before_both);
	tcase_add_test(c, a_refusal_says_what_the_device_lacks);
	tcase_add_test(c, a_device_without_float64_refuses_it);
	tcase_add_test(c, what_does_not_fit_is_not_taken);
	tcase_add_test(c, a_variant_runs_contends_or_is_usual);
	tcase_add_test(c, a_table_may_name_another_kind_of_devices_variant);
	tcase_add_test(c, float64_is_not_computed_without_it);
	tcase_add_test(c, a_cluster_has_variants_of_its_own);
	tcase_add_test(c, lapack_cannot_count_what_a_cluster_can);
	return c;
}
