/* engine_gang.c - one job that several devices compute together: all parts
 * begin at once or none, and what happens to one happens to the job. */
#include <signal.h>
#include <stdlib.h>

#include "queue/give.h"
#include "tests/queue/split_room.h"

enum { N = 200 };			/* rows, enough for ALIKE devices */

static const enum fake_deed answers[ALIKE];	/* FAKE_ANSWER */

static void on_end(struct job *j, void *arg)
{
	(void)arg;
	ck_assert(job_state_is_end(j->state));
	room.n_ended++;
}

/* A factorization, whose parts have these deeds, that asks for that many
 * devices; "" for none. */
static struct job *factors(size_t n, const char *devices,
                           const enum fake_deed deed[ALIKE])
{
	struct err *const e = &room.e;
	struct job *j = job_new(op_find("lu"), e);
	struct matrix *const m = &j->args.in[0];

	*m = (struct matrix){ .dtype = FLOAT32, .ndim = 2, .dim = { n, n } };
	ck_ok(matrix_alloc(m, room.pool, e), e);
	for (int i = 0; i < ALIKE; i++)
		matrix_set(m, (size_t)i, deed[i]);
	if (*devices)
		ck_ok(args_set(&j->args, op_param(j->args.op, "devices"),
		               devices, e), e);
	ck_ok(args_settle_dtype(&j->args, -1, e), e);
	ck_ok(args_check(&j->args, e), e);
	ck_ok(args_alloc(&j->args, room.pool, e), e);
	for (int i = 0; i < ALIKE; i++)
		matrix_set(&j->args.out[0], (size_t)i, 0);
	ck_ok(engine_select(room.engine, "auto", &j->devices, e), e);
	j->alone = true;
	j->on_end = on_end;
	return j;
}

static struct job *together(const char *devices, enum fake_deed a,
                            enum fake_deed b, enum fake_deed c,
                            enum fake_deed d)
{
	const enum fake_deed deed[ALIKE] = { a, b, c, d };
	struct job *j;

	start_alike();
	j = factors(N, devices, deed);
	room_accepts(j);
	return j;
}

/* Did each of the first parts write, and no other? */
static void check_parts(const struct job *j, int parts)
{
	for (int i = 0; i < ALIKE; i++)
		ck_assert_double_eq(matrix_get(&j->args.out[0], (size_t)i),
		                    i < parts ? 42 : 0);
}

START_TEST(as_many_devices_compute_it_as_it_asks_for)
{
	struct job *j = together("3", FAKE_ANSWER, FAKE_ANSWER, FAKE_ANSWER,
	                         FAKE_ANSWER);

	ck_assert_int_eq(j->state, JOB_RUNNING);
	ck_assert_ptr_nonnull(j->split);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert_uint_eq(j->parts_on, 7);
	check_parts(j, 3);
	ck_assert_double_eq(j->args.verdict.residual, 1);
	ck_assert_int_eq(j->timing->n_kernels, 3);
	UNTIL(all_idle());
	job_unref(j);
}
END_TEST

START_TEST(one_that_asks_for_one_device_runs_whole)
{
	struct job *j;

	start_alike();
	j = factors(N, "1", answers);
	submit(j);			/* as if it took an hour */
	ck_assert_ptr_null(j->split);
	UNTIL(j->state == JOB_SUCCESSFUL);
	ck_assert_uint_eq(j->parts_on, 0);
	job_unref(j);
}
END_TEST

static void runs_whole(struct job *j)
{
	room_accepts(j);
	ck_assert_ptr_null(j->split);
	UNTIL(j->state == JOB_SUCCESSFUL);
	job_unref(j);
}

START_TEST(a_long_one_is_computed_so_unasked)
{
	struct job *j;

	start_alike();
	j = factors(N, "", answers);
	submit(j);
	ck_assert_ptr_nonnull(j->split);
	UNTIL(j->state == JOB_SUCCESSFUL);
	ck_assert_uint_eq(j->parts_on, (1u << ALIKE) - 1);
	check_parts(j, ALIKE);
	job_unref(j);
	j = factors(N, "", answers);
	for (int i = 0; i < ALIKE; i++)
		takes(i, j, 20 * MS);
	runs_whole(j);
	/* 45 of 60 ms are saved, but the panels take five times 15 ms. */
	j = factors(N, "", answers);
	for (int i = 0; i < ALIKE; i++) {
		takes(i, j, 60 * MS);
		room.engine->rates[i].transfer = (struct rate){ 15e6, 8e3 };
	}
	runs_whole(j);
}
END_TEST

