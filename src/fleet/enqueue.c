/* enqueue.c - accepts jobs: writes each to the database in one transaction. For
 * the usual job, whose operands are small and whose key is new, that
 * transaction is a single statement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/chunks.h"
#include "fleet/quiet.h"
#include "fleet/uses.h"
#include "queue/bytes.h"
#include "queue/tenant.h"

/* The last count of waiting jobs is good enough for at least so long. */
#define COUNT_REST_NS INT64_C(5000000)

/* Transactions at most for a key that other hosts insert at the same time. */
enum { KEY_TRIES = 5 };

struct enqueuing {
	struct call call;
	struct fleet *fleet;
	struct job *job;		/* a reference */
	void (*then)(void *arg, const char *old, const struct err *e);
	void *arg;
	struct err local;		/* why no device of this host can run
					 * the job; ERR_NONE: one can */
	char id[JOB_ID], tenant[TENANT_NAME], key[JOB_KEY];
	char device[STORE_NAME];
	uint8_t fingerprint[32];
	int priority;
	double charge_ms;		/* of device time, for its tenant's fair
					 * share */
	bool float64;			/* the device must support it */
	bool has_deadline;
	int64_t left_ms;		/* until the deadline */
	int64_t need;			/* bytes of the device's memory */
	int64_t lease_ms;
	uint64_t bytes;			/* of the operands' payload */
	struct uses uses;		/* operands that are not in it */
	bool stores;			/* the job stores outputs */
	bool quiet;			/* no other host is notified: quiet.h */
	bool recount;			/* by the last count the fleet's queue
					 * is full: count again first */
	uint64_t queue_limit;
	struct count count;
	uint64_t queued_most;		/* jobs of the tenant that may wait; 0:
					 * any number */
	struct text request;
	struct matrix operand[RECORD_OPERANDS];	/* references */
	size_t n;
	char old[JOB_ID];		/* the job that has the key and serves
					 * this request, or "" */
};

/* --- on a thread of the crew */

/* Inserts the row, with the operands in it if they are packed. *done: it was
 * inserted; otherwise the id or the key exists already. */
static int insert(struct enqueuing *x, struct pg *p, const char *packed,
                  size_t n, bool *done, struct err *e)
{
	char priority[PG_DIGITS], left[PG_DIGITS], need[PG_DIGITS],
	     bytes[PG_DIGITS], charge[PG_DIGITS], use_bytes[PG_DIGITS];
	char versions[USES_TEXT];
	const struct pg_value none = pg_text(NULL), v[] = {
		pg_text(x->id), pg_text(x->tenant),
		*x->key ? pg_bytes(x->key, strlen(x->key)) : none,
		*x->key ? pg_bytes(x->fingerprint, sizeof x->fingerprint) :
		          none,
		pg_bytes(x->request.data, x->request.length),
		pg_number(x->priority, priority), pg_text(x->device),
		pg_text(x->float64 ? "t" : "f"),
		x->has_deadline ? pg_number(x->left_ms, left) : none,
		pg_number(x->need, need),
		pg_number(uses_column(&x->uses, x->bytes, x->stores), bytes),
		packed ? pg_bytes(packed, n) : none, pg_text(charge),
		pg_text(x->quiet ? "f" : "t"),
		pg_text(uses_print(&x->uses, versions)),
		pg_number((int64_t)x->uses.bytes, use_bytes),
	};
	int rows;

	snprintf(charge, sizeof charge, "%.3f", x->charge_ms);
	rows = pg_count(p, S_INSERT, v, e);
	*done = rows == 1;
	return rows < 0 ? -1 : 0;
}

/* Has an earlier execution of this call inserted the job, whose answer to
 * COMMIT was lost? */
static int check_there(struct enqueuing *x, struct pg *p, bool *there,
                       struct err *e)
{
	const struct pg_value v[] = { pg_text(x->id), pg_text(x->tenant) };
	const int rows = pg_count(p, S_FIND, v, e);

	*there = rows == 1;
	return rows < 0 ? -1 : 0;
}

/* Looks for a job with the key, and locks its row. If that job serves the
 * request, sets x->old; if it does not, or not any more, takes the key from
 * it. */
