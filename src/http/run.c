/* run.c - POST /{op}: from the headers of a request to its answer.
 *
 *     begin -> body ... -> done -> prepare (on a pool thread if it is long)
 *                                     |
 *     answer <- on_end <- engine <- submit
 *
 * An asynchronous job with a long preparation is accepted before it.
 * A run belongs to its exchange. While a pool thread prepares it, it may
 * outlive the exchange, whose client has then left.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "http/answer.h"
#include "http/operands.h"
#include "http/repeat.h"
#include "http/report.h"
#include "http/request.h"
#include "http/service.h"
#include "http/upload.h"
#include "matrix/reader.h"
#include "matrix/touch.h"

struct run {
	struct api *api;		/* the loop's thread alone */
	struct memory_pool *memory;
	struct exchange *x;		/* NULL: the client has left */
	struct job *job;		/* a reference */
	struct request request;
	struct sink sink;
	struct reader *reader;
	bool finished;			/* reader_finish() is behind us */
	const struct answer_format *format;
	struct answer *answer;
	bool asynchronous;
	struct fingerprint fingerprint;
	struct task task;
	bool preparing;			/* on the pool; not to be freed */
	bool ended;			/* the exchange is gone, too */
	bool accepted;			/* before that; the 202 is sent */
	int64_t prepare_ns;		/* spent there */
	struct err err;			/* of preparing */
};

static void run_free(struct run *r)
{
	if (!r)
		return;
	reader_free(r->reader);
	answer_free(r->answer);
	job_unref(r->job);
	free(r);
}

/* "respond-async" among the preferences (RFC 7240). */
static bool prefers_async(const char *s)
{
	static const char wanted[] = "respond-async";

	while (s && *s) {
		s += strspn(s, ", \t");
		if (strcspn(s, ",; \t") == sizeof wanted - 1 &&
		    strncasecmp(s, wanted, sizeof wanted - 1) == 0)
			return true;
		s += strcspn(s, ",");
	}
	return false;
}

static int open_reader(struct run *r, struct err *e)
{
	if (fingerprint_begin(&r->fingerprint, r->x, r->job, e))
		return -1;
	r->sink = (struct sink){
		.operand = request_operand, .parameter = request_parameter,
		.is_operand = request_is_operand, .layout = request_layout,
		.reference = request_reference,
		.arrived = request_arrived, .pool = r->memory,
		.arg = &r->request,
	};
	r->reader = upload_open(r->x, &r->sink, e);
	return r->reader ? 0 : -1;
}

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct api *a = exchange_context(x);
	struct run *r = calloc(1, sizeof *r);

	if (!r)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*state = r;
	r->api = a;
	r->memory = a->options.memory;
	r->x = x;
	r->asynchronous = prefers_async(exchange_prefer(x));
	r->format = answer_choose(x, e);
	if (!r->format || engine_check_room(a->options.engine, e))
		return -1;
	r->job = job_new(exchange_route(x)->arg, e);
	if (!r->job || request_init(&r->request, a->options.engine,
	                            &r->job->args, e))
		return -1;
	r->request.store = a->store;
	r->job->first_byte_ns = exchange_first_byte_ns(x);
	if (exchange_query(x, request_parameter, &r->request, e))
		return -1;
	return open_reader(r, e);
}

static int body(struct exchange *x, void *state, const void *bytes, size_t n,
                struct err *e)
{
	struct run *r = state;
	const int64_t start = clock_ns();
	int rc;

	(void)x;
	fingerprint_add(&r->fingerprint, bytes, n);
	rc = reader_feed(r->reader, bytes, n, e);
	r->job->parse_ns += clock_ns() - start;
	return rc;
}

/* While the operands go to the device. */
static void touch_outputs(const struct args *a)
{
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (a->out[i].ndim != MATRIX_ABSENT && a->out[i].memory)
			touch_all(a->out[i].memory);
}

/* From the whole body to a job that may be submitted. Any thread. */
static void prepare(void *arg)
{
	struct run *r = arg;
	const int64_t start = clock_ns();
	struct args *a = &r->job->args;

	if ((r->finished || reader_finish(r->reader, &r->err) == 0) &&
	    args_settle_dtype(a, r->request.dtype, &r->err) == 0 &&
	    operands_convert(a, r->memory, &r->err) == 0 &&
	    args_settle_layout(a, r->memory, &r->err) == 0 &&
	    args_check(a, &r->err) == 0 &&
	    args_alloc(a, r->memory, &r->err) == 0)
		touch_outputs(a);
	reader_free(r->reader);
	r->reader = NULL;
	r->prepare_ns = clock_ns() - start;
}

static void on_end(struct job *j, void *arg)
{
	struct run *r = arg;

	if (!r->x)
		return;
	j->answered_ns = clock_ns();
	r->answer = answer_job(r->x, r->api->options.engine,
	                       r->api->options.codec, j, r->format);
}

