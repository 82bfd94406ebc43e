/* json_reader.c - JSON bodies: every form, strictly, in any pieces. */
#include <stdio.h>

#include "tests/format/sink.h"
#include "tests/test.h"

#define JSON "application/json"

static const double ramp[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static void a_is_2x2(struct test_sink *s)
{
	sink_holds(&s->m[0], FLOAT64, "2x2", ramp);
}

START_TEST(every_form_of_a_matrix_is_read)
{
	static const char *const forms[] = {
		"{\"a\":[[1,2],[3,4]]}",
		" { \"a\" :\t[ [ 1 , 2 ] ,\r\n[ 3.0 , 4e0 ] ] } \n",
		"{\"\\u0061\":[[1,2],[3,4]]}",
		"{\"a\":{\"shape\":[2,2],\"data\":[1,2,3,4]}}",
		"{\"a\":{\"data\":[1,2,3,4],\"shape\":[2,2]}}",
		"{\"a\":{\"data\":[[1,2],[3,4]],\"shape\":[2,2]}}",
		("{\"a\":{\"base64\":\"AAAAAAAA8D8AAAAAAAAAQAAAAAAAAAhAAAAAAAAA"
		 "EEA=\",\"shape\":[2,2]}}"),
	};

	for (size_t i = 0; i < COUNT(forms); i++)
		sink_reads(JSON, forms[i], a_is_2x2);
}
END_TEST

static void kinds_of_shape(struct test_sink *s)
{
	sink_holds(&s->m[0], FLOAT64, "2x0", ramp);
	sink_holds(&s->m[1], FLOAT64, "0", ramp);
	sink_holds(&s->m[2], FLOAT64, "2x2x2", ramp);
}

static void scalars(struct test_sink *s)
{
	static const double x = -0.5;

	sink_holds(&s->m[0], FLOAT64, "scalar", &x);
	sink_holds(&s->m[1], FLOAT64, "scalar", ramp);
	sink_holds(&s->m[2], FLOAT32, "3x1", ramp);
}

static void large(struct test_sink *s)
{
	static const double x[] = { 1e30, 1e30 };

	sink_holds(&s->m[0], FLOAT64, "scalar", x);
	sink_holds(&s->m[1], FLOAT64, "2", x);
}

START_TEST(integers_may_be_as_large_as_float64)
{
	sink_reads(JSON, "{\"a\":1000000000000000000000000000000,"
	           "\"b\":[1000000000000000000000000000000,1e30]}", large);
}
END_TEST

START_TEST(shapes_follow_the_nesting)
{
	sink_reads(JSON, "{\"a\":[[],[]],\"b\":[],"
	           "\"c\":[[[1,2],[3,4]],[[5,6],[7,8]]]}", kinds_of_shape);
	sink_reads(JSON, "{\"a\":-0.5,\"b\":{\"shape\":[],\"data\":[1]},"
	           "\"c\":{\"shape\":[3,1],\"dtype\":\"float32\","
	           "\"data\":[1,2,3]}}", scalars);
}
END_TEST

START_TEST(escapes_stand_in_base64)
{
	static const char *const bodies[] = {
		"{\"a\":{\"shape\":[2],\"dtype\":\"int32\","
		"\"base64\":\"AQAAAP\\/\\/\\/\\/8=\"}}",
		"{\"a\":{\"shape\":[2],\"dtype\":\"int32\","
		"\"base64\":\"\\u0041QAAAP\\u002f\\u002F//8\\u003d\"}}",
		"{\"a\":{\"shape\":[2],\"dtype\":\"int32\","
		"\"base64\":\"+\\u002B++AP////8=\"}}",
	};

	for (size_t i = 0; i < COUNT(bodies); i++)
		for (size_t n = strlen(bodies[i]), piece = 1; piece <= n;
		     piece++) {
			struct test_sink s;
			struct err e = { 0 };

			test_sink_init(&s);
			ck_ok(sink_read(&s, JSON, bodies[i], n, piece, &e),
			      &e);
			ck_assert_double_eq(matrix_get(&s.m[0], 1), -1);
			test_sink_fini(&s);
		}
}
END_TEST

static void parameters(struct test_sink *s)
{
	a_is_2x2(s);
	ck_assert_str_eq(s->parameters.data, "tol=1e-08;op=norm\n\xc3\xa9;"
	                 "refine=true;return=p,l,u;axis=-1;list=1,2.5;");
}

START_TEST(parameters_stand_beside_operands)
{
	sink_reads(JSON, "{\"tol\":1e-8,\"op\":\"norm\\n\\u00e9\","
	           "\"refine\":true,\"a\":[[1,2],[3,4]],"
	           "\"return\":[\"p\",\"l\",\"u\"],\"axis\":-1,"
	           "\"list\":[1,2.5]}", parameters);
}
END_TEST

START_TEST(malformed_json_is_refused)
{
	static const char *const bad[] = {
		"", " ", "[", "[]", "5", "nul", "{", "{\"a\"", "{\"a\":",
		"{\"a\":}", "{\"a\":[1]", "{\"a\":[1]}x", "{\"a\":[1]}{}",
		"{\"a\" [1]}", "{\"a\":[1],}", "{,}", "{\"a\":[1]\"b\":[2]}",
		"{a:[1]}", "{'a':[1]}", "{\"a\":[1],\"a\":[2]}", "{\"a\":01}",
		"{\"x\":1,\"\\u0078\":2,\"a\":[1]}", "{\"a\":5 6}",
		"{\"x\":+1}", "{\"x\":01}", "{\"x\":1.}", "{\"x\":.5}",
		"{\"x\":NaN}", "{\"x\":\"\\x\"}", "{\"x\":\"\xff\"}",
		"{\"x\":\"\\ud800\"}", "{\"x\":\"\\u0000\"}", "{\"x\":1e999}",
		"{\"x\":[1,]}", "{\"x\":tru}", "\xef\xbb\xbf{\"a\":[1]}",
	};

	for (size_t i = 0; i < COUNT(bad); i++)
		sink_refuses(JSON, bad[i], ERR_REQUEST, "");
	sink_refuses(JSON, "{\"x\":\"\\u0000\"}", ERR_REQUEST, "x: \\u0000 "
	             "stands for no character");
	sink_refuses(JSON, "{\"x\":null}", ERR_PARAMETER, "x");
	sink_refuses(JSON, "{\"x\":{\"y\":1}}", ERR_PARAMETER, "x");
	sink_refuses(JSON, "{\"unknown\":1}", ERR_PARAMETER, "unknown");
}
END_TEST

START_TEST(zero_bytes_are_refused)
{
	static const char in_value[] = "{\"x\":4\0}",
	                  in_list[] = "{\"x\":[4\0]}",
	                  in_key[] = "{\"x\0\":4}",
	                  between[] = "{\"x\":4,\0}",
	                  in_rows[] = "{\"a\":[4\0]}";

	sink_always(JSON, in_value, sizeof in_value - 1, NULL, ERR_REQUEST);
	sink_always(JSON, in_list, sizeof in_list - 1, NULL, ERR_REQUEST);
	sink_always(JSON, in_key, sizeof in_key - 1, NULL, ERR_REQUEST);
	sink_always(JSON, between, sizeof between - 1, NULL, ERR_REQUEST);
	sink_always(JSON, in_rows, sizeof in_rows - 1, NULL, ERR_FORMAT);
}
END_TEST

START_TEST(malformed_rows_are_refused)
{
	static const struct { const char *body, *word; } bad[] = {
		{ "{\"a\":[[1,2],[3]]}", "row 2 has 1 numbers, row 1 has 2" },
		{ "{\"a\":[[],[3]]}", "row 2 has 1 numbers, row 1 has 0" },
		{ "{\"a\":[[1],[2],[3,4]]}", "row 3 has 2" },
		{ "{\"a\":[1,[2]]}", "side by side" },
		{ "{\"a\":[[2],1]}", "side by side" },
		{ "{\"a\":[[],1]}", "side by side" },
		{ "{\"a\":[[[1]],[2]]}", "side by side" },
		{ "{\"a\":[[[1]],[]]}", "row 2 has 0" },
		{ "{\"a\":[1,]}", "trailing comma before the ] at byte 8" },
		{ "{\"a\":[[1,2],[3,4],]}", "] at byte 18, behind element 2" },
		{ "{\"a\":[[1,],[2]]}", "] at byte 9, behind element 1" },
		{ "{\"a\":[,1]}", "where a number" },
		{ "{\"a\":[1 2]}", "where ," },
		{ "{\"a\":[1}", "where ," },
		{ "{\"a\":[\"1\"]}", "where a number" },
		{ "{\"a\":[null]}", "where a number" },
		{ "{\"a\":[NaN]}", "no NaN or infinity" },
		{ "{\"a\":[-Infinity]}", "a: " },
		{ "{\"a\":[01]}", "a: " }, { "{\"a\":[1.]}", "a: " },
		{ "{\"a\":[.5]}", "a: " }, { "{\"a\":[+1]}", "a: " },
		{ "{\"a\":[1e]}", "a: " }, { "{\"a\":[-]}", "a: " },
		{ "{\"a\":[1e+]}", "a: " }, { "{\"a\":[0x1]}", "a: " },
		{ "{\"a\":[1e999]}", "beyond float64" },
		{ "{\"a\":[[[[[[[[[1]]]]]]]]]}", "deeper than 8" },
		{ "{\"a\":\"1\"}", "rows" }, { "{\"a\":null}", "rows" },
		{ "{\"a\":true}", "rows" },
		{ "{\"a\":1e999}", "beyond float64" },
	};

	for (size_t i = 0; i < COUNT(bad); i++)
		sink_refuses(JSON, bad[i].body, ERR_FORMAT, bad[i].word);
}
END_TEST

START_TEST(objects_that_are_no_matrix_are_refused)
{
	static const struct { const char *body, *word; } bad[] = {
		{ "{}", "empty" },
		{ "{\"shape\":[1]}", "needs data" },
		{ "{\"data\":[1,2]}", "shape" },
		{ "{\"shape\":[3],\"data\":[1,2]}", "data is 2" },
		{ "{\"shape\":[4],\"data\":[[1,2],[3,4]]}", "data is 2x2" },
		{ "{\"shape\":[-1],\"data\":[1]}", "from 0 on" },
		{ "{\"shape\":[1.0],\"data\":[1]}", "from 0 on" },
		{ "{\"shape\":1,\"data\":[1]}", "list" },
		{ "{\"shape\":[1],\"data\":\"x\"}", "rows" },
		{ "{\"shape\":[1],\"data\":[1],\"data\":[2]}", "twice" },
		{ "{\"shape\":[1],\"shape\":[1],\"data\":[2]}", "twice" },
		{ "{\"shape\":[1],\"data\":[1],\"base64\":\"\"}", "go with" },
		{ "{\"shape\":[1],\"data\":[1],\"colour\":1}", "colour" },
		{ "{\"shape\":[1],\"dtype\":\"f4\",\"data\":[1]}", "dtype" },
		{ "{\"shape\":[1],\"base64\":\"AAAA\"}", "3 bytes" },
		{ "{\"shape\":[1],\"base64\":\"AAAAAAAAAAA\"}", "within" },
		{ "{\"shape\":[1],\"base64\":\"AAAA$AAAAA=\"}", "not base64" },
		{ "{\"shape\":[1],\"base64\":\"AAAA=AAAAAA=\"}", "not base64" },
		{ "{\"shape\":[1],\"base64\":\"AAAAAAAAAAB=\"}", "not base64" },
		{ "{\"shape\":[1],\"base64\":\"\\u00e4AA=\"}", "not base64" },
		{ "{\"shape\":[1],\"base64\":\"\\u2f2fAA=\"}", "not base64" },
		{ "{\"shape\":[1],\"generate\":\"nope\"}", "hilbert" },
		{ "{\"shape\":[1],\"generate\":\"ones\",\"seed\":-1}", "seed" },
	};
	char body[256];

	for (size_t i = 0; i < COUNT(bad); i++) {
		snprintf(body, sizeof body, "{\"a\":%s}", bad[i].body);
		sink_refuses(JSON, body, ERR_FORMAT, bad[i].word);
	}
	sink_refuses(JSON, "{\"a\":{\"ref\":\"gamma\"}}", ERR_NOT_FOUND,
	             "gamma");
	sink_refuses(JSON, "{\"a\":{\"generate\":\"spd\",\"shape\":[2,3]}}",
	             ERR_SHAPE, "2x3");
	sink_refuses(JSON, "{\"a\":{\"generate\":\"ones\","
	             "\"shape\":[3000000,3000000]}}", ERR_TOO_LARGE, "");
	sink_refuses(JSON, "{\"a\":{\"generate\":\"ones\","
	             "\"shape\":[4294967296,4294967296]}}", ERR_TOO_LARGE, "");
}
END_TEST

static void nothing(struct test_sink *s)
{
	ck_assert_str_eq(s->parameters.data, "x=1;");
}

START_TEST(nesting_is_bounded)
{
	char body[400];
	size_t n = 0;

	sink_reads(JSON, "{\"x\":[1]}", nothing);
	n += (size_t)sprintf(body, "{\"x\":");
	memset(body + n, '[', 300);
	body[n + 300] = 0;
	sink_refuses(JSON, body, ERR_REQUEST, "deeper than 64");
}
END_TEST

START_TEST(a_value_that_is_no_operand_is_bounded)
{
	struct test_sink s;
	struct err e = { 0 };
	size_t n = 1 << 20;
	char *body = malloc(n);

	memset(body, '1', n);
	memcpy(body, "{\"x\":\"", 6);
	memcpy(body + n - 2, "\"}", 2);
	test_sink_init(&s);
	ck_refused(sink_read(&s, JSON, body, n, 4096, &e), &e, ERR_REQUEST);
	test_sink_fini(&s);
	free(body);
}
END_TEST

START_TEST(large_rows_grow_without_a_copy)
{
	struct test_sink s;
	struct err e = { 0 };
	struct text body = { 0 };
	size_t n = 300, k = 0;

	text_puts(&body, "{\"a\":[");
	for (size_t i = 0; i < n; i++) {
		text_puts(&body, i ? ",[" : "[");
		for (size_t j = 0; j < n; j++)
			text_printf(&body, "%s%zu.25", j ? "," : "", k++);
		text_puts(&body, "]");
	}
	text_puts(&body, "]}");
	for (size_t piece = 1000; piece < 100000; piece += 33333) {
		test_sink_init(&s);
		ck_ok(sink_read(&s, JSON, body.data, body.length, piece, &e),
		      &e);
		ck_assert_uint_eq(matrix_elements(&s.m[0]), n * n);
		ck_assert_uint_ge(s.m[0].memory->bytes, n * n * 8);
		ck_assert_uint_le(s.m[0].memory->bytes / 2, n * n * 8);
		for (size_t i = 0; i < n * n; i++)
			ck_assert_double_eq(matrix_get(&s.m[0], i),
			                    (double)i + 0.25);
		test_sink_fini(&s);
	}
	text_fini(&body);
}
END_TEST

TCase *tcase_json_reader(void)
{
	TCase *c = tcase_create("json_reader");

	tcase_add_test(c, every_form_of_a_matrix_is_read);
	tcase_add_test(c, integers_may_be_as_large_as_float64);
	tcase_add_test(c, shapes_follow_the_nesting);
	tcase_add_test(c, escapes_stand_in_base64);
	tcase_add_test(c, parameters_stand_beside_operands);
	tcase_add_test(c, malformed_json_is_refused);
	tcase_add_test(c, zero_bytes_are_refused);
	tcase_add_test(c, malformed_rows_are_refused);
	tcase_add_test(c, objects_that_are_no_matrix_are_refused);
	tcase_add_test(c, nesting_is_bounded);
	tcase_add_test(c, a_value_that_is_no_operand_is_bounded);
	tcase_add_test(c, large_rows_grow_without_a_copy);
	return c;
}
