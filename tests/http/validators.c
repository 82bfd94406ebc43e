/* validators.c - entity tags, digests and ranges of bytes, as the headers have
 * them. */
#include "http/dates.h"
#include "http/digest.h"
#include "http/etag.h"
#include "http/range.h"
#include "tests/test.h"

/* FIPS 180-2, B.1: SHA-256 of "abc" */
#define ABC "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="

static struct err e;

static void setup(void)
{
	e = (struct err){ 0 };
}

START_TEST(a_list_of_tags_names_a_version_or_a_form)
{
	static const struct {
		const char *list;
		bool form, version, weak_form;
	} row[] = {
		{ "*", true, true, true },
		{ "\"1.2-npy\"", true, true, true },
		{ "\"1.2\"", true, true, true },
		{ "\"1.2-npy-gzip\"", true, true, true },
		{ "\"1.2-npy-br\"", false, true, false },
		{ "\"1.2-json\"", false, true, false },
		{ "\"1.2-np\"", false, true, false },
		{ "\"1.20-npy\"", false, false, false },
		{ "\"1.\"", false, false, false },
		{ "\"\"", false, false, false },
		{ "W/\"1.2-npy\"", false, false, true },
		{ "\"x\", \t\"1.2-npy\"", true, true, true },
		{ "\"x\",W/\"1.2\"", false, false, true },
		{ "1.2-npy", false, false, false },
		{ "\"1.2-npy", false, false, false },
		{ "", false, false, false },
	};

	for (size_t i = 0; i < COUNT(row); i++) {
		const char *tag = "\"1.2-npy\"";

		ck_assert_msg(etag_is_in(row[i].list, tag, false, false) ==
		              row[i].form, "%s", row[i].list);
		ck_assert_msg(etag_is_in(row[i].list, tag, true, false) ==
		              row[i].version, "%s", row[i].list);
		ck_assert_msg(etag_is_in(row[i].list, tag, false, true) ==
		              row[i].weak_form, "%s", row[i].list);
	}
}
END_TEST

START_TEST(a_tag_tells_version_and_form)
{
	struct stored s = { .version = 255 };
	char bare[ETAG_TEXT], npy[ETAG_TEXT];

	etag_of(&s, NULL, bare);
	etag_of(&s, "npy", npy);
	ck_assert_ptr_nonnull(strstr(bare, ".ff\""));
	ck_assert_ptr_nonnull(strstr(npy, ".ff-npy\""));
	ck_assert(etag_is_in(bare, npy, false, false));
	s.version++;
	ck_assert(!etag_is_in(bare, etag_of(&s, NULL, npy), true, true));
}
END_TEST

START_TEST(a_digest_is_that_of_all_bytes)
{
	static const char abc[] = "sha-256=:" ABC ":";
	struct digest d = { 0 };
	char text[DIGEST_TEXT];
	struct sha256_ctx hash;

	ck_ok(digest_begin(&d, abc, &e), &e);
	digest_add(&d, "a", 1);
	digest_add(&d, "bc", 2);
	ck_ok(digest_end(&d, &e), &e);
	sha256_init(&hash);
	sha256_update(&hash, 3, (const uint8_t *)"abc");
	ck_assert_str_eq(digest_text(&hash, text), abc);
	ck_ok(digest_begin(&d, abc, &e), &e);
	digest_add(&d, "abd", 3);
	ck_refused(digest_end(&d, &e), &e, ERR_REQUEST);
}
END_TEST

