/* json_objects.c - objects that stand for operands in JSON: factors with their
 * pivots, complex scalars, and fields of the wrong kind. */
#include <stdio.h>

#include "tests/format/sink.h"
#include "tests/test.h"

#define JSON "application/json"

static const char *const solves[] = { "factors", "pivots", "b" };
static const char *const others[] = { "factors", "a", "b" };

static struct test_sink s;
static struct err e;

static void setup(void)
{
	e = (struct err){ 0 };
	test_sink_init(&s);
}

static void teardown(void)
{
	test_sink_fini(&s);
	ck_assert_uint_eq(memory_pool_used(test_pool), 0);
}

static int read(const char *body)
{
	return sink_read(&s, JSON, body, strlen(body), 7, &e);
}

#define refused(body, error, word, at)                                   \
	do {                                                             \
		ck_refused(read(body), &e, error);                       \
		ck_assert_msg(strstr(e.text, word) != NULL,              \
		              "\"%s\" lacks \"%s\"", e.text, word);      \
		ck_assert_str_eq(e.pointer, at);                         \
	} while (0)

/* --- factors */

#define LU "{\"lu\":[[4,3],[0.5,1]],\"pivots\":[1,0]}"

START_TEST(factors_bring_their_pivots)
{
	static const double lu[] = { 4, 3, 0.5, 1 }, pivots[] = { 1, 0 };

	s.names = solves;
	ck_ok(read("{\"factors\":" LU "}"), &e);
	sink_holds(&s.m[0], FLOAT64, "2x2", lu);
	sink_holds(&s.m[1], FLOAT64, "2", pivots);
}
END_TEST

START_TEST(factors_may_be_complex)
{
	static const double pivots[] = { 1, 0 };

	s.names = solves;
	ck_ok(read("{\"factors\":{\"lu\":{\"real\":[[4,3],[0.5,1]],"
	           "\"imag\":[[1,0],[0,-2]]},\"pivots\":[1,0],\"singular\":"
	           "false,\"sign\":{\"real\":1,\"imag\":0}}}"), &e);
	ck_assert_int_eq(s.m[0].dtype, COMPLEX128);
	ck_assert_double_eq(matrix_get(&s.m[0], 1), 3);
	ck_assert_double_eq(matrix_get_imaginary(&s.m[0], 3), -2);
	sink_holds(&s.m[1], FLOAT64, "2", pivots);
}
END_TEST

/* lu may have any form of an operand, and its own dtype. */
START_TEST(factors_may_be_an_object)
{
	static const double lu[] = { 4, 3, 0.5, 1 }, pivots[] = { 1, 0 };

	s.names = solves;
	ck_ok(read("{\"factors\":{\"pivots\":[1,0],\"lu\":{\"shape\":[2,2],"
	           "\"data\":[4,3,0.5,1],\"dtype\":\"float32\"}}}"), &e);
	sink_holds(&s.m[0], FLOAT32, "2x2", lu);
	sink_holds(&s.m[1], FLOAT64, "2", pivots);
}
END_TEST

/* So may pivots. */
START_TEST(pivots_of_factors_may_be_an_object)
{
	static const double pivots[] = { 1, 0 };

	s.names = solves;
	ck_ok(read("{\"factors\":{\"pivots\":{\"data\":[1,0],\"shape\":[2]},"
	           "\"lu\":[[4,3],[0.5,1]]}}"), &e);
	sink_holds(&s.m[1], FLOAT64, "2", pivots);
}
END_TEST

START_TEST(pivots_that_are_no_list_are_refused)
{
	static const struct { const char *pivots, *word, *at; } cases[] = {
		{ "5", "factors: pivots must be a list of numbers",
		  "/factors/pivots" },
		{ "[0,[1]]", "numbers and rows", "/factors/pivots" },
		{ "{\"data\":[1,2,3],\"shape\":[2]}", "its shape says",
		  "/factors/pivots/data" },
		{ "{\"data\":[1],\"shape\":2}", "must be a list",
		  "/factors/pivots/shape" },
	};
	struct text body = { 0 };
	int rc;

	s.names = solves;
	text_printf(&body, "{\"factors\":{\"lu\":[[4]],\"pivots\":%s}}",
	            cases[_i].pivots);
	rc = read(body.data);
	text_fini(&body);
	ck_refused(rc, &e, ERR_FORMAT);
	ck_assert_msg(strstr(e.text, cases[_i].word) != NULL, "%s", e.text);
	ck_assert_str_eq(e.pointer, cases[_i].at);
}
END_TEST