START_TEST(what_no_device_holds_alone_gets_the_fewest_that_do)
{
	struct job *j;

	start_alike();
	j = factors(370, "", answers);
	room_accepts(j);
	ck_assert_int_ge(j->gang, 2);
	ck_assert_int_lt(j->gang, ALIKE);
	UNTIL(j->state == JOB_SUCCESSFUL);
	check_parts(j, j->gang);
	job_unref(j);
	j = factors(1000, "", answers);
	room_refuses(j, ERR_TOO_LARGE);
	job_unref(j);
}
END_TEST

START_TEST(more_devices_than_there_are_cannot_be_asked_for)
{
	struct job *j;

	start_alike();
	j = factors(400, "5", answers);
	room_refuses(j, ERR_PARAMETER);
	ck_assert_str_eq(room.e.pointer, "/devices");
	ck_assert_ptr_nonnull(strstr(room.e.text, "5 devices shall compute "
	                             "together, but the request allows only 4 "
	                             "that can"));
	room.e = (struct err){ 0 };
	job_unref(j);
}
END_TEST

/* Returns a job that occupies device 0 until it is dismissed. */
static struct job *device_0_is_busy(void)
{
	struct job *holds;

	start_alike();
	holds = room_submit_to(FAKE_HOLD, 3, "0");
	UNTIL(room_at_work(holds));
	return holds;
}

/* The gang waits for device 0, and gets it before jobs that came later, which
 * wait although other devices are idle. */
START_TEST(it_begins_when_enough_devices_are_idle)
{
	struct job *holds = device_0_is_busy();
	struct job *j = factors(N, "4", answers), *later;

	room_accepts(j);
	ck_assert_int_eq(j->state, JOB_ACCEPTED);
	later = room_submit_to(FAKE_ANSWER, 3, "1");
	ck_assert_int_eq(later->state, JOB_ACCEPTED);
	engine_dismiss(room.engine, holds);
	UNTIL(job_is_over(later) && job_is_over(j));
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert_int_ge(later->started_ns, j->started_ns);
	ck_assert_int_eq(j->attempts, 1);
	job_unref(holds);
	job_unref(later);
	job_unref(j);
}
END_TEST

START_TEST(others_use_the_devices_that_it_does_not_need)
{
	struct job *holds = device_0_is_busy();
	struct job *j = factors(N, "2", answers), *later;

	room_accepts(j);
	ck_assert_int_eq(j->state, JOB_RUNNING);
	later = room_submit(FAKE_ANSWER);
	UNTIL(later->state == JOB_SUCCESSFUL && j->state == JOB_SUCCESSFUL);
	ck_assert_uint_eq(j->parts_on & 1, 0);
	engine_dismiss(room.engine, holds);
	job_unref(holds);
	job_unref(later);
	job_unref(j);
}
END_TEST

START_TEST(a_part_that_fails_ends_all)
{
	struct job *j = together("4", FAKE_HOLD, FAKE_HOLD, FAKE_FAIL,
	                         FAKE_HOLD);

	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_SINGULAR);
	UNTIL(all_idle());
	ck_assert_int_eq(room.n_ended, 1);
	job_unref(j);
}
END_TEST

START_TEST(a_part_that_crashes_its_worker_fails_the_job)
{
	struct job *j = together("4", FAKE_HOLD, FAKE_HOLD, FAKE_HOLD,
	                         FAKE_CRASH);

	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_DEVICE);
	ck_assert_int_eq(j->attempts, 1);
	UNTIL(all_idle());
	job_unref(j);
}
END_TEST

static struct job *whose_worker_is_killed(int signal, enum fake_deed others)
{
	struct job *j = together("4", others, others, FAKE_HOLD, others);
	struct job *const part = worker_of(2)->running[0];

	UNTIL(room_at_work(part));
	kill(worker_of(2)->pid, signal);
	return j;
}

/* "": several devices compute it, but it might run on one. */
static const char *const asked[] = { "3", "" };

/* All parts are ended and sent again, the ones that were done, too. */
START_TEST(it_begins_anew_when_a_worker_is_killed)
{
	struct job *j = whose_worker_is_killed(SIGKILL, FAKE_ANSWER);

	UNTIL(j->attempts == 2 && j->split && is_at_work(2));
	ck_assert_int_eq(j->state, JOB_RUNNING);
	ck_assert_int_eq(room.n_ended, 0);
	engine_dismiss(room.engine, j);
	ck_assert_int_eq(j->state, JOB_DISMISSED);
	UNTIL(all_idle());
	job_unref(j);
}
END_TEST

/* The second attempt must not begin while a device still works for the first:
 * both would write to the same output. */
