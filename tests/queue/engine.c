/* engine.c - a job waits its turn, ends once, and is released. */
#include "tests/queue/engine_room.h"

START_TEST(a_job_is_answered)
{
	struct job *j;

	room_start_ready("cpu");
	ck_assert(engine_ready(room.engine));
	j = room_submit(FAKE_ANSWER);
	ck_assert_int_eq(j->state, JOB_RUNNING);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert(matrix_get(&j->args.out[0], 0) == 42);
	ck_assert_int_eq(j->device, FAKE_CPU);
	ck_assert_str_eq(j->timing->kernel[0].name, "fake of 1");
	ck_assert_int_eq(j->timing->n_kernels, 1);
	ck_assert_uint_eq(j->timing->kernel[0].calls, 7);
	ck_assert_int_ge(j->started_ns, j->accepted_ns);
	ck_assert_int_ge(j->ended_ns, j->started_ns);
	ck_assert_int_eq(engine_progress(room.engine, j), 100);
	ck_assert_int_eq(room.n_ended, 1);
	job_unref(j);
}
END_TEST

START_TEST(a_job_whose_end_is_being_written_is_computed)
{
	struct job j = { .state = JOB_RUNNING };

	room_start_ready("cpu");
	j.engine = room.engine;
	ck_assert_int_eq(engine_progress(room.engine, &j), 100);
	j = (struct job){ .state = JOB_RUNNING, .progress = 42 };
	ck_assert_int_eq(engine_progress(room.engine, &j), 42);
}
END_TEST

START_TEST(a_job_submitted_before_any_worker_is_ready_waits_for_it)
{
	struct job *j;

	room_start("cpu", 8);
	ck_assert(!engine_ready(room.engine));
	j = room_submit(FAKE_ANSWER);
	ck_assert_int_eq(j->state, JOB_ACCEPTED);
	ck_assert_uint_eq(room.engine->waiting.n, 1);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	job_unref(j);
}
END_TEST

START_TEST(an_error_of_the_operation_fails_its_job_alone)
{
	struct job *bad, *good;

	room_start_ready("cpu");
	bad = room_submit(FAKE_FAIL);
	good = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(bad->state, JOB_FAILED);
	ck_assert_int_eq(bad->err.code, ERR_SINGULAR);
	ck_assert_ptr_null(matrix_data(&bad->args.out[0]));
	ck_assert_int_eq(good->state, JOB_SUCCESSFUL);
	job_unref(bad);
	job_unref(good);
}
END_TEST

START_TEST(urgent_jobs_overtake)
{
	static const int priority[] = { 5, 9, 0 };
	static const enum fake_deed deed[] = { FAKE_ANSWER, FAKE_FAIL,
	                                       FAKE_LEAVE };
	struct job *first;

	room_start_ready("cpu");
	first = room_submit(FAKE_HOLD);
	for (int i = 0; i < 3; i++) {
		struct job *j = room_job(deed[i], 3, "auto");

		j->priority = priority[i];
		room_accepts(j);
		job_unref(j);
	}
	engine_dismiss(room.engine, first);
	UNTIL(room.n_ended == 4);
	ck_assert_int_eq(room.ended[0], FAKE_HOLD);
	ck_assert_int_eq(room.ended[1], FAKE_LEAVE);
	ck_assert_int_eq(room.ended[2], FAKE_ANSWER);
	ck_assert_int_eq(room.ended[3], FAKE_FAIL);
	job_unref(first);
}
END_TEST

START_TEST(a_full_queue_refuses)
{
	struct job *runs, *waits, *refused;

	room_start("cpu", 1);
	UNTIL(engine_ready(room.engine));
	runs = room_submit(FAKE_HOLD);
	waits = room_submit(FAKE_ANSWER);
	refused = room_job(FAKE_ANSWER, 3, "auto");
	room_refuses(refused, ERR_BUSY);
	ck_assert_ptr_null(engine_find(room.engine, refused->id));
	job_unref(refused);
	engine_dismiss(room.engine, runs);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(waits->state, JOB_SUCCESSFUL);
	job_unref(runs);
	job_unref(waits);
}
END_TEST

START_TEST(a_waiting_job_is_dismissed_at_once)
{
	struct job *runs, *waits;

	room_start_ready("cpu");
	runs = room_submit(FAKE_HOLD);
	waits = room_submit(FAKE_ANSWER);
	engine_dismiss(room.engine, waits);
	ck_assert_int_eq(waits->state, JOB_DISMISSED);
	ck_assert_int_eq(room.n_ended, 1);
	ck_assert_uint_eq(room.engine->waiting.n, 0);
	engine_dismiss(room.engine, waits);
	ck_assert_int_eq(room.n_ended, 1);
	engine_dismiss(room.engine, runs);
	job_unref(runs);
	job_unref(waits);
}
END_TEST

