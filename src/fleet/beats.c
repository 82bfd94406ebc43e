/* beats.c - the periodic work of a host. A beat, every third of the lease's
 * time, renews the leases, refreshes the node's row, and reaps lapsed leases
 * and expired rows. A look, every second, counts the waiting jobs, reads who is
 * in the fleet, brings views up to date, and claims. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "fleet/fleet_state.h"
#include "fleet/matrices.h"

#define LOOK_NS INT64_C(1000000000)

/* How long the row of a job is kept after its end. */
#define RECORDS_MS (24 * 3600 * INT64_C(1000))

/* The row of a node that has not refreshed it for the time of so many leases is
 * deleted. */
enum { NODE_LEASES = 10 };

/* A run whose lease so many beats in a row did not renew is abandoned. */
enum { BEATS_MISSED = 2 };

/* This part of --host-memory is kept free of copies of stored matrices. */
enum { SPARE_PART = 4 };

/* --- renewing leases */

struct beat {
	struct call call;
	struct fleet *fleet;
	char node[FLEET_ID];
	int64_t lease_ms, sent_ns;
	bool known;			/* the database has the node's row */
	struct text ids, epochs, progresses;	/* of the runs, as PostgreSQL's
						 * arrays */
	size_t n;
	struct { char id[JOB_ID]; int64_t epoch; bool renewed; } run[];
};

static int renew(struct beat *b, struct pg *p, struct err *e)
{
	char lease[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(b->node), pg_number(b->lease_ms, lease),
		pg_text(b->ids.data), pg_text(b->epochs.data),
		pg_text(b->progresses.data),
	};
	struct pg_answer *a = pg_ask(p, S_RENEW, v, e);

	for (int i = 0; a && i < pg_rows(a); i++)
		for (size_t k = 0; k < b->n; k++)
			b->run[k].renewed |=
				strcmp(b->run[k].id, pg_get(a, i, 0)) == 0 &&
				b->run[k].epoch == pg_integer(a, i, 1);
	pg_answer_free(a);
	return a ? 0 : -1;
}

static int beat(struct call *c, struct pg *p, struct err *e)
{
	struct beat *const b = (struct beat *)c;
	char leased[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(b->node), pg_number((int64_t)b->n, leased),
	};
	int rows;

	b->sent_ns = clock_ns();
	if (b->n && renew(b, p, e))
		return -1;
	rows = pg_count(p, S_ALIVE, v, e);
	b->known = rows == 1;
	return rows < 0 ? -1 : 0;
}

static void beat_free(struct beat *b)
{
	text_fini(&b->ids);
	text_fini(&b->epochs);
	text_fini(&b->progresses);
	free(b);
}

/* Abandons runs whose leases were not renewed. A single failure does not count,
 * because S_RENEW skips a row that another transaction has locked. */
static void take_renewals(struct fleet *f, const struct beat *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct leased *const r = leased_find(f, b->run[i].id,
		                               b->run[i].epoch);

		if (r && b->run[i].renewed) {
			r->ends_ns = b->sent_ns + f->options.lease_ns;
			r->missed = 0;
		} else if (r && ++r->missed == BEATS_MISSED) {
			leased_abandon(r, "its lease has lapsed, or it was "
			            "dismissed");
		}
	}
}

static void beaten(struct call *c)
{
	struct beat *const b = (struct beat *)c;
	struct fleet *const f = b->fleet;

	f->beating = false;
	if (!c->err.code) {
		take_renewals(f, b);
		f->joined = b->known;
	}
	beat_free(b);
}

static void fill(struct beat *b, struct fleet *f)
{
	const char *comma = "{";

	for (const struct leased *r = f->runs; r; r = r->next, comma = ",") {
		const int progress = r->job ? engine_progress(f->engine,
		                                              r->job) : 0;

		snprintf(b->run[b->n].id, JOB_ID, "%s", r->id);
		b->run[b->n++].epoch = r->epoch;
		text_printf(&b->ids, "%s%s", comma, r->id);
		text_printf(&b->epochs, "%s%lld", comma,
		            (long long)r->epoch);
		text_printf(&b->progresses, "%s%d", comma, progress);
	}
	text_puts(&b->ids, b->n ? "}" : "{}");
	text_puts(&b->epochs, b->n ? "}" : "{}");
	text_puts(&b->progresses, b->n ? "}" : "{}");
}

static void beat_begin(struct fleet *f)
{
	struct beat *b = calloc(1, sizeof *b + f->n_runs * sizeof b->run[0]);

	if (!b)
		return;
	b->call = (struct call){ .work = beat, .done = beaten };
	b->fleet = f;
	b->lease_ms = fleet_lease_ms(f);
	snprintf(b->node, sizeof b->node, "%s", f->id);
	fill(b, f);
	if (b->ids.failed || b->epochs.failed || b->progresses.failed) {
		beat_free(b);
		return;
	}
	f->beating = true;
	crew_submit(f->beats, &b->call);
}

/* Abandons runs whose leases were not renewed in time by the clock of this
 * host: it may be cut off from the database. */
static void abandon_late(struct fleet *f)
{
	const int64_t now = clock_ns();

	for (struct leased *r = f->runs, *next; r; r = next) {
		next = r->next;
		if (r->ends_ns < now)
			leased_abandon(r, "its lease could not be renewed");
	}
}

/* --- reaping what lost hosts have left, and what has expired */

struct reaping {
	struct call call;
	struct fleet *fleet;
	struct shared *shared;
	int64_t lease_ms;
};

