/* batch.c - calls that were received together: those that are alike run in one
 * launch and share its time; all are answered together. */
#include <stdio.h>

#include "base/clock.h"
#include "device/seq.h"
#include "matrix/blocks.h"
#include "worker/serve.h"

static bool may_share(const struct call *c)
{
	const struct args *a = &c->args;

	return !c->err.code && op_has_batches(a->op) && args_is_tiny(a) &&
	       !args_has_halves(a) &&
	       !(a->op->residual && a->quality != QUALITY_NONE) &&
	       call_shares(a);
}

/* The number of calls, from the first on, that may run in one launch. A single
 * call gains from this only where operands have to be copied to the device. */
static int count_alike(const struct worker *w, const struct call calls[],
                       int n)
{
	const struct args *a = &calls[0].args;
	int alike = 1;

	if (!may_share(calls))
		return 0;
	while (alike < n && !calls[alike].err.code &&
	       calls[alike].level == calls[0].level &&
	       args_alike(a, &calls[alike].args) &&
	       call_shares(&calls[alike].args))
		alike++;
	return alike > 1 || !device_sheet(w->device)->unified_memory ? alike :
	                                                               0;
}

/* Divides the times by n: nobody can tell which call took longer. */
static void share(struct timing *t, int n)
{
	t->upload_ns /= n;
	t->download_ns /= n;
	t->compute_ns /= n;
	t->host_ns /= n;
	for (int i = 0; i < t->n_kernels; i++) {
		struct kernel_time *k = &t->kernel[i];

		k->total_ns /= (uint64_t)n;
		k->min_ns /= (uint64_t)n;
		k->max_ns /= (uint64_t)n;
		k->flops /= n;
		k->bytes /= n;
	}
}

bool worker_launch(struct worker *w, struct call calls[], int n,
                   struct timing *t)
{
	struct device *const d = worker_device(w, &calls[0].args);
	const struct variant *const wanted = calls[0].args.variant;
	struct args *args[CALL_BATCH];
	struct err e = { 0 };
	struct seq *s;
	int rc;

	if (worker_choose(w, d, &calls[0].args, &e) < 0)
		return false;
	s = calls[0].args.variant->run_batch ?
	    seq_new(d, calls[0].args.dtype, calls[0].level, &e) : NULL;
	if (!s) {
		calls[0].args.variant = wanted;
		return false;
	}
	if (calls[0].level == TIMING_TRACE)
		seq_trace(s, &w->control->trace);	/* n is 1 then */
	for (int i = 0; i < n; i++) {
		args[i] = &calls[i].args;
		args[i]->variant = args[0]->variant;
	}
	rc = calls[0].args.variant->run_batch(s, args, n);
	seq_timing(s, t);
	seq_free(s);
	share(t, n);
	for (int i = 0; rc != 0 && i < n; i++)
		args[i]->variant = wanted;
	return rc == 0;
}

void worker_begin(struct worker *w, const struct call *c, struct done *d)
{
	*d = (struct done){ .serial = c->serial, .err = c->err,
	                    .begun_ns = clock_ns() };
	w->in_gang = c->args.gang.parts > 0;
	if (c->level == TIMING_TRACE)
		atomic_store(&w->control->trace.n, 0);
	atomic_store(&w->control->progress, 0);
	atomic_store(&w->control->serial, c->serial);
}

/* Runs a call whose own kernels are not compiled as a batch of one, if the
 * kernels for batches are compiled. */
static void run_as_batch(struct worker *w, struct call *c, struct done *d)
{
	struct timing t;

	if (d->err.code != ERR_NOT_READY || !may_share(c))
		return;
	w->makes_do = true;
	if (worker_launch(w, c, 1, &t)) {
		d->err = (struct err){ 0 };
		d->timing = t;
		d->timing.cold = true;
		worker_tell(&c->args, d);
	}
	w->makes_do = false;
}

static void run_alone(struct worker *w, struct call *c,
                      struct answers *answers, struct err *e)
{
	struct done d;

	worker_begin(w, c, &d);
	if (!d.err.code)
		worker_run(w, worker_device(w, &c->args), &c->args, c->level,
		           &d);
	run_as_batch(w, c, &d);
	w->put_off += d.err.code == ERR_NOT_READY;
	answers_add(answers, &d, w->socket, e);
}

/* Returns how many calls were run in one launch, or 0. */
static int run_together(struct worker *w, struct call calls[], int n,
                        struct answers *answers, struct err *e)
{
	struct timing t;
	struct done d;

	if (n == 0)
		return 0;
	worker_begin(w, &calls[0], &d);
	if (!worker_launch(w, calls, n, &t))
		return 0;
	d.timing = t;
	for (int i = 0; i < n; i++) {
		d.serial = calls[i].serial;
		worker_tell(&calls[i].args, &d);
		answers_add(answers, &d, w->socket, e);
	}
	return n;
}

/* Returns how many of the n calls were run, from the first on; 0 if none
 * because the device is lost. */
static int run_some(struct worker *w, struct call calls[], int n,
                    struct answers *answers, struct err *e)
{
	const int ran = run_together(w, calls, count_alike(w, calls, n),
	                             answers, e);

	if (ran > 0 || worker_is_lost(w))
		return ran;
	run_alone(w, calls, answers, e);
	return 1;
}

/* What is kept of another tenant's calls goes, or is cleared before it is used
 * again. Copies of stored matrices stay: only calls that name the matrix find
 * them. Returns -1 with *e if another process must take the tenant's calls. */
static int turn_to(struct worker *w, uint32_t tenant, struct err *e)
{
	if (tenant == w->tenant)
		return 0;
	w->tenant = tenant;
	device_serve(w->device, tenant);
	if (w->direct)
		device_serve(w->direct, tenant);
	blocks_trim(INT64_MAX);
	mappings_trim(&w->mappings, INT64_MAX);
	return w->wipes ? device_wipe(w->device, e) : 0;
}

int worker_answer(struct worker *w, struct call calls[], int n)
{
	static struct answers answers;
	struct err e = { 0 };

	if (turn_to(w, calls[0].tenant, &e) < 0) {
		fprintf(stderr, "the worker ends: %s\n", e.text);
		return -1;
	}
	if (calls[0].steps > 0 && !worker_is_lost(w))
		pipeline_answer(w, calls, n, &answers, &e);
	for (int i = 0, ran = 1; i < n && ran > 0 && !calls[i].steps; i += ran)
		ran = run_some(w, calls + i, n - i, &answers, &e);
	for (int i = 0; i < n; i++)
		args_fini(&calls[i].args);
	mappings_protect(&w->mappings);
	atomic_store(&w->control->serial, 0);
	answers_send(&answers, w->socket, &e);
	return e.code == ERR_NONE ? 0 : -1;
}
