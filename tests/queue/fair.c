/* fair.c - which tenant's job is next. */
#include "tests/queue/fair_room.h"

static struct job *add(struct tenant *t, int64_t cost_ns)
{
	struct job *j = fair_job(t, cost_ns);

	waiting_add(&fair_queue, j);
	return j;
}

/* Sends jobs for so long, while both tenants always have jobs of these costs
 * waiting, and sets what each used. */
static void compete(const int64_t cost_ns[2], int64_t for_ns, int64_t used[2])
{
	struct job *j;

	used[0] = used[1] = 0;
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 3; k++)
			add(&fair_tenant[i], cost_ns[i]);
	while (used[0] + used[1] < for_ns) {
		const int i = (j = fair_send(0))->tenant == &fair_tenant[1];

		used[i] += j->deadline_ns;
		add(&fair_tenant[i], cost_ns[i]);
		job_unref(j);
	}
	while ((j = fair_send(0)))
		job_unref(j);
}

START_TEST(what_counts_is_time_and_not_the_number_of_jobs)
{
	const int64_t costs[] = { 100 * MS, MS };
	int64_t used[2];

	compete(costs, 10 * SECOND, used);
	ck_assert_int_le(llabs(used[0] - used[1]), 110 * MS);
}
END_TEST

START_TEST(weights_divide_the_time)
{
	const int64_t costs[] = { 10 * MS, 7 * MS };
	int64_t used[2];

	fair_tenant[0].limits.weight = 3;
	compete(costs, 10 * SECOND, used);
	ck_assert_int_le(llabs(used[0] - 3 * used[1]), 60 * MS);
}
END_TEST

START_TEST(a_job_whose_time_is_unknown_costs_the_default)
{
	const int64_t costs[] = { -1, WAITING_DEFAULT_NS };
	int n[2] = { 0 };
	struct job *j;

	for (int i = 0; i < 20; i++)
		add(&fair_tenant[i % 2], costs[i % 2]);
	for (int i = 0; i < 10; i++) {
		j = fair_send(0);
		n[j->tenant == &fair_tenant[1]]++;
		job_unref(j);
	}
	ck_assert_int_eq(n[0], 5);
	while ((j = fair_send(0)))
		job_unref(j);
}
END_TEST

/* Sends jobs and expects them of the tenants that the letters name. */
static void sends(int device, const char *tenants)
{
	for (; *tenants; tenants++) {
		struct job *j = fair_send(device);

		ck_assert_ptr_nonnull(j);
		ck_assert_ptr_eq(j->tenant, &fair_tenant[*tenants - 'a']);
		job_unref(j);
	}
}

START_TEST(priority_says_nothing_between_tenants)
{
	for (int i = 0; i < 4; i++)
		add(&fair_tenant[1], 10 * MS);
	for (int i = 0; i < 4; i++) {
		struct job *j = fair_job(&fair_tenant[0], 10 * MS);

		j->priority = 0;
		waiting_add(&fair_queue, j);
	}
	sends(0, "babababa");
	ck_assert_uint_eq(fair_queue.n, 0);
	ck_assert_ptr_null(fair_queue.first);
}
END_TEST

START_TEST(who_used_an_idle_device_owes_nothing)
{
	for (int i = 0; i < 100; i++)
		add(&fair_tenant[0], 10 * MS);
	for (int i = 0; i < 90; i++)
		job_unref(fair_send(0));
	for (int i = 0; i < 5; i++)
		add(&fair_tenant[1], 10 * MS);
	sends(0, "abababababaaaaa");
	/* Both owe for their last jobs, but nobody waits. */
	add(&fair_tenant[0], SECOND);
	add(&fair_tenant[1], MS);
	sends(0, "ab");
	add(&fair_tenant[0], MS);
	add(&fair_tenant[1], MS);
	sends(0, "ab");
}
END_TEST

/* Tenant c has no jobs for a second, and makes up for 100 ms of it. */
START_TEST(who_had_no_jobs_is_ahead_for_a_while)
{
	enum { BURST = WAITING_CREDIT_NS / (10 * MS) };
	int n[TENANTS] = { 0 };
	struct job *j;

	for (int i = 0; i < 400; i++)
		add(&fair_tenant[i % 2], 10 * MS);
	for (int i = 0; i < 100; i++)
		job_unref(fair_send(0));
	for (int i = 0; i < 100; i++)
		add(&fair_tenant[2], 10 * MS);
	for (int i = 0; i < BURST; i++)
		sends(0, "c");
	for (int i = 0; i < 60; i++) {
		j = fair_send(0);
		n[j->tenant - fair_tenant]++;
		job_unref(j);
	}
	for (int i = 0; i < 3; i++)
		ck_assert_int_le(abs(n[i] - 20), 1);
	while ((j = fair_send(0)))
		job_unref(j);
}
END_TEST

/* Otherwise it would have every second turn, however long its jobs are. */
START_TEST(one_job_at_a_time_gets_no_more_than_its_part)
{
	int64_t used[2] = { 0 };
	struct job *j;

	for (int i = 0; i < 1000; i++)
		add(&fair_tenant[0], 10 * MS);
	add(&fair_tenant[1], SECOND);
	while (used[0] < 5 * SECOND) {
		const int i = (j = fair_send(0))->tenant == &fair_tenant[1];

		used[i] += j->deadline_ns;
		if (i == 1)
			add(&fair_tenant[1], SECOND);
		job_unref(j);
	}
	ck_assert_int_le(llabs(used[0] - used[1]), SECOND);
	while ((j = fair_send(0)))
		job_unref(j);
}
END_TEST

