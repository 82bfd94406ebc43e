/* matrix_market.c - Matrix Market text, dense arrays and coordinates. */
#include <math.h>
#include <stdio.h>

#include "tests/format/sink.h"
#include "tests/test.h"

#define MM "application/x-matrix-market"
#define ARRAY "%%MatrixMarket matrix array real general\n"
#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"

static const double *wanted;
static const char *wanted_shape;

static void check(struct test_sink *s)
{
	sink_holds(&s->m[0], FLOAT64, wanted_shape, wanted);
}

static void reads(const char *body, const char *shape, const double *x)
{
	wanted = x;
	wanted_shape = shape;
	sink_reads(MM, body, check);
}

START_TEST(arrays_stand_by_columns)
{
	static const double x[] = { 1, 2, 3, 4, 5.5, -6 };

	reads(ARRAY "% a comment\n\n2 3\n1\n4\n2\n5.5\n3\n-6\n", "2x3", x);
	reads("%%matrixmarket MATRIX Array INTEGER General\r\n"
	      "% crlf\r\n 2\t3 \r\n1\r\n4\r\n\r\n2\r\n+5.5\r\n%mid\r\n"
	      "3\r\n-6", "2x3", x);
	reads(ARRAY "0 5\n", "0x5", x);
	reads(ARRAY "1 1\n1", "1x1", x);
}
END_TEST

START_TEST(symmetric_arrays_hold_a_triangle)
{
	static const double symmetric[] = { 1, 2, 3, 2, 4, 5, 3, 5, 6 };
	static const double skew[] = { 0, -1, -2, 1, 0, -3, 2, 3, 0 };

	reads("%%MatrixMarket matrix array real symmetric\n3 3\n"
	      "1\n2\n3\n4\n5\n6\n", "3x3", symmetric);
	reads("%%MatrixMarket matrix array real symmetric\n1 1\n1\n", "1x1",
	      symmetric);
	reads("%%MatrixMarket matrix array real skew-symmetric\n3 3\n"
	      "1\n2\n3\n", "3x3", skew);
	reads("%%MatrixMarket matrix array real skew-symmetric\n1 1\n",
	      "1x1", skew);
	reads("%%MatrixMarket matrix array real skew-symmetric\n0 0\n",
	      "0x0", skew);
}
END_TEST

/* The entries are in either triangle, in both, or some in each. */
START_TEST(symmetric_matrices_come_from_any_triangle)
{
	static const char symmetric[] =
	    "%%MatrixMarket matrix coordinate real symmetric\n3 3 ";
	static const char skew[] =
	    "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 ";
	static const char *const good[] = {
		"3\n2 2 4\n2 1 5\n3 1 6\n", "3\n1 3 6\n2 2 4\n1 2 5\n",
		"3\n3 1 6\n2 2 4\n1 2 5\n",
		"5\n3 1 6\n2 2 4\n1 2 5\n1 3 6\n2 1 5\n",
		"6\n1 3 6\n3 1 2\n2 2 4\n2 1 5\n3 1 4\n2 2 0\n",
	}, *const turned[] = {
		"2\n2 1 5\n3 1 6\n", "3\n1 3 -6\n1 2 -5\n1 1 0\n",
		"4\n1 3 -6\n2 1 5\n3 1 6\n1 2 -5\n",
	};
	static const double x[] = { 0, 5, 6, 5, 4, 0, 6, 0, 0 };
	static const double y[] = { 0, -5, -6, 5, 0, 0, 6, 0, 0 };

	for (size_t i = 0; i < COUNT(good) + COUNT(turned); i++) {
		const bool is_skew = i >= COUNT(good);
		struct text body = { 0 };

		text_printf(&body, "%s%s", is_skew ? skew : symmetric,
		            is_skew ? turned[i - COUNT(good)] : good[i]);
		reads(body.data, "3x3", is_skew ? y : x);
		text_fini(&body);
	}
	reads("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n2\n4\n",
	      "2x2", (double[]){ 1, 2, 2, 4 });
	reads("%%MatrixMarket matrix array real skew-symmetric\n2 2\n0\n2\n"
	      "-2\n0\n", "2x2", (double[]){ 0, -2, 2, 0 });
}
END_TEST

