/* exposition.c - tests that Prometheus' formats are kept: special characters
 * are escaped, the buckets of a histogram are cumulative, and those of a native
 * one are where the schema wants them. */
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

static const struct exposition *const plain = &exposition_text;
static const struct metric a = { "a", METRIC_GAUGE, "" };
static const struct metric total = { "a_total", METRIC_COUNTER,
                                     "a \\ \"b\"\nc" };
static const struct metric t = { "t", METRIC_HISTOGRAM, "" };

START_TEST(a_family_begins_with_its_help_and_type)
{
	plain->end(&text, plain->begin(&text, &total));
	expect("# HELP a_total a \\\\ \"b\"\\nc\n# TYPE a_total counter\n");
}
END_TEST

START_TEST(openmetrics_families_have_no_suffix)
{
	static const struct metric info = { "a_info", METRIC_INFO, "b" };

	exposition_open.begin(&text, &total);
	exposition_open.count(&text, &total, &labels, 2);
	exposition_open.begin(&text, &info);
	exposition_open.count(&text, &info, &labels, 1);
	expect("# HELP a a \\\\ \\\"b\\\"\\nc\n# TYPE a counter\na_total 2\n"
	       "# HELP a b\n# TYPE a info\na_info 1\n");
}
END_TEST

START_TEST(values_of_labels_are_escaped)
{
	plain->label(&labels, "a", "x\\y\"z\nw");
	plain->label(&labels, "b", "");
	plain->count(&text, &a, &labels, 1);
	expect("a{a=\"x\\\\y\\\"z\\nw\",b=\"\"} 1\n");
}
END_TEST

START_TEST(what_is_not_utf8_is_replaced)
{
	plain->label(&labels, "a", "\xc3\xa9\xff\xc3z\xe2\x82");
	plain->count(&text, &a, &labels, 1);
	expect("a{a=\"\xc3\xa9??z??\"} 1\n");
}
END_TEST

START_TEST(numbers_are_exact)
{
	plain->count(&text, &a, &labels, 0);
	plain->count(&text, &a, &labels, UINT64_MAX);
	plain->number(&text, &a, &labels, 0.1);
	plain->number(&text, &a, &labels, 1795433815.25);
	expect("a 0\na 18446744073709551615\na 0.1\na 1795433815.25\n");
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
	plain->label(&labels, "op", "lu");
	plain->histogram(&text, &t, &labels, bounds, &h);
	expect("t_bucket{op=\"lu\",le=\"0.00000001\"} 3\n"
	       "t_bucket{op=\"lu\",le=\"0.000001\"} 4\n"
	       "t_bucket{op=\"lu\",le=\"+Inf\"} 7\n"
	       "t_sum{op=\"lu\"} 4.500000031\n"
	       "t_count{op=\"lu\"} 7\n");
}
END_TEST

START_TEST(an_empty_histogram_without_labels_is_well_formed)
{
	plain->histogram(&text, &t, &labels, bounds,
	                 &(struct histogram){ 0 });
	expect("t_bucket{le=\"0.00000001\"} 0\nt_bucket{le=\"0.000001\"} 0\n"
	       "t_bucket{le=\"+Inf\"} 0\nt_sum 0.000000000\nt_count 0\n");
}
END_TEST

/* Every bound, as an integer, is in its bucket, and 1 ns more in the next. */
START_TEST(fine_buckets_end_where_the_schema_wants)
{
	for (int k = HISTOGRAM_FIRST; k < HISTOGRAM_LAST; k++) {
		const double ns = exp2(k / 8.) * 1e9;

		if (ns < 16 || ns > 0x1p40)
			continue;
		ck_assert_int_eq(histogram_fine((uint64_t)ns), k);
		ck_assert_int_eq(histogram_fine((uint64_t)ns + 1), k + 1);
	}
	ck_assert_int_eq(histogram_fine(1000000000), 0);
	ck_assert_int_eq(histogram_fine(500000000), -8);
	ck_assert_int_eq(histogram_fine(1), HISTOGRAM_FIRST);
	ck_assert_int_eq(histogram_fine(UINT64_MAX), HISTOGRAM_LAST);
}
END_TEST

static void expect_bytes(const void *wanted, size_t n)
{
	ck_assert(!text.failed);
	ck_assert_uint_eq(text.length, n);
	ck_assert_mem_eq(text.data, wanted, n);
}

START_TEST(a_delimited_family_has_its_length_first)
{
	static const unsigned char wanted[] = {
		27, 10, 1, 'a', 18, 0, 24, 1,
		34, 18, 10, 5, 10, 1, 'x', 18, 0, 18, 9, 9,
		0, 0, 0, 0, 0, 0, 0xf0, 0x3f,
	};
	const struct exposition *f = &exposition_protobuf;
	const size_t begun = f->begin(&text, &a);

	f->label(&labels, "x", "");
	f->count(&text, &a, &labels, 1);
	f->end(&text, begun);
	expect_bytes(wanted, sizeof wanted);
}
END_TEST

START_TEST(text_is_sent_unless_another_format_is_preferred)
{
	static const char of_prometheus[] =
		"application/openmetrics-text;version=1.0.0,"
		"application/openmetrics-text;version=0.0.1;q=0.75,"
		"text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
	static const char native[] =
		"application/vnd.google.protobuf;"
		"proto=io.prometheus.client.MetricFamily;encoding=delimited,"
		"application/openmetrics-text;version=1.0.0;q=0.8";

	ck_assert_ptr_eq(exposition_choose(NULL), plain);
	ck_assert_ptr_eq(exposition_choose("*/*"), plain);
	ck_assert_ptr_eq(exposition_choose("image/png"), plain);
	ck_assert_ptr_eq(exposition_choose(of_prometheus), &exposition_open);
	ck_assert_ptr_eq(exposition_choose(native), &exposition_protobuf);
	ck_assert_ptr_eq(exposition_choose(
	    "application/vnd.google.protobuf;"
	    "proto=io.prometheus.client.MetricFamily;encoding=text"), plain);
	ck_assert_ptr_eq(exposition_choose(
	    "application/openmetrics-text;version=0.0.1"), plain);
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
	tcase_add_test(c, openmetrics_families_have_no_suffix);
	tcase_add_test(c, buckets_are_cumulative_and_the_last_is_the_count);
	tcase_add_test(c, an_empty_histogram_without_labels_is_well_formed);
	tcase_add_test(c, fine_buckets_end_where_the_schema_wants);
	tcase_add_test(c, a_delimited_family_has_its_length_first);
	tcase_add_test(c, text_is_sent_unless_another_format_is_preferred);
	return c;
}
