/* test_pool.c - work runs on the pool's threads, its end on the loop's. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "base/pool.h"
#include "test.h"

enum { TASKS = 100 };

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
		pool_submit(p, &items[i].task, work, done, &items[i]);
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
	pool_submit(p, &first, work_long, count, &ended);
	ck_assert_int_eq(sem_wait(&began), 0);
	pool_submit(p, &second, work_long, count, &ended);
	/* The only thread is busy until pool_free() has begun, or nearly. */
	ck_assert_int_eq(pthread_create(&thread, NULL, let_go, NULL), 0);
	pool_free(p);
	pthread_join(thread, NULL);
	ck_assert_int_ge(atomic_load(&n_worked), 1);
	ck_assert_int_eq(ended, 2);
	loop_free(loop);
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
