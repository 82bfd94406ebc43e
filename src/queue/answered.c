/* answered.c - see answered.h. */
#include <string.h>

#include "matrix/sparse.h"
#include "queue/answered.h"
#include "queue/end.h"

/* Checks that an answer without an error fits the job. */
static int check_answer(const struct job *j, const struct done *d,
                        struct err *e)
{
	const struct args *const a = &j->args;
	unsigned possible = 0, complex = 0;

	for (int i = 0; i < OP_OUTPUTS; i++)
		if (args_wants(a, i) && a->out[i].ndim != MATRIX_ABSENT) {
			possible |= 1u << i;
			complex |= (unsigned)dtype_is_complex(a->out[i].dtype)
			           << i;
		}
	if (d->serial != j->serial)
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

	for (int i = 0; (d = answers_next(a, d)); i++)
		if (check_answer(w->running[i], d, e))
			return -1;
	return 0;
}

int answered_traces(struct worker *w, const struct answers *a, struct err *e)
{
	const struct done *d = NULL;

	for (int i = 0; (d = answers_next(a, d)); i++) {
		struct job *j = w->running[i];

		if (j->timing_level != TIMING_TRACE ||
		    job_state_is_end(j->state) ||
		    d->err.code == ERR_NOT_READY)
			continue;
		job_drop_trace(j);
		j->trace = trace_take(&w->control->trace, d, w->sheet.index,
		                      e);
	}
	return e->code ? -1 : 0;
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

static void take_answer(struct job *j, const struct done *d, struct err *e)
{
	memcpy(j->variant, d->variant, sizeof j->variant);
	job_set_timing(j, &d->timing);
	if (!answers_take(d, &j->args))
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

/* In a batch, a job begins when the one before it has ended. */
void answered_finish(struct engine *g, struct worker *w, struct job *j,
                     const struct done *d)
{
	struct err e = d->err;

	tally_kernels(&g->tally, w->sheet.index, &d->timing);
	if (job_state_is_end(j->state)) {
		end_release(g, j);
		return;
	}
	if (d->begun_ns > j->started_ns)
		j->started_ns = d->begun_ns;
	take_answer(j, d, &e);
	if (!e.code && !j->shares)
		learn(g, w, &j->args, &d->timing);
	if (!e.code)
		check_results(&j->args, &e);
	end_job(g, j, state_after(&e), &e);
}

void answered_fetch(const struct worker *w, const struct job *j,
                    const struct done *d)
{
	if (!d->err.code && !job_state_is_end(j->state))
		call_fetch_results(&j->args, d, w->control->results,
		                   j->results);
}
