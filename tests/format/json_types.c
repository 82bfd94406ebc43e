/* json_types.c - the types of JSON's operands: the one that an operand names,
 * or float64, or int64 where integers need it. */
#include <stdint.h>

#include "tests/format/sink.h"
#include "tests/test.h"

#define JSON "application/json"

static const double ramp[] = { 1, 2, 3, 4 };

/* A type that an operand may name, and the type of its elements in memory. */
START_TEST(an_operand_has_the_type_that_it_names)
{
	static const struct { const char *body; enum dtype type; } rows[] = {
		{ "\"dtype\":\"int32\",\"base64\":\"AQAAAAIAAAADAAAABAAAAA==\"",
		  INT32 },
		{ "\"dtype\":\"bool\",\"base64\":\"AQEBAQ==\"", INT64 },
		{ "\"dtype\":\"float16\",\"base64\":\"ADwAQABCAEQ=\"",
		  FLOAT16 },
		{ "\"dtype\":\"int32\",\"data\":[1,2,3.0,4e0]", INT32 },
		{ "\"dtype\":\"int64\",\"data\":[1,2,3,4]", INT64 },
		{ "\"dtype\":\"float32\",\"data\":[1,2,3,4]", FLOAT32 },
		{ "\"dtype\":\"float16\",\"data\":[1,2,3,4]", FLOAT16 },
		{ "\"dtype\":\"bfloat16\",\"base64\":\"gD8AQEBAgEA=\"",
		  BFLOAT16 },
		{ "\"dtype\":\"bfloat16\",\"generate\":\"ones\"", BFLOAT16 },
		{ "\"dtype\":\"int32\",\"generate\":\"ones\"", INT32 },
		{ "\"dtype\":\"int64\",\"generate\":\"ones\"", INT64 },
		{ "\"dtype\":\"int64\",\"format\":\"coo\",\"row\":[0,1],"
		  "\"col\":[1,0],\"data\":[3,-4]", INT64 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct text body = { 0 };
		struct test_sink s;
		struct err e = { 0 };

		text_printf(&body, "{\"a\":{\"shape\":[2,2],%s}}",
		            rows[i].body);
		test_sink_init(&s);
		ck_ok(sink_read(&s, JSON, body.data, body.length, 7, &e), &e);
		ck_assert_int_eq(s.m[0].dtype, rows[i].type);
		if (i < 2 || i > 7)
			ck_assert(matrix_get(&s.m[0], 0) == 1 || i == 11);
		else
			sink_holds(&s.m[0], rows[i].type, "2x2", ramp);
		test_sink_fini(&s);
		text_fini(&body);
	}
}
END_TEST

START_TEST(an_operand_must_hold_what_its_type_holds)
{
	static const struct { const char *body, *word; } bad[] = {
		{ "\"dtype\":\"int32\",\"data\":[1,1.9]",
		  "a: element 1 is 1.9, which is no int32" },
		{ "\"dtype\":\"int32\",\"data\":[2147483648,0]",
		  "2147483648, which is no int32" },
		{ "\"dtype\":\"int64\",\"data\":[0.5,9007199254740993]",
		  "element 0 is 0.5" },
		{ "\"dtype\":\"int64\",\"data\":[9223372036854775808,0]",
		  "9223372036854776000, which is no int64" },
		{ "\"dtype\":\"int64\",\"data\":[9223372036854775809,0]",
		  "beyond what int64 holds" },
		{ "\"dtype\":\"int32\",\"generate\":\"hilbert\"",
		  "element 1 is 0.5" },
		{ "\"dtype\":\"int32\",\"generate\":\"random\"", "no int32" },
		{ "\"dtype\":\"float16\",\"data\":[1,65520]",
		  "element 1 is 65520, which is no float16" },
		{ "\"dtype\":\"bool\",\"generate\":\"ones\"",
		  "must be one of float32" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct text body = { 0 };

		text_printf(&body, "{\"a\":{\"shape\":[1,2],%s}}",
		            bad[i].body);
		sink_refuses(JSON, body.data, ERR_FORMAT, bad[i].word);
		text_fini(&body);
	}
	sink_refuses(JSON, "{\"a\":{\"format\":\"coo\",\"shape\":[1,1],"
	             "\"row\":[0],\"col\":[0],\"data\":[0.25],"
	             "\"dtype\":\"int32\"}}", ERR_FORMAT, "is 0.25");
	sink_refuses(JSON, "{\"a\":{\"format\":\"coo\",\"shape\":[1,1],"
	             "\"row\":[0,0],\"col\":[0,0],\"data\":[9007199254740992"
	             ",1],\"dtype\":\"int64\"}}", ERR_FORMAT, "below 2^53");
	sink_refuses(JSON, "{\"a\":{\"generate\":\"pascal\",\"shape\":"
	             "[33,33],\"dtype\":\"int64\"}}", ERR_FORMAT,
	             "below 2^53");
}
END_TEST

static const int64_t *exact;

static void a_is_exact(struct test_sink *s)
{
	const int64_t *v = matrix_data(&s->m[0]);

	ck_assert_int_eq(s->m[0].dtype, INT64);
	for (size_t i = 0; i < matrix_elements(&s->m[0]); i++)
		ck_assert_int_eq(v[i], exact[i]);
	ck_assert(!s->m[0].rounded);
}

/* A single integer that needs int64, wherever it stands, makes the whole
 * operand int64. */
START_TEST(integers_that_float64_cannot_hold_are_exact)
{
	static const int64_t x[] = { INT64_MIN, -7, 9007199254740993, 0, 1000,
	                             INT64_MAX, (int64_t)1 << 62 };

	exact = x;
	sink_reads(JSON, "{\"a\":[-9223372036854775808,-7.0,9007199254740993,"
	           "-0,1e3,9223372036854775807,4611686018427387904]}",
	           a_is_exact);
	exact = x + 2;
	sink_reads(JSON, "{\"a\":9007199254740993}", a_is_exact);
	sink_reads(JSON, "{\"a\":[[[9007199254740993]]]}", a_is_exact);
	sink_reads(JSON, "{\"a\":{\"shape\":[1,2],\"data\":"
	           "[9007199254740993,0]}}", a_is_exact);
}
END_TEST

static void a_is_mixed(struct test_sink *s)
{
	static const double x[] = { 0x1p53, 0.5, 3 };

	sink_holds(&s->m[0], FLOAT64, "3", x);
	ck_assert(!s->m[0].rounded);
}

START_TEST(with_a_fraction_all_are_float64)
{
	sink_reads(JSON, "{\"a\":[9007199254740993,0.5,3]}", a_is_mixed);
	sink_reads(JSON, "{\"a\":[9007199254740992,0.5,3]}", a_is_mixed);
}
END_TEST

static bool lost;

static void a_is_no_text(struct test_sink *s)
{
	ck_assert(!s->m[0].text && !s->m[0].rounded);
	ck_assert_int_eq(s->m[0].dtype, FLOAT64);
}

START_TEST(who_names_float64_gets_it)
{
	sink_reads(JSON, "{\"a\":{\"shape\":[2],\"dtype\":\"float64\","
	           "\"data\":[9007199254740993,18446744073709551615]}}",
	           a_is_no_text);
	sink_reads(JSON, "{\"a\":{\"shape\":[1,1],\"dtype\":\"float64\","
	           "\"format\":\"coo\",\"row\":[0],\"col\":[0],"
	           "\"data\":[9007199254740993]}}", a_is_no_text);
}
END_TEST

static void a_has_lost(struct test_sink *s)
{
	ck_assert_int_eq(s->m[0].dtype, FLOAT64);
	ck_assert_int_eq(s->m[0].rounded, lost);
}

/* Programs that print a float64 without an exponent pad its digits with zeros:
 * 2^64 and 2^1023 are printed so. */
START_TEST(integers_beyond_int64_tell_whether_digits_were_lost)
{
	lost = true;
	sink_reads(JSON, "{\"a\":[1,9223372036854775809]}", a_has_lost);
	sink_reads(JSON, "{\"a\":[9007199254740993,-9223372036854775809]}",
	           a_has_lost);
	sink_reads(JSON, "{\"a\":[18446744073709551616,9007199254740993]}",
	           a_has_lost);
	sink_reads(JSON, "{\"a\":18446744073709551615}", a_has_lost);
	lost = false;
	sink_reads(JSON, "{\"a\":[1,9223372036854775808]}", a_has_lost);
	sink_reads(JSON, "{\"a\":[18446744073709552000,1e300,0.5]}",
	           a_has_lost);
	sink_reads(JSON, "{\"a\":[18446744073709551615,1e300]}", a_has_lost);
	sink_reads(JSON, "{\"a\":[18446744073709551615,0.5]}", a_has_lost);
}
END_TEST

TCase *tcase_json_types(void)
{
	TCase *c = tcase_create("json_types");

	tcase_add_test(c, an_operand_has_the_type_that_it_names);
	tcase_add_test(c, an_operand_must_hold_what_its_type_holds);
	tcase_add_test(c, integers_that_float64_cannot_hold_are_exact);
	tcase_add_test(c, with_a_fraction_all_are_float64);
	tcase_add_test(c, who_names_float64_gets_it);
	tcase_add_test(c, integers_beyond_int64_tell_whether_digits_were_lost);
	return c;
}
