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

TCase *tcase_accept(void)
{
	TCase *t = tcase_create("accept");

	tcase_add_test(t, without_a_wish_the_first_offer_is_taken);
	tcase_add_test(t, an_exact_type_is_found);
	tcase_add_test(t, the_highest_quality_wins);
	tcase_add_test(t, the_most_specific_range_gives_the_quality);
	tcase_add_test(t, what_is_not_wanted_is_not_sent);
	tcase_add_test(t, nonsense_does_no_harm);
	return t;
}