START_TEST(other_digests_are_ignored_and_wrong_ones_refused)
{
	static const char *const wrong[] = {
		"sha-256=", "sha-256=ungW", "sha-256=:", "sha-256=:ungW:",
		"SHA-256=:!!!!:", "md5=:AA==:, sha-256=1",
	};
	struct digest d = { 0 };

	ck_ok(digest_begin(&d, NULL, &e), &e);
	ck_ok(digest_begin(&d, "sha-512=:AA==:, xsha-256=:A:", &e), &e);
	ck_ok(digest_end(&d, &e), &e);
	for (size_t i = 0; i < COUNT(wrong); i++) {
		ck_refused(digest_begin(&d, wrong[i], &e), &e, ERR_REQUEST);
		e = (struct err){ 0 };
	}
	ck_ok(digest_begin(&d, "sha-256=1, sha-256=:" ABC ":", &e), &e);
	ck_refused(digest_begin(&d, "sha-256=:" ABC ":, sha-256=1", &e), &e,
	           ERR_REQUEST);
	ck_assert(digest_is_wanted("sha-512=3, sha-256=10"));
	ck_assert(!digest_is_wanted("sha-256=0") && !digest_is_wanted(NULL) &&
	          !digest_is_wanted("sha-512=1") && !digest_is_wanted(""));
}
END_TEST

START_TEST(a_range_is_of_bytes_that_are_there)
{
	static const struct {
		const char *header;
		bool counts;
		uint64_t first, bytes;
	} row[] = {
		{ "bytes=0-9", true, 0, 10 }, { "bytes=5-", true, 5, 95 },
		{ "bytes=-5", true, 95, 5 }, { "bytes=-500", true, 0, 100 },
		{ "bytes=90-500", true, 90, 10 },
		{ "bytes=99-99", true, 99, 1 },
		{ "bytes=100-", true, 100, 0 }, { "bytes=-0", true, 100, 0 },
		{ "bytes=5-4", false, 0, 0 }, { "bytes=1-2,5-6", false, 0, 0 },
		{ "bytes=", false, 0, 0 }, { "bytes=-", false, 0, 0 },
		{ "rows=1-2", false, 0, 0 }, { "bytes=a-b", false, 0, 0 },
		{ "bytes=99999999999999999999-", false, 0, 0 },
		{ "bytes=1 -2", false, 0, 0 }, { NULL, false, 0, 0 },
	};
	char text[RANGE_TEXT];

	for (size_t i = 0; i < COUNT(row); i++) {
		struct range r = { 0 };

		ck_assert_msg(range_parse(row[i].header, 100, &r) ==
		              row[i].counts, "%s", row[i].header);
		if (!row[i].counts)
			continue;
		ck_assert_uint_eq(r.first, row[i].first);
		ck_assert_uint_eq(r.bytes, row[i].bytes);
	}
	ck_assert_str_eq(range_text(&(struct range){ 5, 10 }, 100, text),
	                 "bytes 5-14/100");
	ck_assert_str_eq(range_text(&(struct range){ 5, 0 }, 100, text),
	                 "bytes */100");
}
END_TEST

START_TEST(a_date_has_three_forms)
{
	static const char *const same[] = {
		"Sun, 06 Nov 1994 08:49:37 GMT",
		"Sunday, 06-Nov-94 08:49:37 GMT",
		"Sun Nov  6 08:49:37 1994",
	};
	static const char *const none[] = {
		"", "0", "Sun, 06 Nov 1994 08:49:37", "06 Nov 1994",
		"Sun, 06 Nov 1994 08:49:37 GMT ",
		"Sun, 36 Nov 1994 08:49:37 GMT",
	};
	char text[DATE_TEXT];
	int64_t ms;

	for (size_t i = 0; i < COUNT(same); i++) {
		ck_assert_msg(date_parse(same[i], &ms), "%s", same[i]);
		ck_assert_int_eq(ms, 784111777000);
	}
	for (size_t i = 0; i < COUNT(none); i++)
		ck_assert_msg(!date_parse(none[i], &ms), "%s", none[i]);
	ck_assert(!date_parse(NULL, &ms));
	ck_assert_str_eq(date_text(784111777000, text), same[0]);
}
END_TEST

TCase *tcase_validators(void)
{
	TCase *c = tcase_create("validators");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, a_list_of_tags_names_a_version_or_a_form);
	tcase_add_test(c, a_tag_tells_version_and_form);
	tcase_add_test(c, a_digest_is_that_of_all_bytes);
	tcase_add_test(c, other_digests_are_ignored_and_wrong_ones_refused);
	tcase_add_test(c, a_range_is_of_bytes_that_are_there);
	tcase_add_test(c, a_date_has_three_forms);
	return c;
}
