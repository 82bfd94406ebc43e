/* split_way.c - see split_way.h. */
#include <limits.h>
#include <stdlib.h>

#include "base/size.h"
#include "queue/split_way.h"

/* A job is split only if it computes for at least long_ns on one device, and
 * takes at least `gain` times as long there as in parts. */
static const double long_ns = 50e6, gain = 1.25;

/* How many times as long as their transfer the panels of a gang take. */
static const double panel_factor = 5;

/* An idle device, and the estimated times of the whole job there. */
struct candidate {
	int worker;
	double compute_ns;
	double shared_ns, cut_ns;	/* transfer of what every part needs
					 * whole; of what is divided */
};

static int by_speed(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	const double d = a->compute_ns - b->compute_ns;

	return d < 0 ? -1 : d > 0 ? 1 : a->worker - b->worker;
}

static double bytes_of(const struct rates *r, const struct sheet *s,
                       const struct args *a, unsigned in, unsigned out)
{
	double bytes = 0;

	for (int i = 0; i < OP_INPUTS; i++)
		if (in >> i & 1)
			bytes += rates_bytes(r, s, &a->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (out >> i & 1)
			bytes += rates_bytes(r, s, &a->out[i]);
	return bytes;
}

static struct candidate candidate(const struct engine *g, int i,
                                  const struct args *a, unsigned in,
                                  unsigned out)
{
	const struct rates *r = &g->rates[i];
	const struct sheet *s = &g->worker[i].sheet;

	return (struct candidate){
		.worker = i,
		.compute_ns = rates_estimate(g->rates, g->n_workers, i, s,
		                             a).compute_ns,
		.shared_ns = rates_transfer_ns(r, s,
		    bytes_of(r, s, a, ~in, ~out)),
		.cut_ns = rates_transfer_ns(r, s, bytes_of(r, s, a, in, out)),
	};
}

/* Finds the idle devices, the fastest first, and returns their number. */
static int find(const struct engine *g, const struct job *j, unsigned in,
                unsigned out, struct candidate c[SHEETS])
{
	int n = 0;

	for (int i = 0; i < g->n_workers; i++)
		if (j->devices >> i & 1 && worker_is_idle(&g->worker[i]))
			c[n++] = candidate(g, i, &j->args, in, out);
	qsort(c, (size_t)n, sizeof *c, by_speed);
	return n;
}

/* Estimates the time until the last of n equal parts is done. */
static double parts_ns(const struct candidate *c, int n)
{
	double most = 0;

	for (int i = 0; i < n; i++) {
		const double ns = c[i].shared_ns +
		                  (c[i].cut_ns + c[i].compute_ns) / n;

		most = ns > most ? ns : most;
	}
	return most;
}

/* Chooses how many of the devices would together be done soonest. */
static int choose_rows(const struct cut *cut, const struct candidate *c, int n)
{
	const size_t most = cut->rows / cut->unit;
	int best = 1;

	for (int k = 2; k <= n && (size_t)k <= most; k++)
		if (parts_ns(c, k) < parts_ns(c, best))
			best = k;
	return parts_ns(c, 1) >= gain * parts_ns(c, best) ? best : 0;
}

/* Estimates the time of a gang. The panels that its parts move to each other
 * are also factored one after the other, which takes longer than moving them:
 * bench/RESULTS.md, two H200. */
static double gang_ns(const struct engine *g, const struct candidate *c, int n,
                      const struct gang_plan *plan)
{
	const int last = c[n - 1].worker;

	return parts_ns(c, n) +
	       panel_factor * rates_transfer_ns(&g->rates[last],
	                                        &g->worker[last].sheet,
	                                        plan->moved);
}

static int choose_gang(const struct engine *g, const struct args *a,
                       const struct candidate *c, int n)
{
	const double alone = parts_ns(c, 1);
	double least = alone / gain;
	struct gang_plan plan;
	int best = 0;

	for (int k = 2; k <= n; k++) {
		double ns;

		if (!gang_plan(a, k, &plan))
			break;
		ns = gang_ns(g, c, k, &plan);
		if (ns < least) {
			least = ns;
			best = k;
		}
	}
	return best;
}

/* Devices that share the host's memory share its processor, too: together they
 * compute no faster than one. Unless asked to, they are no gang. */
static int drop_shared(const struct engine *g, struct candidate *c, int n)
{
	int left = 0;

	for (int i = 0; i < n; i++)
		if (!g->worker[c[i].worker].sheet.unified_memory)
			c[left++] = c[i];
	return left;
}

static int must(const struct engine *g, const struct job *j,
                struct candidate c[SHEETS])
{
	return find(g, j, UINT_MAX, UINT_MAX, c) >= j->gang ? j->gang : 0;
}

static int may(const struct engine *g, const struct job *j,
               struct split_way *w, struct candidate c[SHEETS])
{
	const struct op *const o = j->args.op;
	int n;

	if (j->part || g->waiting.n != 1)
		return 0;
	if (o->cut && o->cut(&j->args, &w->cut)) {
		n = find(g, j, w->cut.in, w->cut.out, c);
		return n < 2 || c[0].compute_ns < long_ns ? 0 :
		       choose_rows(&w->cut, c, n);
	}
	if (!gang_plan(&j->args, 2, &w->gang) || w->gang.asked)
		return 0;
	w->is_gang = true;
	n = drop_shared(g, c, find(g, j, UINT_MAX, UINT_MAX, c));
	return n < 2 || c[0].compute_ns < long_ns ? 0 :
	       choose_gang(g, &j->args, c, n);
}

struct split_way split_way_of(const struct engine *g, const struct job *j)
{
	struct split_way w = { .is_gang = j->gang > 0 };
	struct candidate c[SHEETS];

	w.n = j->gang ? must(g, j, c) : may(g, j, &w, c);
	for (int i = 0; i < w.n; i++)
		w.worker[i] = c[i].worker;
	if (w.is_gang && w.n > 0)
		gang_plan(&j->args, w.n, &w.gang);
	return w;
}

size_t split_first_row(const struct split_way *w, int i)
{
	const struct cut *const c = &w->cut;

	return i == w->n ? c->rows : size_blocks(c->rows, c->unit) *
	       (size_t)i / (size_t)w->n * c->unit;
}
