/* claim.c - decides how many jobs this host claims, and claims them by one
 * statement; claimed.c runs them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "fleet/claimed.h"
#include "fleet/prefer.h"
#include "fleet/quiet.h"

/* For each device a host claims as many jobs as keep it busy for so long, but
 * at least one and at most CLAIM_MOST. So a device is not idle while the next
 * claim is under way, and no job waits long at a busy host while another is
 * idle. */
#define CLAIM_AHEAD_NS 2e8
enum { CLAIM_MOST = 32 };

struct claim {
	struct call call;
	struct fleet *fleet;
	struct memory_pool *memory;
	char node[FLEET_ID];
	int64_t lease_ms, asked_ns;
	size_t copies;			/* bytes of copies of stored matrices,
					 * which make room */
	struct text versions;		/* of these: prefer_copies(); "": the
					 * host has no preference */
	struct needs needs;		/* that its devices meet */
	bool unfit;			/* many jobs wait that need something
					 * else */
	struct shared *shared;
	int want, n;
	struct claimed *row[CLAIM_MOST * SHEETS];
};

static void claim_free(struct claim *x)
{
	text_fini(&x->versions);
	free(x);
}

static enum statement statement_of(const struct claim *x, bool prefers)
{
	return prefers ? x->unfit ? S_CLAIM_NEEDING : S_CLAIM :
	       x->unfit ? S_CLAIM_ANY_NEEDING : S_CLAIM_ANY;
}

/* A row for which there is no memory is dropped here; another host can claim
 * the job when the lease has lapsed. */
static int claim(struct call *call, struct pg *p, struct err *e)
{
	struct claim *const x = (struct claim *)call;
	char lease[PG_DIGITS], want[PG_DIGITS], left[PG_DIGITS];
	const size_t limit = memory_pool_limit(x->memory),
	             all = memory_pool_used(x->memory),
	             used = all < limit ? all : limit,
	             copies = x->copies < used ? x->copies : used;
	const bool prefers = x->versions.length;
	const struct pg_value v[] = {
		pg_text(x->node), pg_number(x->lease_ms, lease),
		pg_number(x->want, want),
		pg_number((int64_t)(limit - used + copies), left),
		pg_text(shared_is_there(x->shared) ? "t" : "f"),
		pg_text(prefers ? x->versions.data : x->needs.met),
		pg_text(x->needs.met),
	};
	struct pg_answer *a;

	x->asked_ns = clock_ns();
	a = pg_ask(p, statement_of(x, prefers), v, e);
	for (int i = 0; a && i < pg_rows(a) && x->n < x->want; i++) {
		struct claimed *c = claimed_read(x->fleet, a, i);

		if (c)
			x->row[x->n++] = c;
	}
	pg_answer_free(a);
	return a ? 0 : -1;
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
		else
			claimed_begin(c);
	}
	if (!call->err.code && x->n < x->want)
		quiet_none_left(f);
	claim_free(x);
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

/* A busy host, whose devices would not compute the job soon, has no preference.
 * NULL without memory. */
static struct claim *claim_new(struct fleet *f, int want)
{
	struct claim *x = calloc(1, sizeof *x);

	if (!x)
		return NULL;
	x->call = (struct call){ .work = claim, .done = claimed, .once = true };
	x->fleet = f;
	x->memory = f->options.memory;
	x->copies = store_bytes(f->copies);
	x->shared = f->shared;
	x->want = want;
	x->needs = f->needs;
	x->unfit = f->unfit;
	x->lease_ms = fleet_lease_ms(f);
	snprintf(x->node, sizeof x->node, "%s", f->id);
	if (claim_active(f) < capacity(f))
		prefer_copies(f, &x->versions);
	if (!x->versions.failed)
		return x;
	claim_free(x);
	return NULL;
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
	x = claim_new(f, want);
	if (!x)
		return;
	f->claiming = true;
	f->hinted = f->overdue = false;
	crew_submit(f->runner, &x->call);
}