START_TEST(a_running_job_is_dismissed_and_its_worker_lives)
{
	struct job *j, *next;
	pid_t pid;

	room_start_ready("cpu");
	pid = room.engine->worker[0].pid;
	j = room_submit(FAKE_HOLD);
	UNTIL(room_at_work(j));
	engine_dismiss(room.engine, j);
	ck_assert_int_eq(j->state, JOB_DISMISSED);
	ck_assert_int_eq(j->err.code, ERR_DISMISSED);
	next = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(next->state, JOB_SUCCESSFUL);
	ck_assert_int_eq(room.engine->worker[0].pid, pid);
	job_unref(j);
	job_unref(next);
}
END_TEST

START_TEST(time_runs_while_a_job_waits)
{
	struct job *runs, *waits;

	room_start_ready("cpu");
	runs = room_submit(FAKE_HOLD);
	waits = room_job(FAKE_ANSWER, 3, "auto");
	waits->deadline_ns = clock_ns() + 5 * MS;
	room_accepts(waits);
	UNTIL(room.n_ended);
	ck_assert_int_eq(waits->err.code, ERR_TIMEOUT);
	ck_assert_int_eq(waits->attempts, 0);
	ck_assert_int_eq(runs->state, JOB_RUNNING);
	engine_dismiss(room.engine, runs);
	job_unref(runs);
	job_unref(waits);
}
END_TEST

/* A job whose result is kept, and to which only the engine has a reference when
 * it has ended. */
static struct job *kept(void)
{
	struct job *j = room_job(FAKE_ANSWER, 3, "auto");
	char id[JOB_ID];

	j->keep = true;
	strcpy(id, j->id);
	room_accepts(j);
	job_unref(j);
	UNTIL(room.n_ended);
	j = engine_find(room.engine, id);
	ck_assert_ptr_nonnull(j);
	return j;
}

START_TEST(a_kept_result_lives_for_its_time)
{
	const struct job *j;

	room_start_ready("cpu");
	j = kept();
	ck_assert(!j->gone);
	ck_assert(matrix_get(&j->args.out[0], 0) == 42);
}
END_TEST

START_TEST(a_kept_result_is_gone_after_its_time)
{
	struct job *j;

	room.result_ttl_ns = 50 * MS;
	room_start_ready("cpu");
	j = kept();
	UNTIL(j->gone);
	ck_assert_int_ge(clock_ns() - j->ended_ns, room.result_ttl_ns);
	ck_assert_ptr_eq(engine_find(room.engine, j->id), j);
	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert_uint_eq(memory_pool_used(room.pool), 0);
}
END_TEST

START_TEST(memory_is_let_go_when_nobody_needs_it)
{
	struct job *j;

	room_start_ready("cpu");
	j = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended);
	ck_assert_ptr_null(matrix_data(&j->args.in[0]));
	ck_assert_ptr_nonnull(matrix_data(&j->args.out[0]));
	job_unref(j);
	ck_assert_uint_eq(memory_pool_used(room.pool), 0);
	ck_assert_ptr_eq(engine_newest(room.engine), j);
}
END_TEST

START_TEST(a_forgotten_job_is_not_found)
{
	struct job *j;
	char id[JOB_ID];

	room_start_ready("cpu");
	j = room_job(FAKE_ANSWER, 3, "auto");
	j->keep = true;
	strcpy(j->key, "once");
	strcpy(id, j->id);
	room_accepts(j);
	engine_forget(room.engine, j);
	ck_assert_ptr_eq(engine_find_key(room.engine, NULL, "once"), j);
	UNTIL(room.n_ended);
	engine_forget(room.engine, j);
	ck_assert_ptr_null(engine_find(room.engine, id));
	ck_assert_ptr_null(engine_find_key(room.engine, NULL, "once"));
	job_unref(j);
	ck_assert_uint_eq(memory_pool_used(room.pool), 0);
}
END_TEST