START_TEST(a_hermitian_matrix_of_reals_is_symmetric)
{
	static const double x[] = { 1, 2, 2, 0 };

	reads("%%MatrixMarket matrix coordinate real hermitian\n2 2 2\n"
	      "1 1 1\n2 1 2\n", "2x2", x);
	reads("%%MatrixMarket matrix array integer hermitian\n2 2\n1\n2\n"
	      "0\n", "2x2", x);
}
END_TEST

START_TEST(exponents_may_be_fortrans)
{
	static const double x[] = { 100, -0.25, 1e-103, 1e100, 3 };

	reads(ARRAY "5 1\n1.0D+02\n-2.5d-1\n1.0-103\n+1+100\n3.D0\n",
	      "5x1", x);
	reads(COORDINATE "1 1 1\n1 1 1.0D+02 \n", "1x1", x);
}
END_TEST

static bool lost;

static void tells_lost(struct test_sink *s)
{
	ck_assert_int_eq(s->m[0].rounded, lost);
}

START_TEST(integers_beyond_float64_are_told)
{
	lost = true;
	sink_reads(MM, "%%MatrixMarket matrix array integer general\n2 1\n"
	           "9007199254740993\n1\n", tells_lost);
	lost = false;
	sink_reads(MM, "%%MatrixMarket matrix array integer general\n2 1\n"
	           "9007199254740994\n1\n", tells_lost);
	sink_reads(MM, ARRAY "2 1\n9007199254740993\n1\n", tells_lost);
}
END_TEST

START_TEST(coordinates_are_summed_and_mirrored)
{
	static const double general[] = { 0, 0, 3.5, -1, 0, 0 };
	static const double symmetric[] = { 2, 7, 7, 0 };
	static const double skew[] = { 0, -7, 7, 0 };
	static const double pattern[] = { 1, 0, 0, 1 };

	reads(COORDINATE "2 3 3\n1 3 1.5\n2 1 -1\n1 3 2\n", "2x3", general);
	reads("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n"
	      "1 1 2\n2 1 7\n", "2x2", symmetric);
	reads("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n"
	      "2 1 7\n", "2x2", skew);
	reads("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n"
	      "1 1\n2 2\n", "2x2", pattern);
	reads(COORDINATE "2 2 0\n", "2x2", (double[4]){ 0 });
}
END_TEST

static void has_nonfinite(struct test_sink *s)
{
	ck_assert(isnan(matrix_get(&s->m[0], 0)));
	ck_assert_double_eq(matrix_get(&s->m[0], 1), -INFINITY);
}

START_TEST(spelled_out_nonfinite_values_are_read)
{
	sink_reads(MM, ARRAY "2 1\nnan\n-inf\n", has_nonfinite);
}
END_TEST

