/* engine_devices.c - on which device a job runs, and how an engine starts and
 * stops. */
#include <signal.h>

#include "tests/queue/engine_room.h"

START_TEST(auto_takes_the_faster_kind_first)
{
	struct job *first, *second, *third;

	room_start_ready("auto");
	ck_assert_int_eq(engine_devices(room.engine), FAKE_DEVICES);
	first = room_submit(FAKE_HOLD);
	second = room_submit(FAKE_HOLD);
	third = room_submit(FAKE_ANSWER);
	ck_assert_int_eq(first->device, FAKE_GPU);
	ck_assert_int_eq(second->device, FAKE_CPU);
	ck_assert_int_eq(third->state, JOB_ACCEPTED);
	engine_dismiss(room.engine, second);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(third->device, FAKE_CPU);
	engine_dismiss(room.engine, first);
	job_unref(first);
	job_unref(second);
	job_unref(third);
}
END_TEST

START_TEST(a_named_device_is_waited_for)
{
	struct job *holds, *waits;

	room_start_ready("auto");
	holds = room_submit_to(FAKE_HOLD, 3, "gpu");
	waits = room_submit_to(FAKE_ANSWER, 3, "accelerator");
	ck_assert_int_eq(waits->state, JOB_ACCEPTED);
	engine_dismiss(room.engine, holds);
	UNTIL(room.n_ended == 2);
	ck_assert_int_eq(waits->device, FAKE_GPU);
	job_unref(holds);
	job_unref(waits);
}
END_TEST

START_TEST(what_no_device_can_hold_is_refused)
{
	const size_t too_many = FAKE_GPU_MEMORY / 16 + 1;
	struct job *j;

	room_start_ready("auto");
	j = room_job(FAKE_ANSWER, too_many, "gpu");
	room_refuses(j, ERR_TOO_LARGE);
	job_unref(j);
	room.e = (struct err){ 0 };
	j = room_submit_to(FAKE_ANSWER, too_many, "auto");
	UNTIL(room.n_ended);
	ck_assert_int_eq(j->device, FAKE_CPU);
	job_unref(j);
}
END_TEST

START_TEST(a_variant_that_the_device_cannot_run_is_refused)
{
	const struct op *o = op_find("transpose");
	struct job *j;

	room_start_ready("gpu");
	j = room_job(FAKE_ANSWER, 3, "auto");
	for (const struct variant *v = o->variants; v->name; v++)
		if (v->requires & NEEDS_CPU)
			j->args.variant = v;
	ck_assert_ptr_nonnull(j->args.variant);
	room_refuses(j, ERR_PARAMETER);
	job_unref(j);
}
END_TEST

START_TEST(an_engine_may_be_freed_with_jobs_in_every_state)
{
	room_start_ready("cpu");
	job_unref(room_submit(FAKE_HANG));
	job_unref(room_submit(FAKE_ANSWER));
}
END_TEST

START_TEST(an_unknown_device_is_refused_at_the_start)
{
	const char *const list[] = { "tpu", NULL };
	const struct engine_options o = { .program = "/proc/self/exe",
	                                  .devices = list };

	ck_assert_ptr_null(engine_new(room.loop, room.pool, &o,
		                              &room.e));
	ck_assert_int_eq(room.e.code, ERR_PARAMETER);
	ck_assert_ptr_nonnull(strstr(room.e.text, "Fake Accelerator"));
}
END_TEST

START_TEST(a_program_that_lists_nothing_is_refused)
{
	static const char *const programs[] = { "/bin/true", "/bin/false",
	                                        "/nonexistent" };

	for (size_t i = 0; i < COUNT(programs); i++) {
		const struct engine_options o = { .program = programs[i] };

		room.e = (struct err){ 0 };
		ck_assert_ptr_null(engine_new(room.loop, room.pool, &o,
		                              &room.e));
		ck_assert_int_eq(room.e.code, ERR_DEVICE);
	}
}
END_TEST

TCase *tcase_engine_devices(void)
{
	TCase *c = tcase_create("engine_devices");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, auto_takes_the_faster_kind_first);
	tcase_add_test(c, a_named_device_is_waited_for);
	tcase_add_test(c, what_no_device_can_hold_is_refused);
	tcase_add_test(c, a_variant_that_the_device_cannot_run_is_refused);
	tcase_add_test(c, an_engine_may_be_freed_with_jobs_in_every_state);
	tcase_add_test(c, an_unknown_device_is_refused_at_the_start);
	tcase_add_test(c, a_program_that_lists_nothing_is_refused);
	return c;
}
