/* run_fleet.c - see run.h. With a fleet (fleet/fleet.h), an asynchronous
 * request or one with an Idempotency-Key does not submit its job to this
 * process's engine. The job is written to the database, and the host that
 * claims it runs it.
 *
 *     prepare ─▶ fleet_enqueue ─▶ on_enqueued ─▶ reply 202
 *                                     └─▶ fleet_follow, until the job has ended
 *                                         ─▶ fetch its results ─▶ reply
 *
 * A synchronous request does the same if this host's queue is full (it spills).
 * Its job ends with the request, and its result is not kept.
 *
 * From then on r->job is a view of the job. It is kept up to date while the
 * client waits for the job's end.
 */
#include <string.h>

#include "http/access.h"
#include "fleet/fleet.h"
#include "http/run.h"
#include "queue/engine.h"

bool run_is_for_fleet(const struct run *r)
{
	if (!r->api->options.fleet)
		return false;
	return *r->request.into_id ? r->spills && !*r->job->key :
	       r->async.asked || *r->job->key || r->spills;
}

bool run_spill(struct run *r, struct err *e)
{
	r->spills = e->code == ERR_BUSY && r->api->options.fleet &&
	            fleet_is_well(r->api->options.fleet, &(struct err){ 0 });
	if (!r->spills || (r->job && !run_is_for_fleet(r)))
		return false;
	if (r->job)
		r->job->keep = true;
	*e = (struct err){ 0 };
	return true;
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

static void refuse(struct run *r, const struct err *e)
{
	struct err located = *e;

	request_locate(&r->request, &located);
	if (r->x)
		exchange_reply_problem(r->x, &located, NULL);
}

/* --- replying with a job that has ended */

static void on_fetched(void *arg, struct job *j, const struct err *e)
{
	struct run *const r = arg;

	if (!j) {
		refuse(r, e);
		return;
	}
	job_unref(r->repeated);
	r->repeated = job_ref(j);
	if (strcmp(j->id, r->job->id) == 0) {
		j->first_byte_ns = r->job->first_byte_ns;
		j->replied_ns = clock_ns();
	}
	if (*r->request.into_id && j->state == JOB_SUCCESSFUL)
		run_place(r);
	else
		run_send_reply(r, j);
}

static void fetch(struct run *r, const char *id)
{
	depot_find(r->api->options.depot, id, exchange_tenant(r->x), true,
	           on_fetched, &r->by);
}

void run_send_fleet(void *arg, struct job *j)
{
	struct run *const r = arg;

	if (r->x)
		fetch(r, j->id);
}

static void on_over(void *arg)
{
	struct run *const r = arg;

	run_send_fleet(r, r->async.wait.job);
	job_wait_end(&r->async.wait);
}

/* --- a repeat of an earlier request */

static void on_old(void *arg, struct job *j, const struct err *e)
{
	struct run *const r = arg;
	struct err running = { 0 };

	if (!j) {
		refuse(r, e);
	} else if (r->async.asked) {
		job_reply_accepted(r->x, r->api->options.engine, j);
	} else if (!job_state_is_end(j->state)) {
		err_set(&running, ERR_CONFLICT, "job %s, the same request, is "
		        "%s", j->id, job_state_name(j->state));
		refuse(r, &running);
	} else {
		on_fetched(r, j, e);
	}
}

static void reply_to_repeat(struct run *r, const char *old)
{
	depot_find(r->api->options.depot, old, exchange_tenant(r->x),
	           !r->async.asked, on_old, &r->by);
}

/* --- accepting a job */

/* Replies 202, or waits for the job's end if the client does. */
static void reply_in_time(struct run *r)
{
	if (r->async.asked)
		async_reply(&r->async, r->api->options.engine, r->job);
	else
		job_wait_begin(&r->async.wait, r->api->options.loop, r->job,
		               INT64_MAX, on_over, r);
	if (r->async.wait.job)
		depot_follow(r->api->options.depot, r->job);
}

static void on_enqueued(void *arg, const char *old, const struct err *e)
{
	struct run *const r = arg;

	r->preparing = false;
	r->spilled = r->spills && !e->code;
	r->api->spilled += r->spilled;
	if (r->ended)
		run_end_spilled(r);
	if (r->x && e->code)
		refuse(r, e);
	else if (r->x && *old)
		reply_to_repeat(r, old);
	else if (r->x)
		reply_in_time(r);
	if (r->ended)
		run_free(r);
}

int run_enqueue(struct run *r, struct err *e)
{
	struct job *const j = r->job;
	struct err local = r->request.elsewhere;

	if (!local.code)
		engine_admit(r->api->options.engine, j, &local);
	j->accepted_ns = clock_ns();
	j->created_ms = j->updated_ms = clock_wall_ms();
	if (fleet_enqueue(r->api->options.fleet, j, r->request.selector,
	                  &local, on_enqueued, r, e))
		return -1;
	r->preparing = true;
	access_job(r->x, j);
	job_drop_operands(j);
	job_drop_outputs(j);
	return 0;
}

void run_enqueue_prepared(struct run *r, const struct err *why)
{
	struct err e = *why;

	engine_vacate(r->api->options.engine);
	if (!r->x || e.code || run_enqueue(r, &e))
		on_enqueued(r, "", &e);
}
