/* pool.c - tasks run on the pool's threads, and end on the loop's. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/slice.h"
#include "tests/test.h"

enum { TASKS = 100 };

#define HOUR INT64_C(3600000000000)

struct item {
	struct task task;
	pthread_t worked_on;
	bool worked;
};

static struct loop *loop;
static struct item items[TASKS];
static pthread_t loop_thread;
static int n_done;

static void work(void *arg)
{
	struct item *it = arg;

	it->worked_on = pthread_self();
	it->worked = true;
}

static void done(void *arg)
{
	const struct item *it = arg;

	ck_assert(it->worked);
	ck_assert(!pthread_equal(it->worked_on, loop_thread));
	ck_assert(pthread_equal(pthread_self(), loop_thread));
	if (++n_done == TASKS)
		loop_stop(loop);
}

START_TEST(every_task_is_worked_on_and_then_done)
{
	struct err e = { 0 };
	struct pool *p;

	loop = loop_new(&e);
	loop_thread = pthread_self();
	p = pool_new(loop, 3, &e);
	ck_assert_ptr_nonnull(p);
	for (int i = 0; i < TASKS; i++)
		pool_submit(p, &items[i].task, i, work, done, &items[i]);
	ck_ok(loop_run(loop, &e), &e);
	ck_assert_int_eq(n_done, TASKS);
	pool_free(p);
	loop_free(loop);
}
END_TEST

static sem_t began, may_go;
static atomic_int n_worked;

static void work_long(void *arg)
{
	(void)arg;
	sem_post(&began);
	sem_wait(&may_go);
	atomic_fetch_add(&n_worked, 1);
}

static void count(void *arg)
{
	++*(int *)arg;
}

static void *let_go(void *arg)
{
	sem_post(&may_go);
	sem_post(&may_go);
	return arg;
}

START_TEST(freeing_waits_for_what_runs_and_ends_what_waits)
{
	struct err e = { 0 };
	struct task first, second;
	struct pool *p;
	pthread_t thread;
	int ended = 0;

	sem_init(&began, 0, 0);
	sem_init(&may_go, 0, 0);
	loop = loop_new(&e);
	p = pool_new(loop, 1, &e);
	ck_assert_ptr_nonnull(p);
	pool_submit(p, &first, 1, work_long, count, &ended);
	ck_assert_int_eq(sem_wait(&began), 0);
	pool_submit(p, &second, 1, work_long, count, &ended);
	/* The only thread stays busy until about when pool_free() begins. */
	ck_assert_int_eq(pthread_create(&thread, NULL, let_go, NULL), 0);
	pool_free(p);
	pthread_join(thread, NULL);
	ck_assert_int_ge(atomic_load(&n_worked), 1);
	ck_assert_int_eq(ended, 2);
	loop_free(loop);
}
END_TEST

/* --- one thread; tasks record their names in the order of their ends */

static char ends[16];
static atomic_int n_ends;
static atomic_bool let_end;

static void leave_name(char name)
{
	ends[atomic_fetch_add(&n_ends, 1)] = name;
}

static void work_short(void *arg)
{
	leave_name(*(const char *)arg);
}

/* Works in slices until it is told to end, or is cancelled. */
static void work_in_slices(void *arg)
{
	struct err e = { 0 };

	sem_post(&began);
	while (!atomic_load(&let_end))
		if (slice_next(&e)) {
			ck_assert_int_eq(e.code, ERR_DISMISSED);
			leave_name('!');
			return;
		}
	leave_name(*(const char *)arg);
}

static int n_wanted;

static void count_down(void *arg)
{
	(void)arg;
	if (--n_wanted == 0)
		loop_stop(loop);
}

static struct pool *one;

static void setup(void)
{
	struct err e = { 0 };

	memset(ends, 0, sizeof ends);
	atomic_store(&n_ends, 0);
	atomic_store(&let_end, false);
	sem_init(&began, 0, 0);
	sem_init(&may_go, 0, 0);
	n_wanted = 0;
	loop = loop_new(&e);
	one = pool_new(loop, 1, &e);
	ck_assert_ptr_nonnull(one);
}

static void teardown(void)
{
	pool_free(one);
	loop_free(loop);
}

static void submit(struct task *t, int64_t cost_ns, void (*fn)(void *arg),
                   const char *name)
{
	n_wanted++;
	pool_submit(one, t, cost_ns, fn, count_down, (void *)name);
}

static void wait_for_all(const char *order)
{
	struct err e = { 0 };

	ck_ok(loop_run(loop, &e), &e);
	ck_assert_str_eq(ends, order);
}

static void hold_thread(struct task *t)
{
	submit(t, 0, work_long, "");
	ck_assert_int_eq(sem_wait(&began), 0);
}

