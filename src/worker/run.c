/* run.c - one call: chooses its device and its variant, runs it, judges it. */
#include <stdio.h>

#include "device/seq.h"
#include "worker/serve.h"

static bool is_cancelled(void *arg)
{
	const struct control *c = arg;
	const uint64_t serial = atomic_load(&c->serial);

	return serial != 0 && atomic_load(&c->cancel) == serial;
}

static void tell_progress(void *arg, double done)
{
	struct control *c = arg;

	atomic_store(&c->progress, (int)(100 * done));
}

int worker_choose(const struct worker *w, const struct device *d,
                  struct args *a, struct err *e)
{
	const struct sheet *sheet = device_sheet(d);
	const char *reason;

	if (!a->variant)
		a->variant = tuning_choose(&w->tuning, a, sheet, e);
	if (!a->variant)
		return -1;
	if (!variant_available(a->variant, sheet, &reason))
		return err_set_at(e, ERR_PARAMETER, "/variant", "%s: variant "
		                  "%s cannot run on %s: %s", a->op->name,
		                  a->variant->name, sheet->name, reason);
	return 0;
}

static int run(struct seq *s, struct args *a)
{
	const bool judged = a->op->residual && a->quality != QUALITY_NONE;
	int rc;

	seq_hold(s, judged && a->op->residual_launches);
	rc = a->variant->run(s, a);
	seq_hold(s, false);
	if (rc == 0 && judged)
		rc = a->op->residual(s, a);
	return rc < 0 ? -1 : seq_finish(s);
}

struct device *worker_device(const struct worker *w, const struct args *a)
{
	return w->direct && args_is_tiny(a) ? w->direct : w->device;
}

void worker_tell(const struct args *a, struct done *d)
{
	d->residual = a->residual;
	snprintf(d->variant, sizeof d->variant, "%s", a->variant->name);
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (args_wants(a, i) && a->out[i].ndim != MATRIX_ABSENT)
			d->present |= 1u << i;
}

void worker_run(struct worker *w, struct device *device, struct args *a,
                enum timing_level level, struct done *d)
{
	struct seq *s;

	if (worker_choose(w, device, a, &d->err) < 0)
		return;
	s = seq_new(device, a->dtype, level, &d->err);
	if (!s)
		return;
	seq_on_cancel(s, is_cancelled, w->control);
	seq_on_progress(s, tell_progress, w->control);
	run(s, a);
	seq_timing(s, &d->timing);
	seq_free(s);
	worker_tell(a, d);
}
