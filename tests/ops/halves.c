/* halves.c - float16 and bfloat16 operands and answers: converted exactly on
 * the device, computed as float32, rounded once. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "matrix/half.h"
#include "tests/ops/op.h"

enum { PATTERNS = 1 << 16 };

static const enum dtype types[] = { FLOAT16, BFLOAT16 };

static uint32_t bits_of(float x)
{
	uint32_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static float value(enum dtype t, uint16_t bits)
{
	return t == FLOAT16 ? half_value(bits) : bfloat_value(bits);
}

static uint16_t nearest(enum dtype t, float x)
{
	return t == FLOAT16 ? half_of(x) : bfloat_of(x);
}

static void copied(void)
{
	device_copies = true;
}

static void in_place(void)
{
	device_copies = false;
}

START_TEST(a_device_widens_every_element)
{
	const enum dtype t = types[_i];
	struct matrix m = { .dtype = t, .ndim = 1, .dim = { PATTERNS } };
	static float got[PATTERNS];
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_NONE, &e);

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	for (int i = 0; i < PATTERNS; i++)
		((uint16_t *)matrix_data(&m))[i] = (uint16_t)i;
	seq_read(s, seq_input(s, &m), 0, got, sizeof got);
	ck_ok(seq_finish(s), &e);
	for (int i = 0; i < PATTERNS; i++)
		ck_assert_uint_eq(bits_of(got[i]),
		                  bits_of(value(t, (uint16_t)i)));
	seq_free(s);
	matrix_fini(&m);
}
END_TEST

/* Six float32 round each pattern: its value, the tie with the next pattern,
 * and the neighbours of both. */
static struct matrix hard_cases(enum dtype t)
{
	struct matrix m = { .dtype = FLOAT32, .ndim = 1,
	                    .dim = { 6 * PATTERNS } };
	struct err e = { 0 };
	float *x;

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	x = matrix_data(&m);
	for (int i = 0; i < PATTERNS; i++, x += 6) {
		const float low = value(t, (uint16_t)i);
		const float high = value(t, (uint16_t)(i ^ (i + 1)) == 0xffff ?
		                         (uint16_t)i : (uint16_t)(i + 1));
		const float middle = (float)(((double)low + high) / 2);

		for (int k = 0; k < 2; k++) {
			const float at = k ? middle : low;

			x[3 * k] = at;
			x[3 * k + 1] = nextafterf(at, -INFINITY);
			x[3 * k + 2] = nextafterf(at, INFINITY);
		}
	}
	return m;
}

START_TEST(a_device_rounds_to_nearest_even)
{
	const enum dtype t = types[_i];
	struct matrix m = hard_cases(t), out = m;
	const size_t n = matrix_elements(&m);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_NONE, &e);

	out.dtype = t;
	out.memory = NULL;
	ck_ok(matrix_alloc(&out, test_pool, &e), &e);
	seq_copy(s, seq_input(s, &m), 0, seq_output(s, &out), 0,
	         matrix_size(&m));
	ck_ok(seq_finish(s), &e);
	for (size_t i = 0; i < n; i++) {
		const float x = ((float *)matrix_data(&m))[i];
		const uint16_t y = ((uint16_t *)matrix_data(&out))[i];

		if (isnan(x))
			ck_assert(isnan(value(t, y)));
		else
			ck_assert_msg(y == nearest(t, x), "%a: %x, not %x",
			              (double)x, y, nearest(t, x));
	}
	seq_free(s);
	matrix_fini(&m);
	matrix_fini(&out);
}
END_TEST

static struct matrix random_halves(enum dtype t, unsigned seed, size_t m,
                                   size_t n)
{
	struct matrix x = random_matrix(FLOAT32, seed, 2, m, n);
	struct err e = { 0 };

	ck_ok(matrix_convert(&x, t, test_pool, &e), &e);
	return x;
}

/* Asserts that x is y, which is float32, rounded to t. */
static void is_rounded(const struct matrix *x, enum dtype t,
                       const struct matrix *y)
{
	ck_assert_int_eq(x->dtype, t);
	ck_assert_int_eq(y->dtype, FLOAT32);
	ck_assert_uint_eq(matrix_elements(x), matrix_elements(y));
	for (size_t i = 0; i < matrix_elements(x); i++)
		ck_assert_uint_eq(((uint16_t *)matrix_data(x))[i],
		                  nearest(t, ((float *)matrix_data(y))[i]));
}

/* The same operands, widened by the host, give the same arithmetic without the
 * last rounding; and so do these with dtype=float32. */
