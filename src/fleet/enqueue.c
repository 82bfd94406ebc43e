/* enqueue.c - accepts jobs: writes each to the database in one transaction. For
 * the usual job, whose operands are small and whose key is new, that
 * transaction is a single statement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/chunks.h"
#include "fleet/enqueue_state.h"
#include "fleet/quiet.h"
#include "queue/bytes.h"
#include "queue/tenant.h"

/* The last count of waiting jobs is good enough for at least so long. */
#define COUNT_REST_NS INT64_C(5000000)

/* --- on a thread of the crew */

/* Refuses the job if as many of the tenant's jobs wait as may. */
static int refuse_quota(const struct enqueuing *x, struct pg *p, struct err *e)
{
	const struct pg_value v[] = { pg_text(x->tenant) };
	struct pg_answer *a = pg_ask(p, S_TENANT_WAITS, v, e);
	uint64_t n;

	if (!a)
		return -1;
	n = (uint64_t)pg_integer(a, 0, 0);
	pg_answer_free(a);
	if (n < x->queued_most)
		return 0;
	err_set(e, ERR_QUOTA, "%llu jobs of the tenant wait, %llu may",
	        (unsigned long long)n, (unsigned long long)x->queued_most);
	e->retry_s = 1;
	return -1;
}

static int refuse_full(uint64_t waiting, uint64_t limit, struct err *e)
{
	err_set(e, ERR_BUSY, "the fleet's queue is full: %llu jobs wait, %llu "
	        "may", (unsigned long long)waiting,
	        (unsigned long long)limit);
	e->retry_s = 1;
	return -1;
}

/* Counts the waiting jobs again, and refuses the job if the queue is full. */
static int recount(struct enqueuing *x, struct pg *p, struct err *e)
{
	if (count_waiting(p, x->queue_limit, &x->count, e))
		return -1;
	return x->count.waiting < x->queue_limit ? 0 :
	       refuse_full(x->count.waiting, x->queue_limit, e);
}

/* Refuses a job that neither this host nor any other can run. */
static int check_fits(const struct enqueuing *x, struct pg *p, struct err *e)
{
	char lease[PG_DIGITS], need[PG_DIGITS];
	const struct pg_value v[] = {
		pg_number(x->lease_ms, lease), pg_text(x->device),
		pg_text(x->float64 ? "t" : "f"), pg_number(x->need, need),
	};
	const int rows = pg_count(p, S_ANY_FITS, v, e);

	if (rows == 0)
		*e = x->local;
	return rows > 0 ? 0 : -1;
}

static int check_and_write(struct enqueuing *x, struct pg *p, struct err *e)
{
	x->old[0] = 0;
	if ((x->recount && recount(x, p, e)) ||
	    (x->queued_most && refuse_quota(x, p, e)) ||
	    (x->local.code && check_fits(x, p, e)))
		return -1;
	if (enqueue_write(x, p, e) == 0)
		return 0;
	if (e->code != ERR_GONE || !x->uses.any)
		return -1;
	*e = (struct err){ 0 };		/* then their elements are written */
	shared_drop(x->shared, x->file);
	x->uses = (struct uses){ .n = x->n };
	return uses_payload(&x->uses, x->operand, x->n, &x->bytes, e) ||
	       enqueue_write(x, p, e) ? -1 : 0;
}

/* The file stays if the row has its name, or may have it because the answer to
 * COMMIT was lost. */
static int work(struct call *c, struct pg *p, struct err *e)
{
	struct enqueuing *const x = (struct enqueuing *)c;
	const int rc = check_and_write(x, p, e);

	if ((rc && e->code != ERR_STATE) || *x->old)
		shared_drop(x->shared, x->file);
	return rc;
}

/* --- on the loop's thread */

static void enqueuing_free(struct enqueuing *x)
{
	for (size_t i = 0; i < x->n; i++)
		matrix_fini(&x->operand[i]);
	text_fini(&x->request);
	job_unref(x->job);
	free(x);
}

static void done(struct call *c)
{
	struct enqueuing *const x = (struct enqueuing *)c;
	const bool accepted = !c->err.code && !*x->old;

	if (x->count.took_ns)
		count_take(x->fleet, &x->count);
	if (accepted) {
		x->fleet->counts.accepted++;
		x->fleet->counts.waiting++;
	}
	if (x->quiet && accepted)
		quiet_accepted(x->fleet, x->id);
	else if (x->quiet)
		quiet_cancel(x->fleet);
	x->then(x->arg, x->old, &c->err);
	enqueuing_free(x);
}