START_TEST(factors_that_are_no_matrix_are_refused)
{
	static const struct { const char *lu, *word, *at; } cases[] = {
		{ "5", "factors: lu must be rows of numbers", "/factors/lu" },
		{ "{\"real\":[[1]]}", "imag is missing", "/factors/lu/imag" },
		{ "{\"real\":[[1]],\"imag\":[[1,2]]}", "the same shape",
		  "/factors/lu/imag" },
		{ "{\"real\":[[1]],\"imag\":[[1],[2,3]]}", "row 2 has",
		  "/factors/lu/imag" },
		{ "[[1,2],[3]]", "row 2 has", "/factors/lu" },
		{ "{\"data\":[1,2,3],\"shape\":[2,2]}", "its shape says",
		  "/factors/lu/data" },
		{ "{\"real\":[[1]],\"ref\":\"f\"}", "does not go with",
		  "/factors/lu/real" },
		{ LU, "factors: lu must be one matrix", "" },
	};
	struct text body = { 0 };
	int rc;

	s.names = solves;
	text_printf(&body, "{\"factors\":{\"lu\":%s,\"pivots\":[0]}}",
	            cases[_i].lu);
	rc = read(body.data);
	text_fini(&body);
	ck_refused(rc, &e, ERR_FORMAT);
	ck_assert_msg(strstr(e.text, cases[_i].word) != NULL, "%s", e.text);
	ck_assert_str_eq(e.pointer, cases[_i].at);
}
END_TEST

START_TEST(factors_need_their_pivots)
{
	s.names = solves;
	refused("{\"factors\":{\"lu\":[[4]]}}", ERR_FORMAT,
	        "lu came without its pivots", "/factors");
}
END_TEST

START_TEST(pivots_come_once)
{
	s.names = solves;
	refused("{\"pivots\":[0,1],\"factors\":" LU "}", ERR_REQUEST,
	        "pivots: no operand or given twice", "/factors");
}
END_TEST

START_TEST(only_solve_takes_factors)
{
	refused("{\"a\":" LU "}", ERR_FORMAT, "a: an object of lu and pivots "
	        "stands for solve's factors alone", "/a");
}
END_TEST

START_TEST(other_factors_are_matrices)
{
	s.names = others;
	refused("{\"factors\":" LU "}", ERR_FORMAT, "solve's factors alone",
	        "/factors");
}
END_TEST

START_TEST(a_part_is_one_matrix)
{
	s.names = solves;
	refused("{\"factors\":{\"real\":" LU ",\"imag\":[[1]]}}", ERR_FORMAT,
	        "real must be one matrix", "");
}
END_TEST

/* --- complex numbers */

START_TEST(a_complex_scalar_has_two_numbers)
{
	ck_ok(read("{\"a\":{\"real\":1.5,\"imag\":-2}}"), &e);
	ck_assert_int_eq(s.m[0].dtype, COMPLEX128);
	ck_assert_int_eq(s.m[0].ndim, 0);
	ck_assert_double_eq(matrix_get(&s.m[0], 0), 1.5);
	ck_assert_double_eq(matrix_get_imaginary(&s.m[0], 0), -2);
}
END_TEST

START_TEST(a_complex_scalar_is_within_float64)
{
	refused("{\"a\":{\"real\":1,\"imag\":1e999}}", ERR_FORMAT,
	        "the number is beyond float64", "");
}
END_TEST

START_TEST(a_part_comes_once)
{
	static const char *const bodies[] = {
		"{\"a\":{\"real\":1,\"real\":2}}",
		"{\"a\":{\"real\":{\"shape\":[1],\"data\":[1]},"
		"\"real\":{\"shape\":[1],\"data\":[1]}}}",
	};

	refused(bodies[_i], ERR_FORMAT, "twice", "/a/real");
}
END_TEST

START_TEST(parts_of_parts_are_refused)
{
	refused("{\"a\":{\"real\":{\"real\":1,\"imag\":2},\"imag\":1}}",
	        ERR_FORMAT, "rows of numbers", "/a/real/real");
}
END_TEST

/* --- long parts are finished like any other operand */

START_TEST(a_long_part_is_made_at_the_end)
{
	ck_ok(read("{\"a\":{\"real\":{\"generate\":\"identity\","
	           "\"shape\":[100,100]},\"imag\":{\"generate\":\"identity\","
	           "\"shape\":[100,100]}}}"), &e);
	for (size_t i = 0; i < 100; i++) {
		ck_assert_double_eq(matrix_get(&s.m[0], 101 * i), 1);
		ck_assert_double_eq(matrix_get_imaginary(&s.m[0], 101 * i), 1);
	}
	ck_assert_double_eq(matrix_get_imaginary(&s.m[0], 1), 0);
}
END_TEST

/* --- fields of the wrong kind */

#define SHAPED "\"shape\":[2]"

