/* trace.c - tests which traces the front takes from a worker, and how many it
 * keeps. */
#include <stdlib.h>

#include "queue/trace.h"
#include "tests/test.h"

static struct trace_page *page;
static struct done answer;

static void setup(void)
{
	const int64_t now = clock_ns();

	page = calloc(1, sizeof *page);
	answer = (struct done){ .begun_ns = now - 1000 };
	answer.timing.n_kernels = 2;
	strcpy(answer.timing.kernel[1].name, "lu_finish");
	page->event[0] = (struct trace_event){ now - 900, now - 800, 1, 0, 0 };
	page->event[1] = (struct trace_event){ now - 700, now - 700,
	                                       TRACE_READ, 1, 0 };
	atomic_store(&page->n, 2);
}

static void teardown(void)
{
	free(page);
}

START_TEST(a_trace_is_copied)
{
	struct err e = { 0 };
	struct trace *t = trace_take(page, &answer, 3, &e);

	ck_assert_ptr_nonnull(t);
	ck_assert_int_eq(t->n, 2);
	ck_assert_int_eq(t->device, 3);
	ck_assert_str_eq(t->name[t->event[0].kind], "lu_finish");
	ck_assert_int_eq(t->event[1].kind, TRACE_READ);
	ck_assert_int_eq(t->left_out, 0);
	trace_unref(trace_ref(t));
	trace_unref(t);
}
END_TEST

START_TEST(what_has_no_room_is_counted)
{
	struct err e = { 0 };
	struct trace *t;

	for (int i = 1; i < TRACE_EVENTS; i++)
		page->event[i] = page->event[0];
	atomic_store(&page->n, TRACE_EVENTS);
	page->left_out = 7;
	t = trace_take(page, &answer, 0, &e);
	ck_assert_ptr_nonnull(t);
	ck_assert_int_eq(t->left_out, 7);
	trace_unref(t);
}
END_TEST

static void refused(void)
{
	struct err e = { 0 };

	ck_assert_ptr_null(trace_take(page, &answer, 0, &e));
	ck_assert_int_eq(e.code, ERR_DEVICE);
}

START_TEST(what_cannot_be_a_trace_is_refused)
{
	struct trace_event *const one = &page->event[1], good = *one;

	atomic_store(&page->n, TRACE_EVENTS + 1);
	refused();
	atomic_store(&page->n, 2);
	one->kind = answer.timing.n_kernels;
	refused();
	one->kind = TRACE_KINDS;
	refused();
	*one = good;
	one->lane = 2;
	refused();
	*one = good;
	one->begin_ns = one->end_ns + 1;
	refused();
	one->begin_ns = answer.begun_ns - 1;
	refused();
	*one = good;
	one->end_ns = INT64_MAX;
	refused();
}
END_TEST

START_TEST(the_newest_traces_are_kept)
{
	enum { MANY = 2 * TRACES };
	struct job *job[MANY];
	struct traces all = { 0 };
	struct err e = { 0 };

	for (int i = 0; i < MANY; i++) {
		job[i] = job_new(ops[0], &e);
		job[i]->trace = trace_take(page, &answer, 0, &e);
		traces_keep(&all, job[i]);
	}
	for (int i = 0; i < MANY; i++) {
		ck_assert_int_eq(job[i]->trace != NULL, i >= TRACES);
		ck_assert_int_eq(job[i]->trace_gone, i < TRACES);
		job_unref(job[i]);
	}
	for (int i = 0; i < TRACES; i++)
		ck_assert_ptr_null(all.job[i]);
}
END_TEST

TCase *tcase_traces(void)
{
	TCase *t = tcase_create("traces");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_trace_is_copied);
	tcase_add_test(t, what_has_no_room_is_counted);
	tcase_add_test(t, what_cannot_be_a_trace_is_refused);
	tcase_add_test(t, the_newest_traces_are_kept);
	return t;
}
