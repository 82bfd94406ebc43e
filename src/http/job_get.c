/* job_get.c - the handlers of GET /jobs/{id} and /jobs/{id}/result, which wait
 * for the job's end if the client prefers that ("Prefer: wait=N"). */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "http/job_reply.h"
#include "http/job_text.h"
#include "http/job_wait.h"
#include "http/prefer.h"
#include "http/service.h"

/* A longer wait is cut to this; proxies give up sooner. */
enum { WAIT_MOST_SECONDS = 300 };

struct get {
	struct api *api;
	struct exchange *x;
	struct job_wait wait;
	void (*answer)(struct get *g, struct job *j);
	const struct reply_format *format;	/* of a result */
	struct job_reply *reply;
};

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct get *g = calloc(1, sizeof *g);

	if (!g)
		return err_set(e, ERR_MEMORY, "no memory for the reply");
	g->api = exchange_context(x);
	g->x = x;
	*state = g;
	return 0;
}

static void on_wait_over(void *arg)
{
	struct get *g = arg;

	g->answer(g, g->wait.job);
	job_wait_end(&g->wait);
}

/* Answers now or, if the client prefers to wait, later. */
static void answer_in_time(struct get *g, struct job *j)
{
	const int seconds = prefer_wait(exchange_prefer(g->x),
	                                WAIT_MOST_SECONDS);
	char applied[32];

	if (seconds >= 0) {
		snprintf(applied, sizeof applied, "wait=%d", seconds);
		exchange_reply_header(g->x, "Preference-Applied", applied);
	}
	if (seconds > 0 && !job_state_is_end(j->state))
		job_wait_begin(&g->wait, g->api->options.loop, j, clock_ns() +
		               seconds * INT64_C(1000000000), on_wait_over,
		               g);
	else
		g->answer(g, j);
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
	struct job *j = service_job(x, e);
	struct get *g = state;

	if (!j)
		return -1;
	g->answer = answer_status;
	answer_in_time(g, j);
	return 0;
}

/* Checks that the job has ended and has a result or an error to return. */
static int check_fetchable(const struct job *j, struct err *e)
{
	if (!job_state_is_end(j->state))
		return err_set(e, ERR_CONFLICT, "job %s is %s; GET /jobs/%s "
		               "until its status is successful, then fetch the "
		               "result", j->id, job_state_name(j->state),
		               j->id);
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

static void answer_result(struct get *g, struct job *j)
{
	struct err e = { 0 };
	char path[JOB_PATH];

	if (check_fetchable(j, &e)) {
		if (!job_state_is_end(j->state))
			exchange_reply_header(g->x, "Retry-After", "1");
		job_reply_headers(g->x, j);
		exchange_reply_problem(g->x, &e, job_text_path(j, path));
		return;
	}
	g->reply = job_reply_send(g->x, g->api->options.engine,
	                          g->api->options.codec, j, g->format);
}

static int result(struct exchange *x, void *state, struct err *e)
{
	struct get *g = state;
	struct job *j;

	g->format = job_reply_choose(x, e);
	j = g->format ? service_job(x, e) : NULL;
	if (!j)
		return -1;
	g->answer = answer_result;
	answer_in_time(g, j);
	return 0;
}

static void gone(struct exchange *x, void *state)
{
	struct get *g = state;

	(void)x;
	job_wait_end(&g->wait);
}

static void end(struct exchange *x, void *state)
{
	struct get *g = state;

	(void)x;
	if (!g)
		return;
	job_wait_end(&g->wait);
	job_reply_free(g->reply);
	free(g);
}

const struct handler job_status_handler = {
	.begin = begin, .done = status, .gone = gone, .end = end,
};
const struct handler job_result_handler = {
	.begin = begin, .done = result, .gone = gone, .end = end,
};
