/* trace.c - records each command and transfer of a sequence, for a trace.
 *
 * A device's profiling clock has an origin of its own, which OpenCL 1.2 cannot
 * tell. Every command gives two pairs of bounds for the difference between the
 * host's clock and the device's:
 *
 *     low, high: the command was queued while the call that queues it ran
 *     earliest, latest: the command started after that call had begun, and had
 *                       ended when the host saw its end
 *
 * The first bounds are closer together, but some drivers report a useless time
 * of queueing. The second ones always hold, so the result is clamped to them.
 */
#include "base/clock.h"
#include "base/size.h"
#include "device/sequence.h"

void seq_trace(struct seq *s, struct trace_page *t)
{
	atomic_store(&t->n, 0);
	t->left_out = 0;
	s->trace = t;
	s->clock = (struct clock_bounds){ INT64_MIN, INT64_MAX,
	                                  INT64_MIN, INT64_MAX };
}

static void add(struct seq *s, const struct trace_event *e)
{
	const unsigned n = atomic_load(&s->trace->n);

	if (n == TRACE_EVENTS) {
		s->trace->left_out++;
		return;
	}
	s->trace->event[n] = *e;
	atomic_store(&s->trace->n, n + 1);
}

/* Returns the kind that the account's commands have in a trace, or TRACE_KINDS
 * if a trace leaves them out. */
static int kind_of(int account)
{
	static const struct { int account, kind; } kinds[] = {
		{ ACCOUNT_UPLOAD, TRACE_UPLOAD },
		{ ACCOUNT_DOWNLOAD, TRACE_DOWNLOAD },
		{ ACCOUNT_CONSTANT, TRACE_UPLOAD },
		{ ACCOUNT_WRITE, TRACE_WRITE }, { ACCOUNT_READ, TRACE_READ },
		{ ACCOUNT_FILL, TRACE_FILL }, { ACCOUNT_COPY, TRACE_COPY },
	};

	if (account >= 0)
		return account;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].account == account)
			return kinds[i].kind;
	return TRACE_KINDS;
}

static void at_least(int64_t *low, int64_t to)
{
	if (to > *low)
		*low = to;
}

static void at_most(int64_t *high, int64_t to)
{
	if (to < *high)
		*high = to;
}

static void learn_clock(struct seq *s, const struct pending *p,
                        uint64_t queued, uint64_t begin, uint64_t end)
{
	struct clock_bounds *b = &s->clock;

	at_most(&b->latest, clock_ns() - (int64_t)end);
	if (!p->from_ns)
		return;
	at_least(&b->earliest, p->from_ns - (int64_t)begin);
	if (!queued)
		return;
	at_least(&b->low, p->from_ns - (int64_t)queued);
	at_most(&b->high, p->to_ns - (int64_t)queued);
}

void trace_command(struct seq *s, const struct pending *p, cl_ulong begin,
                   cl_ulong end)
{
	const int kind = kind_of(p->account);
	cl_ulong queued = 0;

	if (kind == TRACE_KINDS || end < begin)
		return;
	if (clGetEventProfilingInfo(p->event, CL_PROFILING_COMMAND_QUEUED,
	                            sizeof queued, &queued, NULL))
		queued = 0;
	learn_clock(s, p, queued, begin, end);
	add(s, &(struct trace_event){ (int64_t)begin, (int64_t)end, kind,
	                              (int16_t)p->lane, true });
}

void trace_host(struct seq *s, int kind, int64_t begun_ns)
{
	if (s->trace)
		add(s, &(struct trace_event){ begun_ns, clock_ns(), kind, 0,
		                              false });
}

/* Returns an estimate of the host's clock minus the device's. */
static int64_t difference(const struct clock_bounds *b)
{
	int64_t d = b->earliest;	/* if some command did not wait */

	if (b->low != INT64_MIN)
		d = b->low + (b->high - b->low) / 2;
	else if (b->earliest == INT64_MIN)
		return b->latest == INT64_MAX ? 0 : b->latest;
	at_most(&d, b->latest);
	at_least(&d, b->earliest);
	return d;
}

void trace_settle(struct seq *s, const int row[TIMING_ROWS])
{
	const unsigned n = s->trace ? atomic_load(&s->trace->n) : 0;
	const int64_t d = n ? difference(&s->clock) : 0, now = clock_ns();

	for (unsigned i = 0; i < n; i++) {
		struct trace_event *e = &s->trace->event[i];

		if (e->device_clock) {
			e->begin_ns += d;
			e->end_ns += d;
			e->device_clock = false;
		}
		at_least(&e->begin_ns, s->begun_ns);
		at_most(&e->end_ns, now);
		at_most(&e->begin_ns, e->end_ns);
		at_least(&e->end_ns, e->begin_ns);
		if (e->kind >= 0)
			e->kind = row[e->kind];
	}
}
