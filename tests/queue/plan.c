/* plan.c - which device would finish a job first, by the estimates for the
 * devices. There are no workers, and the time is an argument. */
#include <stdlib.h>

#include "queue/plan.h"
#include "tests/test.h"

#define MS INT64_C(1000000)

enum { N = 64, SLOW = 0, FAST = 1, TWIN = 2 };

static const int64_t now = 1000 * MS;

static struct engine *g;
static struct memory_pool *pool;
static struct err e;

static void setup(void)
{
	e = (struct err){ 0 };
	g = calloc(1, sizeof *g);
	pool = memory_pool_new(1 << 26, &e);
	ck_assert(g && pool);
	g->n_workers = 3;
	for (int i = 0; i < g->n_workers; i++) {
		g->worker[i].state = WORKER_READY;
		g->worker[i].sheet = (struct sheet){
			.type = i == SLOW ? DEVICE_CPU : DEVICE_GPU,
			.unified_memory = i == SLOW,
			.peaks = { 1000, 1000, 1000 },
		};
	}
}

static void teardown(void)
{
	ck_assert_uint_eq(memory_pool_used(pool), 0);
	memory_pool_free(pool);
	free(g);
}

/* A product of two n x n matrices, for these devices. */
static struct job *product(size_t n, uint64_t devices)
{
	struct job *j = job_new(op_find("matmul"), &e);

	ck_assert_ptr_nonnull(j);
	j->args.dtype = FLOAT32;
	ck_ok(j->args.op->sample(&j->args, n, pool, &e), &e);
	ck_ok(args_check(&j->args, &e), &e);
	ck_ok(args_alloc(&j->args, pool, &e), &e);
	j->devices = devices;
	return j;
}

/* Sets the estimated time of that job on the device. */
static void takes(int device, const struct job *j, int64_t ns)
{
	const struct timing t = { .compute_ns = ns };

	g->rates[device] = (struct rates){ 0 };
	rates_learn(&g->rates[device], &g->worker[device].sheet, &j->args, 0,
	            &t);
}

static void works_until(int device, int64_t ns)
{
	g->worker[device].n_running = 1;
	g->due_ns[device] = ns;
}

/* The device that gets the job; -1: it waits. */
static int goes_to(const struct job *j)
{
	struct plan p;
	bool at_once;
	int i;

	plan_begin(&p, g, now);
	i = plan_book(&p, j, &at_once);
	return at_once ? i : -1;
}

static void books(struct plan *p, const struct job *j, int device,
                  bool at_once)
{
	bool now_idle;

	ck_assert_int_eq(plan_book(p, j, &now_idle), device);
	ck_assert_int_eq(now_idle, at_once);
}

START_TEST(the_faster_of_two_idle_devices_takes_the_job)
{
	struct job *j = product(N, 3);

	takes(SLOW, j, 50 * MS);
	takes(FAST, j, 40 * MS);
	ck_assert_int_eq(goes_to(j), FAST);
	takes(FAST, j, 60 * MS);
	ck_assert_int_eq(goes_to(j), SLOW);
	job_unref(j);
}
END_TEST

START_TEST(a_slow_device_gets_only_what_it_would_finish_first)
{
	struct job *j = product(N, 3);

	takes(SLOW, j, 50 * MS);
	takes(FAST, j, MS);
	works_until(FAST, now + 45 * MS);
	ck_assert_int_eq(goes_to(j), -1);
	works_until(FAST, now + 55 * MS);
	ck_assert_int_eq(goes_to(j), SLOW);
	job_unref(j);
}
END_TEST

START_TEST(the_jobs_in_front_count)
{
	struct job *j = product(N, 3);
	struct plan p;

	takes(SLOW, j, 50 * MS);
	takes(FAST, j, 20 * MS);
	plan_begin(&p, g, now);
	books(&p, j, FAST, true);
	books(&p, j, FAST, false);
	books(&p, j, SLOW, true);
	job_unref(j);
}
END_TEST

