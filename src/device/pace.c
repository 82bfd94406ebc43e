/* pace.c - bounds how long the device computes between two looks for a
 * cancellation.
 *
 * Commands are enqueued only as far ahead of the device as it needs to be kept
 * busy: before a launch, the host waits until the commands in the queues should
 * end within AHEAD_NS. A divisible launch (ARG_FIRST() in seq.h) that should
 * take longer than WHOLE_NS becomes several launches, its slices, of about
 * SLICE_NS each. So a cancelled call ends within AHEAD_NS + SLICE_NS, and these
 * leave room for predictions that are too low by a factor of 2. Shorter
 * launches are neither divided nor waited for.
 *
 * A launch is predicted by the work that seq_work() told, at the rates that the
 * device's sheet suggests, times the slowness that earlier launches of its
 * kernel had. Launches that took less than LEAST_NS say little of larger ones,
 * and are not counted. The slowness of a kernel that is new is guessed high; so
 * its first slices are short, and give the true one.
 */
#include <math.h>

#include "base/size.h"
#include "device/programs.h"
#include "device/sequence.h"

static const double AHEAD_NS = 60e6, SLICE_NS = 50e6, WHOLE_NS = 60e6,
                    LEAST_NS = 1e6, MARK_NS = 10e6;
static const double UNKNOWN = 8;

size_t device_slice;

/* A slowness that is less than the known one changes that by 1/SLOW. */
enum { SLOW = 4 };

/* Rates of usual devices. They need not be right, but one must not differ much
 * more from the truth than the other. */
static const struct rates { double flops_per_cycle, bytes_per_ns; }
	of_cpu = { 16, 10 }, of_gpu = { 256, 2000 };

static double nominal_ns(const struct sheet *d, double flops, double bytes)
{
	const struct rates *r = d->type == DEVICE_GPU ? &of_gpu : &of_cpu;
	const double cycles = size_max(d->compute_units, 1) *
	                      (d->clock_mhz ? d->clock_mhz / 1e3 : 1);

	return fmax(flops / (cycles * r->flops_per_cycle),
	            bytes / r->bytes_per_ns);
}

static double foresee(const struct pace *p, double nominal)
{
	return nominal > 0 ? nominal * (p->slowness > 0 ? p->slowness :
	                                                  UNKNOWN) : p->ns;
}

void pace_learn(const struct paced *p, double ns)
{
	struct pace *const k = p->pace;
	double x;

	if (k && p->nominal_ns == 0)
		k->ns = ns;
	if (!k || p->nominal_ns == 0 || ns < LEAST_NS)
		return;
	x = ns / p->nominal_ns;
	k->slowness = x > k->slowness ? x :
	              k->slowness + (x - k->slowness) / SLOW;
}

/* Waits until the commands in the queues should end within AHEAD_NS. */
static void wait(struct seq *s)
{
	while (s->foreseen_ns - s->ended_ns > AHEAD_NS && s->n_pending > 0 &&
	       !seq_failed(s))
		times_harvest(s, s->last_id - s->ring[s->oldest].id);
}

static void prepare(struct seq *s, const struct paced *next)
{
	wait(s);
	s->paced = *next;
	s->foreseen_ns += next->ns;
}

struct slicing pace_cut(struct seq *s, const struct launch *l,
                    const struct grid *g, int dim)
{
	struct slicing c = {
		.launch = l, .dim = dim, .groups = 1, .most = 1,
		.nominal_ns = nominal_ns(&s->device->sheet, s->flops,
		                         s->bytes),
		.flops = s->flops,
	};

	if (dim < 0)
		return c;
	c.groups = g->global[dim] / g->local[dim];
	c.most = device_compiles_at_launch(s->device) ?
	         (LAUNCH_WIDE - 1) / g->local[dim] : c.groups;
	return c;
}

/* Slices are of whole rounds of the compute units. Where a grid of LAUNCH_WIDE
 * items is compiled separately, slices stay below that, which needs no more
 * than one further compilation. */
static size_t slice_of(const struct seq *s, const struct slicing *c,
                       double each_ns)
{
	const size_t units = size_max(s->device->sheet.compute_units, 1);
	const double groups = fmax(SLICE_NS / each_ns, 1);

	return groups >= (double)c->most ? size_max(c->most, 1) :
	       size_round_up((size_t)groups, units);
}

/* Reports the operations of all launches and slices before the next one. */
static void report(struct seq *s, double flops)
{
	const double done = s->flops_launched / fmax(s->flops_expected, 1);

	if (!s->reports && s->flops_expected > 0 && s->progress)
		s->progress(s->progress_arg, fmin(0.99, done));
	s->flops_launched += flops;
}

size_t pace_next(struct seq *s, const struct slicing *c, size_t left)
{
	struct pace *const k = program_pace(s->device, c->launch->kernel,
	                                    c->launch->dtype);
	const double whole_ns = foresee(k, c->nominal_ns);
	double share;
	size_t n = left;

	if (c->dim >= 0 && device_slice > 0)
		n = size_min(left, device_slice);
	else if (c->dim >= 0 && (whole_ns > WHOLE_NS || left < c->groups))
		n = size_min(left, slice_of(s, c, whole_ns /
		                                  (double)c->groups));
	share = (double)n / (double)c->groups;
	s->more = n < left;
	prepare(s, &(struct paced){ k, whole_ns * share,
	                            c->nominal_ns * share });
	if (pace_wants(s))
		report(s, c->flops * share);
	return n;
}

bool pace_wants(const struct seq *s)
{
	return s->paced.ns >= LEAST_NS || s->more ||
	       s->foreseen_ns - s->marked_ns >= MARK_NS;
}

/* A fill or copy has no kernel whose slowness could be known. */
size_t pace_bytes(struct seq *s, size_t left)
{
	static const size_t most = (size_t)64 << 20;
	const size_t n = size_min(left, most);

	prepare(s, &(struct paced){
		.ns = 2 * nominal_ns(&s->device->sheet, 0, 2.0 * (double)n)
	});
	return n;
}
