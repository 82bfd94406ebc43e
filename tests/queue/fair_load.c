/* fair_load.c - how long tenants wait while one of them asks for much: jobs
 * that arrive at random on one device, in simulated time. */
#include "tests/queue/fair_room.h"

/* One tenant's jobs in a run of the simulation. */
struct sender {
	double interval_ns, cost_ns;	/* means; intervals are exponentially
					 * distributed */
	bool alike;			/* all jobs cost the mean; else costs
					 * are distributed so, too */
	int64_t next_ns;		/* when its next job arrives */
	int64_t *wait_ns;		/* of each that was sent */
	size_t arrived, sent;
	int64_t used_ns;
};

enum { MOST = 40000 };

static int soonest(const struct sender s[TENANTS])
{
	int first = 0;

	for (int i = 1; i < TENANTS; i++)
		if (s[i].next_ns < s[first].next_ns)
			first = i;
	return first;
}

static void arrive(struct sender *s, int i)
{
	const double cost_ns = s[i].cost_ns;
	struct job *j = fair_job(&fair_tenant[i], s[i].alike ?
	                         (int64_t)cost_ns : fair_random_ns(cost_ns));

	j->accepted_ns = s[i].next_ns;
	waiting_add(&fair_queue, j);
	s[i].arrived++;
	s[i].next_ns += fair_random_ns(s[i].interval_ns);
}

/* Runs the job that is next and returns when the device is free again. */
static int64_t run_next(struct sender *s, int64_t now_ns)
{
	struct job *j = fair_send(0);
	struct sender *const of = &s[j->tenant - fair_tenant];
	const int64_t end_ns = now_ns + j->deadline_ns;

	of->wait_ns[of->sent++] = now_ns - j->accepted_ns;
	of->used_ns += j->deadline_ns;
	job_unref(j);
	return end_ns;
}

/* Lets one device serve the sources for so long. */
static void simulate(struct sender s[TENANTS], int64_t for_ns)
{
	int64_t free_ns = 0;

	for (int i = 0; i < TENANTS; i++) {
		s[i].wait_ns = calloc(MOST, sizeof *s[i].wait_ns);
		ck_assert_ptr_nonnull(s[i].wait_ns);
		s[i].next_ns = fair_random_ns(s[i].interval_ns);
	}
	while (free_ns < for_ns) {
		const int first = soonest(s);

		if (s[first].next_ns <= free_ns || !fair_queue.n) {
			if (s[first].next_ns > free_ns)
				free_ns = s[first].next_ns;
			ck_assert_uint_lt(s[first].arrived, MOST);
			arrive(s, first);
		} else {
			free_ns = run_next(s, free_ns);
		}
	}
	for (struct job *j; (j = waiting_any(&fair_queue));) {
		waiting_remove(&fair_queue, j);
		job_unref(j);
	}
}

static int by_size(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static double p95_ms(struct sender *s)
{
	qsort(s->wait_ns, s->sent, sizeof *s->wait_ns, by_size);
	return (double)s->wait_ns[s->sent * 95 / 100] / 1e6;
}

static void forget(struct sender s[TENANTS])
{
	for (int i = 0; i < TENANTS; i++)
		free(s[i].wait_ns);
}

/* Fills in how long 95 of 100 jobs of each wait at most, when tenant 0 has
 * `times` the load of each of the others. */
static void waits_beside(double times, double each, bool alike,
                         double p95[TENANTS])
{
	struct sender s[TENANTS] = { 0 };

	fair_setup();
	for (int i = 0; i < TENANTS; i++) {
		s[i].cost_ns = 10e6;
		s[i].alike = alike;
		s[i].interval_ns = 10e6 / (i == 0 ? times * each : each);
	}
	simulate(s, 150 * SECOND);
	for (int i = 0; i < TENANTS; i++) {
		ck_assert_uint_gt(s[i].sent, 1000);
		p95[i] = p95_ms(&s[i]);
	}
	forget(s);
}

/* The service promises 2. Without the credit of waiting.h it is 1.3 to 2. */
START_TEST(ten_times_the_load_at_most_doubles_the_others_waits)
{
	static const double loads[] = { 0.15, 0.2, 0.22 };

	for (size_t i = 0; i < 2 * COUNT(loads); i++) {
		const double load = loads[i / 2];
		const bool alike = i % 2;
		double equal[TENANTS], tenfold[TENANTS];

		waits_beside(1, load, alike, equal);
		waits_beside(10, load, alike, tenfold);
		for (int k = 1; k < TENANTS; k++)
			ck_assert_double_le(tenfold[k], 1.2 * equal[k]);
	}
}
END_TEST

TCase *tcase_fair_load(void)
{
	TCase *c = tcase_create("fair_load");

	tcase_add_checked_fixture(c, fair_setup, NULL);
	tcase_add_test(c, ten_times_the_load_at_most_doubles_the_others_waits);
	return c;
}
