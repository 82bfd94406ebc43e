/* job_get.c - the handlers of GET /jobs/{id}, its result and its trace, which
 * wait for the job's end if the client prefers that ("Prefer: wait=N"). */
#include <stdlib.h>

#include "base/clock.h"
#include "http/job_reply.h"
#include "http/job_text.h"
#include "http/job_wait.h"
#include "http/service.h"
#include "http/trace_text.h"

struct get {
	struct api *api;
	struct exchange *x;
	struct job_wait wait;
	struct asker by;
	struct job *job;		/* a reference, once it has been
					 * found */
	bool results;			/* answer() needs the job's results */
	void (*answer)(struct get *g, struct job *j);
	const struct reply_format *format;	/* of a result */
	struct job_reply *reply;
};

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct get *g = calloc(1, sizeof *g);

	if (!g)
		return err_set(e, ERR_MEMORY, "no memory for the reply");
	*g = (struct get){ .api = exchange_context(x), .x = x, .by.arg = g };
	*state = g;
	return 0;
}

static void answer_now(void *arg, struct job *j, const struct err *e)
{
	struct get *g = arg;

	if (!j) {
		exchange_reply_problem(g->x, e, NULL);
		return;
	}
	job_ref(j);
	job_unref(g->job);
	g->job = j;
	g->answer(g, j);
}

/* A job that was followed to its end may have no results yet: it is found once
 * more with them. */
static void on_wait_over(void *arg)
{
	struct get *g = arg;
	struct job *j = g->wait.job;
	struct err e = { 0 };

	if (!g->results || !job_state_is_end(j->state))
		answer_now(g, j, &e);
	else
		service_find_job(g->x, true, answer_now, &g->by, &e);
	job_wait_end(&g->wait);
}

/* Answers now or, if the client prefers to wait and the job has not ended, when
 * it has ended or the wait is over. */
static void answer_in_time(void *arg, struct job *j, const struct err *e)
{
	struct get *const g = arg;
	const int seconds = j ? job_wait_seconds(g->x) : 0;

	if (seconds <= 0 || job_state_is_end(j->state)) {
		answer_now(g, j, e);
		return;
	}
	job_wait_begin(&g->wait, g->api->options.loop, j, clock_ns() +
	               seconds * INT64_C(1000000000), on_wait_over, g);
	depot_follow(g->api->options.depot, j);
}

static void answer_status(struct get *g, struct job *j)
{
	struct text t = { 0 };

	job_reply_headers(g->x, j);
	job_text_status(&t, g->api->options.engine, j);
	exchange_reply_text(g->x, 200, "application/json", &t);
}

static int status(struct exchange *x, void *state, struct err *e)
{
	struct get *g = state;

	g->answer = answer_status;
	return service_find_job(x, false, answer_in_time, &g->by, e);
}

static int check_ended(const struct job *j, const char *what, struct err *e)
{
	return job_state_is_end(j->state) ? 0 :
	       err_set(e, ERR_CONFLICT, "job %s is %s; GET /jobs/%s until its "
	               "status is successful, then fetch the %s", j->id,
	               job_state_name(job_told_state(j)), j->id, what);
}

/* Checks that the job has ended and has a result or an error to return. */
static int check_fetchable(const struct job *j, struct err *e)
{
	if (check_ended(j, "result", e))
		return -1;
	if (j->state != JOB_SUCCESSFUL)
		return 0;
	if (!j->keep)
		return err_set(e, ERR_GONE, "job %s was synchronous: its "
		               "result was in the reply", j->id);
	if (j->gone)
		return err_set(e, ERR_GONE, "the result of job %s has been "
		               "removed after its time to live", j->id);
	return 0;
}

static void refuse(struct get *g, struct job *j, const struct err *e)
{
	char path[JOB_PATH];

	if (!job_state_is_end(j->state))
		exchange_reply_header(g->x, "Retry-After", "1");
	job_reply_headers(g->x, j);
	exchange_reply_problem(g->x, e, job_text_path(j, path));
}

static void answer_result(struct get *g, struct job *j)
{
	const struct sending s = {
		.x = g->x, .engine = g->api->options.engine,
		.codec = g->api->options.codec, .job = j,
	};
	struct err e = { 0 };

	if (check_fetchable(j, &e)) {
		refuse(g, j, &e);
		return;
	}
	g->reply = job_reply_send(&s, g->format);
}

static int result(struct exchange *x, void *state, struct err *e)
{
	struct get *g = state;

	g->format = job_reply_choose(x, e);
	if (!g->format)
		return -1;
	g->results = true;
	g->answer = answer_result;
	return service_find_job(x, true, answer_in_time, &g->by, e);
}

/* Checks that the job has ended and that it has a trace. With timing=full, the
 * default, the trace consists of the job's stages alone. */
static int check_traced(const struct job *j, struct err *e)
{
	if (check_ended(j, "trace", e))
		return -1;
	if (!timing_has_kernels(j->timing_level))
		return err_set(e, ERR_NOT_FOUND, "job %s has no trace: its "
		               "request must ask for one by timing=trace",
		               j->id);
	if (j->trace_gone)
		return err_set(e, ERR_GONE, "the trace of job %s has been "
		               "removed; those of the newest jobs are kept",
		               j->id);
	return 0;
}

static void answer_trace(struct get *g, struct job *j)
{
	struct trace_text *t = NULL;
	struct err e = { 0 };

	if (check_traced(j, &e) == 0) {
		t = trace_text_new(g->api->options.engine, j);
		if (!t)
			err_set(&e, ERR_MEMORY, "no memory for the trace");
	}
	if (!t) {
		refuse(g, j, &e);
		return;
	}
	job_reply_headers(g->x, j);
	exchange_reply_stream(g->x, 200, "application/json", UINT64_MAX,
	                      trace_text_more, trace_text_free, t);
}

static int trace(struct exchange *x, void *state, struct err *e)
{
	struct get *g = state;

	g->answer = answer_trace;
	return service_find_job(x, false, answer_in_time, &g->by, e);
}

static void gone(struct exchange *x, void *state)
{
	struct get *g = state;

	(void)x;
	ask_cancel(&g->by);
	job_wait_end(&g->wait);
}

static void end(struct exchange *x, void *state)
{
	struct get *g = state;

	(void)x;
	if (!g)
		return;
	ask_cancel(&g->by);
	job_wait_end(&g->wait);
	job_reply_free(g->reply);
	job_unref(g->job);
	free(g);
}

const struct handler job_status_handler = {
	.begin = begin, .done = status, .gone = gone, .end = end,
};
const struct handler job_result_handler = {
	.begin = begin, .done = result, .gone = gone, .end = end,
};
const struct handler job_trace_handler = {
	.begin = begin, .done = trace, .gone = gone, .end = end,
};