static void answer_accepted(struct run *r, const struct job *j)
{
	struct text t = { 0 };
	char path[JOB_PATH];

	exchange_reply_header(r->x, "Location", report_path(j, path));
	exchange_reply_header(r->x, "Preference-Applied", "respond-async");
	answer_headers(r->x, j);
	report_status(&t, r->api->options.engine, j);
	exchange_reply_text(r->x, 202, "application/json", &t);
}

static void fill_job(struct run *r)
{
	struct job *j = r->job;
	const struct request *q = &r->request;

	j->devices = q->devices;
	j->priority = q->priority;
	j->timing_level = q->timing;
	j->keep = r->asynchronous;
	if (q->timeout_ms)
		j->deadline_ns = clock_ns() + q->timeout_ms * 1000000;
	if (!r->asynchronous) {
		j->on_end = on_end;
		j->on_end_arg = r;
	}
}

static int submit(struct run *r, struct err *e)
{
	if (request_end(&r->request, e))
		return -1;
	fill_job(r);
	if (engine_submit(r->api->options.engine, r->job, e)) {
		r->job->on_end = NULL;
		return -1;
	}
	if (r->asynchronous)
		answer_accepted(r, r->job);
	return 0;
}

/* 1: the request came before and is answered. */
static int answer_repeat(struct run *r, struct err *e)
{
	struct engine *g = r->api->options.engine;
	struct job *old;
	const int repeats = repeat_find(g, r->job, r->asynchronous, &old, e);

	if (repeats <= 0)
		return repeats;
	if (r->asynchronous)
		answer_accepted(r, old);
	else
		r->answer = answer_job(r->x, g, r->api->options.codec, old,
		                       r->format);
	return 1;
}

/* With the job prepared. A request with the same key may have been submitted
 * meanwhile. */
static int go_on(struct run *r, struct err *e)
{
	int repeats;

	if (r->err.code != ERR_NONE) {
		*e = r->err;
		return -1;
	}
	repeats = answer_repeat(r, e);
	return repeats ? -(repeats < 0) : submit(r, e);
}

/* The same for one that was accepted before. */
static void place(struct run *r)
{
	struct err e = r->err;

	if (e.code == ERR_NONE)
		request_end(&r->request, &e);
	engine_prepared(r->api->options.engine, r->job, &e);
}

static void prepared(void *arg)
{
	struct run *r = arg;
	struct err e = { 0 };

	r->preparing = false;
	r->job->parse_ns += r->prepare_ns;
	if (r->accepted)
		place(r);
	else if (r->x && go_on(r, &e))
		exchange_reply_problem(r->x, &e, NULL);
	if (r->ended)
		run_free(r);
}

/* An asynchronous job exists before its long preparation, so that it can be
 * found and dismissed meanwhile. */
static int prepare_later(struct run *r, struct err *e)
{
	if (r->asynchronous) {
		fill_job(r);
		if (engine_accept(r->api->options.engine, r->job, e))
			return -1;
		r->accepted = true;
		answer_accepted(r, r->job);
	}
	r->preparing = true;
	pool_submit(r->api->options.codec, &r->task, prepare, prepared, r);
	return 0;
}

/* Sets *work when there is something longer than a millisecond to do. */
static int end_body(struct run *r, bool *work, struct err *e)
{
	const int64_t start = clock_ns();

	if (reader_end(r->reader, work, e))
		return -1;
	if (!*work) {
		if (reader_finish(r->reader, e))
			return -1;
		r->finished = true;
		*work = operands_convert_long(&r->job->args, r->request.dtype);
	}
	r->job->parse_ns += clock_ns() - start;
	return 0;
}

static int done(struct exchange *x, void *state, struct err *e)
{
	struct run *r = state;
	bool work = false;
	int repeats;

	(void)x;
	fingerprint_end(&r->fingerprint, r->job);
	if (end_body(r, &work, e))
		return -1;
	if (work) {
		repeats = answer_repeat(r, e);
		return repeats ? -(repeats < 0) : prepare_later(r, e);
	}
	prepare(r);
	r->job->parse_ns += r->prepare_ns;
	return go_on(r, e);
}

/* The client has left: nobody wants the result. */
static void gone(struct exchange *x, void *state)
{
	struct run *r = state;

	(void)x;
	r->x = NULL;
	if (!r->job || !r->job->on_end)
		return;
	r->job->on_end = NULL;
	engine_dismiss(r->api->options.engine, r->job);
}

static void end(struct exchange *x, void *state)
{
	struct run *r = state;

	(void)x;
	if (!r)
		return;
	r->x = NULL;
	r->ended = true;
	service_trim_later(r->api);
	if (!r->preparing)
		run_free(r);
}

const struct handler run_handler = { begin, body, done, gone, end };
