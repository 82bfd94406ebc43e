/* plan.c - see plan.h. */
#include <math.h>
#include <string.h>

#include "queue/gang.h"
#include "queue/plan.h"

/* The time that each call takes for its message, launches and answer. */
static const int64_t overhead_ns = 50000;

/* Differences this small do not decide: between idle devices the kind of device
 * does. A busy device is chosen before an idle one only if it would finish
 * sooner by busy_ns. */
static const int64_t kind_ns = 50000, busy_ns = 200000;

/* Estimates are limited to this (11 days), so that their sums do not
 * overflow. */
static const double most_ns = 1e15;

/* The least time after which jobs that an idle device left to a busy one are
 * planned again. */
static const int64_t patience_ns = 1000000;

static int64_t kind_handicap(enum device_type t)
{
	return t == DEVICE_GPU ? 0 : t == DEVICE_CPU ? kind_ns : 2 * kind_ns;
}

static int64_t cost_ns(const struct engine *g, int i, const struct job *j)
{
	const struct estimate x = rates_estimate(g->rates, g->n_workers, i,
	    &g->worker[i].sheet, &j->args);

	return overhead_ns + (int64_t)fmin((x.compute_ns + x.transfer_ns) /
	                                   gang_size(j), most_ns);
}

/* Estimates the time until worker i is done with its present jobs. */
static int64_t rest_ns(const struct engine *g, int i, int64_t now_ns)
{
	const int64_t ns = g->due_ns[i] - now_ns;

	return !g->worker[i].n_running ? 0 : ns < 0 ? -ns : ns;
}

void plan_begin(struct plan *p, const struct engine *g, int64_t now_ns)
{
	*p = (struct plan){ .engine = g, .now_ns = now_ns,
	                    .again_ns = INT64_MAX };
	for (int i = 0; i < g->n_workers; i++) {
		p->free_ns[i] = now_ns + rest_ns(g, i, now_ns);
		if (worker_is_idle(&g->worker[i]))
			p->idle |= UINT64_C(1) << i;
	}
}

static bool is_idle(const struct plan *p, int i)
{
	return p->idle >> i & 1;
}

/* Can device i get the job: may it run there, and is its worker alive? */
static bool takes_part(const struct plan *p, const struct job *j, int i)
{
	return job_devices(j) >> i & 1 &&
	       worker_is_well(&p->engine->worker[i]);
}

static void ask_again(struct plan *p, int i)
{
	int64_t ns = rest_ns(p->engine, i, p->now_ns);

	if (ns < patience_ns)
		ns = patience_ns;
	if (p->now_ns + ns < p->again_ns)
		p->again_ns = p->now_ns + ns;
}

/* Returns the device, not yet in `taken`, that is free first; -1: none. */
static int first_free(const struct plan *p, const struct job *j,
                      uint64_t taken)
{
	int best = -1;

	for (int i = 0; i < p->engine->n_workers; i++)
		if (takes_part(p, j, i) && !(taken >> i & 1) &&
		    (best < 0 || p->free_ns[i] < p->free_ns[best]))
			best = i;
	return best;
}

/* Has the last attempt at the job ended on all devices, so that none of them
 * writes to its outputs any more? */
static bool is_over(const struct engine *g, const struct job *j)
{
	for (int i = 0; i < g->n_workers; i++) {
		const struct worker *w = &g->worker[i];
		const struct job *k = w->n_running ? w->running[0] : NULL;

		if (k && k->part && strcmp(k->id, j->id) == 0)
			return false;
	}
	return true;
}

/* Books the devices that compute the job together, from when the last of them
 * is free; those that are idle stay so until then. Too few live workers book
 * none. Returns one of the devices. */
static int book_gang(struct plan *p, const struct job *j, bool *now)
{
	uint64_t taken = 0;
	int64_t from = 0;
	int last = -1;

	for (int n = 0; n < j->gang; n++) {
		last = first_free(p, j, taken);
		if (last < 0)
			return -1;
		taken |= UINT64_C(1) << last;
		from = p->free_ns[last] > from ? p->free_ns[last] : from;
	}
	*now = (taken & p->idle) == taken;
	for (int i = 0; i < p->engine->n_workers; i++)
		if (taken >> i & 1)
			p->free_ns[i] = from + cost_ns(p->engine, i, j);
	p->idle &= ~taken;
	return last;
}

int plan_book(struct plan *p, const struct job *j, bool *now)
{
	const struct engine *const g = p->engine;
	int64_t soonest = INT64_MAX, best_cost = 0;
	int best = -1;

	*now = false;
	if (j->attempts > 0 && j->args.op->gang && !is_over(g, j))
		return -1;
	if (j->gang)
		return book_gang(p, j, now);
	for (int i = 0; i < g->n_workers; i++) {
		int64_t cost, end;

		if (!takes_part(p, j, i))
			continue;
		cost = cost_ns(g, i, j);
		end = p->free_ns[i] + cost +
		      kind_handicap(g->worker[i].sheet.type) +
		      (is_idle(p, i) ? 0 : busy_ns);
		if (end < soonest) {
			soonest = end;
			best = i;
			best_cost = cost;
		}
	}
	*now = best >= 0 && is_idle(p, best);
	if (best < 0)
		return -1;
	if (!*now && (job_devices(j) & p->idle))
		ask_again(p, best);
	p->free_ns[best] += best_cost;
	p->idle &= ~(UINT64_C(1) << best);
	return best;
}

struct job *plan_next(struct engine *g, struct worker **on, int64_t *again_ns)
{
	struct plan p;
	bool now;

	plan_begin(&p, g, clock_ns());
	if (!p.idle)
		return NULL;
	for (struct job *j = waiting_first(&g->waiting, UINT64_MAX, p.idle);
	     j && p.idle; j = waiting_next(&g->waiting, UINT64_MAX, p.idle)) {
		const int i = plan_book(&p, j, &now);

		if (now) {
			*on = &g->worker[i];
			return j;
		}
	}
	*again_ns = p.again_ns;
	return NULL;
}

bool plan_begins(struct engine *g, const struct job *j)
{
	struct plan p;
	bool now = false;

	plan_begin(&p, g, clock_ns());
	for (const struct job *k = waiting_first(&g->waiting, UINT64_MAX,
	                                         p.idle);
	     k && p.idle; k = waiting_next(&g->waiting, UINT64_MAX, p.idle))
		plan_book(&p, k, &now);
	plan_book(&p, j, &now);
	return now;
}

int64_t plan_cost(const void *engine, const struct job *j, int i)
{
	return cost_ns(engine, i, j);
}

int64_t plan_due(const struct engine *g, const struct worker *w,
                 struct job *const batch[], int n, int64_t now_ns)
{
	for (int i = 0; i < n; i++)
		now_ns += cost_ns(g, (int)(w - g->worker), batch[i]);
	return now_ns;
}