static const struct { const char *operand, *word, *at; } wrong[] = {
	{ "{\"ref\":5}", "ref must be a stored matrix's name", "/a/ref" },
	{ "{\"base64\":5," SHAPED "}", "base64 must be a string",
	  "/a/base64" },
	{ "{\"data\":5," SHAPED "}", "data must be rows of numbers",
	  "/a/data" },
	{ "{\"real\":true}", "real must be rows of numbers", "/a/real" },
	{ "{\"indptr\":5}", "indptr must be a list of numbers",
	  "/a/indptr" },
	{ "{\"data\":[1,2]}", "shape must be a list", "/a/shape" },
	{ "{\"data\":[1,2],\"shape\":2}", "shape must be a list",
	  "/a/shape" },
	{ "{\"data\":[1],\"shape\":[1,1,1,1,1,1,1,1,1]}",
	  "a list of <= 8 integers", "/a/shape" },
	{ "{\"data\":[1,2],\"shape\":[2.0]}", "hold integers from 0 on",
	  "/a/shape" },
	{ "{\"data\":[1,2],\"shape\":[-2]}", "hold integers from 0 on",
	  "/a/shape" },
	{ "{\"data\":[1,2],\"dtype\":5," SHAPED "}", "dtype must be one of",
	  "/a/dtype" },
	{ "{\"data\":[1,2],\"dtype\":\"float\"," SHAPED "}",
	  "dtype must be one of", "/a/dtype" },
	{ "{\"generate\":5," SHAPED "}", "must be a generator's name",
	  "/a/generate" },
	{ "{\"generate\":\"random\",\"seed\":\"1\"," SHAPED "}",
	  "seed must be an integer from 0 on", "/a/seed" },
	{ "{\"generate\":\"random\",\"seed\":-1," SHAPED "}",
	  "seed must be an integer from 0 on", "/a/seed" },
	{ "{\"format\":\"coo\",\"shape\":[2,2],\"data\":[1],\"row\":[0],"
	  "\"col\":[0],\"dtype\":7}", "dtype must be one of", "/a/dtype" },
	{ "[Infinity]", "JSON has no NaN", "/a" },
	{ "[1,+NaN]", "JSON has no NaN", "/a" },
	{ "[1,?]", "where a number is wanted", "/a" },
};

START_TEST(a_field_of_the_wrong_kind_is_told)
{
	char body[200];

	snprintf(body, sizeof body, "{\"a\":%s}", wrong[_i].operand);
	refused(body, ERR_FORMAT, wrong[_i].word, wrong[_i].at);
}
END_TEST

START_TEST(there_may_be_no_stored_matrices)
{
	refused("{\"a\":{\"ref\":\"x\"}}", ERR_NOT_FOUND,
	        "no stored matrix \"x\"", "/a");
}
END_TEST

/* --- parameters */

START_TEST(parameters_are_passed_as_in_a_query)
{
	ck_ok(read("{\"p\":[-7,1.5],\"q\":[],\"r\":false,"
	           "\"s\":\"\\u0041\",\"t\":1e-8,\"u\":[\"x\",\"y\"]}"), &e);
	ck_assert_str_eq(s.parameters.data,
	                 "p=-7,1.5;q=;r=false;s=A;t=1e-08;u=x,y;");
}
END_TEST

START_TEST(a_parameter_is_plain)
{
	static const char *const bodies[] = {
		"{\"p\":null}", "{\"p\":{}}", "{\"p\":[1,[2]]}",
		"{\"p\":[null]}", "{\"p\":[true]}", "{\"p\":[1,\"x\"]}",
	};

	refused(bodies[_i], ERR_PARAMETER, "p: must be a string or a number or "
	        "true or false or a list of strings or a list of numbers",
	        "/p");
}
END_TEST

TCase *tcase_json_objects(void)
{
	TCase *c = tcase_create("json_objects");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, factors_bring_their_pivots);
	tcase_add_test(c, factors_may_be_complex);
	tcase_add_test(c, factors_may_be_an_object);
	tcase_add_test(c, pivots_of_factors_may_be_an_object);
	tcase_add_loop_test(c, pivots_that_are_no_list_are_refused, 0, 4);
	tcase_add_loop_test(c, factors_that_are_no_matrix_are_refused, 0, 8);
	tcase_add_test(c, factors_need_their_pivots);
	tcase_add_test(c, pivots_come_once);
	tcase_add_test(c, only_solve_takes_factors);
	tcase_add_test(c, other_factors_are_matrices);
	tcase_add_test(c, a_part_is_one_matrix);
	tcase_add_test(c, a_complex_scalar_has_two_numbers);
	tcase_add_test(c, a_complex_scalar_is_within_float64);
	tcase_add_loop_test(c, a_part_comes_once, 0, 2);
	tcase_add_test(c, parts_of_parts_are_refused);
	tcase_add_test(c, a_long_part_is_made_at_the_end);
	tcase_add_loop_test(c, a_field_of_the_wrong_kind_is_told, 0,
	                    COUNT(wrong));
	tcase_add_test(c, there_may_be_no_stored_matrices);
	tcase_add_test(c, parameters_are_passed_as_in_a_query);
	tcase_add_loop_test(c, a_parameter_is_plain, 0, 6);
	return c;
}
