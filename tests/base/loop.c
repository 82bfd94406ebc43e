/* loop.c - the event loop calls what is due, in order, and nothing else. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/loop.h"
#include "tests/test.h"

static struct loop *loop;
static struct err e;
static char trace[64];

static void setup(void)
{
	e = (struct err){ 0 };
	trace[0] = 0;
	loop = loop_new(&e);
	ck_assert_ptr_nonnull(loop);
}

static void teardown(void)
{
	loop_free(loop);
}

static void note(void *letter)
{
	strcat(trace, letter);
}

static void stop(void *arg)
{
	(void)arg;
	loop_stop(loop);
}

START_TEST(timers_fire_in_the_order_of_their_times)
{
	struct timer t[4] = { 0 };
	const int64_t now = clock_ns();

	loop_timer_set(loop, &t[0], now + 3000000, stop, NULL);
	loop_timer_set(loop, &t[1], now + 2000000, note, "b");
	loop_timer_set(loop, &t[2], now + 1000000, note, "a");
	loop_timer_set(loop, &t[3], now + 2000000, note, "c");
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(trace, "abc");
	ck_assert_int_ge(clock_ns() - now, 3000000);
}
END_TEST

START_TEST(a_cleared_timer_does_not_fire_and_a_set_one_moves)
{
	struct timer cleared = { 0 }, moved = { 0 }, last = { 0 };
	const int64_t now = clock_ns();

	loop_timer_set(loop, &cleared, now + 1000000, note, "x");
	loop_timer_set(loop, &moved, now + 1000000, note, "y");
	loop_timer_set(loop, &last, now + 3000000, stop, NULL);
	loop_timer_clear(loop, &cleared);
	loop_timer_clear(loop, &cleared);
	loop_timer_set(loop, &moved, now + 2000000, note, "z");
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(trace, "z");
}
END_TEST

static struct timer again;

static void fire_again(void *arg)
{
	note(arg);
	if (strlen(trace) < 3)
		loop_timer_set(loop, &again, clock_ns(), fire_again, arg);
	else
		loop_stop(loop);
}

START_TEST(a_timer_may_set_itself_again)
{
	loop_timer_set(loop, &again, clock_ns(), fire_again, "r");
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(trace, "rrr");
}
END_TEST

struct sender {
	struct post post[1000];
	int count;
	bool ordered;
};

static struct sender sender;

static void count_post(void *arg)
{
	sender.ordered &= arg == &sender.post[sender.count];
	if (++sender.count == (int)COUNT(sender.post))
		loop_stop(loop);
}

static void *send_posts(void *arg)
{
	for (size_t i = 0; i < COUNT(sender.post); i++)
		loop_post(loop, &sender.post[i], count_post, &sender.post[i]);
	return arg;
}

START_TEST(posts_of_another_thread_arrive_in_order)
{
	pthread_t thread;

	sender.count = 0;
	sender.ordered = true;
	ck_assert_int_eq(pthread_create(&thread, NULL, send_posts, NULL), 0);
	ck_ok(loop_run(loop, &e), &e);
	pthread_join(thread, NULL);
	ck_assert(sender.ordered);
	ck_assert_int_eq(sender.count, COUNT(sender.post));
}
END_TEST

static int pipes[2][2];

static void read_pipe(void *arg, short revents)
{
	const int i = *(const int *)arg;
	char letter[2] = { 0 };

	ck_assert(revents & POLLIN);
	ck_assert_int_eq(read(pipes[i][0], letter, 1), 1);
	note(letter);
	/* Both are ready; the one served first removes the other. */
	loop_unwatch(loop, pipes[!i][0]);
	loop_stop(loop);
}

START_TEST(a_descriptor_that_a_callback_removed_is_not_served)
{
	static const int index[2] = { 0, 1 };

	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(pipe(pipes[i]), 0);
		ck_ok(loop_watch(loop, pipes[i][0], POLLIN, read_pipe,
		                 (void *)&index[i], &e), &e);
		ck_assert_int_eq(write(pipes[i][1], i ? "b" : "a", 1), 1);
	}
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(trace, "a");
	ck_ok(loop_watch(loop, pipes[1][0], POLLIN, read_pipe,
	                 (void *)&index[1], &e), &e);
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(trace, "ab");
	for (int i = 0; i < 2; i++) {
		close(pipes[i][0]);
		close(pipes[i][1]);
	}
}
END_TEST

