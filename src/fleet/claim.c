/* claim.c - decides how many jobs this host claims, claims them by one
 * statement, makes a struct job of each row, and hands it to the engine.
 * Operands that are in chunks are read after the claim, while the lease is
 * held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "fleet/chunks.h"
#include "fleet/fleet_state.h"
#include "fleet/quiet.h"
#include "queue/tenant.h"

/* For each device a host claims as many jobs as keep it busy for so long, but
 * at least one and at most CLAIM_MOST. So a device is not idle while the next
 * claim is under way, and no job waits long at a busy host while another is
 * idle. */
#define CLAIM_AHEAD_NS 2e8
enum { CLAIM_MOST = 32 };

/* How long a job that was given back for want of memory cannot be claimed. */
enum { NO_MEMORY_MS = 1000 };

/* A row that was claimed. */
struct claimed {
	char id[JOB_ID], tenant[TENANT_NAME];
	char device[STORE_NAME];	/* that the request selects */
	int64_t epoch, age_ms, created_ms;
	int64_t left_ms;		/* until its deadline, negative after
					 * it; 0: it has none */
	uint64_t bytes;			/* of the operands' payload */
	char *request;
	bool in_chunks;			/* its operands, which are read after
					 * the claim */
	struct matrix operand[RECORD_OPERANDS];
	size_t n;
	struct err err;			/* from reading the operands */
};

struct claim {
	struct call call;
	struct fleet *fleet;
	struct memory_pool *memory;
	char node[FLEET_ID];
	int64_t lease_ms, asked_ns;
	int want, n;
	struct claimed *row[CLAIM_MOST * SHEETS];
};

static void claimed_free(struct claimed *c)
{
	for (size_t i = 0; i < c->n; i++)
		matrix_fini(&c->operand[i]);
	free(c->request);
	free(c);
}

static int64_t read_left_ms(const struct pg_answer *a, int row, int column)
{
	const int64_t ms = pg_integer(a, row, column);

	return pg_is_null(a, row, column) ? 0 : ms ? ms : -1;
}

static struct claimed *read_row(const struct claim *x,
                                const struct pg_answer *a, int row)
{
	struct claimed *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	snprintf(c->id, sizeof c->id, "%s", pg_get(a, row, 0));
	snprintf(c->tenant, sizeof c->tenant, "%s", pg_get(a, row, 1));
	c->epoch = pg_integer(a, row, 2);
	c->request = strndup(pg_get(a, row, 3), pg_length(a, row, 3));
	c->age_ms = pg_integer(a, row, 5);
	c->left_ms = read_left_ms(a, row, 6);
	c->bytes = (uint64_t)pg_integer(a, row, 7);
	c->created_ms = pg_integer(a, row, 8);
	snprintf(c->device, sizeof c->device, "%s", pg_get(a, row, 9));
	c->in_chunks = pg_is_null(a, row, 4);
	if (!c->in_chunks)
		payload_unpack(pg_get(a, row, 4), pg_length(a, row, 4), c->id,
		               c->operand, RECORD_OPERANDS, &c->n, x->memory,
		               &c->err);
	return c;
}

/* A row for which there is no memory is dropped here; another host can claim
 * the job when the lease has lapsed. */
static int claim(struct call *call, struct pg *p, struct err *e)
{
	struct claim *const x = (struct claim *)call;
	char lease[PG_DIGITS], want[PG_DIGITS], left[PG_DIGITS];
	const size_t limit = memory_pool_limit(x->memory),
	             used = memory_pool_used(x->memory);
	const struct pg_value v[] = {
		pg_text(x->node), pg_number(x->lease_ms, lease),
		pg_number(x->want, want),
		pg_number((int64_t)(limit > used ? limit - used : 0), left),
	};
	struct pg_answer *a;

	x->asked_ns = clock_ns();
	a = pg_ask(p, S_CLAIM, v, e);
	for (int i = 0; a && i < pg_rows(a) && x->n < x->want; i++) {
		struct claimed *c = read_row(x, a, i);

		if (c && c->request)
			x->row[x->n++] = c;
		else if (c)
			claimed_free(c);
	}
	pg_answer_free(a);
	return a ? 0 : -1;
}

/* --- making a job of a row */

static uint64_t any_device(void *arg, uint64_t indices)
{
	(void)arg;
	(void)indices;
	return ~UINT64_C(0);
}

/* The wall clocks of hosts may differ, so the database's clock has measured the
 * job's age and the time until its deadline. */
static void set_times(struct job *j, const struct claimed *c)
{
	const int64_t now = clock_ns();

	j->created_ms = j->updated_ms = c->created_ms;
	j->accepted_ns = j->first_byte_ns = now - c->age_ms * 1000000;
	j->deadline_ns = c->left_ms ? now + c->left_ms * 1000000 : 0;
}

static struct job *make_job(struct fleet *f, struct claimed *c, struct err *e)
{
	struct tenants *const all = engine_tenants(f->engine);
	const struct record_room room = {
		.tenants = all, .codec = f->options.codec,
		.memory = f->options.memory, .devices = any_device,
	};
	struct job *j = record_read_request(c->request, &room, e);

	if (!j)
		return NULL;
	snprintf(j->id, sizeof j->id, "%s", c->id);
	j->large_operands = c->in_chunks;
	set_times(j, c);
	j->tenant = tenants_get(all, c->tenant, e);
	if (!j->tenant || e->code ||
	    record_take_operands(j, c->operand, c->n, &room, e) ||
	    engine_select(f->engine, c->device, &j->devices, e)) {
		job_unref(j);
		return NULL;
	}
	return j;
}

/* May the same host be able to run the job later? */
static bool is_temporary(const struct err *e)
{
	return e->code == ERR_MEMORY || e->code == ERR_STATE ||
	       e->code == ERR_NOT_READY;
}

