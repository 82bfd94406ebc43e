/* address.c - the connections of each client address are counted. */
#include "http/address.h"
#include "tests/test.h"

static struct sockaddr_storage address(const char *text)
{
	struct sockaddr_storage s;

	ck_assert_msg(address_parse(&s, text), "%s", text);
	return s;
}

static struct address *take(struct addresses *a, const char *text)
{
	const struct sockaddr_storage s = address(text);

	return address_take(a, &s);
}

START_TEST(an_address_is_counted_until_its_last_connection_ends)
{
	struct addresses all = { 0 };
	struct address *a = take(&all, "192.0.2.1");
	struct address *b = take(&all, "192.0.2.2");

	ck_assert_ptr_ne(a, b);
	ck_assert_ptr_eq(take(&all, "192.0.2.1"), a);
	ck_assert_uint_eq(a->connections, 2);
	ck_assert_uint_eq(b->connections, 1);
	address_give(&all, a);
	ck_assert_uint_eq(a->connections, 1);
	address_give(&all, a);
	address_give(&all, b);
	address_give(&all, NULL);
	for (size_t i = 0; i < ADDRESS_BUCKETS; i++)
		ck_assert_ptr_null(all.bucket[i]);
}
END_TEST

START_TEST(an_ipv6_network_counts_as_one)
{
	struct addresses all = { 0 };
	struct address *a = take(&all, "2001:db8:1:2::1");
	struct address *b = take(&all, "2001:db8:1:2:3:4:5:6");
	struct address *c = take(&all, "2001:db8:1:3::1");
	struct address *d = take(&all, "::ffff:192.0.2.1");

	ck_assert_ptr_eq(a, b);
	ck_assert_ptr_ne(a, c);
	ck_assert_ptr_eq(take(&all, "192.0.2.1"), d);
	for (int i = 0; i < 2; i++) {
		address_give(&all, a);
		address_give(&all, d);
	}
	address_give(&all, c);
}
END_TEST

START_TEST(this_host_is_not_counted)
{
	static const char *const own[] = {
		"127.0.0.1", "::1", "::ffff:127.0.0.1",
	};
	const struct sockaddr_storage none = { .ss_family = AF_UNIX };
	struct addresses all = { 0 };
	struct address *other;

	for (size_t i = 0; i < COUNT(own); i++)
		ck_assert_msg(take(&all, own[i]) == NULL, "%s", own[i]);
	ck_assert_ptr_null(address_take(&all, &none));
	other = take(&all, "127.0.0.2");
	ck_assert_ptr_nonnull(other);
	address_give(&all, other);
}
END_TEST

static bool equal(const char *one, const char *other)
{
	const struct sockaddr_storage a = address(one), b = address(other);

	return address_equals(&a, &b);
}

START_TEST(an_address_has_several_notations)
{
	struct sockaddr_storage none = { .ss_family = AF_UNIX };

	ck_assert(equal("192.0.2.1", "::ffff:192.0.2.1"));
	ck_assert(equal("2001:db8::1", "2001:DB8:0:0::1"));
	ck_assert(!equal("192.0.2.1", "192.0.2.2"));
	ck_assert(!equal("192.0.2.1", "::192.0.2.1"));
	ck_assert(!equal("2001:db8::1", "2001:db8::2"));
	ck_assert(!address_equals(&none, &none));
	ck_assert(!address_parse(&none, "192.0.2"));
	ck_assert(!address_parse(&none, "192.0.2.1:80"));
	ck_assert(!address_parse(&none, "compute.example"));
	ck_assert(!address_parse(&none, ""));
}
END_TEST

TCase *tcase_http_address(void)
{
	TCase *t = tcase_create("http_address");

	tcase_add_test(t,
	    an_address_is_counted_until_its_last_connection_ends);
	tcase_add_test(t, an_ipv6_network_counts_as_one);
	tcase_add_test(t, this_host_is_not_counted);
	tcase_add_test(t, an_address_has_several_notations);
	return t;
}
