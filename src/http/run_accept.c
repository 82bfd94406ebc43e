/* run_accept.c - see run.h. A job that must survive the process is
 * accepted when the journal has it (queue/journaled.h): one whose client asks
 * for it to be asynchronous, or has given it an Idempotency-Key. */
#include "http/access.h"
#include "http/prefer.h"
#include "http/run.h"
#include "queue/journaled.h"
#include "queue/quota.h"

/* A job that is written to the fleet's database does not enter this host's
 * queue, so a full queue is no reason to refuse it. */
int run_check_room(struct run *r, struct err *e)
{
	const struct api *const a = r->api;
	const struct exchange *const x = r->x;
	const uint64_t length = exchange_length(x);
	const bool durable = prefer_asynchronous(exchange_prefer(x)) ||
	                     exchange_header(x, "Idempotency-Key");
	struct err room = { 0 };

	if (durable && !depot_is_well(a->options.depot, e))
		return -1;
	if (quota_check(a->options.engine, exchange_tenant(x),
	                length == UINT64_MAX ? 0 : length, e))
		return -1;
	if (engine_check_room(a->options.engine, &room) == 0 ||
	    (durable && a->options.fleet && room.code == ERR_BUSY) ||
	    run_spill(r, &room))
		return 0;
	*e = room;
	return -1;
}

bool run_is_durable(const struct run *r)
{
	return r->api->options.journal && !r->api->options.fleet &&
	       (r->async.asked || *r->job->key) &&
	       !*r->request.into_id;
}

void run_reply_accepted(struct run *r, const struct err *e)
{
	const struct job *j = r->job;

	if (!r->x || !r->async.asked)
		return;
	if (e->code)
		exchange_reply_problem(r->x, e, NULL);
	else if (j->err.code == ERR_NOT_READY)
		exchange_reply_problem(r->x, &j->err, NULL);
	else
		async_reply(&r->async, r->api->options.engine, r->job);
}

void run_on_durable(void *arg, const struct err *e)
{
	struct run *r = arg;

	r->preparing = false;
	if (!e->code)		/* before it runs: its status is "accepted" */
		run_reply_accepted(r, e);
	engine_prepared(r->api->options.engine, r->job, e);
	if (e->code)
		run_reply_accepted(r, e);
	if (r->ended)
		run_free(r);
}

void run_make_durable(struct run *r)
{
	struct engine *g = r->api->options.engine;
	struct err e = { 0 };

	r->preparing = true;
	if (journaled_accept(g, r->job, run_on_durable, r, &e))
		run_on_durable(r, &e);
}

int run_submit_held(struct run *r, struct err *e)
{
	if (engine_submit_held(r->api->options.engine, r->job, e)) {
		r->job->on_end = NULL;
		return -1;
	}
	access_job(r->x, r->job);
	run_make_durable(r);
	return 0;
}

/* Replies to a repeat of a request whose job is being written. */
static void on_old_durable(void *arg, const struct err *e)
{
	struct run *r = arg;

	r->preparing = false;
	if (r->x && e->code)
		exchange_reply_problem(r->x, e, NULL);
	else if (r->x)
		job_reply_accepted(r->x, r->api->options.engine, r->repeated);
	if (r->ended)
		run_free(r);
}

int run_wait_for_old(struct run *r, struct job *old, struct err *e)
{
	struct journal_entry *entry = journal_entry_new(0);

	if (!entry)
		return err_set(e, ERR_MEMORY, "no memory for the journal");
	entry->ordered = true;
	r->repeated = job_ref(old);
	r->preparing = true;
	entry->then = on_old_durable;
	entry->arg = r;
	journal_submit(r->api->options.journal, entry);
	return 1;
}