static int64_t at_once_then_stop(void *arg)
{
	note(arg);
	if (strlen(trace) == 3)
		loop_stop(loop);
	return 0;
}

START_TEST(a_hook_bounds_how_long_the_loop_sleeps)
{
	struct timer far = { 0 };
	const int64_t now = clock_ns();

	loop_timer_set(loop, &far, now + INT64_C(60000000000), note, "x");
	ck_ok(loop_prepare(loop, at_once_then_stop, "h", &e), &e);
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(trace, "hhh");
}
END_TEST

START_TEST(a_stop_before_the_run_ends_it_at_once)
{
	loop_stop(loop);
	ck_ok(loop_run(loop, &e), &e);
}
END_TEST

START_TEST(many_descriptors_can_be_watched)
{
	static const int first = 0;
	int fds[100];

	ck_assert_int_eq(pipe(pipes[0]), 0);
	for (size_t i = 0; i < COUNT(fds); i++) {
		fds[i] = dup(pipes[0][0]);
		ck_ok(loop_watch(loop, fds[i], POLLIN, read_pipe,
		                 (void *)&first, &e), &e);
	}
	for (size_t i = 0; i + 1 < COUNT(fds); i++)
		loop_unwatch(loop, fds[i]);
	ck_assert_int_eq(write(pipes[0][1], "m", 1), 1);
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(trace, "m");
	for (size_t i = 0; i < COUNT(fds); i++)
		close(fds[i]);
}
END_TEST

static int hooked;

static int64_t count_hook(void *arg)
{
	(void)arg;
	hooked++;
	return INT64_MAX;
}

/* The hooks are asked once more, for the call may have given them work. */
START_TEST(what_comes_later_comes_once_and_before_the_loop_sleeps)
{
	struct post later = { 0 }, cleared = { 0 }, last = { 0 };

	hooked = 0;
	ck_ok(loop_prepare(loop, count_hook, NULL, &e), &e);
	loop_later(loop, &later, note, "a");
	loop_later(loop, &later, note, "b");
	loop_later(loop, &cleared, note, "c");
	loop_later_clear(loop, &cleared);
	loop_later_clear(loop, &cleared);
	loop_later(loop, &last, stop, NULL);
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(trace, "a");
	ck_assert_int_eq(hooked, 2);
	loop_later(loop, &later, note, "b");
	loop_later(loop, &last, stop, NULL);
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(trace, "ab");
}
END_TEST

static int64_t stop_at_100(void *arg)
{
	(void)arg;
	if (++hooked == 100)
		loop_stop(loop);
	return INT64_MAX;
}

/* Nothing ever happens, so a loop that slept would sleep for ever. */
START_TEST(a_loop_that_stays_awake_does_not_sleep)
{
	hooked = 0;
	ck_ok(loop_prepare(loop, stop_at_100, NULL, &e), &e);
	loop_stay_awake(loop, clock_ns() + 100 * INT64_C(1000000000));
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_int_eq(hooked, 100);
}
END_TEST

TCase *tcase_loop(void)
{
	TCase *c = tcase_create("loop");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, timers_fire_in_the_order_of_their_times);
	tcase_add_test(c, a_cleared_timer_does_not_fire_and_a_set_one_moves);
	tcase_add_test(c, a_timer_may_set_itself_again);
	tcase_add_test(c, posts_of_another_thread_arrive_in_order);
	tcase_add_test(c, a_descriptor_that_a_callback_removed_is_not_served);
	tcase_add_test(c, a_hook_bounds_how_long_the_loop_sleeps);
	tcase_add_test(c, a_stop_before_the_run_ends_it_at_once);
	tcase_add_test(c, many_descriptors_can_be_watched);
	tcase_add_test(c,
	    what_comes_later_comes_once_and_before_the_loop_sleeps);
	tcase_add_test(c, a_loop_that_stays_awake_does_not_sleep);
	return c;
}
