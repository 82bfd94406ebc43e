/* cast.c - elements are converted to another type exactly, or with one
 * rounding, or refused. */
#include <math.h>
#include <stdint.h>

#include "tests/test.h"

static struct matrix vector(enum dtype d, const void *elements, size_t n)
{
	struct matrix m = { .dtype = d, .ndim = 1, .dim = { n } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	memcpy(matrix_data(&m), elements, matrix_size(&m));
	return m;
}

/* 2^24 + 1 and a little: rounding it first to float64, which drops the little,
 * and then to float32 gives another number than rounding it once. */
START_TEST(int64_is_rounded_once)
{
	const int64_t v[] = { ((int64_t)1 << 60) + ((int64_t)1 << 36) + 1,
	                      -((int64_t)1 << 60) - ((int64_t)1 << 36) - 1,
	                      INT64_MAX, 3 };
	struct matrix m = vector(INT64, v, 4), shared = vector(INT64, v, 4);
	struct matrix held = matrix_ref(&shared);
	struct err e = { 0 };

	ck_ok(matrix_convert(&m, FLOAT32, test_pool, &e), &e);
	ck_ok(matrix_convert(&shared, FLOAT32, test_pool, &e), &e);
	for (int i = 0; i < 4; i++) {
		ck_assert_float_eq(((float *)matrix_data(&m))[i], (float)v[i]);
		ck_assert_float_eq(((float *)matrix_data(&shared))[i],
		                   (float)v[i]);
		ck_assert_int_eq(((int64_t *)matrix_data(&held))[i], v[i]);
	}
	ck_assert(((float *)matrix_data(&m))[0] != (float)(double)v[0]);
	matrix_fini(&m);
	matrix_fini(&shared);
	matrix_fini(&held);
}
END_TEST

/* The conversion is in place, after which no device may know the memory by its
 * name, or into new memory. */
START_TEST(long_integers_become_float64_where_they_are)
{
	enum { N = 5000 };
	static int64_t v[N];
	struct matrix m;
	const void *data;
	struct err e = { 0 };

	for (int i = 0; i < N; i++)
		v[i] = i * INT64_C(1000000007) - N;
	m = vector(INT64, v, N);
	data = matrix_data(&m);
	m.memory->upload_id = 7;
	ck_ok(matrix_convert(&m, FLOAT64, test_pool, &e), &e);
	ck_assert_ptr_eq(matrix_data(&m), data);
	ck_assert_uint_eq(m.memory->upload_id, 0);
	for (int i = 0; i < N; i++)
		ck_assert_double_eq(((double *)matrix_data(&m))[i],
		                    (double)v[i]);
	matrix_fini(&m);
}
END_TEST

static const struct { double x; enum dtype to; const char *why; } bad[] = {
	{ 1.9, INT32, "element 600 is 1.9, which is no int32" },
	{ -0.5, INT64, "is -0.5, which is no int64" },
	{ NAN, INT32, "nan, which is no int32" },
	{ INFINITY, INT64, "inf, which is no int64" },
	{ -INFINITY, INT32, "-inf" },
	{ 0x1p31, INT32, "2147483648" },
	{ -0x1p31 - 1, INT32, "-2147483649" },
	{ 0x1p63, INT64, "9223372036854776000" },
	{ -0x1.8p63, INT64, "no int64" },
	{ 1e300, INT64, "1e+300" },
};

/* For both types of reals, with the fault in the second block of a conversion;
 * the operand must stay as it was. */
START_TEST(what_is_no_integer_is_refused)
{
	double x[601] = { 0 };
	struct matrix m;
	struct err e = { 0 };

	x[600] = bad[_i].x;
	m = vector(FLOAT64, x, 601);
	ck_refused(matrix_convert(&m, bad[_i].to, test_pool, &e), &e,
	           ERR_FORMAT);
	ck_assert_msg(strstr(e.text, bad[_i].why), "%s", e.text);
	ck_assert_int_eq(m.dtype, FLOAT64);
	ck_assert_mem_eq(matrix_data(&m), x, sizeof x);
	e = (struct err){ 0 };
	if ((double)(float)bad[_i].x == bad[_i].x || isnan(bad[_i].x)) {
		ck_ok(matrix_convert(&m, FLOAT32, test_pool, &e), &e);
		ck_refused(matrix_convert(&m, bad[_i].to, test_pool, &e), &e,
		           ERR_FORMAT);
	}
	matrix_fini(&m);
}
END_TEST

START_TEST(nothing_finite_becomes_infinite)
{
	double x[601] = { [3] = INFINITY, [4] = NAN, [5] = 0x1.fffffep127 };
	struct matrix m;
	struct err e = { 0 };

	m = vector(FLOAT64, x, 601);
	ck_ok(matrix_convert(&m, FLOAT32, test_pool, &e), &e);
	ck_assert(((float *)matrix_data(&m))[3] == INFINITY);
	ck_assert(isnan(((float *)matrix_data(&m))[4]));
	matrix_fini(&m);
	x[600] = -1e39;
	m = vector(FLOAT64, x, 601);
	ck_refused(matrix_convert(&m, FLOAT32, test_pool, &e), &e,
	           ERR_FORMAT);
	ck_assert_msg(strstr(e.text, "element 600 is -1e+39, which is no "
	                     "float32"), "%s", e.text);
	matrix_fini(&m);
}
END_TEST

START_TEST(the_ends_of_the_ranges_are_within)
{
	const double x[] = { INT32_MIN, INT32_MAX, -0.0 };
	const double y[] = { -0x1p63, 0x1.fffffffffffffp62, 0 };
	const int64_t v[] = { INT32_MIN, INT32_MAX, (int64_t)INT32_MAX + 1 };
	struct matrix a = vector(FLOAT64, x, 3), b = vector(FLOAT64, y, 3);
	struct matrix c = vector(INT64, v, 3), d = vector(INT64, v, 2);
	struct err e = { 0 };

	ck_ok(matrix_convert(&a, INT32, test_pool, &e), &e);
	ck_assert_int_eq(((int32_t *)matrix_data(&a))[0], INT32_MIN);
	ck_assert_int_eq(((int32_t *)matrix_data(&a))[1], INT32_MAX);
	ck_ok(matrix_convert(&b, INT64, test_pool, &e), &e);
	ck_assert_int_eq(((int64_t *)matrix_data(&b))[0], INT64_MIN);
	ck_assert_int_eq(((int64_t *)matrix_data(&b))[1], INT64_MAX - 1023);
	ck_ok(matrix_convert(&d, INT32, test_pool, &e), &e);
	ck_ok(matrix_convert(&d, INT64, test_pool, &e), &e);
	ck_assert_int_eq(((int64_t *)matrix_data(&d))[0], INT32_MIN);
	ck_refused(matrix_convert_operand(&c, INT32, "b", test_pool, &e), &e,
	           ERR_FORMAT);
	ck_assert_str_eq(e.pointer, "/b");
	ck_assert_str_eq(e.text, "b: element 2 is 2147483648, which is no "
	                 "int32");
	matrix_fini(&a);
	matrix_fini(&b);
	matrix_fini(&c);
	matrix_fini(&d);
}
END_TEST

TCase *tcase_cast(void)
{
	TCase *c = tcase_create("cast");

	tcase_add_test(c, int64_is_rounded_once);
	tcase_add_test(c, long_integers_become_float64_where_they_are);
	tcase_add_loop_test(c, what_is_no_integer_is_refused, 0, COUNT(bad));
	tcase_add_test(c, nothing_finite_becomes_infinite);
	tcase_add_test(c, the_ends_of_the_ranges_are_within);
	return c;
}