/* Hands the job to the engine, or gives back one that this host cannot run. */
static void start(struct fleet *f, struct claimed *c)
{
	struct leased *r = leased_find(f, c->id, c->epoch);
	struct err e = c->err;
	struct job *j = e.code || !r || r->lost ? NULL : make_job(f, c, &e);

	claimed_free(c);
	if (!r || r->lost || f->closed) {
		job_unref(j);
		if (r)
			leased_free(r);
		return;
	}
	if (j)
		leased_begin(r, j);
	if (j && engine_adopt(f->engine, j, &e) == 0) {
		job_unref(j);
		return;
	}
	job_unref(j);
	if (is_temporary(&e))
		leased_give_back(r, NULL, NO_MEMORY_MS);
	else
		leased_give_back(r, &e, 0);
}

/* --- operands in chunks */

struct fetch {
	struct call call;
	struct fleet *fleet;
	struct memory_pool *memory;
	struct claimed *claimed;
};

static int fetch(struct call *call, struct pg *p, struct err *e)
{
	struct fetch *const x = (struct fetch *)call;
	struct claimed *const c = x->claimed;

	return chunks_read(p, c->id, CHUNK_OPERANDS, c->bytes, c->operand,
	                   RECORD_OPERANDS, &c->n, x->memory, e);
}

static void fetched(struct call *call)
{
	struct fetch *const x = (struct fetch *)call;

	x->claimed->err = call->err;
	start(x->fleet, x->claimed);
	free(x);
}

static void fetch_begin(struct fleet *f, struct claimed *c)
{
	struct fetch *x = calloc(1, sizeof *x);

	if (!x) {
		err_set(&c->err, ERR_MEMORY, "no memory for a job");
		start(f, c);
		return;
	}
	*x = (struct fetch){
		.call = { .work = fetch, .done = fetched, .slow = true },
		.fleet = f, .memory = f->options.memory, .claimed = c,
	};
	crew_submit(f->runner, &x->call);
}

/* --- how many jobs to claim */

/* How many jobs keep this host's devices busy for CLAIM_AHEAD_NS. */
static int capacity(const struct fleet *f)
{
	double each = CLAIM_AHEAD_NS / (f->mean_ns > 1 ? f->mean_ns : 1);
	int n = 0;

	each = each < 1 ? 1 : each > CLAIM_MOST ? CLAIM_MOST : each;
	for (int i = 0; i < engine_devices(f->engine); i++)
		n += engine_healthy(f->engine, i) ? (int)each : 0;
	return n;
}

/* How many jobs the engine has that the fleet has not claimed. */
static int other_jobs(const struct fleet *f)
{
	int n = (int)engine_waiting(f->engine);

	for (int i = 0; i < engine_devices(f->engine); i++)
		n += engine_device(f->engine, i).running;
	for (const struct leased *r = f->runs; r; r = r->next)
		n -= r->job && !r->ending;
	return n > 0 ? n : 0;
}

int claim_active(const struct fleet *f)
{
	return (int)(f->n_runs - f->n_ending) + other_jobs(f);
}

/* How many more jobs this host should claim. If some are overdue, because no
 * idle host has claimed them, a host that runs none of the fleet's claims one,
 * however many jobs of its own it has. */
static int wanted(const struct fleet *f)
{
	const int all = capacity(f), left = all - claim_active(f),
	          least = all && f->n_runs == f->n_ending && f->overdue;
	const int n = left > least ? left : least;

	return n < FLEET_RUNS - (int)f->n_runs ? n :
	       FLEET_RUNS - (int)f->n_runs;
}

static void claimed(struct call *call)
{
	struct claim *const x = (struct claim *)call;
	struct fleet *const f = x->fleet;

	f->claiming = false;
	f->hinted |= x->n == x->want;
	f->counts.claimed += (uint64_t)x->n;
	for (int i = 0; i < x->n; i++) {
		struct claimed *const c = x->row[i];

		quiet_claimed(f, c->id);
		if (f->closed || !leased_new(f, c->id, c->epoch, x->asked_ns +
		                          f->options.lease_ns))
			claimed_free(c);
		else if (c->in_chunks)
			fetch_begin(f, c);
		else
			start(f, c);
	}
	if (!call->err.code && x->n < x->want)
		quiet_none_left(f);
	free(x);
	claim_begin(f, false);
}

void claim_withdraw(struct fleet *f)
{
	for (struct leased *r = f->runs, *next; r; r = next) {
		struct job *const j = r->job;

		next = r->next;
		if (j && !r->lost && clock_ns() - r->begun_ns >
		    f->options.lease_ns / 3 && other_jobs(f) &&
		    engine_withdraw(f->engine, j))
			leased_give_back(r, NULL, 0);
	}
}

void claim_overdue(struct fleet *f)
{
	f->hinted = f->overdue = true;
	claim_begin(f, true);
}

void claim_begin(struct fleet *f, bool hint)
{
	struct claim *x;
	int want;

	f->hinted |= hint;
	if (!f->hinted || f->claiming)
		return;
	if (f->draining || f->closed || !f->joined ||
	    !engine_ready(f->engine) || (want = wanted(f)) <= 0) {
		quiet_announce(f);
		return;
	}
	x = calloc(1, sizeof *x);
	if (!x)
		return;
	f->claiming = true;
	f->hinted = f->overdue = false;
	x->call = (struct call){ .work = claim, .done = claimed, .once = true };
	x->fleet = f;
	x->memory = f->options.memory;
	x->want = want;
	x->lease_ms = fleet_lease_ms(f);
	snprintf(x->node, sizeof x->node, "%s", f->id);
	crew_submit(f->runner, &x->call);
}
