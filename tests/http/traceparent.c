/* traceparent.c - tests that a request with a valid traceparent belongs to the
 * client's trace, and that any other request begins a new trace. */
#include "http/traceparent.h"
#include "tests/test.h"

#define ID "0af7651916cd43dd8448eb211c80319c"
#define SPAN "b7ad6b7169203331"

static struct traceparent given(const char *value)
{
	struct traceparent t = { 0 };

	if (value)
		traceparent_take(&t, value, strlen(value));
	return t;
}

START_TEST(a_valid_trace_is_continued_by_a_span_of_our_own)
{
	struct traceparent t = given("00-" ID "-" SPAN "-01");
	char text[TRACEPARENT_TEXT];

	ck_assert_str_eq(t.id, ID);
	traceparent_begin(&t, text);
	ck_assert_uint_eq(strlen(text), TRACEPARENT_TEXT - 1);
	ck_assert_int_eq(strncmp(text, "00-" ID "-", 36), 0);
	ck_assert_int_ne(strncmp(text + 36, SPAN, 16), 0);
	ck_assert_int_eq(strncmp(text + 36, t.span, 16), 0);
	ck_assert_str_eq(text + 52, "-01");
}
END_TEST

START_TEST(only_the_flag_that_is_known_is_passed_on)
{
	struct traceparent t = given("00-" ID "-" SPAN "-fe");
	char text[TRACEPARENT_TEXT];

	ck_assert_str_eq(traceparent_begin(&t, text) + 52, "-00");
	t = given("00-" ID "-" SPAN "-ff");
	ck_assert_str_eq(traceparent_begin(&t, text) + 52, "-01");
}
END_TEST

START_TEST(later_versions_may_have_more_fields)
{
	ck_assert_str_eq(given("01-" ID "-" SPAN "-01").id, ID);
	ck_assert_str_eq(given("cc-" ID "-" SPAN "-01-what-comes").id, ID);
}
END_TEST

START_TEST(what_is_invalid_begins_a_new_trace)
{
	static const char *const values[] = {
		NULL, "", "00", "00-" ID "-" SPAN "-", "00-" ID "-" SPAN "-0",
		"00-" ID "-" SPAN "-01-", "00-" ID "-" SPAN "-01-more",
		"01-" ID "-" SPAN "-01x", "ff-" ID "-" SPAN "-01",
		"0g-" ID "-" SPAN "-01", "00_" ID "-" SPAN "-01",
		"00-" ID "_" SPAN "-01", "00-" ID "-" SPAN "_01",
		"00-0AF7651916CD43DD8448EB211C80319C-" SPAN "-01",
		"00-" ID "-B7AD6B7169203331-01", "00-" ID "-" SPAN "-0G",
		"00-00000000000000000000000000000000-" SPAN "-01",
		"00-" ID "-0000000000000000-01", " 00-" ID "-" SPAN "-01",
	};
	char text[TRACEPARENT_TEXT], before[TRACEPARENT_TEXT] = "";

	for (size_t i = 0; i < COUNT(values); i++) {
		struct traceparent t = given(values[i]);

		ck_assert_msg(!*t.id, "%s", values[i]);
		traceparent_begin(&t, text);
		ck_assert_uint_eq(strspn(t.id, "0123456789abcdef"),
		                  TRACEPARENT_ID);
		ck_assert_str_eq(text + 52, "-00");
		ck_assert_int_ne(strncmp(text, before, 36), 0);
		strcpy(before, text);
	}
}
END_TEST

START_TEST(two_lines_are_none)
{
	struct traceparent t = given("00-" ID "-" SPAN "-01");

	traceparent_take(&t, "00-" ID "-" SPAN "-01", TRACEPARENT_TEXT - 1);
	ck_assert_str_eq(t.id, "");
	ck_assert(!t.sampled);
}
END_TEST

TCase *tcase_traceparent(void)
{
	TCase *c = tcase_create("traceparent");

	tcase_add_test(c, a_valid_trace_is_continued_by_a_span_of_our_own);
	tcase_add_test(c, only_the_flag_that_is_known_is_passed_on);
	tcase_add_test(c, later_versions_may_have_more_fields);
	tcase_add_test(c, what_is_invalid_begins_a_new_trace);
	tcase_add_test(c, two_lines_are_none);
	return c;
}
