/* seq.c - a launch sequence's life; see seq.h and sequence.h. */
#include <stdlib.h>

#include "base/clock.h"
#include "device/sequence.h"

struct seq *seq_new(struct device *d, enum dtype dtype,
                    enum timing_level level, struct err *e)
{
	struct seq *s = calloc(1, sizeof *s);

	if (!s) {
		err_set(e, ERR_MEMORY, "out of memory for a launch sequence");
		return NULL;
	}
	s->device = d;
	s->dtype = dtype;
	s->level = level;
	s->err = e;
	s->queue = s->lanes[0] = d->lane[0];
	s->kernels = d->kernels;
	s->compile_ns = d->compile_ns;
	s->stride = STRIDE;
	s->step = -1;
	s->progress_to = 1;
	s->begun_ns = clock_ns();
	return s;
}

void seq_free(struct seq *s)
{
	if (!s)
		return;
	command_wait_all(s);
	buffers_free(s);
	free(s->laps);
	free(s);
}

enum dtype seq_dtype(const struct seq *s)
{
	return s->dtype;
}

void seq_set_dtype(struct seq *s, enum dtype dtype)
{
	s->dtype = dtype;
}

const struct sheet *seq_sheet(const struct seq *s)
{
	return &s->device->sheet;
}

struct err *seq_err(struct seq *s)
{
	return s->err;
}

bool seq_failed(const struct seq *s)
{
	return s->err->code != ERR_NONE;
}

void seq_on_cancel(struct seq *s, bool (*fn)(void *arg), void *arg)
{
	s->cancelled = fn;
	s->cancelled_arg = arg;
}

void seq_on_progress(struct seq *s, void (*fn)(void *arg, double done),
                     void *arg)
{
	s->progress = fn;
	s->progress_arg = arg;
}

void seq_progress(struct seq *s, double done)
{
	s->reports = true;
	if (s->progress && !seq_failed(s))
		s->progress(s->progress_arg, s->progress_from +
		            done * (s->progress_to - s->progress_from));
}

void seq_progress_within(struct seq *s, double from, double to)
{
	s->progress_from = from;
	s->progress_to = to;
}

void seq_expect(struct seq *s, double flops)
{
	s->flops_expected = flops;
	s->flops_launched = 0;
	s->reports = false;
}

void seq_work(struct seq *s, double flops, double bytes)
{
	s->flops = flops;
	s->bytes = bytes;
}

void seq_host_begin(struct seq *s)
{
	command_mark_end(s);
	s->host_begun_ns = clock_ns();
}

void seq_host_end(struct seq *s)
{
	const int64_t ns = clock_ns() - s->host_begun_ns;

	s->timing.host_ns += ns;
	s->host_since_ns += ns;
	if (steps_lap(s, s->step))
		steps_lap(s, s->step)->host_since_ns += ns;
	trace_host(s, TRACE_LAPACK, s->host_begun_ns);
}

void seq_hold(struct seq *s, bool held)
{
	s->held = held;
}

int seq_finish(struct seq *s)
{
	if (!s->held && (!s->deferred || buffers_wait(s))) {
		halves_round(s);
		command_mark_end(s);
		buffers_download(s);
		command_wait_all(s);
	}
	return seq_failed(s) ? -1 : 0;
}

void seq_wait(struct seq *s)
{
	command_wait_all(s);
}
