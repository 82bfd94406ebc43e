/* clock.c - waits for a condition with a limit of time. */
#include "base/clock.h"
#include "base/clock_wait.h"
#include "tests/test.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static bool signalled;

static void *signal_changed(void *arg)
{
	pthread_mutex_lock(&lock);
	signalled = true;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return arg;
}

START_TEST(a_wait_ends_when_its_time_is_up)
{
	const int64_t until = clock_ns() + 20000000;

	clock_cond_init(&changed);
	pthread_mutex_lock(&lock);
	while (clock_wait(&changed, &lock, until))
		;
	ck_assert_int_ge(clock_ns(), until);
	ck_assert(!clock_wait(&changed, &lock, until));
	pthread_mutex_unlock(&lock);
	pthread_cond_destroy(&changed);
}
END_TEST

START_TEST(a_wait_ends_when_its_condition_is_signalled)
{
	const int64_t hour = INT64_C(3600) * 1000000000;
	pthread_t t;

	clock_cond_init(&changed);
	signalled = false;
	pthread_mutex_lock(&lock);
	ck_assert_int_eq(pthread_create(&t, NULL, signal_changed, NULL), 0);
	while (!signalled)
		ck_assert(clock_wait(&changed, &lock, clock_ns() + hour));
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	pthread_cond_destroy(&changed);
}
END_TEST

TCase *tcase_clock(void)
{
	TCase *c = tcase_create("clock");

	tcase_add_test(c, a_wait_ends_when_its_time_is_up);
	tcase_add_test(c, a_wait_ends_when_its_condition_is_signalled);
	return c;
}
