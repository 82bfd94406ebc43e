/* half.c - float16 and bfloat16: every bit pattern becomes its value, every
 * value is rounded to the nearest element of even bits, and printed as the
 * shortest decimal that reads back. The values are told here by the definition
 * of the formats. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "matrix/half.h"
#include "tests/test.h"

static const struct type {
	enum dtype dtype;
	int fraction, bias;
	float (*value)(uint16_t bits);
	uint16_t (*of)(double x);
} types[] = {
	{ FLOAT16, 10, 15, half_value, half_of },
	{ BFLOAT16, 7, 127, bfloat_value, bfloat_of },
};

/* The magnitude of the element with these bits, by the formats' definition; of
 * the exponent of infinity, too, as if it were one of a finite number. */
static double magnitude(const struct type *t, unsigned bits)
{
	const unsigned one = 1u << t->fraction;
	const int exponent = (int)(bits >> t->fraction);
	const double fraction = bits % one + (exponent ? one : 0);

	return ldexp(fraction, (exponent ? exponent : 1) - t->bias -
	                       t->fraction);
}

static unsigned infinity_of(const struct type *t)
{
	return 0x7fff >> t->fraction << t->fraction;
}

START_TEST(every_element_has_its_value)
{
	const struct type *t = &types[_i];

	for (unsigned bits = 0; bits <= 0xffff; bits++) {
		const unsigned size = bits & 0x7fff;
		const float x = t->value((uint16_t)bits);

		ck_assert_int_eq(!!signbit(x), bits >> 15);
		if (size > infinity_of(t))
			ck_assert(isnan(x) && isnan(t->value(t->of(x))));
		else if (size == infinity_of(t))
			ck_assert(isinf(x));
		else
			ck_assert(fabs((double)x) == magnitude(t, size));
		if (size <= infinity_of(t))
			ck_assert_uint_eq(t->of(x), bits);
	}
}
END_TEST

/* Between one element and the next, the infinite one included. */
START_TEST(values_are_rounded_to_nearest_even)
{
	const struct type *t = &types[_i];

	for (unsigned bits = 0; bits < infinity_of(t); bits++) {
		const double low = magnitude(t, bits);
		const double middle = (low + magnitude(t, bits + 1)) / 2;
		const unsigned even = bits + bits % 2;

		ck_assert_uint_eq(t->of(middle), even);
		ck_assert_uint_eq(t->of(-middle), even | 0x8000);
		ck_assert_uint_eq(t->of(nextafter(middle, 0)), bits);
		ck_assert_uint_eq(t->of(nextafter(middle, INFINITY)), bits + 1);
	}
	ck_assert_uint_eq(t->of(DBL_MAX), infinity_of(t));
	ck_assert_uint_eq(t->of(-DBL_TRUE_MIN), 0x8000);
}
END_TEST

/* Is the decimal of x with that many digits read back as x? */
static bool is_enough(const struct type *t, float x, int digits)
{
	char text[40];

	snprintf(text, sizeof text, "%.*e", digits - 1, (double)x);
	return t->of(strtod(text, NULL)) == t->of(x);
}

static int digits_of(const char *text)
{
	int digits = 0, zeros = 0;

	for (; *text && *text != 'e'; text++) {
		if (*text == '.' || *text == '-' ||
		    (*text == '0' && digits == 0))
			continue;
		zeros = *text == '0' ? zeros + 1 : 0;
		digits++;
	}
	return digits - zeros;
}

START_TEST(elements_are_printed_shortest)
{
	const struct type *t = &types[_i];

	for (unsigned bits = 0; bits <= 0xffff; bits++) {
		const float x = t->value((uint16_t)bits);
		char text[64];
		int digits;

		if (!isfinite(x))
			continue;
		text[half_print(text, t->dtype, x)] = 0;
		ck_assert_uint_eq(t->of(strtod(text, NULL)), bits);
		digits = digits_of(text);
		ck_assert_msg(digits < 2 || !is_enough(t, x, digits - 1),
		              "%s", text);
	}
}
END_TEST

