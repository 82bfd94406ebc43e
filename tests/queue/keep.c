/* keep.c - the parameter `store`: which outputs of a call are stored, and that
 * a job stores all of them or none. */
#include "queue/keep.h"
#include "queue/tenant.h"
#include "tests/queue/engine_room.h"

static const struct tenant nobody;
static struct keeping *keeping;
static struct store *store;
static struct args args;
static struct err e;

static void setup(void)
{
	e = (struct err){ 0 };
	store = store_new(&e);
	keeping = keep_new(store, &nobody, NULL, &e);
	args_init(&args, op_find("lu"));
	args.in[0] = (struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                              .dim = { 2, 3 } };
	args.dtype = args.half = FLOAT64;
}

static void teardown(void)
{
	args_fini(&args);
	free(keeping);
	store_free(store);
}

static int parse(const char *value)
{
	keeping->n = 0;
	e = (struct err){ 0 };
	return keep_parse(keeping, args.op, value, &e);
}

START_TEST(a_list_names_outputs_and_matrices)
{
	ck_ok(parse("c1"), &e);
	ck_assert_int_eq(keeping->n, 1);
	ck_assert_int_eq(keeping->kept[0].output, KEEP_FIRST);
	ck_assert_str_eq(keeping->kept[0].name, "c1");
	ck_ok(parse("pivots:p, lu:f"), &e);
	ck_assert_int_eq(keeping->n, 2);
	ck_assert_int_eq(keeping->kept[0].output, op_output(args.op, "pivots"));
	ck_assert_str_eq(keeping->kept[1].name, "f");
}
END_TEST

START_TEST(a_wrong_list_is_refused)
{
	static const struct { const char *value; enum err_code code; } row[] = {
		{ "", ERR_REQUEST }, { "a,", ERR_REQUEST },
		{ "lu:", ERR_REQUEST },
		{ ".a", ERR_REQUEST }, { "lv:a", ERR_PARAMETER },
		{ "lu:a,lu:b", ERR_PARAMETER }, { "lu:a,p:a", ERR_PARAMETER },
		{ "a,b", ERR_PARAMETER }, { "lu:a:b", ERR_REQUEST },
	};

	for (size_t i = 0; i < COUNT(row); i++)
		ck_refused(parse(row[i].value), &e, row[i].code);
}
END_TEST

START_TEST(what_is_stored_is_computed_but_only_told_if_returned)
{
	const int lu = op_output(args.op, "lu"), p = op_output(args.op, "p");

	ck_ok(parse("f,p:order"), &e);
	ck_ok(keep_settle(keeping, &args, false, &e), &e);
	ck_assert_int_eq(keeping->kept[0].output, lu);
	ck_assert(args_wants(&args, lu) && args_wants(&args, p));
	ck_assert(!keeping->kept[0].told && !keeping->kept[1].told);
	args.want = 1u << p;
	ck_ok(parse("f,p:order"), &e);
	ck_ok(keep_settle(keeping, &args, true, &e), &e);
	ck_assert(args.want == (1u << p | 1u << lu));
	ck_assert(!keeping->kept[0].told && keeping->kept[1].told);
}
END_TEST

START_TEST(an_output_that_the_call_has_not_is_refused)
{
	ck_ok(parse("sign:s"), &e);
	ck_ok(keep_settle(keeping, &args, false, &e), &e);
	ck_ok(args_check(&args, &e), &e);
	ck_refused(keep_check(keeping, &args, &e), &e, ERR_PARAMETER);
	ck_assert_str_eq(e.pointer, "/store");
	ck_ok(parse("f,lu:g"), &e);
	ck_refused(keep_settle(keeping, &args, false, &e), &e, ERR_PARAMETER);
}
END_TEST

TCase *tcase_keep(void)
{
	TCase *c = tcase_create("keep");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_list_names_outputs_and_matrices);
	tcase_add_test(c, a_wrong_list_is_refused);
	tcase_add_test(c, what_is_stored_is_computed_but_only_told_if_returned);
	tcase_add_test(c, an_output_that_the_call_has_not_is_refused);
	return c;
}

/* Runs a job that transposes three numbers and stores the result, until it has
 * ended. */
static struct job *storing_job(enum fake_deed deed, struct store *s)
{
	struct job *j;

	room_start_ready("0");
	j = room_job(deed, 3, "auto");
	j->keeping = keep_new(s, &nobody, NULL, &room.e);
	ck_ok(keep_parse(j->keeping, j->args.op, "a:kept", &room.e), &room.e);
	ck_ok(keep_settle(j->keeping, &j->args, false, &room.e), &room.e);
	room_accepts(j);
	UNTIL(job_state_is_end(j->state));
	return j;
}

START_TEST(a_job_stores_when_it_succeeds)
{
	struct store *s = store_new(&room.e);
	struct job *j = storing_job(FAKE_ANSWER, s);

	ck_assert_int_eq(j->state, JOB_SUCCESSFUL);
	ck_assert(j->keeping->done);
	ck_assert_int_eq(j->args.out[0].ndim, MATRIX_ABSENT);
	ck_assert_ptr_nonnull(store_find(s, "", "kept", &room.e));
	job_unref(j);
	store_free(s);
}
END_TEST

START_TEST(a_job_that_fails_stores_nothing)
{
	struct store *s = store_new(&room.e);
	struct job *j = storing_job(FAKE_FAIL, s);

	ck_assert_int_eq(j->state, JOB_FAILED);
	ck_assert_uint_eq(store_count(s), 0);
	job_unref(j);
	store_free(s);
}
END_TEST

TCase *tcase_engine_keep(void)
{
	TCase *c = tcase_create("engine_keep");

	tcase_add_checked_fixture(c, room_open, room_close);
	tcase_add_test(c, a_job_stores_when_it_succeeds);
	tcase_add_test(c, a_job_that_fails_stores_nothing);
	return c;
}
