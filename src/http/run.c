/* run.c - handles POST /{op}, POST /pipelines and, of the Open Inference
 * Protocol, POST /v2/models/{op}/infer, from the headers to the reply.
 *
 *     begin -> body ... -> done -> prepare -> submit -----> engine
 *                            |                  |             |
 *                            +-> accept, pool --+-> depot --> on_end -> reply
 *
 * A short preparation is done at once. A job whose preparation takes long is
 * accepted before it, so that the job is counted, can be found and dismissed,
 * and its deadline runs. A pool thread then works on the job's operands and the
 * run's reader, which no other thread may use. If the job ends before they are
 * ready, that work is cancelled.
 *
 * A run belongs to its exchange, but may outlive it while a pool thread works
 * for it: the client has then left, or has its reply.
 */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "format/reader.h"
#include "http/access.h"
#include "http/async.h"
#include "http/draft.h"
#include "http/job_reply.h"
#include "http/operands.h"
#include "http/repeat.h"
#include "http/request.h"
#include "http/run.h"
#include "http/service.h"
#include "http/tensor_reply.h"
#include "http/upload.h"

void run_free(struct run *r)
{
	if (!r)
		return;
	reader_free(r->reader);
	draft_free(r->draft);
	job_reply_free(r->reply);
	job_unref(r->job);
	job_unref(r->repeated);
	request_fini(&r->request);
	wanted_fini(&r->operands);
	wanted_fini(&r->targets);
	free(r->tensors);
	free(r);
}

void run_locate(const struct run *r, struct err *e)
{
	if (r->draft)
		draft_locate(r->draft, e);
	request_locate(&r->request, e);
}

int run_open(struct run *r, struct err *e)
{
	if (exchange_query(r->x, r->draft ? draft_parameter :
	                                    request_parameter,
	                   r->draft ? (void *)r->draft : &r->request, e))
		return -1;
	request_query_ends(&r->request);
	if (fingerprint_begin(&r->fingerprint, r->x, r->job, e))
		return -1;
	r->sink = r->draft ? draft_sink(r->draft) :
	                     request_sink(&r->request, r->memory);
	r->reader = r->tensors ? tensor_upload(r->x, &r->sink, r->tensors, e) :
	                         upload_open(r->x, &r->sink, e);
	return r->reader ? 0 : -1;
}

void run_send_reply(void *run, struct job *j)
{
	struct run *r = run;
	const struct sending s = {
		.x = r->x, .engine = r->api->options.engine,
		.codec = r->api->options.codec, .job = j,
		.tensors = r->tensors,
	};

	r->reply = job_reply_send(&s, r->format);
}

static int begin_run(struct exchange *x, bool inference, void **state,
                     struct err *e)
{
	const struct op *op = exchange_route(x)->arg;	/* NULL: a pipeline */
	struct api *a = exchange_context(x);
	struct run *r = calloc(1, sizeof *r);

	if (!r)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*state = r;
	*r = (struct run){ .api = a, .memory = a->options.memory, .x = x,
	                   .by.arg = r };
	async_init(&r->async, x, run_send_ended, r);
	if (inference && !(op = tensor_op(x, &r->tensors, e)))
		return -1;
	r->format = r->tensors ? &tensor_format : job_reply_choose(x, e);
	wanted_make_room(x);
	if (!r->format || run_check_room(r, e))
		return -1;
	r->job = job_new(op ? op : &draft_op, e);
	if (!r->job || request_init(&r->request, a->options.engine,
	                            &r->job->args, e))
		return -1;
	if (wanted_init(&r->operands, x, e) || wanted_init(&r->targets, x, e))
		return -1;
	r->request.store = r->operands.store;
	r->request.wanted = &r->operands;
	request_set_tenant(&r->request, exchange_tenant(x));
	r->request.keeping = &r->job->keeping;
	r->request.codec = a->options.codec;
	r->request.shares = a->shares;
	r->request.tensors = r->tensors;
	r->request.anywhere = a->options.depot->shared &&
	    (r->async.asked || r->spills ||
	     exchange_header(x, "Idempotency-Key"));
	r->request.takes_into = op != NULL;
	r->job->tenant = exchange_tenant(x);
	r->job->first_byte_ns = exchange_first_byte_ns(x);
	if (!op && *exchange_segment(x, 0))
		return run_find_saved(r, e);
	if (!op && !(r->draft = draft_new(&r->request, r->memory, e)))
		return -1;
	return run_open(r, e);
}

static int begin(struct exchange *x, void **state, struct err *e)
{
	return begin_run(x, false, state, e);
}