START_TEST(alike_devices_are_all_kept_busy)
{
	struct job *j = product(N, 6);
	struct plan p;

	takes(FAST, j, 20 * MS);
	takes(TWIN, j, 20 * MS);
	plan_begin(&p, g, now);
	books(&p, j, FAST, true);
	books(&p, j, TWIN, true);
	books(&p, j, FAST, false);
	ck_assert_int_eq(p.again_ns, INT64_MAX);
	job_unref(j);
}
END_TEST

/* The gain would be less than the estimate's error. */
START_TEST(a_short_job_waits_for_nobody)
{
	struct job *j = product(2, 3);

	works_until(FAST, now);
	ck_assert_int_eq(goes_to(j), SLOW);
	job_unref(j);
}
END_TEST

START_TEST(between_idle_devices_a_short_job_prefers_the_kind)
{
	struct job *j = product(2, 7);

	ck_assert_int_eq(goes_to(j), FAST);
	job_unref(j);
}
END_TEST

/* A job that is 40 ms late may take 40 ms more. */
START_TEST(who_is_overdue_is_not_waited_for_for_ever)
{
	struct job *j = product(N, 3);
	struct plan p;

	takes(SLOW, j, 50 * MS);
	takes(FAST, j, MS);
	works_until(FAST, now - 40 * MS);
	plan_begin(&p, g, now);
	books(&p, j, FAST, false);
	ck_assert_int_eq(p.again_ns, now + 40 * MS);
	works_until(FAST, now - 60 * MS);
	ck_assert_int_eq(goes_to(j), SLOW);
	job_unref(j);
}
END_TEST

START_TEST(a_device_that_is_not_there_is_not_waited_for)
{
	struct job *j = product(N, 3);

	takes(SLOW, j, 1000 * MS);
	takes(FAST, j, MS);
	works_until(FAST, now + MS);
	ck_assert_int_eq(goes_to(j), -1);
	g->worker[FAST].state = WORKER_DOWN;
	ck_assert_int_eq(goes_to(j), SLOW);
	g->worker[SLOW].state = WORKER_STARTING;
	ck_assert_int_eq(goes_to(j), -1);
	job_unref(j);
}
END_TEST

START_TEST(an_operand_that_lies_on_the_device_decides)
{
	struct job *j = product(1000, 6), *other = product(1000, 6);

	takes(FAST, other, 20 * MS);
	takes(TWIN, other, 20 * MS);
	ck_assert_int_eq(goes_to(j), FAST);
	j->args.in[1].memory->stored = 7;
	rates_keep(&g->rates[TWIN], &g->worker[TWIN].sheet, &j->args);
	ck_assert_int_eq(goes_to(j), TWIN);
	works_until(TWIN, now + 500 * MS);
	ck_assert_int_eq(goes_to(j), FAST);
	rates_forget(&g->rates[TWIN]);
	g->worker[TWIN].n_running = 0;
	ck_assert_int_eq(goes_to(j), FAST);
	job_unref(j);
	job_unref(other);
}
END_TEST

START_TEST(what_must_cross_the_bus_counts)
{
	struct job *j = product(1000, 3);

	takes(SLOW, j, 10 * MS);
	takes(FAST, j, 9 * MS);	/* and 12 MB */
	ck_assert_int_eq(goes_to(j), SLOW);
	takes(SLOW, j, 11 * MS);
	ck_assert_int_eq(goes_to(j), FAST);
	job_unref(j);
}
END_TEST

static double compute_ns(int device, const struct job *j)
{
	return rates_estimate(g->rates, g->n_workers, device,
	    &g->worker[device].sheet, &j->args).compute_ns;
}

