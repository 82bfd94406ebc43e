/* run_body.c - see run.h: finds the saved pipeline before the body and, at its
 * end, the stored matrices.
 *
 *     run_done ─▶ operands ─▶ build ─▶ versions of `store`'s names ─▶ run_go_on
 */
#include <stdlib.h>

#include "http/etag.h"
#include "http/operands.h"
#include "http/run.h"
#include "queue/keep.h"

/* --- before the body */

static void on_saved(void *arg, const char *name, const char *text)
{
	struct run *const r = arg;
	struct err *const e = &r->err;

	(void)name;
	r->draft = draft_saved(text, &r->request, r->memory, e);
	if (r->draft)
		run_open(r, e);
}

static void on_all_saved(void *arg, const struct err *e)
{
	struct run *const r = arg;
	const struct err own = r->err;

	r->err = (struct err){ 0 };
	exchange_go_on(r->x, e->code ? e : &own);
}

int run_find_saved(struct run *r, struct err *e)
{
	const char *const name = exchange_segment(r->x, 0);
	struct depot *const d = r->api->options.depot;

	if (store_check_name(name, e))
		return -1;
	exchange_hold(r->x);
	d->calls->read(d, exchange_tenant(r->x), name, on_saved, on_all_saved,
	               &r->by);
	return 0;
}

/* --- after the body */

static int settle_store(void *arg, struct err *e)
{
	struct run *const r = arg;
	struct keeping *const k = r->job->keeping;
	const int rc = request_settle_store(&r->request, r->x, e);

	if (k && k->keeper)
		k->store = NULL;	/* it is this request's alone */
	if (rc == 0)
		return run_go_on(r, r->work, e);
	run_locate(r, e);
	return -1;
}

/* Finds out which versions the names have that the outputs will be stored
 * under, if the request has conditions. */
static int find_targets(struct run *r, struct err *e)
{
	const struct depot *const d = r->api->options.depot;
	struct keeping *const k = r->job->keeping;

	if (k && !depot_is_well(d, e))
		return -1;
	if (!k || !d->keeper)
		return settle_store(r, e);
	k->keeper = d->keeper;
	k->store = r->targets.store;
	for (int i = 0; etag_has_conditions(r->x) && i < k->n; i++)
		if (wanted_note(&r->targets, k->kept[i].name, e) < 0)
			return -1;
	wanted_look(&r->targets, WANTED_ROWS, settle_store, r);
	return 0;
}

static int build_call(struct run *r, struct err *e)
{
	if (!r->work) {
		if (reader_finish(r->reader, e))
			return -1;
		r->finished = true;
		if (!r->draft)
			r->work = operands_convert_long(&r->job->args,
			              request_dtype(&r->request));
	}
	return r->draft ? draft_build(r->draft, &r->job->args, &r->work, e) : 0;
}

static int build(void *arg, struct err *e)
{
	struct run *const r = arg;
	const int64_t start = clock_ns();

	if (build_call(r, e)) {
		run_locate(r, e);
		return -1;
	}
	r->job->parse_ns += clock_ns() - start;
	return find_targets(r, e);
}

int run_done(struct exchange *x, void *run, struct err *e)
{
	struct run *const r = run;
	const int64_t start = clock_ns();
	const bool tells = !r->async.asked && !r->tensors &&
	                   job_reply_is_json(r->format);

	(void)x;
	fingerprint_end(&r->fingerprint, r->job);
	if (reader_end(r->reader, &r->work, e) ||
	    request_check_into(&r->request, tells, e) ||
	    (r->draft && draft_note(r->draft, &r->operands, e)))
		return -1;
	r->job->parse_ns += clock_ns() - start;
	wanted_look(&r->operands, r->async.asked || *r->job->key ?
	            WANTED_ELEMENTS : WANTED_STALE, build, r);
	return 0;
}
