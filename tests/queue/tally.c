/* tally.c - tests the counters of jobs and kernels, and that the loss of a
 * worker loses none of them. */
#include "queue/tally.h"
#include "tests/queue/engine_room.h"

static int op_at(const char *name)
{
	int i = 0;

	while (strcmp(ops[i]->name, name))
		i++;
	return i;
}

static uint64_t counted(int device, enum err_code code)
{
	return engine_tally(room.engine)->jobs[op_at("transpose")]
	                                      [device][code];
}

static uint64_t number(const struct histogram *h)
{
	uint64_t n = 0;

	for (int i = 0; i < HISTOGRAM_BUCKETS; i++)
		n += h->count[i];
	return n;
}

static int kernel_at(const char *name)
{
	int k = 0;

	while (strcmp(tally_kernel_name(k), name))
		k++;
	return k;
}

START_TEST(jobs_count_by_how_they_ended_whatever_becomes_of_the_worker)
{
	static const enum fake_deed deeds[] = {
		FAKE_ANSWER, FAKE_FAIL, FAKE_CRASH, FAKE_ANSWER,
	};
	const struct tally *t;

	room_start_ready("cpu");
	t = engine_tally(room.engine);
	for (size_t i = 0; i < COUNT(deeds); i++) {
		job_unref(room_submit(deeds[i]));
		UNTIL(room.n_ended == (int)i + 1);
	}
	ck_assert_uint_eq(counted(0, ERR_NONE), 2);
	ck_assert_uint_eq(counted(0, ERR_SINGULAR), 1);
	ck_assert_uint_eq(counted(0, ERR_DEVICE), 1);
	ck_assert_uint_eq(engine_device(room.engine, 0).losses, 1);
	ck_assert_uint_eq(number(&t->stage[op_at("transpose")][STAGE_queue]),
	                  4);
}
END_TEST

START_TEST(a_job_that_no_device_ran_counts_as_such)
{
	struct job *running, *waiting;

	room_start_ready("cpu");
	running = room_submit(FAKE_HOLD);
	waiting = room_submit(FAKE_ANSWER);
	UNTIL(room_at_work(running));
	ck_assert_uint_eq(engine_waiting(room.engine), 1);
	ck_assert_int_eq(engine_device(room.engine, 0).running, 1);
	engine_dismiss(room.engine, waiting);
	engine_dismiss(room.engine, running);
	UNTIL(engine_device(room.engine, 0).running == 0);
	ck_assert_uint_eq(counted(TALLY_NOWHERE, ERR_DISMISSED), 1);
	ck_assert_uint_eq(counted(0, ERR_DISMISSED), 1);
	job_unref(running);
	job_unref(waiting);
}
END_TEST

static struct tally tally;

static void setup(void)
{
	struct err e = { 0 };

	memset(&tally, 0, sizeof tally);
	ck_ok(tally_init(&tally, &e), &e);
}

static void teardown(void)
{
	tally_fini(&tally);
}

static void add(const char *kernel, struct kernel_time k)
{
	struct timing t = { .n_kernels = 1, .kernel = { k } };

	strcpy(t.kernel[0].name, kernel);
	tally_kernels(&tally, 3, &t);
}

START_TEST(every_kernel_is_found_by_its_name)
{
	for (int k = 0; k < tally_kernel_count(); k++)
		add(tally_kernel_name(k), (struct kernel_time){
		    .calls = 1, .total_ns = 1, .min_ns = 1, .max_ns = 1 });
	for (int k = 0; k < tally_kernel_count(); k++) {
		ck_assert_uint_eq(number(tally_kernel(&tally, k, 3)), 1);
		ck_assert_uint_eq(number(tally_kernel(&tally, k, 2)), 0);
	}
	ck_assert_str_eq(tally_kernel_name(tally_kernel_count() - 1),
	                 "others");
}
END_TEST

START_TEST(a_kernel_that_there_is_not_is_one_of_the_others)
{
	add("no\"such", (struct kernel_time){ .calls = 5, .total_ns = 50,
	                                       .min_ns = 10, .max_ns = 10 });
	ck_assert_uint_eq(number(tally_kernel(&tally, kernel_at("others"), 3)),
	                  5);
}
END_TEST

/* Of ten launches, the shortest took 1 us, the longest 30 us, and the others
 * 10 us on average. */
START_TEST(launches_count_singly_and_add_up_to_what_was_answered)
{
	const struct histogram *h =
		tally_kernel(&tally, kernel_at("lu_finish"), 3);

	add("lu_finish", (struct kernel_time){ .calls = 10, .timed = 10,
	    .total_ns = 111001, .min_ns = 1000, .max_ns = 30000 });
	ck_assert_uint_eq(h->count[0], 1);	/* to 1 us */
	ck_assert_uint_eq(h->count[2], 8);	/* to 25 us */
	ck_assert_uint_eq(h->count[3], 1);	/* to 100 us */
	ck_assert_uint_eq(number(h), 10);
	ck_assert_uint_eq(h->sum_ns, 111001);
}
END_TEST

START_TEST(times_that_cannot_be_do_not_count)
{
	const struct histogram *h =
		tally_kernel(&tally, kernel_at("lu_finish"), 3);

	add("lu_finish", (struct kernel_time){ .calls = UINT64_MAX });
	add("lu_finish", (struct kernel_time){ .calls = 1,
	                                       .total_ns = UINT64_MAX });
	add("lu_finish", (struct kernel_time){ .calls = 2, .total_ns = 5,
	                                       .max_ns = UINT64_MAX });
	ck_assert_uint_eq(number(h), 0);
	ck_assert_uint_eq(h->sum_ns, 0);
}
END_TEST

TCase *tcase_tally(void)
{
	TCase *c = tcase_create("tally");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, every_kernel_is_found_by_its_name);
	tcase_add_test(c, a_kernel_that_there_is_not_is_one_of_the_others);
	tcase_add_test(c,
	    launches_count_singly_and_add_up_to_what_was_answered);
	tcase_add_test(c, times_that_cannot_be_do_not_count);
	return c;
}

TCase *tcase_engine_tally(void)
{
	TCase *c = tcase_create("engine_tally");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c,
	    jobs_count_by_how_they_ended_whatever_becomes_of_the_worker);
	tcase_add_test(c, a_job_that_no_device_ran_counts_as_such);
	return c;
}
