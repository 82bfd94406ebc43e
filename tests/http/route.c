/* route.c - a path leads to one row of the table, or to the methods that it
 * allows. */
#include <stdio.h>

#include "http/route.h"
#include "tests/test.h"

static const struct route routes[] = {
	{ .method = POST, .path = "/lu" },
	{ .method = GET, .path = "/jobs" },
	{ .method = GET, .path = "/jobs/{}" },
	{ .method = DELETE, .path = "/jobs/{}" },
	{ .method = GET, .path = "/jobs/{}/result" },
	{ .method = GET, .path = "/jobs/all" },
	{ .method = PUT, .path = "/jobs/all" },
	{ .path = NULL },
};

static const struct route *find(enum method m, const char *path,
                                struct segments *s, struct err *e)
{
	struct text allow = { 0 };
	const struct route *r;

	*e = (struct err){ 0 };
	r = route_find(routes, m, path, s, &allow, e);
	text_fini(&allow);
	return r;
}

START_TEST(rows_are_found)
{
	struct segments s;
	struct err e;

	ck_assert_ptr_eq(find(POST, "/lu", &s, &e), &routes[0]);
	ck_assert_ptr_eq(find(GET, "/jobs", &s, &e), &routes[1]);
	ck_assert_ptr_eq(find(GET, "/jobs/abc", &s, &e), &routes[2]);
	ck_assert_str_eq(s.text[0], "abc");
	ck_assert_ptr_eq(find(DELETE, "/jobs/abc", &s, &e), &routes[3]);
	ck_assert_ptr_eq(find(GET, "/jobs/x/result", &s, &e), &routes[4]);
	ck_assert_str_eq(s.text[0], "x");
}
END_TEST

START_TEST(head_is_get_without_a_body)
{
	struct segments s;
	struct err e;

	ck_assert_ptr_eq(find(HEAD, "/jobs", &s, &e), &routes[1]);
	ck_assert_ptr_null(find(HEAD, "/lu", &s, &e));
	ck_assert_int_eq(e.code, ERR_METHOD);
}
END_TEST

START_TEST(unknown_paths_are_not_found)
{
	static const char *const paths[] = {
		"", "*", "/", "/l", "/lux", "/lu/", "/LU", "//lu", "/jobs/",
		"/jobs//result", "/jobs/a/b", "/jobs/a/result/", "lu",
	};
	struct segments s;
	struct err e;

	for (size_t i = 0; i < COUNT(paths); i++) {
		ck_assert_ptr_null(find(GET, paths[i], &s, &e));
		ck_assert_msg(e.code == ERR_NOT_FOUND, "%s: %s", paths[i],
		              e.text);
	}
}
END_TEST

START_TEST(a_mistyped_path_is_told_the_nearest_one)
{
	static const struct {
		const char *typed, *meant;	/* NULL: none is near */
	} row[] = {
		{ "/job", "/jobs?" }, { "/JOBS", "/jobs?" },
		{ "/jobs/", "/jobs?" }, { "/job/abc", "/jobs/abc?" },
		{ "/jobs/abc/reslt", "/jobs/abc/result?" },
		{ "/jobs/0123456789abcdef0123456789abcdef/results",
		  "/jobs/0123456789abcdef0123456789abcdef/result?" },
		{ "/svd", NULL }, { "/", NULL }, { "", NULL }, { "*", NULL },
		{ "/a/b/c/d/e/f", NULL }, { "//", NULL },
		{ "/v2/abc", NULL }, { "/v2/abcdefghijkl/result", NULL },
	};
	struct segments s;
	struct err e;

	for (size_t i = 0; i < COUNT(row); i++) {
		const char *meant = row[i].meant;

		find(GET, row[i].typed, &s, &e);
		ck_assert_msg(meant ? strstr(e.text, "did you mean ") &&
		              strstr(e.text, meant) :
		              !strstr(e.text, "mean"), "%s: %s", row[i].typed,
		              e.text);
		ck_assert_ptr_nonnull(strstr(e.text, "GET /ops"));
	}
}
END_TEST

START_TEST(a_wrong_method_names_the_right_ones)
{
	struct text allow = { 0 };
	struct err e = { 0 };
	struct segments s;

	ck_assert_ptr_null(route_find(routes, PUT, "/jobs/a", &s, &allow, &e));
	ck_assert_int_eq(e.code, ERR_METHOD);
	ck_assert_str_eq(allow.data, "GET, HEAD, DELETE");
	text_fini(&allow);
	ck_assert_ptr_null(route_find(routes, POST, "/jobs/all", &s, &allow,
	                              &e));
	ck_assert_str_eq(allow.data, "GET, HEAD, DELETE, PUT");
	text_fini(&allow);
	ck_assert_ptr_null(find(method_find("BREW"), "/lu", &s, &e));
	ck_assert_int_eq(e.code, ERR_METHOD);
}
END_TEST

START_TEST(segments_are_decoded_and_bounded)
{
	char path[3 * ROUTE_SEGMENT] = "/jobs/";
	struct segments s;
	struct err e;

	ck_assert_ptr_nonnull(find(GET, "/jobs/a%2Fb%20c+", &s, &e));
	ck_assert_str_eq(s.text[0], "a/b c+");
	memset(path + 6, 'x', 2 * ROUTE_SEGMENT);
	ck_assert_ptr_nonnull(find(GET, path, &s, &e));
	ck_assert_uint_eq(strlen(s.text[0]), ROUTE_SEGMENT - 1);
	path[6] = 0;
	for (int i = 0; i < 128; i++)
		strcat(path, "%61");
	ck_assert_ptr_nonnull(find(GET, path, &s, &e));
	ck_assert_uint_eq(strlen(s.text[0]), 128);
	ck_assert_str_eq(s.text[0] + 126, "aa");
}
END_TEST

START_TEST(segments_with_a_bad_escape_stay_as_they_are)
{
	static const char *const bad[] = { "%zz", "%41%00", "a%", "%2" };
	char path[32];
	struct segments s;
	struct err e;

	for (size_t i = 0; i < COUNT(bad); i++) {
		snprintf(path, sizeof path, "/jobs/%s", bad[i]);
		ck_assert_ptr_nonnull(find(GET, path, &s, &e));
		ck_assert_str_eq(s.text[0], bad[i]);
	}
}
END_TEST

TCase *tcase_http_route(void)
{
	TCase *t = tcase_create("http_route");

	tcase_add_test(t, rows_are_found);
	tcase_add_test(t, head_is_get_without_a_body);
	tcase_add_test(t, unknown_paths_are_not_found);
	tcase_add_test(t, a_mistyped_path_is_told_the_nearest_one);
	tcase_add_test(t, a_wrong_method_names_the_right_ones);
	tcase_add_test(t, segments_are_decoded_and_bounded);
	tcase_add_test(t, segments_with_a_bad_escape_stay_as_they_are);
	return t;
}
