/* run_accept.c - see run.h. A job that must outlive this process, or that this
 * process has no room for, is accepted by the service's depot (queue/depot.h):
 *
 *     prepare ─▶ accept ─▶ on_accepted ─▶ reply 202
 *                              └─▶ its end ─▶ find its results ─▶ reply
 *
 * A synchronous request spills if this host's queue is full and other hosts can
 * run its job, which ends with the request, and whose result is not kept. Once
 * other hosts can run it, r->job is a view of the job, which is kept up to date
 * while the client waits for the job's end.
 */
#include <string.h>

#include "http/access.h"
#include "http/prefer.h"
#include "http/run.h"
#include "queue/quota.h"

/* --- whether, and where */

bool run_is_kept(const struct run *r)
{
	const bool into = *r->request.into_id, keyed = *r->job->key;

	if (r->spills)
		return !(into && keyed);
	return depot_keeps(r->api->options.depot) && !into &&
	       (r->async.asked || keyed);
}

bool run_spill(struct run *r, struct err *e)
{
	const struct depot *const d = r->api->options.depot;

	r->spills = e->code == ERR_BUSY && d->shared &&
	            depot_is_well(d, &(struct err){ 0 });
	if (!r->spills || (r->job && !run_is_kept(r)))
		return false;
	if (r->job)
		r->job->keep = true;
	*e = (struct err){ 0 };
	return true;
}

int run_check_room(struct run *r, struct err *e)
{
	const struct api *const a = r->api;
	const struct exchange *const x = r->x;
	const uint64_t length = exchange_length(x);
	const bool kept = prefer_asynchronous(exchange_prefer(x)) ||
	                  exchange_header(x, "Idempotency-Key");
	struct err room = { 0 };

	if (kept && !depot_is_well(a->options.depot, e))
		return -1;
	if (quota_check(a->options.engine, exchange_tenant(x),
	                length == UINT64_MAX ? 0 : length, e))
		return -1;
	if (engine_check_room(a->options.engine, &room) == 0 ||
	    (kept && a->options.depot->shared && room.code == ERR_BUSY) ||
	    run_spill(r, &room))
		return 0;
	*e = room;
	return -1;
}

static void on_dropped(void *arg, struct job *j, const struct err *e)
{
	(void)arg;
	(void)j;
	(void)e;
}

/* Nobody waits for the answer. */
void run_end_spilled(struct run *r)
{
	if (r->spilled)
		depot_remove(r->api->options.depot, r->job->id, r->job->tenant,
		             on_dropped, &r->by);
	ask_cancel(&r->by);
	r->spilled = false;
}

/* --- replying */

static void refuse(struct run *r, const struct err *e)
{
	struct err located = *e;

	run_locate(r, &located);
	if (r->x)
		exchange_reply_problem(r->x, &located, NULL);
}

static void on_ended(void *arg, struct job *j, const struct err *e)
{
	struct run *const r = arg;

	if (!j) {
		refuse(r, e);
		return;
	}
	job_ref(j);
	job_unref(r->repeated);
	r->repeated = j;
	if (j != r->job && strcmp(j->id, r->job->id) == 0) {
		j->first_byte_ns = r->job->first_byte_ns;
		j->replied_ns = clock_ns();
	}
	if (*r->request.into_id && depot_is_view(j) &&
	    j->state == JOB_SUCCESSFUL)
		run_place(r);
	else
		run_send_reply(r, j);
}

void run_send_ended(void *arg, struct job *j)
{
	struct run *const r = arg;

	if (r->x)
		depot_find(r->api->options.depot, j->id, r->job->tenant, true,
		           on_ended, &r->by);
}

static void on_over(void *arg)
{
	struct run *const r = arg;

	run_send_ended(r, r->async.wait.job);
	job_wait_end(&r->async.wait);
}

/* Has a job that the client waits for be kept up to date. */
static void follow(struct run *r)
{
	if (r->async.wait.job)
		depot_follow(r->api->options.depot, r->async.wait.job);
}

/* Replies 202, or with the job's result if it ends as soon as `wait` says. */
static void reply_async(struct run *r, struct job *j)
{
	async_reply(&r->async, r->api->options.engine, j);
	follow(r);
}

/* Replies 202, or waits for the job's end if the client does. on_end() in run.c
 * tells the end of a job of this process. */
static void reply_in_time(struct run *r)
{
	if (r->async.asked) {
		reply_async(r, r->job);
	} else if (depot_is_view(r->job)) {
		job_wait_begin(&r->async.wait, r->api->options.loop, r->job,
		               INT64_MAX, on_over, r);
		follow(r);
	}
}

void run_reply_accepted(struct run *r)
{
	if (r->async.asked && r->job->err.code == ERR_NOT_READY)
		refuse(r, &r->job->err);
	else
		reply_in_time(r);
}

/* --- a repeat of an earlier request */

static void on_old_written(void *arg, const struct err *e)
{
	struct run *const r = arg;

	if (e->code)
		refuse(r, e);
	else
		reply_async(r, r->repeated);
}

static void reply_to_repeat(struct run *r, struct job *old)
{
	if (!r->async.asked) {
		run_send_reply(r, old);
		return;
	}
	r->repeated = job_ref(old);
	if (old->accepting)
		depot_settle(r->api->options.depot, on_old_written, &r->by);
	else
		on_old_written(r, &(struct err){ 0 });
}

int run_repeat(struct run *r, struct err *e)
{
	struct job *old;
	const int repeats = repeat_find(r->api->options.engine, r->job,
	                                r->async.asked, &old, e);

	if (repeats > 0)
		reply_to_repeat(r, old);
	return repeats;
}

/* The depot has found the earlier job. */
static void on_old(void *arg, struct job *j, const struct err *e)
{
	struct run *const r = arg;
	struct err running = { 0 };

	if (!j) {
		refuse(r, e);
	} else if (r->async.asked) {
		reply_async(r, j);
	} else if (!job_state_is_end(j->state)) {
		err_set(&running, ERR_CONFLICT, "job %s, the same request, is "
		        "%s", j->id, job_state_name(j->state));
		refuse(r, &running);
	} else {
		on_ended(r, j, e);
	}
}

/* --- accepting */

static void on_accepted(void *arg, const char *old, const struct err *e)
{
	struct run *const r = arg;

	r->preparing = false;
	r->spilled = r->spills && !e->code;
	r->api->spilled += r->spilled;
	if (r->ended)
		run_end_spilled(r);
	if (e->code)
		r->job->on_end = NULL;
	else if (r->x)
		access_job(r->x, r->job);
	if (r->x && e->code)
		refuse(r, e);
	else if (r->x && *old)
		depot_find(r->api->options.depot, old, r->job->tenant,
		           !r->async.asked, on_old, &r->by);
	else if (r->x)
		run_reply_accepted(r);
	if (r->ended)
		run_free(r);
}

void run_accept(struct run *r, const struct err *why)
{
	struct depot *const d = r->api->options.depot;
	struct err e = *why;
	const struct depot_offer offer = {
		.device = r->request.selector, .local = r->request.elsewhere,
		.reserved = r->reserved,
	};

	r->preparing = true;
	if (!r->x && !e.code && depot_is_view(r->job))
		err_set(&e, ERR_DISMISSED, "the client has left");
	if (!e.code) {
		d->calls->accept(d, r->job, &offer, on_accepted, r);
		return;
	}
	d->calls->release(d, r->job, &e);
	on_accepted(r, "", &e);
}
