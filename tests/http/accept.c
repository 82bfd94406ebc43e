/* accept.c - the most specific range of an Accept header decides, then
 * the order of the offers. */
#include "http/accept.h"
#include "tests/test.h"

static const char *const offers[] = {
	"application/json", "application/x-npy", "text/plain", NULL
};

static void check(const char *header, int wanted)
{
	const int chosen = accept_choose(header, offers);

	ck_assert_msg(chosen == wanted, "%s: offer %d, wanted %d",
	              header ? header : "(none)", chosen, wanted);
}

START_TEST(without_a_wish_the_first_offer_is_taken)
{
	check(NULL, 0);
	check("", 0);
	check("  ", 0);
	check("*/*", 0);
	check("application/*", 0);
}
END_TEST

START_TEST(an_exact_type_is_found)
{
	check("application/x-npy", 1);
	check("APPLICATION/X-NPY", 1);
	check("text/plain; charset=utf-8", 2);
	check("text/*", 2);
}
END_TEST

START_TEST(the_highest_quality_wins)
{
	check("application/json;q=0.5, application/x-npy", 1);
	check("application/json;q=0.5, application/x-npy;q=0.4", 0);
	check("application/json ; q=0.123 , text/plain;q=0.124", 2);
	check("text/html, application/xhtml+xml, */*;q=0.8", 0);
	check("text/plain;format=flowed;q=0.9, application/json;q=0.2", 2);
}
END_TEST

START_TEST(the_most_specific_range_gives_the_quality)
{
	check("*/*, application/json;q=0", 1);
	check("application/*;q=0.1, application/x-npy;q=0.2", 1);
	check("*/*;q=0.9, application/*;q=0.1", 2);
	check("image/png, application/*;q=0.5", 0);
}
END_TEST

START_TEST(a_parameter_that_the_offer_has_must_be_the_same)
{
	static const char *const versions[] = {
		"text/a; version=1; charset=utf-8", "text/a; version=2", NULL
	};

	ck_assert_int_eq(accept_choose("text/a", versions), 0);
	ck_assert_int_eq(accept_choose("text/a;version=2", versions), 1);
	ck_assert_int_eq(accept_choose("text/a; Version=2 ;q=1", versions), 1);
	ck_assert_int_eq(accept_choose("text/a;version=2;q=0.5, "
	                               "text/a;version=1;q=0.4", versions), 1);
	ck_assert_int_eq(accept_choose("text/a;version=12", versions), -1);
	ck_assert_int_eq(accept_choose("text/a;version=3, */*;q=0.1",
	                               versions), 0);
	ck_assert_int_eq(accept_choose("text/a;other=2;version=2", versions),
	                 1);
	ck_assert_int_eq(accept_choose("text/a;", versions), 0);
}
END_TEST

START_TEST(what_is_not_wanted_is_not_sent)
{
	check("image/png", -1);
	check("*/*;q=0", -1);
	check("application/json;q=0", -1);
	check("application/js", -1);
	check("application/jsonx", -1);
}
END_TEST

START_TEST(nonsense_does_no_harm)
{
	check(",,,", -1);
	check(";q=1", -1);
	check("application/json;q", 0);
	check("application/json;q=", 0);
	check("application/json;q=x", 0);
	check("application/json;;;q=0.5;", 0);
	check("application/json;q=9", 0);
	check("q=0.5", -1);
}
END_TEST

static int coding(const char *header, bool only_asked)
{
	static const char *const codings[] = { "zstd", "gzip", NULL };

	return accept_coding(header, codings, only_asked);
}

START_TEST(a_coding_is_chosen_by_its_weight)
{
	static const struct { const char *header; int text, binary; } row[] = {
		{ NULL, -1, -1 }, { "", -1, -1 }, { "br", -1, -1 },
		{ "gzip", 1, -1 }, { "gzip, zstd", 0, -1 },
		{ "GZIP;q=1, zstd;q=0.9", 1, -1 }, { "*", 0, -1 },
		{ "*, zstd;q=0", 1, -1 }, { "gzip;q=0", -1, -1 },
		{ "gzip;q=0.5, identity", -1, -1 },
		{ "gzip;q=0.5, identity;q=0.4", 1, 1 },
		{ "gzip, identity;q=1", 1, -1 }, { "zstd, *;q=0", 0, 0 },
		{ "identity;q=0", -1, -1 }, { "*;q=0", -1, -1 },
		{ "gzipx, xgzip", -1, -1 },
	};

	for (size_t i = 0; i < COUNT(row); i++) {
		ck_assert_msg(coding(row[i].header, false) == row[i].text &&
		              coding(row[i].header, true) == row[i].binary,
		              "%s: %d, %d", row[i].header ? row[i].header :
		              "(none)", coding(row[i].header, false),
		              coding(row[i].header, true));
	}
}
END_TEST

TCase *tcase_accept(void)
{
	TCase *t = tcase_create("accept");

	tcase_add_test(t, without_a_wish_the_first_offer_is_taken);
	tcase_add_test(t, an_exact_type_is_found);
	tcase_add_test(t, the_highest_quality_wins);
	tcase_add_test(t, the_most_specific_range_gives_the_quality);
	tcase_add_test(t, what_is_not_wanted_is_not_sent);
	tcase_add_test(t, a_parameter_that_the_offer_has_must_be_the_same);
	tcase_add_test(t, nonsense_does_no_harm);
	tcase_add_test(t, a_coding_is_chosen_by_its_weight);
	return t;
}
