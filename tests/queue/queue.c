/* queue.c - which job is next, and which jobs are remembered. */
#include <stdio.h>
#include <stdlib.h>

#include "queue/records.h"
#include "queue/tenant.h"
#include "queue/waiting.h"
#include "tests/test.h"

static struct waiting q;
static struct records r;
static struct err e;

static void setup(void)
{
	q = (struct waiting){ 0 };
	r = (struct records){ .limit = 3 };
	e = (struct err){ 0 };
}

static struct job *new_job(int priority, uint64_t devices)
{
	struct job *j = job_new(ops[0], &e);

	ck_assert_ptr_nonnull(j);
	j->priority = priority;
	j->devices = devices;
	return j;
}

static struct job *take(uint64_t devices)
{
	struct job *j = waiting_first(&q, devices, devices);

	if (j)
		waiting_remove(&q, j);
	return j;
}

START_TEST(priority_comes_before_age)
{
	static const int priority[] = { 5, 9, 0, 5, 0, 9 };
	static const int order[] = { 2, 4, 0, 3, 1, 5 };
	struct job *j[COUNT(priority)];

	for (size_t i = 0; i < COUNT(j); i++)
		waiting_add(&q, j[i] = new_job(priority[i], 1));
	ck_assert_uint_eq(q.n, COUNT(j));
	for (size_t i = 0; i < COUNT(j); i++)
		ck_assert_ptr_eq(take(1), j[order[i]]);
	ck_assert_ptr_null(take(1));
	ck_assert_uint_eq(q.n, 0);
	for (size_t i = 0; i < COUNT(j); i++)
		job_unref(j[i]);
}
END_TEST

START_TEST(a_device_takes_only_what_may_run_on_it)
{
	struct job *first = new_job(0, 1), *second = new_job(9, 2);
	struct job *third = new_job(9, 3);

	waiting_add(&q, first);
	waiting_add(&q, second);
	waiting_add(&q, third);
	ck_assert_ptr_eq(take(2), second);
	ck_assert_ptr_eq(take(2), third);
	ck_assert_ptr_null(take(2));
	ck_assert_ptr_eq(take(1), first);
	job_unref(first);
	job_unref(second);
	job_unref(third);
}
END_TEST

START_TEST(one_that_waited_before_goes_in_front_of_the_younger)
{
	struct job *first = new_job(5, 1), *again = new_job(5, 1);
	struct job *urgent = new_job(4, 1), *older = new_job(5, 1);
	struct job *last = new_job(5, 1);

	older->accepted_ns = 1;
	again->accepted_ns = 2;
	first->accepted_ns = 3;
	last->accepted_ns = 4;
	waiting_add(&q, first);
	waiting_add(&q, urgent);
	waiting_add_again(&q, older);
	waiting_add_again(&q, again);
	waiting_add_again(&q, last);
	ck_assert_ptr_eq(take(1), urgent);
	ck_assert_ptr_eq(take(1), older);
	ck_assert_ptr_eq(take(1), again);
	ck_assert_ptr_eq(take(1), first);
	ck_assert_ptr_eq(take(1), last);
	job_unref(older);
	job_unref(last);
	job_unref(first);
	job_unref(again);
	job_unref(urgent);
}
END_TEST

static struct job *at(int priority, int64_t accepted_ns)
{
	struct job *j = new_job(priority, 1);

	j->accepted_ns = accepted_ns;
	waiting_add(&q, j);
	return j;
}

/* It rises a priority for every FLOW_AGEING_NS. */
START_TEST(a_job_that_has_waited_long_is_more_urgent)
{
	struct job *late = at(9, 2), *old = at(9, 0);
	struct job *urgent = at(0, 9 * FLOW_AGEING_NS + 1);
	struct job *usual = at(5, 4 * FLOW_AGEING_NS - 1);
	struct job *order[] = { usual, old, urgent, late };

	waiting_remove(&q, late);
	waiting_add(&q, late);		/* behind the older one */
	for (size_t i = 0; i < COUNT(order); i++)
		ck_assert_ptr_eq(take(1), order[i]);
	for (size_t i = 0; i < COUNT(order); i++)
		job_unref(order[i]);
}
END_TEST

START_TEST(news_of_one_device_ends_the_waiting_for_its_compiler)
{
	struct job *here = new_job(5, 3), *both = new_job(5, 3);

	job_put_off(here, 0, 10);
	job_put_off(both, 0, 10);
	job_put_off(both, 1, 15);
	waiting_add(&q, both);
	waiting_add(&q, here);
	ck_assert_ptr_null(waiting_first(&q, 1, 1));
	ck_assert_ptr_eq(waiting_first(&q, 2, 2), here);
	waiting_warmed(&q, 1, 30);
	ck_assert_ptr_eq(waiting_first(&q, 1, 1), both);
	ck_assert_ptr_eq(waiting_first(&q, 2, 2), here);
	ck_assert_int_eq(here->compile_ns, 20);
	job_go_on(here, 90);
	ck_assert_int_eq(here->compile_ns, 20);
	ck_assert_int_eq(both->compile_ns, 0);
	waiting_warmed(&q, 2, 40);
	ck_assert_int_eq(both->compile_ns, 30);
	waiting_remove(&q, here);
	waiting_remove(&q, both);
	job_unref(here);
	job_unref(both);
}
END_TEST

