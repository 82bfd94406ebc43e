/* trace.c - see trace.h. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "queue/trace.h"

static bool is_possible(const struct trace_event *e, const struct done *d,
                        int64_t now_ns)
{
	return e->kind > TRACE_KINDS && e->kind < d->timing.n_kernels &&
	       (e->lane == 0 || e->lane == 1) && d->begun_ns <= e->begin_ns &&
	       e->begin_ns <= e->end_ns && e->end_ns <= now_ns;
}

static bool all_possible(const struct trace *t, const struct done *d)
{
	const int64_t now = clock_ns();

	for (unsigned i = 0; i < t->n; i++)
		if (!is_possible(&t->event[i], d, now))
			return false;
	return true;
}

struct trace *trace_take(const struct trace_page *p, const struct done *d,
                         int device, struct err *e)
{
	const unsigned n = atomic_load(&p->n);
	struct trace *t = n > TRACE_EVENTS ? NULL :
	                  malloc(sizeof *t + n * sizeof t->event[0]);

	if (n > TRACE_EVENTS)
		err_set(e, ERR_DEVICE, "told a trace that cannot be");
	if (!t)
		return NULL;
	*t = (struct trace){ .refs = 1, .device = device, .n = n,
	                     .left_out = n < TRACE_EVENTS ? 0 : p->left_out,
	                     .n_names = d->timing.n_kernels };
	for (int i = 0; i < t->n_names; i++) {
		memcpy(t->name[i], d->timing.kernel[i].name, TIMING_NAME);
		t->step[i] = d->timing.kernel[i].step;
	}
	memcpy(t->event, p->event, n * sizeof t->event[0]);
	if (all_possible(t, d))
		return t;
	trace_unref(t);
	err_set(e, ERR_DEVICE, "told a trace that cannot be");
	return NULL;
}

struct trace *trace_ref(struct trace *t)
{
	t->refs++;
	return t;
}

void trace_unref(struct trace *t)
{
	while (t && --t->refs == 0) {
		struct trace *next = t->next;

		free(t);
		t = next;
	}
}

void traces_keep(struct traces *all, struct job *j)
{
	struct job **place = &all->job[all->next++ % TRACES];

	if (*place) {
		(*place)->trace_gone = true;
		job_drop_trace(*place);
	}
	*place = j;
	j->traced = place;
}
