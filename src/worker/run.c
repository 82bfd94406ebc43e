/* run.c - one call: chooses its device and its variant, runs it, and judges
 * it. */
#include <math.h>
#include <stdio.h>

#include "device/seq.h"
#include "ops/execute.h"
#include "ops/variant.h"
#include "worker/serve.h"

bool worker_is_cancelled(void *arg)
{
	const struct control *c = arg;
	const uint64_t serial = atomic_load(&c->serial);

	return serial != 0 && atomic_load(&c->cancel) == serial;
}

void worker_tell_progress(void *arg, double done)
{
	struct control *c = arg;

	atomic_store(&c->progress, (int)(100 * fmin(fmax(done, 0), 1)));
}

int worker_choose(const struct worker *w, const struct device *d,
                  struct args *a, struct err *e)
{
	const struct variant *v = variant_for(a, &w->tuning, device_sheet(d),
	                                      e);

	if (!v)
		return -1;
	a->variant = v;
	return 0;
}

struct device *worker_device(const struct worker *w, const struct args *a)
{
	return w->direct && args_is_tiny(a) ? w->direct : w->device;
}

void worker_tell(const struct args *a, struct done *d)
{
	d->verdict = a->verdict;
	d->real = a->real;
	d->shorter = a->shorter;
	d->fewer = a->fewer;
	d->failures = a->failures;
	d->present = 0;
	snprintf(d->variant, sizeof d->variant, "%s", a->variant->name);
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (args_wants(a, i) && a->out[i].ndim != MATRIX_ABSENT)
			d->present |= 1u << i;
}

void worker_run_once(struct worker *w, struct device *device, struct args *a,
                     enum timing_level level, struct done *d)
{
	struct seq *s = seq_new(device, a->dtype, level, &d->err);

	if (!s)
		return;
	seq_on_cancel(s, worker_is_cancelled, w->control);
	seq_on_progress(s, worker_tell_progress, w->control);
	if (level == TIMING_TRACE)
		seq_trace(s, &w->control->trace);
	op_execute(s, a);
	seq_timing(s, &d->timing);
	seq_free(s);
	worker_tell(a, d);
}

void worker_run(struct worker *w, struct device *device, struct args *a,
                enum timing_level level, struct done *d)
{
	const bool free_choice = !a->variant;

	if (worker_choose(w, device, a, &d->err) < 0)
		return;
	worker_run_once(w, device, a, level, d);
	if (d->err.code == ERR_NOT_READY && free_choice)
		cold_make_do(w, device, a, level, d);
}
