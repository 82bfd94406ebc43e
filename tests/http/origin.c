/* origin.c - which host names and which pages' requests a service answers. */
#include "http/origin.h"
#include "tests/test.h"

static const char *const hosts[] = { "Compute.example", "10.0.0.7:8080", NULL };
static const char *const origins[] = { "https://app.example", NULL };
static const char *const any[] = { "*", NULL };

static bool knows(const struct origin_rules *r, const char *host)
{
	return origin_knows_host(r, host, strlen(host));
}

START_TEST(on_loopback_only_its_names_are_known)
{
	const struct origin_rules r = { .loopback = true,
	                                .listen = "box.lan:8080" };
	static const char *const good[] = {
		"localhost", "LOCALHOST:8080", "localhost.", "a.localhost:1",
		"127.0.0.1", "127.0.0.1:8080", "127.9.8.7:80", "[::1]",
		"[::1]:8080", "[::ffff:127.0.0.1]:80", "box.lan", "BOX.lan:9",
		"x", "linalgd:8080", "",
	};
	static const char *const bad[] = {
		"evil.example", "evil.example:8080", "localhost.evil.example",
		"127.0.0.1.evil.example", "127.evil.example", "10.0.0.7",
		"128.0.0.1", "[::2]", "[2001:db8::1]:80", "a.xlocalhost",
		"notlocalhost.example", "box.lan.evil.example", "a.b@127.0.0.1",
		"x:y@evil.example", "x:8080.evil.example", "[::1", "[::1]x",
	};

	for (size_t i = 0; i < COUNT(good); i++)
		ck_assert_msg(knows(&r, good[i]), "%s", good[i]);
	for (size_t i = 0; i < COUNT(bad); i++)
		ck_assert_msg(!knows(&r, bad[i]), "%s", bad[i]);
}
END_TEST

START_TEST(hosts_can_be_allowed)
{
	struct origin_rules r = { .loopback = true, .hosts = hosts };

	ck_assert(knows(&r, "compute.example:443"));
	ck_assert(knows(&r, "10.0.0.7"));
	ck_assert(knows(&r, "localhost"));
	ck_assert(!knows(&r, "other.example"));
	r.loopback = false;
	ck_assert(!knows(&r, "other.example"));
	ck_assert(knows(&r, "compute.example"));
	r.hosts = any;
	ck_assert(knows(&r, "other.example"));
	r = (struct origin_rules){ 0 };
	ck_assert(knows(&r, "other.example"));
}
END_TEST

START_TEST(a_page_of_the_service_has_its_host)
{
	ck_assert(origin_is_own("http://localhost:8080", "localhost:8080"));
	ck_assert(origin_is_own("HTTPS://Compute.example", "compute.example"));
	ck_assert(!origin_is_own("http://localhost:8081", "localhost:8080"));
	ck_assert(!origin_is_own("http://localhost", "localhost:8080"));
	ck_assert(!origin_is_own("http://evil.example", "localhost:8080"));
	ck_assert(!origin_is_own("null", "null"));
	ck_assert(!origin_is_own("ftp://localhost", "localhost"));
	ck_assert(!origin_is_own("http://localhost", NULL));
}
END_TEST

START_TEST(origins_can_be_allowed)
{
	struct origin_rules r = { .origins = origins };

	ck_assert(origin_is_allowed(&r, "https://app.example"));
	ck_assert(origin_is_allowed(&r, "https://APP.example"));
	ck_assert(!origin_is_allowed(&r, "http://app.example"));
	ck_assert(!origin_is_allowed(&r, "https://app.example.evil.example"));
	ck_assert(!origin_is_allowed(&r, "null"));
	r.origins = any;
	ck_assert(origin_is_allowed(&r, "null"));
	r.origins = NULL;
	ck_assert(!origin_is_allowed(&r, "https://app.example"));
}
END_TEST

START_TEST(entries_that_match_nothing_are_told)
{
	static const char *const names[] = {
		"*", "box", "app.example", "app.example:8080", "app.example.",
		"192.0.2.1", "[::1]:80", "[2001:db8::1]",
	};
	static const char *const good[] = {
		"*", "null", "https://app.example", "http://localhost:3000",
		"HTTP://App.example", "http://[::1]:80",
		"chrome-extension://abcdef",
	};
	static const char *const neither[] = {
		"", "https://app.example/", "https://app.example/x",
		"https://*.app.example", "*.app.example", "https://*",
		"https://", "://app.example", "https://me@app.example",
		"https://app.example?x", "app.example/x", "[::1", ":80",
		"app.example:x",
	};

	for (size_t i = 0; i < COUNT(hosts); i++)
		ck_assert_msg(origin_is_host(names[i]), "%s", names[i]);
	for (size_t i = 0; i < COUNT(good); i++)
		ck_assert_msg(origin_is_origin(good[i]), "%s", good[i]);
	for (size_t i = 0; i < COUNT(neither); i++)
		ck_assert_msg(!origin_is_host(neither[i]) &&
		              !origin_is_origin(neither[i]), "%s", neither[i]);
	ck_assert(!origin_is_host("https://app.example"));
	ck_assert(!origin_is_origin("app.example"));
}
END_TEST

TCase *tcase_http_origin(void)
{
	TCase *t = tcase_create("http_origin");

	tcase_add_test(t, on_loopback_only_its_names_are_known);
	tcase_add_test(t, hosts_can_be_allowed);
	tcase_add_test(t, a_page_of_the_service_has_its_host);
	tcase_add_test(t, origins_can_be_allowed);
	tcase_add_test(t, entries_that_match_nothing_are_told);
	return t;
}
