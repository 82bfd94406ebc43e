/* depot.c - questions that are given up, lists of this process's own jobs and
 * others, and what a depot without a journal keeps. */
#include <stdio.h>

#include "queue/local.h"
#include "queue/tenant.h"
#include "tests/queue/engine_room.h"

enum { VIEWS = 3 };

static struct depot *depot;
static struct tenant *tenant;
static struct asker by;
static char told[256];
static int n_told;
static uint64_t version;

static void open_room(void)
{
	room_open();
	room_start_ready("cpu");
	by = (struct asker){ .arg = told };
	told[0] = 0;
	n_told = 0;
	tenant = tenants_get(engine_tenants(room.engine), "t", &room.e);
	depot = local_new(room.loop, room.engine, 0, &room.e);
	ck_assert_ptr_nonnull(depot);
}

static void close_room(void)
{
	local_free(depot);
	room_close();
}

/* --- questions */

START_TEST(a_question_that_is_given_up_has_no_answer)
{
	struct ask first = { 0 }, second = { 0 };

	ask_begin(&first, &by);
	ask_cancel(&by);
	ask_cancel(&by);
	ck_assert_ptr_null(ask_end(&first));
	ask_begin(&first, &by);
	ask_begin(&second, &by);
	ck_assert_ptr_null(ask_end(&first));
	ck_assert_ptr_eq(ask_end(&second), &by);
	ck_assert_ptr_null(by.ask);
	ck_assert_ptr_null(ask_end(&second));
}
END_TEST

/* --- lists */

static void on_list(void *arg, struct job *const *jobs, int n,
                    const struct err *e)
{
	char *const text = arg;

	ck_assert_int_eq(e->code, ERR_NONE);
	text[0] = 0;
	for (int i = 0; i < n; i++)
		sprintf(text + strlen(text), "%s%lld ",
		        depot_is_view(jobs[i]) ? "view" : "own",
		        (long long)jobs[i]->created_ms);
}

/* Submits jobs that were created at 10, 20 and 30, and makes views of 15, 20
 * and 25. */
static void make_jobs(struct job *own[VIEWS], struct job *view[VIEWS])
{
	for (int i = 0; i < VIEWS; i++) {
		own[i] = room_job(FAKE_ANSWER, 3, "auto");
		own[i]->keep = true;
		own[i]->tenant = tenant;
		room_accepts(own[i]);
		own[i]->created_ms = 10 * (i + 1);
		view[i] = job_new(op_find("transpose"), &room.e);
		ck_assert_ptr_nonnull(view[i]);
		view[i]->created_ms = 25 - 5 * i;
	}
	UNTIL(room.n_ended == VIEWS);
}

START_TEST(a_list_has_own_jobs_and_views_by_their_age)
{
	struct job *own[VIEWS], *view[VIEWS];
	struct depot_selection s = { .state = -1, .most = 9 };

	make_jobs(own, view);
	depot_tell_list(depot, &s, view, VIEWS, on_list, told);
	ck_assert_str_eq(told, "own30 view25 own20 view20 view15 own10 ");
	s.most = 2;
	depot_tell_list(depot, &s, view, VIEWS, on_list, told);
	ck_assert_str_eq(told, "own30 view25 ");
	s.state = JOB_SUCCESSFUL;
	depot_list(depot, &s, on_list, &by);
	ck_assert_str_eq(told, "own30 own20 ");
	s.state = JOB_RUNNING;
	depot_list(depot, &s, on_list, &by);
	ck_assert_str_eq(told, "");
	s = (struct depot_selection){ .state = -1, .most = 9, .tenant =
	    tenants_get(engine_tenants(room.engine), "u", &room.e) };
	depot_list(depot, &s, on_list, &by);
	ck_assert_str_eq(told, "");
	for (int i = 0; i < VIEWS; i++) {
		job_unref(own[i]);
		job_unref(view[i]);
	}
}
END_TEST

/* --- stored matrices and saved pipelines */

static void on_put(void *arg, uint64_t v, bool new, const struct err *e)
{
	sprintf(arg, "%s %d", err_slug(e->code), new);
	version = v;
	n_told++;
}

static void put(const uint64_t *expected)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 1, .dim = { 3 } };

	ck_ok(matrix_alloc(&m, room.pool, &room.e), &room.e);
	depot->calls->put(depot, tenant, "a", &m, 0, expected, on_put, &by);
	matrix_fini(&m);
}

static void on_done(void *arg, const struct err *e)
{
	strcpy(arg, err_slug(e->code));
	n_told++;
}