static int fill(struct enqueuing *x, const struct job *j, const char *device,
                struct err *e)
{
	struct matrix m[RECORD_OPERANDS];
	const size_t n = record_operands(j, m);
	const unsigned weight = j->tenant->limits.weight;

	snprintf(x->id, sizeof x->id, "%s", j->id);
	snprintf(x->tenant, sizeof x->tenant, "%s", j->tenant->name);
	snprintf(x->key, sizeof x->key, "%s", j->key);
	fleet_lower(x->device, sizeof x->device, device);
	memcpy(x->fingerprint, j->fingerprint, sizeof x->fingerprint);
	x->priority = j->priority;
	x->stores = j->keeping != NULL;
	x->charge_ms = 1e-6 * (double)engine_cost_ns(x->fleet->engine, j) /
	               (weight ? weight : 1);
	x->float64 = job_needs_float64(j);
	x->has_deadline = j->deadline_ns != 0;
	x->left_ms = (j->deadline_ns - clock_ns()) / 1000000;
	x->need = (int64_t)(bytes_operands(j, true) + bytes_outputs(j));
	x->queued_most = j->tenant->limits.queued;
	record_request(&x->request, j, 0);
	uses_find(&x->uses, x->fleet, x->tenant, m, n);
	for (; x->n < n; x->n++)
		x->operand[x->n] = matrix_ref(&m[x->n]);
	return uses_payload(&x->uses, x->operand, x->n, &x->bytes, e) ? -1 :
	       x->request.failed ? err_set(e, ERR_MEMORY, "no memory for a "
	                                   "job's record") : 0;
}

/* Returns for how long the last count is good enough to refuse a job. Counting
 * a long queue takes long; this limits it to a twentieth of the time. */
static int64_t count_rest_ns(const struct fleet *f)
{
	const int64_t ns = 20 * f->count_ns;

	return ns > COUNT_REST_NS ? ns : COUNT_REST_NS;
}

static struct enqueuing *enqueuing_new(struct fleet *f, struct job *j,
                                       const struct depot_offer *o,
                                       struct err *e)
{
	const bool full = f->counts.waiting >= f->options.queue_limit;
	struct enqueuing *x;

	if (!fleet_is_well(f, e) ||
	    (full && clock_ns() - f->heard_ns < count_rest_ns(f) &&
	     refuse_full(f->counts.waiting, f->options.queue_limit, e)))
		return NULL;
	x = calloc(1, sizeof *x);
	if (!x) {
		err_set(e, ERR_MEMORY, "no memory for a job");
		return NULL;
	}
	*x = (struct enqueuing){
		.call = { .work = work, .done = done }, .fleet = f,
		.job = job_ref(j), .local = o->local,
		.lease_ms = fleet_lease_ms(f), .recount = full,
		.queue_limit = f->options.queue_limit, .shared = f->shared,
	};
	if (!x->local.code)
		engine_admit(f->engine, j, &x->local);
	if (fill(x, j, o->device, e)) {
		enqueuing_free(x);
		return NULL;
	}
	x->call.batchable = !full && !*x->key && !x->uses.any &&
	                    x->bytes <= CHUNK_INLINE;
	x->call.slow = x->bytes > CHUNK_SLOW;
	x->quiet = !x->local.code && quiet_reserve(f, x->device, x->bytes);
	return x;
}

/* The job is a view from now on: its operands are the call's. */
void fleet_accept(struct depot *d, struct job *j, const struct depot_offer *o,
                  void (*then)(void *arg, const char *old,
                               const struct err *e), void *arg)
{
	struct err e = { 0 };
	struct enqueuing *x;

	if (o->reserved)
		engine_vacate(d->engine);
	j->accepted_ns = clock_ns();
	j->created_ms = j->updated_ms = clock_wall_ms();
	x = enqueuing_new(fleet_of(d), j, o, &e);
	if (!x) {
		then(arg, "", &e);
		return;
	}
	x->then = then;
	x->arg = arg;
	job_drop_operands(j);
	job_drop_outputs(j);
	crew_submit(x->fleet->front, &x->call);
}