static void check_call(const char *op, const struct matrix *in, int n,
                       const struct variant *v, const char *name,
                       const char *choice, const char *axis)
{
	struct args half, wide, named;
	struct matrix own[2];
	struct err e = { 0 };

	for (int i = 0; i < n; i++) {
		own[i] = matrix_ref(&in[i]);
		ck_ok(matrix_convert(&own[i], FLOAT32, test_pool, &e), &e);
	}
	op_run(op, in, n, &half, "variant", v->name, name, choice,
	       axis ? "axis" : NULL, axis, NULL);
	op_run(op, in, n, &named, "variant", v->name, "dtype", "float32", name,
	       choice, axis ? "axis" : NULL, axis, NULL);
	op_run(op, own, n, &wide, "variant", v->name, name, choice,
	       axis ? "axis" : NULL, axis, NULL);
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (half.out[i].ndim != MATRIX_ABSENT) {
			is_rounded(&half.out[i], in[0].dtype, &wide.out[i]);
			ck_assert_mem_eq(matrix_data(&named.out[i]),
			                 matrix_data(&wide.out[i]),
			                 matrix_size(&wide.out[i]));
		}
	for (int i = 0; i < n; i++)
		matrix_fini(&own[i]);
	args_fini(&half);
	args_fini(&named);
	args_fini(&wide);
}

static void check_matmul(const struct variant *v)
{
	static const size_t sizes[][3] = { { 1, 1, 1 }, { 3, 5, 7 },
	                                   { 65, 33, 130 }, { 1, 40, 300 },
	                                   { 4, 4, 0 } };

	for (size_t i = 0; i < 2 * COUNT(sizes); i++) {
		const size_t *n = sizes[i / 2];
		const struct matrix in[] = {
			random_halves(types[i % 2], 1, n[0], n[2]),
			random_halves(types[i % 2], 2, n[2], n[1]),
		};

		check_call("matmul", in, 2, v, "transpose_a", "false", NULL);
		matrix_fini((struct matrix *)&in[0]);
		matrix_fini((struct matrix *)&in[1]);
	}
}

START_TEST(products_are_rounded_once)
{
	each_variant("matmul", check_matmul);
}
END_TEST

static void check_reduce(const struct variant *v)
{
	static const char *const of[] = { "sum", "prod", "max", "mean",
	                                  "norm2" };

	for (size_t i = 0; i < 2 * COUNT(of); i++) {
		const struct matrix m = random_halves(types[i % 2], 3, 37,
		                                      300);

		check_call("reduce", &m, 1, v, "op", of[i / 2], NULL);
		check_call("reduce", &m, 1, v, "op", of[i / 2], "0");
		check_call("reduce", &m, 1, v, "op", of[i / 2], "1");
		matrix_fini((struct matrix *)&m);
	}
}

START_TEST(reductions_are_rounded_once)
{
	each_variant("reduce", check_reduce);
}
END_TEST

/* The dtype of a product of two such matrices. */
static const struct mix {
	enum dtype a, b, c;
} mixes[] = {
	{ FLOAT16, FLOAT16, FLOAT16 },
	{ BFLOAT16, BFLOAT16, BFLOAT16 },
	{ FLOAT16, BFLOAT16, FLOAT32 },
	{ FLOAT16, FLOAT32, FLOAT32 },
	{ FLOAT32, BFLOAT16, FLOAT32 },
	{ FLOAT16, FLOAT64, FLOAT64 },
	{ INT32, FLOAT16, FLOAT64 },
	{ BFLOAT16, INT64, FLOAT64 },
};