START_TEST(the_shortest_goes_first)
{
	struct task held, t[3];

	hold_thread(&held);
	submit(&t[0], 3 * HOUR, work_short, "c");
	submit(&t[1], 1 * HOUR, work_short, "a");
	submit(&t[2], 2 * HOUR, work_short, "b");
	sem_post(&may_go);
	wait_for_all("abc");
}
END_TEST

START_TEST(what_has_waited_for_as_long_as_it_takes_goes_first)
{
	struct task held, t[2];

	hold_thread(&held);
	submit(&t[0], 2 * HOUR, work_short, "o");
	submit(&t[1], 1, work_short, "n");
	/* The only thread is blocked, so nobody else reads this. */
	t[0].since_ns -= 3 * HOUR;
	sem_post(&may_go);
	wait_for_all("on");
}
END_TEST

START_TEST(short_tasks_go_in_between_the_slices_of_a_long_one)
{
	struct task t, a, b, c;

	submit(&t, HOUR, work_in_slices, "t");
	ck_assert_int_eq(sem_wait(&began), 0);
	submit(&a, HOUR / 4, work_short, "a");
	while (atomic_load(&n_ends) < 1)
		;
	submit(&b, HOUR / 2, work_short, "b");	/* too long to go first */
	submit(&c, 1, work_short, "c");
	while (atomic_load(&n_ends) < 2)
		;
	atomic_store(&let_end, true);
	wait_for_all("actb");
}
END_TEST

START_TEST(a_task_counts_as_long_as_it_has_run)
{
	struct task t, a;

	submit(&t, 1, work_in_slices, "t");
	ck_assert_int_eq(sem_wait(&began), 0);
	submit(&a, 1000000, work_short, "a");
	while (atomic_load(&n_ends) < 1)
		;
	atomic_store(&let_end, true);
	wait_for_all("at");
}
END_TEST

START_TEST(a_cancelled_task_ends_at_its_next_slice)
{
	struct task t, a;

	submit(&t, HOUR, work_in_slices, "t");
	ck_assert_int_eq(sem_wait(&began), 0);
	pool_cancel(&t);
	submit(&a, 2 * HOUR, work_short, "a");
	wait_for_all("!a");
}
END_TEST

START_TEST(a_task_that_is_cancelled_while_it_waits_never_begins)
{
	struct task held, t[3];

	hold_thread(&held);
	submit(&t[0], 1, work_short, "a");
	submit(&t[1], 2, work_short, "b");
	submit(&t[2], 3, work_short, "c");
	pool_cancel(&t[2]);
	pool_cancel(&t[0]);
	pool_cancel(&t[0]);
	ck_assert_int_eq(n_wanted, 4);	/* done() comes later */
	sem_post(&may_go);
	wait_for_all("b");
}
END_TEST

START_TEST(freeing_ends_what_is_in_slices)
{
	struct task t;

	submit(&t, HOUR, work_in_slices, "t");
	ck_assert_int_eq(sem_wait(&began), 0);
	pool_free(one);
	one = NULL;
	ck_assert_str_eq(ends, "!");
	ck_assert_int_eq(n_wanted, 0);
}
END_TEST

START_TEST(a_thread_without_a_task_just_goes_on)
{
	struct err e = { 0 };
	char bytes[3] = "xx";

	ck_ok(slice_next(&e), &e);
	ck_ok(slice_every(SLICE_STEPS - 1, &e), &e);
	ck_ok(slice_zero(bytes, 2, &e), &e);
	ck_assert(!bytes[0] && !bytes[1]);
}
END_TEST

START_TEST(freeing_nothing_is_fine)
{
	pool_free(NULL);
}
END_TEST

TCase *tcase_pool(void)
{
	TCase *c = tcase_create("pool");

	tcase_add_test(c, every_task_is_worked_on_and_then_done);
	tcase_add_test(c, freeing_waits_for_what_runs_and_ends_what_waits);
	tcase_add_test(c, freeing_nothing_is_fine);
	return c;
}

TCase *tcase_pool_slices(void)
{
	TCase *c = tcase_create("pool_slices");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, the_shortest_goes_first);
	tcase_add_test(c, what_has_waited_for_as_long_as_it_takes_goes_first);
	tcase_add_test(c, short_tasks_go_in_between_the_slices_of_a_long_one);
	tcase_add_test(c, a_task_counts_as_long_as_it_has_run);
	tcase_add_test(c, a_cancelled_task_ends_at_its_next_slice);
	tcase_add_test(c,
	    a_task_that_is_cancelled_while_it_waits_never_begins);
	tcase_add_test(c, freeing_ends_what_is_in_slices);
	tcase_add_test(c, a_thread_without_a_task_just_goes_on);
	return c;
}