/* With far more ended jobs than are remembered. */
START_TEST(kept_results_are_bounded_by_memory_alone)
{
	enum { KEPT = 300 };
	struct job *j;
	int n = 0;

	room_start_ready("cpu");
	while (n < KEPT) {
		j = room_job(FAKE_ANSWER, 3, "auto");
		j->keep = true;
		j->on_end = NULL;
		room_accepts(j);
		UNTIL(j->state == JOB_SUCCESSFUL);
		job_unref(j);
		n++;
	}
	ck_assert_uint_ge(memory_pool_used(room.pool),
	                  KEPT * (JOB_RECORD_BYTES + 3 * sizeof(double)));
}
END_TEST

START_TEST(a_result_is_not_kept_beyond_the_memory)
{
	struct memory *most;
	struct job *j;

	room_start_ready("cpu");
	most = memory_new(room.pool, memory_pool_limit(room.pool) - 3000,
	                  &room.e);
	ck_assert_ptr_nonnull(most);
	j = room_job(FAKE_ANSWER, 3, "auto");
	j->keep = true;
	room_refuses(j, ERR_MEMORY);
	memory_unref(most);
	room.e = (struct err){ 0 };
	room_accepts(j);
	UNTIL(room.n_ended);
	engine_forget(room.engine, j);
	job_unref(j);
	ck_assert_uint_eq(memory_pool_used(room.pool), 0);
}
END_TEST

START_TEST(a_job_without_a_deadline_gets_the_usual_one)
{
	struct job *j, *own;

	room.timeout_ns = 50 * MS;
	room_start_ready("cpu");
	own = room_job(FAKE_HOLD, 3, "auto");
	own->deadline_ns = clock_ns() + 1000 * PATIENCE;
	room_accepts(own);
	j = room_submit(FAKE_ANSWER);
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_int_eq(j->err.code, ERR_TIMEOUT);
	ck_assert_msg(strstr(j->err.text, "time was up after 50 ms") &&
	              strstr(j->err.text, "timeout_ms"), "%s", j->err.text);
	ck_assert_int_eq(own->state, JOB_RUNNING);
	engine_dismiss(room.engine, own);
	job_unref(own);
	job_unref(j);
}
END_TEST

START_TEST(records_are_bounded)
{
	size_t n = 0;

	room_start_ready("cpu");
	for (int i = 0; i < 20; i++) {
		job_unref(room_submit(FAKE_ANSWER));
		UNTIL(room.n_ended == i + 1);
	}
	for (const struct job *j = engine_newest(room.engine); j; j = j->older)
		n++;
	ck_assert_uint_eq(n, 8);
}
END_TEST

/* The page is shared with a process that may write anything to it. */
START_TEST(a_workers_progress_is_from_0_to_100_whatever_it_says)
{
	static struct control page = { .serial = 7 };
	const struct worker w = { .control = &page };
	static const struct { int said, told; } row[] = {
		{ 0, 0 }, { 41, 41 }, { 100, 100 }, { 3200, 100 }, { -5, 0 },
	};

	for (size_t i = 0; i < COUNT(row); i++) {
		atomic_store(&page.progress, row[i].said);
		ck_assert_int_eq(worker_progress(&w, 7), row[i].told);
		ck_assert_int_eq(worker_progress(&w, 8), 0);
	}
}
END_TEST

TCase *tcase_engine(void)
{
	TCase *c = tcase_create("engine");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, a_job_is_answered);
	tcase_add_test(c, a_job_whose_end_is_being_written_is_computed);
	tcase_add_test(c,
	    a_job_submitted_before_any_worker_is_ready_waits_for_it);
	tcase_add_test(c, an_error_of_the_operation_fails_its_job_alone);
	tcase_add_test(c, urgent_jobs_overtake);
	tcase_add_test(c, a_full_queue_refuses);
	tcase_add_test(c, a_waiting_job_is_dismissed_at_once);
	tcase_add_test(c, a_running_job_is_dismissed_and_its_worker_lives);
	tcase_add_test(c, time_runs_while_a_job_waits);
	tcase_add_test(c, a_kept_result_lives_for_its_time);
	tcase_add_test(c, a_kept_result_is_gone_after_its_time);
	tcase_add_test(c, memory_is_let_go_when_nobody_needs_it);
	tcase_add_test(c, a_forgotten_job_is_not_found);
	tcase_add_test(c, kept_results_are_bounded_by_memory_alone);
	tcase_add_test(c, a_result_is_not_kept_beyond_the_memory);
	tcase_add_test(c, a_job_without_a_deadline_gets_the_usual_one);
	tcase_add_test(c, records_are_bounded);
	tcase_add_test(c,
	    a_workers_progress_is_from_0_to_100_whatever_it_says);
	return c;
}
