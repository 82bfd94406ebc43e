/* exposition.c - tests that Prometheus' text format is kept: special characters
 * are escaped, and the buckets of a histogram are cumulative. */
#include <math.h>

#include "http/exposition.h"
#include "tests/test.h"

static struct text text, labels;

static void teardown(void)
{
	text_fini(&text);
	text_fini(&labels);
}

static void expect(const char *wanted)
{
	ck_assert(!text.failed);
	ck_assert_str_eq(text.data, wanted);
}

START_TEST(a_family_begins_with_its_help_and_type)
{
	exposition_family(&text, "a_total", "counter", "a \\ \"b\"\nc");
	expect("# HELP a_total a \\\\ \"b\"\\nc\n# TYPE a_total counter\n");
}
END_TEST

START_TEST(values_of_labels_are_escaped)
{
	exposition_label(&labels, "a", "x\\y\"z\nw");
	exposition_label(&labels, "b", "");
	exposition_count(&text, "n", &labels, 1);
	expect("n{a=\"x\\\\y\\\"z\\nw\",b=\"\"} 1\n");
}
END_TEST

START_TEST(what_is_not_utf8_is_replaced)
{
	exposition_label(&labels, "a", "\xc3\xa9\xff\xc3z\xe2\x82");
	exposition_count(&text, "n", &labels, 1);
	expect("n{a=\"\xc3\xa9??z??\"} 1\n");
}
END_TEST

START_TEST(numbers_are_exact)
{
	exposition_count(&text, "a", &labels, 0);
	exposition_count(&text, "b", &labels, UINT64_MAX);
	exposition_number(&text, "c", &labels, 0.1);
	exposition_number(&text, "d", &labels, 1795433815.25);
	expect("a 0\nb 18446744073709551615\nc 0.1\nd 1795433815.25\n");
}
END_TEST

START_TEST(an_unknown_number_is_not_told)
{
	exposition_number(&text, "a", &labels, NAN);
	ck_assert_uint_eq(text.length, 0);
}
END_TEST

static const struct histogram_bound bounds[] = {
	{ 10, "0.00000001" }, { 1000, "0.000001" }, { UINT64_MAX, "+Inf" },
};

START_TEST(buckets_are_cumulative_and_the_last_is_the_count)
{
	struct histogram h = { 0 };

	histogram_add(&h, bounds, 0, 1);
	histogram_add(&h, bounds, 10, 2);	/* a bound is inclusive */
	histogram_add(&h, bounds, 11, 1);
	histogram_add(&h, bounds, 1500000000, 3);
	exposition_label(&labels, "op", "lu");
	exposition_histogram(&text, "t", &labels, bounds, &h);
	expect("t_bucket{op=\"lu\",le=\"0.00000001\"} 3\n"
	       "t_bucket{op=\"lu\",le=\"0.000001\"} 4\n"
	       "t_bucket{op=\"lu\",le=\"+Inf\"} 7\n"
	       "t_sum{op=\"lu\"} 4.500000031\n"
	       "t_count{op=\"lu\"} 7\n");
}
END_TEST

START_TEST(an_empty_histogram_without_labels_is_well_formed)
{
	exposition_histogram(&text, "t", &labels, bounds,
	                     &(struct histogram){ 0 });
	expect("t_bucket{le=\"0.00000001\"} 0\nt_bucket{le=\"0.000001\"} 0\n"
	       "t_bucket{le=\"+Inf\"} 0\nt_sum 0.000000000\nt_count 0\n");
}
END_TEST

TCase *tcase_exposition(void)
{
	TCase *c = tcase_create("exposition");

	tcase_add_checked_fixture(c, NULL, teardown);
	tcase_add_test(c, a_family_begins_with_its_help_and_type);
	tcase_add_test(c, values_of_labels_are_escaped);
	tcase_add_test(c, what_is_not_utf8_is_replaced);
	tcase_add_test(c, numbers_are_exact);
	tcase_add_test(c, an_unknown_number_is_not_told);
	tcase_add_test(c, buckets_are_cumulative_and_the_last_is_the_count);
	tcase_add_test(c, an_empty_histogram_without_labels_is_well_formed);
	return c;
}