static int check_key(struct enqueuing *x, struct pg *p, struct err *e)
{
	const struct pg_value v[] = {
		pg_text(x->tenant), pg_bytes(x->key, strlen(x->key)),
	};
	struct pg_answer *a = pg_ask(p, S_FIND_KEY, v, e);
	char id[JOB_ID];
	bool serves, same;

	if (!a)
		return -1;
	if (!pg_rows(a)) {
		pg_answer_free(a);
		return 0;
	}
	snprintf(id, sizeof id, "%s", pg_get(a, 0, 0));
	serves = pg_integer(a, 0, 2);
	same = pg_length(a, 0, 3) == sizeof x->fingerprint &&
	       memcmp(pg_get(a, 0, 3), x->fingerprint,
	              sizeof x->fingerprint) == 0;
	pg_answer_free(a);
	if (strcmp(id, x->id) == 0)
		return 0;
	if (!same)
		return err_set(e, ERR_KEY_REUSED, "Idempotency-Key %.64s came "
		               "with another request before, job %s", x->key,
		               id);
	if (serves)
		strcpy(x->old, id);
	return serves ? 0 : pg_do(p, S_FREE_KEY,
	                          (struct pg_value[]){ pg_text(id) }, e);
}

/* Inserts the row and, if they are not packed, the operands as chunks, within a
 * transaction. */
static int insert_all(struct enqueuing *x, struct pg *p, const char *packed,
                      size_t n, bool *done, struct err *e)
{
	struct matrix payload[RECORD_OPERANDS];

	if (*x->key && check_key(x, p, e))
		return -1;
	*done = *x->old;
	if (*done)
		return 0;
	if ((x->uses.any && uses_pin(&x->uses, p, e)) ||
	    insert(x, p, packed, n, done, e))
		return -1;
	if (!*done)
		return check_there(x, p, done, e);
	uses_leave_out(&x->uses, x->operand, x->n, payload);
	return packed ? 0 :
	       chunks_write(p, x->id, CHUNK_OPERANDS, payload, x->n, e);
}

/* If another host inserts the same key at the same time, then insert() inserts
 * nothing, and the next transaction finds the key. */
static int transact(struct enqueuing *x, struct pg *p, const char *packed,
                    size_t n, struct err *e)
{
	bool done = false;

	for (int i = 0; i < KEY_TRIES && !done; i++) {
		if (pg_begin(p, e))
			return -1;
		if (pg_end(p, insert_all(x, p, packed, n, &done, e), e))
			return -1;
	}
	return done ? 0 : err_set(e, ERR_CONFLICT, "Idempotency-Key %.64s is "
	                          "in use at the moment", x->key);
}

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

/* Writes the job. The stored matrices that it uses must be pinned in the same
 * transaction. */
static int write_job(struct enqueuing *x, struct pg *p, struct err *e)
{
	const struct call *const c = &x->call;
	struct matrix payload[RECORD_OPERANDS];
	char *packed = NULL;
	bool done = false;
	size_t n = 0;
	int rc;

	if (x->bytes <= CHUNK_INLINE) {
		uses_leave_out(&x->uses, x->operand, x->n, payload);
		packed = payload_pack(payload, x->n, &n, e);
		if (!packed)
			return -1;
	}
	rc = packed && !x->uses.any ? insert(x, p, packed, n, &done, e) : 0;
	if (rc == 0 && !done && c->in_batch)
		rc = err_set(e, ERR_CONFLICT, "the job exists already");
	if (rc == 0 && !done)
		rc = transact(x, p, packed, n, e);
	free(packed);
	return rc;
}

static int work(struct call *c, struct pg *p, struct err *e)
{
	struct enqueuing *const x = (struct enqueuing *)c;

	x->old[0] = 0;
	if ((x->recount && recount(x, p, e)) ||
	    (x->queued_most && refuse_quota(x, p, e)) ||
	    (x->local.code && check_fits(x, p, e)))
		return -1;
	if (write_job(x, p, e) == 0)
		return 0;
	if (e->code != ERR_GONE || !x->uses.any)
		return -1;
	*e = (struct err){ 0 };		/* then their elements are written */
	x->uses = (struct uses){ .n = x->n };
	return uses_payload(&x->uses, x->operand, x->n, &x->bytes, e) ||
	       write_job(x, p, e) ? -1 : 0;
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
		.queue_limit = f->options.queue_limit,
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