START_TEST(malformed_text_is_refused)
{
	static const struct { const char *body, *word; } bad[] = {
		{ "", "ends before" }, { "\n", "line 1" },
		{ "%%MatrixMarket matrix array real\n1 1\n1\n", "line 1" },
		{ "%MatrixMarket matrix array real general\n", "line 1" },
		{ "%%MatrixMarket vector array real general\n", "line 1" },
		{ "%%MatrixMarket matrix array quaternion general\n1 1\n1\n",
		  "complex" },
		{ "%%MatrixMarket matrix array complex general\n1 1\n1\n",
		  "two numbers" },
		{ "%%MatrixMarket matrix coordinate complex general\n1 1 1\n"
		  "1 1 1\n", "real imaginary" },
		{ "%%MatrixMarket matrix array complex hermitian\n1 1\n1 2\n",
		  "must be real" },
		{ "%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n"
		  "1 1 1 2\n", "diagonal" },
		{ "%%MatrixMarket matrix array real diagonal\n1 1\n1\n",
		  "symmetry" },
		{ "%%MatrixMarket matrix coordinate pattern hermitian\n1 1 0\n",
		  "pattern" },
		{ "%%MatrixMarket matrix array pattern general\n1 1\n1\n",
		  "pattern" },
		{ "%%MatrixMarket matrix array real symmetric\n1 2\n1\n",
		  "square" },
		{ ARRAY, "ends before" },
		{ ARRAY "2 2\n1\n2\n3\n", "3 of 4" },
		{ ARRAY "1 1\n1\n2\n", "more values" },
		{ ARRAY "1 1\n1 2\n", "line 3" },
		{ ARRAY "1 1\nx\n", "line 3" },
		{ ARRAY "1 1\n1e999\n", "line 3" },
		{ ARRAY "1 1\n+-1\n", "line 3" },
		{ ARRAY "1\n1\n", "line 2" }, { ARRAY "1 1 1\n1\n", "line 2" },
		{ ARRAY "-1 1\n1\n", "line 2" }, { ARRAY "1.0 1\n", "line 2" },
		{ COORDINATE "2 2\n", "line 2" },
		{ COORDINATE "2 2 1\n3 1 1\n", "(3,1)" },
		{ COORDINATE "2 2 1\n0 1 1\n", "(0,1)" },
		{ COORDINATE "2 2 1\n1 1\n", "line 3" },
		{ COORDINATE "2 2 2\n1 1 1\n", "1 of 2" },
		{ ARRAY "1 1\n1D\n", "line 3" },
		{ ARRAY "1 1\n1D+\n", "line 3" },
		{ ARRAY "1 1\n1D2x\n", "line 3" },
		{ ARRAY "1 1\n1e2+3\n", "line 3" },
		{ ARRAY "1 1\n1D999\n", "line 3" },
		{ ARRAY "1 1\ninf+1\n", "line 3" },
		{ ARRAY "1 1\nnan-1\n", "line 3" },
		{ ARRAY "1 1\n1D+-1\n", "line 3" },
		{ ARRAY "1 1\n1D5-1\n", "line 3" },
		{ "%%MatrixMarket matrix array realrealrealrealrealreal "
		  "general\n", "line 1" },
		{ "%%MatrixMarket matrix array real symmetric\n2 2\n1\nnan\n"
		  "2\n4\n", "(2,1)" },
		{ "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n"
		  "nan\n4\n", "(2,1)" },
		{ "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n"
		  "1 2 1\n3 1 4\n1 3 5\n", "(3,1) and (1,3)" },
		{ "%%MatrixMarket matrix coordinate real skew-symmetric\n"
		  "3 3 2\n1 2 1\n2 1 1\n", "(2,1)" },
		{ "%%MatrixMarket matrix coordinate real skew-symmetric\n"
		  "2 2 1\n1 1 1\n", "line 3: the diagonal" },
		{ "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n"
		  "4\n", "(2,1)" },
		{ "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n"
		  "4\n5\n6\n7\n", "7 of 9" },
	};

	for (size_t i = 0; i < COUNT(bad); i++)
		sink_refuses(MM, bad[i].body, ERR_FORMAT, bad[i].word);
	sink_refuses(MM, ARRAY "4294967296 4294967296\n", ERR_TOO_LARGE, "");
	sink_refuses(MM, COORDINATE "3000000 3000000 0\n", ERR_TOO_LARGE, "");
}
END_TEST

START_TEST(a_promised_size_takes_no_memory)
{
	sink_refuses(MM, ARRAY "3000000 3000000\n1\n", ERR_FORMAT, "1 of");
	sink_refuses(MM, COORDINATE "3 3 99999999999\n1 1 1\n", ERR_FORMAT,
	             "1 of");
}
END_TEST

START_TEST(long_comments_are_skipped_and_long_lines_refused)
{
	struct test_sink s;
	struct err e = { 0 };
	struct text body = { 0 };

	text_puts(&body, ARRAY);
	text_printf(&body, "%%%05000d\n1 1\n7\n", 1);
	test_sink_init(&s);
	ck_ok(sink_read(&s, MM, body.data, body.length, 100, &e), &e);
	ck_assert_double_eq(matrix_get(&s.m[0], 0), 7);
	test_sink_fini(&s);
	text_clear(&body);
	text_puts(&body, ARRAY);
	text_printf(&body, "1 1\n%05000d\n", 1);
	test_sink_init(&s);
	ck_refused(sink_read(&s, MM, body.data, body.length, 100, &e), &e,
	           ERR_FORMAT);
	test_sink_fini(&s);
	text_fini(&body);
}
END_TEST

/* Reads a text and asserts that it is refused with that word. */
static void refuses_text(struct text *body, const char *word)
{
	struct test_sink s;
	struct err e = { 0 };

	test_sink_init(&s);
	ck_refused(sink_read(&s, MM, body->data, body->length, 100, &e), &e,
	           ERR_FORMAT);
	ck_assert_msg(strstr(e.text, word) != NULL, "%s", e.text);
	test_sink_fini(&s);
	text_fini(body);
}

