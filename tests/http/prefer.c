/* prefer.c - the preferences of a request. */
#include <stddef.h>

#include "http/prefer.h"
#include "tests/test.h"

START_TEST(respond_async_is_one_of_a_list)
{
	ck_assert(prefer_asynchronous("respond-async"));
	ck_assert(prefer_asynchronous("wait=3 , Respond-Async; x=1"));
	ck_assert(!prefer_asynchronous("respond-asynchronously"));
	ck_assert(!prefer_asynchronous("wait=3;respond-async"));
	ck_assert(!prefer_asynchronous(NULL));
}
END_TEST

START_TEST(wait_is_a_number_of_seconds)
{
	ck_assert_int_eq(prefer_wait("wait=10", 300), 10);
	ck_assert_int_eq(prefer_wait("respond-async, WAIT = \"7\" ;x", 300), 7);
	ck_assert_int_eq(prefer_wait("wait=0", 300), 0);
	ck_assert_int_eq(prefer_wait("wait=4, wait=5", 300), 4);
	ck_assert_int_eq(prefer_wait("wait=300", 300), 300);
	ck_assert_int_eq(prefer_wait("wait=301", 300), 300);
	ck_assert_int_eq(prefer_wait("wait=99999999999999999999", 300), 300);
}
END_TEST

START_TEST(what_is_no_wait_is_ignored)
{
	static const char *const none[] = {
		NULL, "", "wait", "wait=", "wait=x", "wait=-1", "wait=1.5",
		"wait=1 2", "wait=\"1", "wait=1\"", "waits=1", "x;wait=1",
	};

	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		ck_assert_int_eq(prefer_wait(none[i], 300), -1);
}
END_TEST

TCase *tcase_prefer(void)
{
	TCase *t = tcase_create("prefer");

	tcase_add_test(t, respond_async_is_one_of_a_list);
	tcase_add_test(t, wait_is_a_number_of_seconds);
	tcase_add_test(t, what_is_no_wait_is_ignored);
	return t;
}
