/* times.c - harvests a sequence's events for the times of its kernels. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "device/sequence.h"

static struct pending *pending_at(struct seq *s, int i)
{
	return &s->ring[(s->oldest + i) % AHEAD];
}

void times_add(struct seq *s, cl_event event, int account)
{
	if (s->n_pending == AHEAD)
		times_harvest(s, AHEAD / 2);
	*pending_at(s, s->n_pending) = (struct pending){
		.event = event, .id = s->last_id, .account = account,
		.calls = account < 0 ? 0 : s->timing.kernel[account].calls,
		.more = s->more, .paced = s->paced,
		.foreseen_ns = s->foreseen_ns,
		.lane = s->queue != s->lanes[0], .step = s->step,
		.from_ns = s->from_ns,
		.to_ns = s->from_ns ? clock_ns() : 0,
	};
	s->from_ns = 0;
	s->marked_ns = s->foreseen_ns;
	s->n_pending++;
}

/* Returns the row of that kernel. Kernels without a free row share the last
 * row. */
int times_row(struct seq *s, const char *kernel)
{
	struct timing *t = &s->timing;
	const int last = TIMING_ROWS - 1;
	const int step = s->step < 0 ? 0 : s->step;

	for (int i = 0; i < t->n_kernels; i++)
		if (t->kernel[i].step == step &&
		    strcmp(t->kernel[i].name, kernel) == 0)
			return i;
	if (t->n_kernels == TIMING_ROWS)
		return last;
	snprintf(t->kernel[t->n_kernels].name, TIMING_NAME, "%s",
	         t->n_kernels < last ? kernel : "others");
	t->kernel[t->n_kernels].min_ns = UINT64_MAX;
	t->kernel[t->n_kernels].step = step;
	return t->n_kernels++;
}

/* Adds the launches since the last timed one to the row. Each launch between
 * two timed ones counts with the mean of their times. */
static void row_add(struct kernel_time *k, struct known *last, uint64_t calls,
                    uint64_t ns)
{
	const uint64_t between = calls - last->calls - 1;

	k->total_ns += ns + between * (last->ns + ns) / 2;
	k->timed++;
	last->calls = calls;
	last->ns = ns;
	if (ns < k->min_ns)
		k->min_ns = ns;
	if (ns > k->max_ns)
		k->max_ns = ns;
}

static void account_add(struct seq *s, const struct pending *p,
                        cl_ulong begin, cl_ulong end)
{
	struct lap *const lap = steps_lap(s, p->step);
	const int account = p->account;

	if (account == ACCOUNT_UPLOAD)
		s->timing.upload_ns += (int64_t)(end - begin);
	if (account == ACCOUNT_DOWNLOAD)
		s->timing.download_ns += (int64_t)(end - begin);
	if (account < ACCOUNT_KERNELS)
		return;
	s->slices_ns += end - begin;
	if (account >= 0 && !p->more)
		row_add(&s->timing.kernel[account], &s->known[account],
		        p->calls, s->slices_ns);
	if (!p->more)
		s->slices_ns = 0;
	if (lap && (lap->begin_ns == 0 || begin < lap->begin_ns))
		lap->begin_ns = begin;
	if (lap && end > lap->end_ns)
		lap->end_ns = end;
	if (s->begin_ns == 0 || begin < s->begin_ns)
		s->begin_ns = begin;
	if (end > s->end_ns)
		s->end_ns = end;
}

static void harvest_one(struct seq *s, const struct pending *p)
{
	cl_ulong begin = 0, end = 0;

	SEQ_TRY(s, "timing", clGetEventProfilingInfo(p->event,
	    CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
	if (SEQ_TRY(s, "timing", clGetEventProfilingInfo(p->event,
	    CL_PROFILING_COMMAND_END, sizeof end, &end, NULL))) {
		account_add(s, p, begin, end);
		pace_learn(&p->paced, (double)(end - begin));
		if (s->trace)
			trace_command(s, p, begin, end);
	}
	clReleaseEvent(p->event);
}

/* Returns how many of the oldest n events to wait for at once. On a CPU, waking
 * up for each event would take the processor from the kernels. On other devices
 * the host reads one event while the device runs the next command. */
static int at_once(const struct seq *s, int n)
{
	return seq_shares_memory(s) ? n : 1;
}

static void harvest(struct seq *s, int n)
{
	cl_event event[AHEAD];

	for (int i = 0; i < n; i++)
		event[i] = pending_at(s, i)->event;
	SEQ_TRY(s, "wait", clWaitForEvents((cl_uint)n, event));
	for (; n > 0; n--) {
		harvest_one(s, pending_at(s, 0));
		s->ended_ns = pending_at(s, 0)->foreseen_ns;
		s->oldest = (s->oldest + 1) % AHEAD;
		s->n_pending--;
	}
}

void times_harvest(struct seq *s, int keep)
{
	int n = 0;

	while (n < s->n_pending
	    && pending_at(s, n)->id <= s->last_id - keep)
		n++;
	for (int k; n > 0; n -= k)
		harvest(s, k = at_once(s, n));
}

void seq_timing(struct seq *s, struct timing *t)
{
	int row[TIMING_ROWS] = { 0 };

	*t = s->timing;
	t->n_kernels = 0;
	for (int i = 0; i < s->timing.n_kernels; i++) {
		struct kernel_time k = s->timing.kernel[i];

		if (k.timed == 0)
			continue;
		k.total_ns += (k.calls - s->known[i].calls) *
		              s->known[i].ns;
		row[i] = t->n_kernels;
		t->kernel[t->n_kernels++] = k;
	}
	trace_settle(s, row);
	t->cold = s->kernels != s->device->kernels;
	t->compile_ns = s->device->compile_ns - s->compile_ns;
	t->compute_ns = s->host_before_ns + (int64_t)(s->end_ns - s->begin_ns) +
	                s->host_since_ns;
}
