/* query.c - percent-decoding is exact, and refuses a zero byte, which would end
 * a string early. */
#include <stdio.h>

#include "http/query.h"
#include "tests/test.h"

/* Appends "name=value;" of every argument to the text in arg. */
static int note(void *arg, const char *name, const char *value, struct err *e)
{
	char *seen = arg;

	(void)e;
	snprintf(seen + strlen(seen), 200 - strlen(seen), "%s=%s;", name,
	         value);
	return 0;
}

static void check(const char *query, const char *wanted)
{
	struct err e = { 0 };
	char seen[200] = "";

	ck_ok(query_each(query, note, seen, &e), &e);
	ck_assert_str_eq(seen, wanted);
}

START_TEST(arguments_come_in_order)
{
	check(NULL, "");
	check("", "");
	check("a=1", "a=1;");
	check("a=1&b=2&a=3", "a=1;b=2;a=3;");
	check("a.shape=3,4&dtype=float32", "a.shape=3,4;dtype=float32;");
}
END_TEST

START_TEST(a_missing_value_is_empty)
{
	check("a", "a=;");
	check("a=", "a=;");
	check("=b", "=b;");
	check("&&a&&", "a=;");
	check("a=b=c", "a=b=c;");
}
END_TEST

START_TEST(escapes_are_decoded)
{
	check("a=%31%2C2", "a=1,2;");
	check("%61=x+y", "a=x y;");
	check("a=%26%3d%25", "a=&=%;");
	check("a=%C3%a4", "a=\xc3\xa4;");
}
END_TEST

START_TEST(bad_escapes_are_refused)
{
	static const char *const bad[] = {
		"a=%", "a=%1", "a=%g1", "a=%1g", "a=%00", "%=1", "a=1&b=%zz",
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err e = { 0 };
		char seen[200] = "";

		ck_refused(query_each(bad[i], note, seen, &e), &e,
		           ERR_PARAMETER);
	}
}
END_TEST

static int refuse(void *arg, const char *name, const char *value,
                  struct err *e)
{
	int *calls = arg;

	(void)value;
	++*calls;
	return err_set(e, ERR_PARAMETER, "no %s", name);
}

START_TEST(the_first_refusal_stops)
{
	struct err e = { 0 };
	int calls = 0;

	ck_refused(query_each("a=1&b=2", refuse, &calls, &e), &e,
	           ERR_PARAMETER);
	ck_assert_int_eq(calls, 1);
	ck_assert_str_eq(e.text, "no a");
}
END_TEST

TCase *tcase_query(void)
{
	TCase *t = tcase_create("query");

	tcase_add_test(t, arguments_come_in_order);
	tcase_add_test(t, a_missing_value_is_empty);
	tcase_add_test(t, escapes_are_decoded);
	tcase_add_test(t, bad_escapes_are_refused);
	tcase_add_test(t, the_first_refusal_stops);
	return t;
}