/* Deletes versions that were replaced or removed and that no job uses. */
static int reap_matrices(const struct reaping *x, struct pg *p, struct err *e)
{
	struct text versions = { 0 };
	char lease[PG_DIGITS];
	const struct pg_value v[] = { pg_number(x->lease_ms, lease) };
	struct pg_answer *a = pg_ask(p, S_REAP_LOCK, v, e);
	int rc = a ? 0 : -1;

	for (int i = 0; a && i < pg_rows(a); i++)
		text_printf(&versions, "%s%s", i ? "," : "{",
		            pg_get(a, i, 0));
	text_puts(&versions, "}");
	if (a && pg_rows(a) && !versions.failed) {
		const struct pg_value all[] = { pg_text(versions.data) };

		rc = pg_do(p, S_REAP_MATRICES, all, e);
	}
	pg_answer_free(a);
	text_fini(&versions);
	return rc;
}

static int reap(struct call *c, struct pg *p, struct err *e)
{
	const struct reaping *const x = (struct reaping *)c;
	char attempts[PG_DIGITS], records[PG_DIGITS], nodes[PG_DIGITS];
	const struct pg_value v[] = {
		pg_number(FLEET_ATTEMPTS, attempts),
		pg_number(RECORDS_MS, records),
		pg_number(NODE_LEASES * x->lease_ms, nodes),
	};

	return pg_do(p, S_REAP_LEASES, &v[0], e) ||
	       pg_do(p, S_REAP_DEADLINES, NULL, e) ||
	       pg_do(p, S_REAP_RESULTS, NULL, e) ||
	       pg_do(p, S_REAP_RECORDS, &v[1], e) ||
	       pg_do(p, S_REAP_NODES, &v[2], e) ||
	       pg_do(p, S_REAP_EXPIRED, NULL, e) || pg_begin(p, e) ||
	       pg_end(p, reap_matrices(x, p, e), e) ||
	       pg_do(p, S_ADD_PARTITIONS, NULL, e) ||
	       pg_do(p, S_DROP_PARTITIONS, NULL, e) ||
	       shared_look(x->shared, p, e) ? -1 : 0;
}

/* There may be jobs now that need the shared directory, which this host has not
 * seen before. */
static void reaped(struct call *c)
{
	struct fleet *const f = ((struct reaping *)c)->fleet;

	free(c);
	if (f->shared)
		claim_begin(f, true);
}

void reap_begin(struct fleet *f)
{
	struct reaping *x = calloc(1, sizeof *x);

	if (!x)
		return;
	x->call = (struct call){ .work = reap, .done = reaped, .slow = true };
	x->fleet = f;
	x->shared = f->shared;
	x->lease_ms = fleet_lease_ms(f);
	crew_submit(f->runner, &x->call);
}

static void on_beat(void *arg)
{
	struct fleet *const f = arg;

	abandon_late(f);
	claim_withdraw(f);
	if (f->joined && !f->beating) {
		beat_begin(f);
		reap_begin(f);
	}
	loop_timer_set(f->options.loop, &f->beat,
	               clock_ns() + f->options.lease_ns / 3, on_beat, f);
}

/* --- counting waiting jobs */

int count_waiting(struct pg *p, uint64_t limit, struct count *c,
                  struct err *e)
{
	char most[PG_DIGITS];
	const struct pg_value v[] = {
		pg_number((int64_t)limit + 1, most)
	};
	const int64_t begun = clock_ns();
	struct pg_answer *a = pg_ask(p, S_COUNT_WAITING, v, e);

	if (!a)
		return -1;
	c->waiting = (uint64_t)pg_integer(a, 0, 0);
	c->took_ns = clock_ns() - begun;
	pg_answer_free(a);
	return 0;
}

void count_take(struct fleet *f, const struct count *c)
{
	f->counts.waiting = c->waiting;
	f->count_ns = c->took_ns;
	f->heard_ns = clock_ns();
}

struct counting {
	struct call call;
	struct fleet *fleet;
	uint64_t limit;
	struct needs needs;
	struct count count;
	bool unfit;
};

static int count(struct call *c, struct pg *p, struct err *e)
{
	struct counting *const x = (struct counting *)c;

	return count_waiting(p, x->limit, &x->count, e) ||
	       needs_look(&x->needs, p, &x->unfit, e) ? -1 : 0;
}

static void counted(struct call *c)
{
	struct counting *const x = (struct counting *)c;

	x->fleet->counting = false;
	if (!c->err.code) {
		count_take(x->fleet, &x->count);
		x->fleet->unfit = x->unfit;
	}
	free(x);
}

static void count_begin(struct fleet *f)
{
	struct counting *x = f->counting ? NULL : calloc(1, sizeof *x);

	if (!x)
		return;
	f->counting = true;
	x->call = (struct call){ .work = count, .done = counted };
	x->fleet = f;
	x->limit = f->options.queue_limit;
	x->needs = f->needs;
	crew_submit(f->beats, &x->call);
}

static void on_look(void *arg)
{
	struct fleet *const f = arg;

	matrices_make_room(f, memory_pool_limit(f->options.memory) /
	                      SPARE_PART);
	if (f->joined) {
		count_begin(f);
		hosts_look(f);
		view_refresh(f, NULL);
		claim_overdue(f);
	} else if (!f->outdated) {
		join_begin(f);
	}
	loop_timer_set(f->options.loop, &f->look, clock_ns() + LOOK_NS,
	               on_look, f);
}

void beats_start(struct fleet *f)
{
	on_look(f);
	on_beat(f);
}

void beats_stop(struct fleet *f)
{
	loop_timer_clear(f->options.loop, &f->look);
	loop_timer_clear(f->options.loop, &f->beat);
}