START_TEST(mixed_types_promote)
{
	const double x[] = { 1, 2, 3, 4 };
	struct matrix in[] = { matrix_of(FLOAT64, x, 2, 2, 2),
	                       matrix_of(FLOAT64, x, 2, 2, 2) };
	struct err e = { 0 };
	struct args a;

	ck_ok(matrix_convert(&in[0], mixes[_i].a, test_pool, &e), &e);
	ck_ok(matrix_convert(&in[1], mixes[_i].b, test_pool, &e), &e);
	op_run("matmul", in, 2, &a, NULL);
	ck_assert_int_eq(a.out[0].dtype, mixes[_i].c);
	ck_assert(matrix_get(&a.out[0], 3) == 22);
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(a_request_may_name_the_type)
{
	const double x[] = { 300, 300, 0, 1 };
	struct matrix in[] = { matrix_of(FLOAT64, x, 2, 2, 2),
	                       matrix_of(FLOAT64, x, 2, 2, 2) };
	struct err e = { 0 };
	struct args a;

	op_run("matmul", in, 2, &a, "dtype", "float16", NULL);
	ck_assert_int_eq(a.out[0].dtype, FLOAT16);
	ck_assert(isinf(matrix_get(&a.out[0], 0)));	/* 90000 */
	ck_assert(matrix_get(&a.out[0], 3) == 1);
	args_fini(&a);
	op_run("reduce", in, 1, &a, "dtype", "bfloat16", NULL);
	ck_assert_int_eq(a.out[0].dtype, BFLOAT16);
	ck_assert(matrix_get(&a.out[0], 0) == 600);	/* of 601: a tie */
	args_fini(&a);
	ck_refused(op_try("transpose", in, 1, &a, &e, "dtype", "float16",
	                  NULL), &e, ERR_PARAMETER);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* The device allows only buffers that hold a small part of a matrix: each part
 * is widened and rounded by itself. */
START_TEST(matrices_in_pieces_are_rounded_once)
{
	static const char *const calls[][3] = {
		{ "matmul", "transpose_a", "false" },
		{ "matmul", "transpose_a", "true" },
		{ "reduce", "op", "max" },
	};
	const struct sheet usual = *device_sheet(test_device);
	const struct matrix in[] = { random_halves(BFLOAT16, 1, 200, 200),
	                             random_halves(BFLOAT16, 2, 200, 200) };
	const char *const *call = calls[_i];
	const int n = call[0][0] == 'm' ? 2 : 1;
	const struct variant *v;

	for (v = op_find(call[0])->variants; !v->auto_for ||
	     variant_lacks(v, device_sheet(test_device)); v++)
		;
	device_limit(test_device, usual.global_memory_bytes, 64 << 10);
	check_call(call[0], in, n, v, call[1], call[2], NULL);
	device_limit(test_device, usual.global_memory_bytes,
	             usual.max_allocation_bytes);
	matrix_fini((struct matrix *)&in[0]);
	matrix_fini((struct matrix *)&in[1]);
}
END_TEST

/* argmax has an index, which is not rounded; transpose answers in float32. */
START_TEST(other_answers_have_their_own_types)
{
	const struct matrix m = random_halves(FLOAT16, 9, 50, 100);
	struct args a;

	op_run("reduce", &m, 1, &a, "op", "argmax", NULL);
	ck_assert_int_eq(a.out[2].dtype, INT64);
	for (size_t i = 0; i < matrix_elements(&m); i++)
		ck_assert(matrix_get(&m, i) <= matrix_get(&m, (size_t)
		          matrix_get(&a.out[2], 0)));
	args_fini(&a);
	op_run("transpose", &m, 1, &a, NULL);
	ck_assert_int_eq(a.out[0].dtype, FLOAT32);
	ck_assert(matrix_get(&a.out[0], 1) == matrix_get(&m, 100));
	args_fini(&a);
	matrix_fini((struct matrix *)&m);
}
END_TEST

START_TEST(calls_that_fail_leave_nothing)
{
	const struct matrix in[] = { random_halves(FLOAT16, 1, 20, 20),
	                             random_halves(FLOAT16, 2, 20, 20) };

	op_survives_failing_calls("matmul", in, 2);
	matrix_fini((struct matrix *)&in[0]);
	matrix_fini((struct matrix *)&in[1]);
}
END_TEST

static void add_tests(TCase *c)
{
	tcase_add_loop_test(c, a_device_widens_every_element, 0, COUNT(types));
	tcase_add_loop_test(c, a_device_rounds_to_nearest_even, 0,
	                    COUNT(types));
	tcase_add_test(c, products_are_rounded_once);
	tcase_add_test(c, reductions_are_rounded_once);
	tcase_add_loop_test(c, mixed_types_promote, 0, COUNT(mixes));
	tcase_add_test(c, a_request_may_name_the_type);
	tcase_add_loop_test(c, matrices_in_pieces_are_rounded_once, 0, 3);
	tcase_add_test(c, other_answers_have_their_own_types);
	tcase_add_test(c, calls_that_fail_leave_nothing);
}

TCase *tcase_halves(void)
{
	TCase *c = tcase_create("halves");

	add_tests(c);
	return c;
}

/* The same on a device that has memory of its own. */
TCase *tcase_halves_copied(void)
{
	TCase *c = tcase_create("halves_copied");

	tcase_add_checked_fixture(c, copied, in_place);
	add_tests(c);
	return c;
}