START_TEST(the_first_line_and_numbers_are_bounded)
{
	struct text banner = { 0 }, digits = { 0 }, exponent = { 0 };

	text_printf(&banner, "%%%%MatrixMarket%02000d\n", 1);
	refuses_text(&banner, "line 1 is longer than 1024 bytes");
	text_puts(&digits, ARRAY);
	text_printf(&digits, "1 1\n%0300dD1\n", 1);
	refuses_text(&digits, "line 3");
	text_puts(&exponent, ARRAY);
	text_printf(&exponent, "1 1\n1D%0300d\n", 1);
	refuses_text(&exponent, "line 3");
}
END_TEST

static void agrees_in_nan(struct test_sink *s)
{
	ck_assert(isnan(matrix_get(&s->m[0], 1)));
	ck_assert(isnan(matrix_get(&s->m[0], 2)));
	ck_assert_double_eq(matrix_get(&s->m[0], 3), 4);
}

START_TEST(both_triangles_may_be_nan)
{
	sink_reads(MM, "%%MatrixMarket matrix array real symmetric\n2 2\n1\n"
	           "nan\nnan\n4\n", agrees_in_nan);
}
END_TEST

static void is_hermitian(struct test_sink *s)
{
	ck_assert_int_eq(s->m[0].dtype, COMPLEX128);
	ck_assert_double_eq(matrix_get_imaginary(&s->m[0], 1), -3);
	ck_assert_double_eq(matrix_get_imaginary(&s->m[0], 2), 3);
}

static void is_empty(struct test_sink *s)
{
	ck_assert_int_eq(s->m[0].dtype, COMPLEX128);
	ck_assert_uint_eq(matrix_elements(&s->m[0]), 0);
}

START_TEST(hermitian_arrays_may_be_whole_or_empty)
{
	static const char hermitian[] =
	    "%%MatrixMarket matrix array complex hermitian\n";
	char body[200];

	snprintf(body, sizeof body, "%s2 2\n1 0\n2 3\n2 -3\n4 0\n",
	         hermitian);
	sink_reads(MM, body, is_hermitian);
	snprintf(body, sizeof body, "%s0 0\n", hermitian);
	sink_reads(MM, body, is_empty);
}
END_TEST

/* What is long is left for another thread, see sink_read(). */
START_TEST(long_matrices_are_laid_out_at_the_end)
{
	struct test_sink s;
	struct err e = { 0 };
	struct text body = { 0 };

	text_puts(&body, "%%MatrixMarket matrix array complex general\n"
	          "200 200\n");
	for (int k = 0; k < 200 * 200; k++)
		text_printf(&body, "%d 1\n", k);
	test_sink_init(&s);
	ck_ok(sink_read(&s, MM, body.data, body.length, body.length, &e), &e);
	ck_assert_double_eq(matrix_get(&s.m[0], 1), 200);
	ck_assert_double_eq(matrix_get_imaginary(&s.m[0], 1), 1);
	test_sink_fini(&s);
	text_clear(&body);
	text_puts(&body, COORDINATE "40000 2 1\n40000 2 7\n");
	test_sink_init(&s);
	s.m[0].layout = CSR;
	ck_ok(sink_read(&s, MM, body.data, body.length, body.length, &e), &e);
	ck_assert_uint_eq(s.m[0].nnz, 1);
	ck_assert_double_eq(*(double *)matrix_data(&s.m[0]), 7);
	test_sink_fini(&s);
	text_fini(&body);
}
END_TEST

TCase *tcase_matrix_market(void)
{
	TCase *c = tcase_create("matrix_market");

	tcase_add_test(c, arrays_stand_by_columns);
	tcase_add_test(c, symmetric_arrays_hold_a_triangle);
	tcase_add_test(c, symmetric_matrices_come_from_any_triangle);
	tcase_add_test(c, a_hermitian_matrix_of_reals_is_symmetric);
	tcase_add_test(c, exponents_may_be_fortrans);
	tcase_add_test(c, integers_beyond_float64_are_told);
	tcase_add_test(c, coordinates_are_summed_and_mirrored);
	tcase_add_test(c, spelled_out_nonfinite_values_are_read);
	tcase_add_test(c, malformed_text_is_refused);
	tcase_add_test(c, a_promised_size_takes_no_memory);
	tcase_add_test(c, long_comments_are_skipped_and_long_lines_refused);
	tcase_add_test(c, the_first_line_and_numbers_are_bounded);
	tcase_add_test(c, both_triangles_may_be_nan);
	tcase_add_test(c, hermitian_arrays_may_be_whole_or_empty);
	tcase_add_test(c, long_matrices_are_laid_out_at_the_end);
	return c;
}
