/* pipeline.c - runs and answers the calls that are the steps of a pipeline. */
#include <math.h>

#include "base/size.h"
#include "ops/steps.h"
#include "worker/serve.h"

struct pipeline_run {
	struct worker *worker;
	struct device *device;
};

static int choose(void *arg, struct args *a, struct err *e)
{
	const struct pipeline_run *r = arg;

	return worker_choose(r->worker, r->device, a, e);
}

static void tell_progress(void *arg, double done)
{
	const struct pipeline_run *r = arg;

	worker_tell_progress(r->worker->control, done);
}

static bool all_tiny(const struct call calls[], int n)
{
	for (int k = 0; k < n; k++)
		if (!args_is_tiny(&calls[k].args))
			return false;
	return true;
}

static void run(struct steps *p, struct pipeline_run *r,
                const struct call *c, struct done *done)
{
	struct worker *w = r->worker;

	p->seq = seq_new(r->device, c->args.dtype, c->level, &done->err);
	if (!p->seq)
		return;
	seq_on_cancel(p->seq, worker_is_cancelled, w->control);
	if (c->level == TIMING_TRACE)
		seq_trace(p->seq, &w->control->trace);
	steps_execute(p);
	seq_timing(p->seq, &done->timing);
}

/* Adds an answer for every step. The timing is the pipeline's, and only the
 * last answer has it. */
static void answer_all(const struct worker *w, const struct steps *p,
                       struct done *done, struct answers *answers,
                       struct err *e)
{
	const struct timing all = done->timing;

	for (int k = 0; k < p->n; k++) {
		done->step = k;
		done->step_ns = seq_step_ns(p->seq, k);
		done->timing = k == p->n - 1 ? all : (struct timing){ 0 };
		worker_tell(p->step[k], done);
		answers_add(answers, done, w->socket, e);
	}
}

void pipeline_answer(struct worker *w, struct call calls[], int n,
                     struct answers *answers, struct err *e)
{
	struct pipeline_run r = { w, w->direct && all_tiny(calls, n) ?
	                             w->direct : w->device };
	struct args *step[CALL_BATCH];
	struct steps p = { .step = step, .n = n, .choose = choose,
	                   .progress = tell_progress, .arg = &r };
	struct done done;

	worker_begin(w, calls, &done);
	for (int k = 0; k < n; k++) {
		step[k] = &calls[k].args;
		if (!done.err.code)
			done.err = calls[k].err;
	}
	if (!done.err.code)
		run(&p, &r, calls, &done);
	done.step = p.at;
	w->put_off += done.err.code == ERR_NOT_READY;
	if (done.err.code)
		answers_add(answers, &done, w->socket, e);
	else
		answer_all(w, &p, &done, answers, e);
	seq_free(p.seq);
}