START_TEST(jobs_for_a_busy_device_change_nothing_on_another)
{
	int64_t used[TENANTS] = { 0 };
	struct job *j;

	for (int i = 0; i < 20; i++)
		add(&fair_tenant[0], SECOND);
	for (int i = 0; i < 1000; i++) {
		add(&fair_tenant[1], 10 * MS)->devices = 3;
		add(&fair_tenant[2], 40 * MS)->devices = 2;
	}
	while (used[1] + used[2] < 10 * SECOND) {
		j = fair_send(1);
		used[j->tenant - fair_tenant] += j->deadline_ns;
		job_unref(j);
	}
	ck_assert_int_eq(used[0], 0);
	ck_assert_int_le(llabs(used[1] - used[2]), 50 * MS);
	sends(0, "ab");
	while ((j = fair_send(0)) || (j = fair_send(1)))
		job_unref(j);
}
END_TEST

START_TEST(a_job_that_is_sent_again_does_not_pay_again)
{
	struct job *j;

	for (int i = 0; i < 3; i++) {
		add(&fair_tenant[0], 10 * MS);
		add(&fair_tenant[1], 10 * MS);
	}
	j = fair_send(0);
	waiting_add_again(&fair_queue, j);
	job_unref(fair_send(0));		/* the other tenant's */
	ck_assert_ptr_eq(fair_send(0), j);
	job_unref(j);
	sends(0, "abab");
}
END_TEST

START_TEST(a_batch_is_of_one_tenant)
{
	struct job *batch[CALL_BATCH];

	for (int i = 0; i < 6; i++)
		add(&fair_tenant[i % 2], MS)->shares = true;
	for (int i = 0; i < 2; i++) {
		struct job *first = waiting_first(&fair_queue, 1, 1);

		ck_assert_int_eq(batch_take(&fair_queue, first, 0, batch), 3);
		for (int k = 0; k < 3; k++) {
			ck_assert_ptr_eq(batch[k]->tenant, &fair_tenant[i]);
			job_unref(batch[k]);
		}
	}
	ck_assert_uint_eq(fair_queue.n, 0);
}
END_TEST

/* A random one of the waiting jobs that a walk finds. */
static struct job *any(void)
{
	const int n = (int)(fair_random() * (double)fair_queue.n);
	struct job *j = waiting_first(&fair_queue, 3, 3);

	for (int i = 1; i < n; i++)
		j = waiting_next(&fair_queue, 3, 3);
	return j;
}

/* One random change of the queue; false: it is empty now. */
static bool change(size_t *come, size_t *gone, bool more)
{
	const double what = fair_random();
	struct job *j;

	if (more && what < 0.5) {
		j = fair_job(what < 0.1 ? NULL : &fair_tenant[*come % TENANTS],
		            fair_random_ns(5e6));
		j->devices = 1 + *come % 3;
		j->priority = (int)(*come % PRIORITIES);
		j->accepted_ns = (int64_t)*come * MS;
		waiting_add(&fair_queue, j);
		++*come;
		return true;
	}
	j = what < 0.7 ? any() : fair_send(what < 0.9);
	if (!j)
		return fair_queue.n > 0;
	if (j->waiting)
		waiting_remove(&fair_queue, j);
	if (what > 0.95) {
		waiting_add_again(&fair_queue, j);
		return true;
	}
	job_unref(j);
	++*gone;
	return true;
}

static void check_flows(void)
{
	size_t n = 0, flows = 0;

	for (const struct flow *f = fair_queue.first; f; f = f->next, flows++) {
		ck_assert_uint_gt(f->n, 0);
		n += f->n;
	}
	ck_assert_uint_eq(n, fair_queue.n);
	ck_assert_uint_eq(flows, fair_queue.n_flows);
}

/* Jobs come, are sent, sent again and dismissed in random order. */
START_TEST(nothing_is_lost_and_nothing_is_there_twice)
{
	size_t come = 0, gone = 0;

	for (int i = 0; i < 20000; i++) {
		change(&come, &gone, i % 2000 < 1500);
		ck_assert_uint_eq(fair_queue.n, come - gone);
		check_flows();
	}
	while (change(&come, &gone, false))
		;
	ck_assert_uint_eq(come, gone);
	ck_assert_ptr_null(fair_queue.first);
	ck_assert_ptr_null(fair_queue.last);
}
END_TEST

TCase *tcase_fair(void)
{
	TCase *c = tcase_create("fair");

	tcase_add_checked_fixture(c, fair_setup, NULL);
	tcase_add_test(c, what_counts_is_time_and_not_the_number_of_jobs);
	tcase_add_test(c, weights_divide_the_time);
	tcase_add_test(c, a_job_whose_time_is_unknown_costs_the_default);
	tcase_add_test(c, priority_says_nothing_between_tenants);
	tcase_add_test(c, who_used_an_idle_device_owes_nothing);
	tcase_add_test(c, who_had_no_jobs_is_ahead_for_a_while);
	tcase_add_test(c, one_job_at_a_time_gets_no_more_than_its_part);
	tcase_add_test(c, jobs_for_a_busy_device_change_nothing_on_another);
	tcase_add_test(c, a_job_that_is_sent_again_does_not_pay_again);
	tcase_add_test(c, a_batch_is_of_one_tenant);
	tcase_add_test(c, nothing_is_lost_and_nothing_is_there_twice);
	return c;
}