static struct job *record(const char *key)
{
	struct job *j = new_job(5, 1);

	strcpy(j->key, key);
	records_add(&r, j);
	job_unref(j);			/* the table has the other one */
	return j;
}

static void end(struct job *j)
{
	j->state = JOB_FAILED;
	records_forgettable(&r, j);
}

static void forget_all(void)
{
	while (r.newest)
		records_remove(&r, r.newest);
	ck_assert_ptr_null(r.oldest);
	ck_assert_uint_eq(r.n, 0);
	ck_assert_uint_eq(r.forgettable.n, 0);
}

START_TEST(ids_are_unique_and_found)
{
	struct job *j[100];

	for (size_t i = 0; i < COUNT(j); i++) {
		j[i] = record("");
		ck_assert_uint_eq(strlen(j[i]->id), JOB_ID - 1);
	}
	for (size_t i = 0; i < COUNT(j); i++)
		ck_assert_ptr_eq(records_find(&r, j[i]->id), j[i]);
	ck_assert_ptr_null(records_find(&r, "0123"));
	ck_assert_ptr_null(records_find_key(&r, NULL, ""));
	forget_all();
}
END_TEST

START_TEST(ids_begin_with_the_time)
{
	const long long before = clock_wall_ms();
	struct job *j = record("");
	char time[13];
	long long ms;

	snprintf(time, sizeof time, "%.12s", j->id);
	ms = strtoll(time, NULL, 16);
	ck_assert_int_ge(ms, before);
	ck_assert_int_le(ms, clock_wall_ms());
	forget_all();
}
END_TEST

START_TEST(keys_are_found_while_their_job_is)
{
	struct tenant other = { .name = "other" };
	struct job *a = record("a"), *b = record("b");

	ck_assert_ptr_eq(records_find_key(&r, NULL, "a"), a);
	ck_assert_ptr_eq(records_find_key(&r, NULL, "b"), b);
	ck_assert_ptr_null(records_find_key(&r, NULL, "c"));
	ck_assert_ptr_null(records_find_key(&r, &other, "a"));
	records_remove(&r, a);
	ck_assert_ptr_null(records_find_key(&r, NULL, "a"));
	forget_all();
}
END_TEST

START_TEST(only_so_many_ended_jobs_are_remembered)
{
	struct job *j[6];
	char id[JOB_ID];

	for (size_t i = 0; i < COUNT(j); i++)
		j[i] = record("");
	strcpy(id, j[1]->id);
	for (size_t i = 1; i < COUNT(j); i++)
		end(j[i]);
	/* j[0] has not ended; of the other five the last three remain. */
	ck_assert_uint_eq(r.n, 4);
	ck_assert_ptr_null(records_find(&r, id));
	ck_assert_ptr_eq(r.oldest, j[0]);
	ck_assert_ptr_eq(r.newest, j[5]);
	ck_assert_ptr_eq(r.newest->older, j[4]);
	forget_all();
}
END_TEST

START_TEST(an_ended_job_may_be_forgotten_early)
{
	struct job *a = record(""), *b = record(""), *c = record("");

	end(a);
	end(b);
	end(c);
	records_remove(&r, b);
	ck_assert_uint_eq(r.forgettable.n, 2);
	ck_assert_ptr_eq(r.newest->older, a);
	forget_all();
}
END_TEST

START_TEST(states_have_names)
{
	for (int i = 0; i < JOB_STATE_COUNT; i++)
		ck_assert_int_eq(job_state_find(
		    job_state_name((enum job_state)i)), i);
	ck_assert_int_eq(job_state_find("lost"), -1);
	ck_assert(job_state_is_end(JOB_DISMISSED));
	ck_assert(!job_state_is_end(JOB_RUNNING));
}
END_TEST

TCase *tcase_queue(void)
{
	TCase *c = tcase_create("queue");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, priority_comes_before_age);
	tcase_add_test(c, a_device_takes_only_what_may_run_on_it);
	tcase_add_test(c, one_that_waited_before_goes_in_front_of_the_younger);
	tcase_add_test(c, a_job_that_has_waited_long_is_more_urgent);
	tcase_add_test(c, news_of_one_device_ends_the_waiting_for_its_compiler);
	tcase_add_test(c, ids_are_unique_and_found);
	tcase_add_test(c, ids_begin_with_the_time);
	tcase_add_test(c, keys_are_found_while_their_job_is);
	tcase_add_test(c, only_so_many_ended_jobs_are_remembered);
	tcase_add_test(c, an_ended_job_may_be_forgotten_early);
	tcase_add_test(c, states_have_names);
	return c;
}