static struct matrix vector(enum dtype d, const void *elements, size_t n)
{
	struct matrix m = { .dtype = d, .ndim = 1, .dim = { n } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	memcpy(matrix_data(&m), elements, matrix_size(&m));
	return m;
}

START_TEST(matrices_become_half_and_return)
{
	static const double x[] = { 1, -2, 65504, 0x1p-24, -0.0, INFINITY };
	const enum dtype types_of[] = { FLOAT32, FLOAT64 };
	struct err e = { 0 };

	for (int i = 0; i < 2; i++) {
		struct matrix m = vector(FLOAT64, x, COUNT(x));

		ck_ok(matrix_convert(&m, types_of[i], test_pool, &e), &e);
		ck_ok(matrix_convert(&m, FLOAT16, test_pool, &e), &e);
		for (size_t k = 0; k < COUNT(x); k++)
			ck_assert(matrix_get(&m, k) == x[k]);
		ck_ok(matrix_convert(&m, types_of[!i], test_pool, &e), &e);
		for (size_t k = 0; k < COUNT(x); k++)
			ck_assert(matrix_get(&m, k) == x[k]);
		matrix_fini(&m);
	}
}
END_TEST

/* Of 2^60 + 2^52 + 1, float64 drops the 1, and what is left is a tie. */
START_TEST(integers_become_half_by_one_rounding)
{
	const int64_t one = 1, x[] = { (one << 60) + (one << 52) + 1,
	                               -(one << 60) - (one << 52), 257 };
	struct matrix m = vector(INT64, x, 3);
	struct err e = { 0 };

	ck_ok(matrix_convert(&m, BFLOAT16, test_pool, &e), &e);
	ck_assert(matrix_get(&m, 0) == 0x1.02p60);
	ck_assert(matrix_get(&m, 1) == -0x1p60);
	ck_assert(matrix_get(&m, 2) == 256);
	ck_ok(matrix_convert(&m, INT64, test_pool, &e), &e);
	ck_assert_int_eq(((int64_t *)matrix_data(&m))[2], 256);
	matrix_fini(&m);
}
END_TEST

static const struct refused {
	enum dtype from, to;
	double x;
	const char *text;
} refused[] = {
	{ FLOAT64, FLOAT16, 65520, "element 1 is 65520, which is no float16" },
	{ FLOAT32, FLOAT16, -1e5, "element 1 is -1e+05, which is no float16" },
	{ INT32, FLOAT16, 65520, "element 1 is 65520, which is no float16" },
	{ FLOAT64, BFLOAT16, 1e39,
	  "element 1 is 1e+39, which is no bfloat16" },
	{ FLOAT16, INT32, 0.1, "element 1 is 0.1, which is no int32" },
	{ BFLOAT16, FLOAT16, 65536,
	  "element 1 is 65500, which is no float16" },
};

START_TEST(what_half_cannot_hold_is_refused)
{
	const double x[] = { 1, refused[_i].x };
	struct matrix m = vector(FLOAT64, x, 2);
	struct err e = { 0 };

	if (refused[_i].from != FLOAT64)
		ck_ok(matrix_convert(&m, refused[_i].from, test_pool, &e), &e);
	ck_refused(matrix_convert(&m, refused[_i].to, test_pool, &e), &e,
	           ERR_FORMAT);
	ck_assert_str_eq(e.text, refused[_i].text);
	matrix_fini(&m);
}
END_TEST

TCase *tcase_half(void)
{
	TCase *c = tcase_create("half");

	tcase_add_loop_test(c, every_element_has_its_value, 0, COUNT(types));
	tcase_add_loop_test(c, values_are_rounded_to_nearest_even, 0,
	                    COUNT(types));
	tcase_add_loop_test(c, elements_are_printed_shortest, 0, COUNT(types));
	tcase_add_test(c, matrices_become_half_and_return);
	tcase_add_test(c, integers_become_half_by_one_rounding);
	tcase_add_loop_test(c, what_half_cannot_hold_is_refused, 0,
	                    COUNT(refused));
	return c;
}