static int begin_infer(struct exchange *x, void **state, struct err *e)
{
	return begin_run(x, true, state, e);
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

static int prepare_call(struct run *r)
{
	return r->draft ? draft_prepare(r->draft, &r->job->args, &r->err) :
	       request_settle(&r->request, r->memory, &r->err);
}

/* Makes a job that can be submitted from the complete body. Runs on any thread;
 * long work is done in slices (base/slice.h). */
static void prepare(void *arg)
{
	struct run *r = arg;
	const int64_t start = clock_ns();

	if ((r->finished || reader_finish(r->reader, &r->err) == 0) &&
	    prepare_call(r) == 0) {
		if (!r->request.anywhere)
			operands_touch_outputs(&r->job->args);
		r->prepared = true;
	} else {
		job_drop_operands(r->job);	/* slow if they are large */
		job_drop_outputs(r->job);
	}
	run_locate(r, &r->err);
	reader_free(r->reader);
	r->reader = NULL;
	r->prepare_ns = clock_ns() - start;
}

static void on_end(struct job *j, void *arg)
{
	struct run *r = arg;

	if (!r->x)
		return;
	j->replied_ns = clock_ns();
	run_locate(r, &j->err);
	run_send_reply(r, j);
}

static void fill_job(struct run *r)
{
	struct job *j = r->job;
	const struct request *q = &r->request;

	j->devices = q->devices;
	j->priority = q->priority;
	j->timing_level = q->timing;
	j->keep = r->async.asked || run_is_kept(r);
	strcpy(j->into, q->into_id);
	if (q->timeout_ms)
		j->deadline_ns = clock_ns() + q->timeout_ms * 1000000;
	if (!r->async.asked) {
		j->on_end = on_end;
		j->on_end_arg = r;
	}
}

static int submit(struct run *r, struct err *e)
{
	if (request_end(&r->request, e)) {
		run_locate(r, e);
		return -1;
	}
	fill_job(r);
	access_shapes(r->x, &r->job->args);
	if (!run_is_kept(r) &&
	    engine_submit(r->api->options.engine, r->job, e)) {
		r->job->on_end = NULL;
		if (!run_spill(r, e))
			return -1;
	}
	if (run_is_kept(r)) {
		run_accept(r, e);
		return 0;
	}
	access_job(r->x, r->job);
	run_reply_accepted(r);
	return 0;
}

/* Called on the loop's thread after prepare(), or instead of it if the task was
 * cancelled before it began; there is no error then, so it is set here. */
static void prepared(void *arg)
{
	struct run *r = arg;
	struct err e = r->err;

	r->preparing = false;
	r->job->parse_ns += r->prepare_ns - r->task.lent_ns;
	if (!r->prepared)
		err_set(&e, ERR_DISMISSED, "the request was given up before "
		        "it was prepared");
	else if (request_end(&r->request, &e) == 0)
		r->job->devices = r->request.devices;
	else
		run_locate(r, &e);
	if (r->prepared && r->x)
		access_shapes(r->x, &r->job->args);
	if (run_is_kept(r)) {
		run_accept(r, &e);
		return;
	}
	engine_prepared(r->api->options.engine, r->job, &e);
	if (r->ended)
		run_free(r);
}

static void on_unwanted(void *arg)
{
	struct run *r = arg;

	pool_cancel(&r->task);
}

static int64_t prepare_cost_ns(const struct run *r)
{
	const double bytes = r->draft ? draft_cost(r->draft) :
	    operands_convert_cost(&r->job->args, r->request.dtype);

	return pool_cost_ns(bytes + (r->finished ? 0 :
	                             reader_cost(r->reader)));
}

static int prepare_later(struct run *r, struct err *e)
{
	struct engine *const g = r->api->options.engine;
	struct depot *const d = r->api->options.depot;

	fill_job(r);
	r->job->unwanted = on_unwanted;
	r->job->unwanted_arg = r;
	if (!run_is_kept(r) && engine_accept(g, r->job, e)) {
		r->job->on_end = NULL;
		if (!run_spill(r, e))
			return -1;
	}
	r->reserved = run_is_kept(r);
	if (r->reserved && d->calls->reserve(d, r->job, e)) {
		r->job->on_end = NULL;
		return -1;
	}
	access_job(r->x, r->job);
	if (!r->reserved)
		run_reply_accepted(r);
	sink_retire(&r->sink);
	r->preparing = true;
	pool_submit(r->api->options.codec, &r->task, prepare_cost_ns(r),
	            prepare, prepared, r);
	return 0;
}

int run_go_on(struct run *r, bool work, struct err *e)
{
	const int repeats = run_repeat(r, e);

	if (repeats)
		return repeats < 0 ? -1 : 0;
	if (work)
		return prepare_later(r, e);
	prepare(r);
	r->job->parse_ns += r->prepare_ns;
	if (!r->prepared) {
		*e = r->err;
		return -1;
	}
	return submit(r, e);
}

/* Dismisses the job of a client that has left, unless a repeat of the request
 * refers to it (repeat.h). */
static void gone(struct exchange *x, void *state)
{
	struct run *r = state;

	(void)x;
	r->x = NULL;
	if (!r->job || !r->job->on_end)
		return;
	r->job->on_end = NULL;
	if (!r->job->keep)
		engine_dismiss(r->api->options.engine, r->job);
}

static void end(struct exchange *x, void *state)
{
	struct run *r = state;

	(void)x;
	if (!r)
		return;
	r->x = NULL;
	async_end(&r->async);
	run_end_spilled(r);
	r->ended = true;
	service_trim_later(r->api);
	if (!r->preparing)
		run_free(r);
}

const struct handler run_handler = { begin, body, run_done, gone, end };
const struct handler infer_handler = { begin_infer, body, run_done, gone,
                                       end };