START_TEST(rates_follow_what_jobs_take)
{
	struct job *j = product(N, 1);
	const struct timing t = { .compute_ns = 8 * MS };

	takes(SLOW, j, 4 * MS);
	ck_assert_double_eq_tol(compute_ns(SLOW, j), 4 * MS, 1);
	for (int i = 0; i < 40; i++)
		rates_learn(&g->rates[SLOW], &g->worker[SLOW].sheet, &j->args,
		            0, &t);
	ck_assert_double_eq_tol(compute_ns(SLOW, j), 8 * MS, 0.03 * MS);
	job_unref(j);
}
END_TEST

static void learns(const struct job *j, const struct timing *t)
{
	rates_learn(&g->rates[SLOW], &g->worker[SLOW].sheet, &j->args, 0, t);
}

START_TEST(a_job_that_was_slow_once_counts_little)
{
	struct job *j = product(N, 1);

	takes(SLOW, j, 4 * MS);
	learns(j, &(struct timing){ .compute_ns = 4000 * MS });
	ck_assert_double_le(compute_ns(SLOW, j), 16 * MS);
	job_unref(j);
}
END_TEST

START_TEST(a_call_that_compiled_teaches_nothing)
{
	struct job *j = product(N, 1);

	takes(SLOW, j, 4 * MS);
	learns(j, &(struct timing){ .compute_ns = 8 * MS, .cold = true });
	ck_assert_double_eq_tol(compute_ns(SLOW, j), 4 * MS, 1);
	job_unref(j);
}
END_TEST

START_TEST(what_crosses_the_bus_is_learnt)
{
	struct job *j = product(1000, 7);
	const struct sheet *s = &g->worker[FAST].sheet;
	const struct timing t = { .upload_ns = 3 * MS, .download_ns = MS };

	rates_learn(&g->rates[FAST], s, &j->args, 8e6, &t);
	ck_assert_double_eq_tol(rates_transfer_ns(&g->rates[FAST], s, 12e6),
	                        6 * MS, 1);
	job_unref(j);
}
END_TEST

/* Otherwise a device without an estimate would seem the better one. */
START_TEST(what_a_device_never_did_is_judged_by_another_one)
{
	struct job *j = product(N, 3);

	takes(SLOW, j, 50 * MS);
	g->worker[FAST].sheet.peaks.gflops_float32 = 2000;
	g->worker[FAST].sheet.peaks.gbytes_per_s = 2000;
	ck_assert_double_eq_tol(compute_ns(FAST, j), 25 * MS, 1);
	job_unref(j);
}
END_TEST

START_TEST(variants_that_were_named_teach_nothing)
{
	struct job *j = product(N, 1);
	const double before = compute_ns(SLOW, j);

	j->args.variant = op_variant(j->args.op, "naive");
	takes(SLOW, j, 500 * MS);
	ck_assert_double_eq(compute_ns(SLOW, j), before);
	job_unref(j);
}
END_TEST

TCase *tcase_plan(void)
{
	TCase *c = tcase_create("plan");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, the_faster_of_two_idle_devices_takes_the_job);
	tcase_add_test(c, a_slow_device_gets_only_what_it_would_finish_first);
	tcase_add_test(c, the_jobs_in_front_count);
	tcase_add_test(c, alike_devices_are_all_kept_busy);
	tcase_add_test(c, a_short_job_waits_for_nobody);
	tcase_add_test(c, between_idle_devices_a_short_job_prefers_the_kind);
	tcase_add_test(c, who_is_overdue_is_not_waited_for_for_ever);
	tcase_add_test(c, a_device_that_is_not_there_is_not_waited_for);
	tcase_add_test(c, an_operand_that_lies_on_the_device_decides);
	tcase_add_test(c, what_must_cross_the_bus_counts);
	tcase_add_test(c, rates_follow_what_jobs_take);
	tcase_add_test(c, a_job_that_was_slow_once_counts_little);
	tcase_add_test(c, a_call_that_compiled_teaches_nothing);
	tcase_add_test(c, what_crosses_the_bus_is_learnt);
	tcase_add_test(c, what_a_device_never_did_is_judged_by_another_one);
	tcase_add_test(c, variants_that_were_named_teach_nothing);
	return c;
}