START_TEST(it_does_not_begin_anew_before_all_have_ended)
{
	static const enum fake_deed deed[ALIKE] = { FAKE_HANG, FAKE_HOLD,
	                                            FAKE_HOLD, FAKE_ANSWER };
	struct job *j;

	room.grace_ns = 3000 * MS;	/* slow machines look within it */
	start_alike();
	j = factors(N, asked[_i], deed);
	submit(j);			/* as if it took an hour */
	UNTIL(is_at_work(0) && is_at_work(1));
	kill(worker_of(1)->pid, SIGKILL);
	UNTIL(j->state == JOB_ACCEPTED && worker_is_idle(worker_of(1)) &&
	      worker_is_idle(worker_of(2)));
	ck_assert_int_eq(worker_of(0)->n_running, 1);
	ck_assert_ptr_null(j->split);
	ck_assert_int_eq(j->attempts, 1);
	UNTIL(j->attempts == 2);
	ck_assert_int_eq(j->state, JOB_RUNNING);
	engine_dismiss(room.engine, j);
	UNTIL(all_idle());
	job_unref(j);
}
END_TEST

/* A worker that has begun a part; NULL: none. */
static struct worker *busy(void)
{
	for (int i = 0; i < ALIKE; i++)
		if (worker_of(i)->n_running &&
		    room_at_work(worker_of(i)->running[0]))
			return worker_of(i);
	return NULL;
}

START_TEST(it_does_not_begin_anew_for_ever)
{
	struct job *j = together("2", FAKE_HOLD, FAKE_HOLD, FAKE_HOLD,
	                         FAKE_HOLD);

	for (int i = 1; i <= GIVE_ATTEMPTS; i++) {
		UNTIL(j->attempts == i && busy());
		kill(busy()->pid, SIGKILL);
		UNTIL(j->attempts > i || room.n_ended);
	}
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_DEVICE);
	UNTIL(all_idle());
	ck_assert_int_eq(room.n_ended, 1);
	job_unref(j);
}
END_TEST

START_TEST(its_deadline_ends_it_wherever_it_is)
{
	static const enum fake_deed holds[ALIKE] = { FAKE_HOLD, FAKE_HOLD,
	                                             FAKE_HOLD, FAKE_HOLD };
	struct job *j, *other;

	start_alike();
	j = factors(N, "3", holds);
	j->deadline_ns = clock_ns() + 30 * MS;
	room_accepts(j);
	other = factors(N, "3", answers);	/* waits */
	other->deadline_ns = clock_ns() + 20 * MS;
	room_accepts(other);
	ck_assert_int_eq(other->state, JOB_ACCEPTED);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(j->err.code, ERR_TIMEOUT);
	ck_assert_int_eq(other->err.code, ERR_TIMEOUT);
	UNTIL(all_idle());
	job_unref(j);
	job_unref(other);
}
END_TEST

START_TEST(without_memory_to_share_it_fails)
{
	struct job *j;
	size_t left;

	start_alike();
	j = factors(N, "2", answers);
	left = memory_pool_limit(room.pool) - memory_pool_used(room.pool);
	ck_assert_int_eq(memory_pool_charge(room.pool, left - 100000), 0);
	room_accepts(j);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_MEMORY);
	memory_pool_discharge(room.pool, left - 100000);
	job_unref(j);
}
END_TEST

START_TEST(an_engine_may_be_freed_while_one_runs)
{
	job_unref(together("4", FAKE_HANG, FAKE_ANSWER, FAKE_HANG,
	                   FAKE_HANG));
}
END_TEST

TCase *tcase_engine_gang(void)
{
	TCase *c = tcase_create("engine_gang");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, as_many_devices_compute_it_as_it_asks_for);
	tcase_add_test(c, one_that_asks_for_one_device_runs_whole);
	tcase_add_test(c, a_long_one_is_computed_so_unasked);
	tcase_add_test(c, what_no_device_holds_alone_gets_the_fewest_that_do);
	tcase_add_test(c, more_devices_than_there_are_cannot_be_asked_for);
	tcase_add_test(c, it_begins_when_enough_devices_are_idle);
	tcase_add_test(c, others_use_the_devices_that_it_does_not_need);
	tcase_add_test(c, a_part_that_fails_ends_all);
	tcase_add_test(c, a_part_that_crashes_its_worker_fails_the_job);
	tcase_add_test(c, it_begins_anew_when_a_worker_is_killed);
	tcase_add_loop_test(c, it_does_not_begin_anew_before_all_have_ended, 0,
	                    (int)COUNT(asked));
	tcase_add_test(c, it_does_not_begin_anew_for_ever);
	tcase_add_test(c, its_deadline_ends_it_wherever_it_is);
	tcase_add_test(c, without_memory_to_share_it_fails);
	tcase_add_test(c, an_engine_may_be_freed_while_one_runs);
	return c;
}
