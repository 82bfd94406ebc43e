/* json_shares.c - operands of JSON in memory that a client shares: they lie
 * there, or are copies, as the sink says. */
#include <stdio.h>

#include "tests/format/sink.h"
#include "tests/test.h"

enum { BYTES = 64 << 10 };

static struct memory *shared;
static int copy;			/* what the sink answers */
static struct test_sink s;
static struct err e;

static int find(void *arg, const char *id, const struct matrix *m,
                struct memory **from, struct err *err)
{
	(void)arg;
	ck_assert_ptr_nonnull(m);
	if (strcmp(id, "x") != 0)
		return err_set(err, ERR_NOT_FOUND, "no share");
	*from = memory_ref(shared);
	return copy;
}

static void setup(void)
{
	e = (struct err){ 0 };
	copy = 0;
	shared = memory_new_given(test_pool, BYTES, &e);
	ck_assert_ptr_nonnull(shared);
	for (int i = 0; i < BYTES / 4; i++)
		((float *)shared->data)[i] = (float)i;
	test_sink_init(&s);
	s.sink.share = find;
}

static void teardown(void)
{
	test_sink_fini(&s);
	memory_unref(shared);
	ck_assert_uint_eq(memory_pool_used(test_pool), 0);
}

static int read(const char *operand)
{
	char body[200];

	snprintf(body, sizeof body, "{\"a\":%s}", operand);
	return sink_read(&s, "application/json", body, strlen(body), 9, &e);
}

START_TEST(an_operand_lies_in_the_share_or_is_a_copy)
{
	static const double at_32[] = { 32, 33, 34, 35, 36, 37 };

	copy = _i;
	ck_ok(read("{\"share\":\"x\",\"shape\":[2,3],\"dtype\":\"float32\","
	           "\"offset\":128}"), &e);
	sink_holds(&s.m[0], FLOAT32, "2x3", at_32);
	((float *)shared->data)[32] = 7;
	ck_assert_double_eq(matrix_get(&s.m[0], 0), copy ? 32 : 7);
	ck_assert(s.m[0].memory->given == !copy);
}
END_TEST

START_TEST(what_begins_the_share_is_the_share)
{
	ck_ok(read("{\"share\":\"x\",\"shape\":[4],\"dtype\":\"float32\"}"),
	      &e);
	ck_assert_ptr_eq(s.m[0].memory, shared);
}
END_TEST

/* Integers may become indices, whatever the sink says. */
START_TEST(all_but_floating_point_numbers_are_copied)
{
	static const char *const types[] = { "int32", "int64", "bool",
	                                     "float16", "bfloat16" };
	char operand[100];

	memset(shared->data, 0, BYTES);
	snprintf(operand, sizeof operand, "{\"share\":\"x\",\"shape\":[4],"
	         "\"dtype\":\"%s\"}", types[_i]);
	ck_ok(read(operand), &e);
	ck_assert(!s.m[0].memory->given);
	ck_assert_double_eq(matrix_get(&s.m[0], 3), 0);
}
END_TEST

START_TEST(wrong_references_are_refused)
{
	static const struct { const char *operand, *word; } rows[] = {
		{ "{\"share\":\"y\",\"shape\":[4]}", "no share" },
		{ "{\"share\":7,\"shape\":[4]}", "must be a share's id" },
		{ "{\"share\":\"x\"}", "shape must be" },
		{ "{\"share\":\"x\",\"shape\":[8193]}",
		  "ends after 0 + 65544" },
		{ "{\"share\":\"x\",\"shape\":[8177],\"offset\":128}",
		  "ends after 128 + 65416" },
		{ "{\"share\":\"x\",\"shape\":[0],\"offset\":65664}",
		  "ends after 65664 + 0" },
		{ "{\"share\":\"x\",\"shape\":[4],\"offset\":64}",
		  "multiple of 128" },
		{ "{\"share\":\"x\",\"shape\":[4],\"offset\":\"0\"}",
		  "multiple of 128" },
		{ "{\"share\":\"x\",\"shape\":[4],\"seed\":1}",
		  "does not go with" },
	};

	ck_assert_int_eq(read(rows[_i].operand), -1);
	ck_assert_msg(strstr(e.text, rows[_i].word) != NULL, "%s", e.text);
}
END_TEST

START_TEST(there_may_be_no_shares)
{
	s.sink.share = NULL;
	ck_assert_int_eq(read("{\"share\":\"x\",\"shape\":[4]}"), -1);
	ck_assert_msg(strstr(e.text, "not possible") != NULL, "%s", e.text);
}
END_TEST

TCase *tcase_json_shares(void)
{
	TCase *t = tcase_create("json_shares");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, an_operand_lies_in_the_share_or_is_a_copy, 0,
	                    2);
	tcase_add_test(t, what_begins_the_share_is_the_share);
	tcase_add_loop_test(t, all_but_floating_point_numbers_are_copied, 0,
	                    5);
	tcase_add_loop_test(t, wrong_references_are_refused, 0, 9);
	tcase_add_test(t, there_may_be_no_shares);
	return t;
}
