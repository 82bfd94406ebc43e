/* steps.c - a sequence of several calls: see seq_steps(). */
#include <stdlib.h>

#include "base/size.h"
#include "device/sequence.h"

void seq_steps(struct seq *s, int n)
{
	s->laps = calloc((size_t)n, sizeof *s->laps);
	s->n_laps = s->laps ? n : 0;
	if (!s->laps)
		err_set(s->err, ERR_MEMORY, "no memory for the times of %d "
		        "steps", n);
}

struct lap *steps_lap(struct seq *s, int step)
{
	return step >= 0 && step < s->n_laps ? &s->laps[step] : NULL;
}

/* A step's compute_ns is the time from the start of its first kernel to the end
 * of its last one, plus the time in which the host computes before and after
 * these. Each launch therefore moves or drops the host's time so far. */
void steps_launched(struct seq *s)
{
	struct lap *l = steps_lap(s, s->step);

	if (!l)
		return;
	if (!l->launched)
		l->host_before_ns = l->host_since_ns;
	l->launched = true;
	l->host_since_ns = 0;
}

/* Makes both lanes wait for all commands of the present step. */
static void join_lanes(struct seq *s)
{
	if (!s->lanes[1])
		return;
	seq_lane(s, 0);
	seq_follow(s, 1);
	seq_lane(s, 1);
	seq_follow(s, 0);
	seq_lane(s, 0);
}

void seq_step(struct seq *s, enum dtype dtype)
{
	s->step++;
	s->dtype = dtype;
	if (steps_lap(s, s->step))
		steps_lap(s, s->step)->last_id = s->last_id;
}

/* Chooses the buffers that outlive the present step: those of memory for which
 * stays() returns true, and their wide buffers. Buffers of constants and of
 * copies that the driver may still read outlive it, too. A new output that the
 * host has downloaded does not, because the host may have changed it. */
static void choose(struct seq *s, bool (*stays)(void *arg,
                   const struct memory *m), void *arg)
{
	for (int i = 0; i < s->n_buffers; i++) {
		struct buffer *b = &s->buffer[i];
		const bool changed = b->fresh && b->memory &&
		                     b->memory->looked && !b->awaited &&
		                     b->owner != OWNER_HOST;

		b->stays = b->sent || b->owner == OWNER_SEQUENCE ||
		           (b->memory && !changed && stays(arg, b->memory));
		b->fresh = false;
	}
	for (int i = 0; i < s->n_buffers; i++)
		if (s->buffer[i].stays && s->buffer[i].wide)
			buffer_get(s, s->buffer[i].wide)->stays = true;
}

/* Buffers return to the device's spares while launches that use them may still
 * run. This is safe, because their next user enqueues its commands in the same
 * in-order queues, behind these launches. */
void seq_end_step(struct seq *s, bool (*stays)(void *arg,
                  const struct memory *m), void *arg)
{
	if (timing_has_kernels(s->level))
		command_mark_end(s);
	join_lanes(s);
	s->most_bytes = size_max(s->most_bytes, buffers_bytes(s));
	choose(s, stays, arg);
	for (int i = 0; i < s->n_buffers; i++)
		if (!s->buffer[i].stays)
			buffer_let_go(s, &s->buffer[i]);
}

void seq_keep_up(struct seq *s)
{
	const struct lap *l = steps_lap(s, s->step);

	command_mark_end(s);
	if (l)
		times_harvest(s, s->last_id - l->last_id);
}

int64_t seq_step_ns(const struct seq *s, int step)
{
	const struct lap *l = &s->laps[step];

	return l->host_before_ns + (int64_t)(l->end_ns - l->begin_ns) +
	       l->host_since_ns;
}

void seq_defer(struct seq *s, bool deferred)
{
	s->deferred = deferred;
}

void seq_fetch(struct seq *s, const struct memory *m)
{
	bool awaited = false;

	for (int i = 0; i < s->n_buffers; i++)
		awaited |= s->buffer[i].memory == m && s->buffer[i].awaited;
	if (!awaited || seq_failed(s))
		return;
	halves_round(s);
	command_mark_end(s);
	buffers_download(s);
	command_wait_all(s);
}

size_t buffers_bytes(const struct seq *s)
{
	size_t all = 0;

	for (int i = 0; i < s->n_buffers; i++)
		if (s->buffer[i].mem && s->buffer[i].owner != OWNER_HOST)
			all += s->buffer[i].bytes;
	return all;
}

int seq_mark(const struct seq *s)
{
	return s->n_buffers;
}

void seq_drop(struct seq *s, int mark)
{
	s->most_bytes = size_max(s->most_bytes, buffers_bytes(s));
	for (int i = mark; i < s->n_buffers; i++)
		s->largest = size_max(s->largest, s->buffer[i].bytes);
	buffers_drop(s, mark);
}

void seq_memory(const struct seq *s, size_t *all, size_t *largest)
{
	*all = size_max(buffers_bytes(s), s->most_bytes);
	*largest = s->largest;
	for (int i = 0; i < s->n_buffers; i++)
		if (s->buffer[i].bytes > *largest)
			*largest = s->buffer[i].bytes;
}
