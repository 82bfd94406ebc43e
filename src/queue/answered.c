/* answered.c - see answered.h. */
#include <string.h>

#include "matrix/sparse.h"
#include "ops/pipeline.h"
#include "queue/answered.h"
#include "queue/end.h"
#include "queue/keep.h"

int answered_check_call(const struct args *a, uint64_t serial,
                        const struct done *d, struct err *e)
{
	unsigned possible = 0, complex = 0;

	for (int i = 0; i < OP_OUTPUTS; i++)
		if (args_wants(a, i) && a->out[i].ndim != MATRIX_ABSENT) {
			possible |= 1u << i;
			complex |= (unsigned)dtype_is_complex(a->out[i].dtype)
			           << i;
		}
	if (d->serial != serial)
		return err_set(e, ERR_DEVICE, "answered another call");
	if (!d->err.code && !op_variant(a->op, d->variant))
		return err_set(e, ERR_DEVICE, "answered by a variant that "
		               "there is not");
	if (d->present & ~possible)
		return err_set(e, ERR_DEVICE, "answered with outputs that "
		               "nobody asked for");
	if (d->real & ~complex)
		return err_set(e, ERR_DEVICE, "answered that an output which "
		               "is never complex came out real");
	if (d->shorter & ~(d->present & a->op->shorter_too))
		return err_set(e, ERR_DEVICE, "answered that an output which "
		               "has one length came out shorter");
	if (!d->err.code && d->failures &&
	    (!a->failed.memory || d->failures >= a->stack))
		return err_set(e, ERR_DEVICE, "listed %llu failures, which "
		               "cannot be", (unsigned long long)d->failures);
	return 0;
}

int answered_check(const struct worker *w, const struct answers *a,
                   struct err *e)
{
	const struct done *d = NULL;

	for (int i = 0; (d = answers_next(a, d)); i++) {
		const struct job *j = w->running[i];

		if (answered_check_call(&j->args, j->serial, d, e))
			return -1;
	}
	return 0;
}

int answered_trace(struct worker *w, struct job *j, const struct done *d,
                   struct err *e)
{
	if (j->timing_level != TIMING_TRACE || job_is_over(j) ||
	    d->err.code == ERR_NOT_READY)
		return 0;
	job_drop_trace(j);
	j->trace = trace_take(&w->control->trace, d, w->sheet.index, e);
	return e->code ? -1 : 0;
}

int answered_traces(struct worker *w, const struct answers *a, struct err *e)
{
	const struct done *d = NULL;

	for (int i = 0; (d = answers_next(a, d)); i++)
		if (answered_trace(w, w->running[i], d, e))
			return -1;
	return 0;
}

/* Checks the indices of small sparse results. Those of large ones are checked
 * while they are printed (writer.h). */
static void check_results(const struct args *a, struct err *e)
{
	for (int i = 0; i < OP_OUTPUTS && !e->code; i++) {
		const struct matrix *const m = &a->out[i];

		if (m->ndim != MATRIX_ABSENT && m->layout == CSR &&
		    m->index->fd < 0)
			sparse_check(m, e);
	}
}

/* Takes the outputs of a pipeline from those of its steps. False if an answer
 * to a step was impossible (steps.h). */
static bool take_steps(struct job *j)
{
	const struct pipeline *const p = j->args.pipeline;
	bool good = true;

	for (int k = 0; k < p->n; k++)
		good &= !p->step[k].wrong;
	pipeline_collect(&j->args);
	return good;
}

static void take_answer(struct job *j, const struct done *d, struct err *e)
{
	static const char steps[sizeof j->variant] = "steps";

	memcpy(j->variant, j->args.pipeline ? steps : d->variant,
	       sizeof j->variant);
	job_set_timing(j, &d->timing);
	if (j->args.pipeline ? !take_steps(j) : !answers_take(d, &j->args))
		err_set(e, ERR_DEVICE, "%s: the device listed failures of "
		        "matrices that there are not", j->args.op->name);
}

static enum job_state state_after(const struct err *e)
{
	return !e->code ? JOB_SUCCESSFUL :
	       e->code == ERR_DISMISSED ? JOB_DISMISSED : JOB_FAILED;
}

static void learn(struct engine *g, const struct worker *w,
                  const struct args *a, const struct timing *t)
{
	struct rates *const own = &g->rates[w - g->worker];
	const double bytes = rates_all_bytes(own, &w->sheet, a);

	for (int i = 0; i < g->n_workers; i++)
		if (rates_alike(&g->worker[i].sheet, &w->sheet))
			rates_learn(&g->rates[i], &w->sheet, a, bytes, t);
	rates_keep(own, &w->sheet, a);
}

/* Called when the outputs of a job that are to be stored have been checked:
 * ends the job, unless it was dismissed meanwhile. */
static void on_inspected(struct job *j, const struct err *e)
{
	struct engine *const g = j->engine;

	if (job_is_over(j))
		end_release(g, j);
	else
		end_job(g, j, state_after(e), e);
}

/* In a batch, a job begins when the one before it has ended. */
void answered_finish(struct engine *g, struct worker *w, struct job *j,
                     const struct done *d)
{
	struct err e = d->err;

	if (e.code && j->args.pipeline && e.code != ERR_DISMISSED)
		pipeline_blame(j->args.pipeline, d->step, &e);
	tally_kernels(&g->tally, w->sheet.index, &d->timing);
	if (job_is_over(j)) {
		end_release(g, j);
		return;
	}
	if (d->begun_ns > j->started_ns)
		j->started_ns = d->begun_ns;
	take_answer(j, d, &e);
	if (!e.code && !j->shares && !j->args.gang.parts)
		learn(g, w, &j->args, &d->timing);
	if (!e.code)
		check_results(&j->args, &e);
	if (e.code || !keep_inspect(j, on_inspected))
		end_job(g, j, state_after(&e), &e);
}

void answered_fetch(const struct worker *w, const struct job *j,
                    const struct done *d)
{
	if (!d->err.code && !job_is_over(j))
		call_fetch_results(&j->args, d, w->control->results,
		                   j->results);
}
