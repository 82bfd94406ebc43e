/* octets.c - raw bytes have the shapes that the query gives. */
#include <stdint.h>
#include <stdio.h>

#include "format/octets.h"
#include "tests/format/sink.h"
#include "tests/test.h"

#define OCTETS "application/octet-stream"

static const double x[] = { 1, -2, 3.5, 4, 5, 6 };

static int read_as(struct test_sink *s, enum dtype d, const char *a,
                   const char *b, const void *body, size_t n, struct err *e)
{
	const char *shapes[] = { a, b };

	test_sink_init(s);
	for (int i = 0; i < 2 && shapes[i]; i++) {
		s->shape_of[i] = b ? (const char *[]){ "a", "b" }[i] : NULL;
		s->shape[i].dtype = d;
		if (octet_shape("shape", shapes[i], &s->shape[i], e) < 0)
			return -1;
		s->n_shapes++;
	}
	return sink_read(s, OCTETS, body, n, 3, e);
}

START_TEST(two_operands_lie_back_to_back)
{
	struct test_sink s;
	struct err e = { 0 };

	ck_ok(read_as(&s, FLOAT64, "2,2", "2", x, sizeof x, &e), &e);
	sink_holds(&s.m[0], FLOAT64, "2x2", x);
	sink_holds(&s.m[1], FLOAT64, "2", x + 4);
	test_sink_fini(&s);
	ck_ok(read_as(&s, FLOAT64, "0,7", "6,1", x, sizeof x, &e), &e);
	sink_holds(&s.m[0], FLOAT64, "0x7", x);
	sink_holds(&s.m[1], FLOAT64, "6x1", x);
	test_sink_fini(&s);
}
END_TEST

START_TEST(integers_stay_integers)
{
	static const int32_t i4[] = { 7, -8, 9 };
	static const uint8_t b1[] = { 1, 0, 1 };
	static const uint16_t f2[] = { 0x3c00, 0xc500 };
	static const uint16_t b2[] = { 0x3f80, 0xc0a0 };
	static const double halves[] = { 1, -5 };
	static const double ints[] = { 7, -8, 9 }, bools[] = { 1, 0, 1 };
	struct test_sink s;
	struct err e = { 0 };

	ck_ok(read_as(&s, INT32, "3", NULL, i4, sizeof i4, &e), &e);
	sink_holds(&s.m[0], INT32, "3", ints);
	test_sink_fini(&s);
	ck_ok(read_as(&s, BOOL, "1,3", NULL, b1, sizeof b1, &e), &e);
	sink_holds(&s.m[0], INT64, "1x3", bools);
	test_sink_fini(&s);
	ck_ok(read_as(&s, FLOAT16, "2", NULL, f2, sizeof f2, &e), &e);
	sink_holds(&s.m[0], FLOAT16, "2", halves);
	test_sink_fini(&s);
	ck_ok(read_as(&s, BFLOAT16, "2", NULL, b2, sizeof b2, &e), &e);
	sink_holds(&s.m[0], BFLOAT16, "2", halves);
	test_sink_fini(&s);
}
END_TEST

START_TEST(the_length_must_be_the_shapes)
{
	static const char *const shapes[] = {
		"5", "7", "1", "0", "2,2", "4294967296,4294967296",
		"2305843009213693953,1", "0,18446744073709551615",
	};

	for (size_t i = 0; i < COUNT(shapes); i++) {
		struct test_sink s;
		struct err e = { 0 };

		ck_assert_int_eq(read_as(&s, FLOAT64, shapes[i], NULL, x,
		                         sizeof x, &e), -1);
		ck_assert(e.code == ERR_FORMAT || e.code == ERR_TOO_LARGE);
		test_sink_fini(&s);
	}
}
END_TEST

START_TEST(sums_of_sizes_cannot_wrap)
{
	struct test_sink s;
	struct err e = { 0 };

	ck_assert_int_eq(read_as(&s, FLOAT64, "1152921504606846976",
	                         "1152921504606846982", x, sizeof x, &e), -1);
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
	test_sink_fini(&s);
}
END_TEST

START_TEST(a_shape_is_integers_and_commas)
{
	static const char *const bad[] = {
		",", "1,", ",1", "-1,3", "1,,2", "1x2", "1,:", "1, 2", " 1",
		"1.0", "18446744073709551616", "1,1,1,1,1,1,1,1,1",
	};
	struct matrix m = { 0 };
	char text[MATRIX_SHAPE_TEXT];
	struct err fine = { 0 };

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err e = { 0 };

		ck_refused(octet_shape("a.shape", bad[i], &m, &e), &e,
		           ERR_PARAMETER);
		ck_assert(strstr(e.text, "a.shape"));
	}
	ck_ok(octet_shape("shape", "", &m, &fine), &fine);
	ck_assert_str_eq(matrix_shape_text(&m, text), "scalar");
	ck_ok(octet_shape("shape", "12,0,7", &m, &fine), &fine);
	ck_assert_str_eq(matrix_shape_text(&m, text), "12x0x7");
}
END_TEST

START_TEST(raw_bytes_without_a_shape_are_refused)
{
	struct test_sink s;
	struct err e = { 0 };

	ck_refused(read_as(&s, FLOAT64, NULL, NULL, x, sizeof x, &e), &e,
	           ERR_REQUEST);
	test_sink_fini(&s);
}
END_TEST

/* Elements that are stored as others are converted at the end, which takes long
 * if there are many. */
START_TEST(many_booleans_become_integers)
{
	enum { MANY = 200000 };
	char *bytes = calloc(MANY, 1);
	struct test_sink s;
	struct err e = { 0 };

	ck_assert_ptr_nonnull(bytes);
	bytes[1] = bytes[MANY - 1] = 1;
	ck_ok(read_as(&s, BOOL, "200000", NULL, bytes, MANY, &e), &e);
	ck_assert_int_eq(s.m[0].dtype, INT64);
	ck_assert_double_eq(matrix_get(&s.m[0], 1), 1);
	ck_assert_double_eq(matrix_get(&s.m[0], MANY - 2), 0);
	ck_assert_double_eq(matrix_get(&s.m[0], MANY - 1), 1);
	test_sink_fini(&s);
	free(bytes);
}
END_TEST

TCase *tcase_octets(void)
{
	TCase *c = tcase_create("octets");

	tcase_add_test(c, two_operands_lie_back_to_back);
	tcase_add_test(c, integers_stay_integers);
	tcase_add_test(c, the_length_must_be_the_shapes);
	tcase_add_test(c, sums_of_sizes_cannot_wrap);
	tcase_add_test(c, a_shape_is_integers_and_commas);
	tcase_add_test(c, raw_bytes_without_a_shape_are_refused);
	tcase_add_test(c, many_booleans_become_integers);
	return c;
}