START_TEST(a_matrix_is_replaced_only_if_it_has_the_version)
{
	uint64_t old;

	put(&(uint64_t){ 1 });
	ck_assert_str_eq(told, "precondition-failed 0");
	put(&(uint64_t){ 0 });
	ck_assert_str_eq(told, "none 1");
	old = version;
	put(NULL);
	ck_assert_str_eq(told, "none 0");
	ck_assert_uint_gt(version, old);
	put(&old);
	ck_assert_str_eq(told, "precondition-failed 0");
	depot->calls->discard(depot, tenant, "a", &old, on_done, &by);
	ck_assert_str_eq(told, "precondition-failed");
	ck_assert_uint_eq(store_count(depot->store), 1);
	depot->calls->discard(depot, tenant, "a", NULL, on_done, &by);
	ck_assert_str_eq(told, "none");
	depot->calls->discard(depot, tenant, "a", NULL, on_done, &by);
	ck_assert_str_eq(told, "not-found");
	ck_assert_int_eq(n_told, 7);
}
END_TEST

static void on_saved(void *arg, bool new, const struct err *e)
{
	sprintf(arg, "%s %d", err_slug(e->code), new);
}

static void visit(void *arg, const char *name, const char *text)
{
	sprintf((char *)arg + strlen(arg), "%s=%s ", name, text);
}

static void on_read(void *arg, const struct err *e)
{
	strcat(arg, err_slug(e->code));
}

static void save_if(enum depot_when when, const char *name, const char *text,
                    const char *expected)
{
	depot->calls->save(depot, tenant, name, text, when, NULL, on_saved,
	                   &by);
	ck_assert_str_eq(told, expected);
}

static void save_same(const char *was, const char *name, const char *text,
                      const char *expected)
{
	depot->calls->save(depot, tenant, name, text, DEPOT_IF_SAME, was,
	                   on_saved, &by);
	ck_assert_str_eq(told, expected);
}

static void save(const char *name, const char *text, const char *expected)
{
	save_if(DEPOT_ALWAYS, name, text, expected);
}

static void read_saved(const char *name, const char *expected)
{
	told[0] = 0;
	depot->calls->read(depot, tenant, name, visit, on_read, &by);
	ck_assert_str_eq(told, expected);
}

START_TEST(pipelines_are_saved_in_the_order_of_their_names)
{
	save("q", "1", "none 1");
	save("p", "2", "none 1");
	save("q", "3", "none 0");
	read_saved(NULL, "p=2 q=3 none");
	read_saved("q", "q=3 none");
	save("p", NULL, "none 0");
	save("p", NULL, "not-found 0");
	read_saved("p", "not-found");
	read_saved(NULL, "q=3 none");
}
END_TEST

START_TEST(a_pipeline_is_saved_only_if_its_name_is_new_or_there)
{
	save_if(DEPOT_IF_THERE, "p", "1", "precondition-failed 0");
	save_if(DEPOT_IF_NEW, "p", "2", "none 1");
	save_if(DEPOT_IF_NEW, "p", "3", "precondition-failed 0");
	read_saved("p", "p=2 none");
	save_if(DEPOT_IF_THERE, "p", "4", "none 0");
	save_if(DEPOT_IF_NEW, "p", NULL, "precondition-failed 0");
	read_saved("p", "p=4 none");
	save_if(DEPOT_IF_THERE, "p", NULL, "none 0");
	save_if(DEPOT_IF_THERE, "p", NULL, "not-found 0");
	save_same("1", "p", "2", "precondition-failed 0");
	save_if(DEPOT_IF_NEW, "p", "1", "none 1");
	save_same("2", "p", "3", "precondition-failed 0");
	save_same("1", "p", "2", "none 0");
	save_same("1", "p", NULL, "precondition-failed 0");
	save_same("2", "p", NULL, "none 0");
	save_same("2", "p", NULL, "not-found 0");
}
END_TEST

TCase *tcase_depot(void)
{
	TCase *c = tcase_create("depot");

	tcase_add_checked_fixture(c, open_room, close_room);
	tcase_add_test(c, a_question_that_is_given_up_has_no_answer);
	tcase_add_test(c, a_list_has_own_jobs_and_views_by_their_age);
	tcase_add_test(c, a_matrix_is_replaced_only_if_it_has_the_version);
	tcase_add_test(c, pipelines_are_saved_in_the_order_of_their_names);
	tcase_add_test(c, a_pipeline_is_saved_only_if_its_name_is_new_or_there);
	return c;
}
