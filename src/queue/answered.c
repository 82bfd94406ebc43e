/* answered.c - handles a worker's answers: checks them, fetches the results,
 * gives the device its next jobs, and then ends the answered ones. */
#include <string.h>

#include "matrix/sparse.h"
#include "queue/put_off.h"

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

static int check_answers(const struct worker *w, const struct answers *a,
                         struct err *e)
{
	const struct done *d = NULL;

	for (int i = 0; (d = answers_next(a, d)); i++)
		if (check_answer(w->running[i], d, e))
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

/* Ends an answered job. In a batch, a job begins when the one before it has
 * ended. */
static void finish(struct engine *g, struct worker *w, struct job *j,
                   const struct done *d)
{
	struct err e = d->err;

	if (job_state_is_end(j->state)) {
		dispatch_release(g, j);
		return;
	}
	if (d->begun_ns > j->started_ns)
		j->started_ns = d->begun_ns;
	take_answer(j, d, &e);
	if (!e.code && !j->shares)
		learn(g, w, &j->args, &d->timing);
	if (!e.code)
		check_results(&j->args, &e);
	dispatch_end(g, j, state_after(&e), &e);
}

static void let_go(struct worker *w, int n)
{
	w->n_running -= n;
	memmove(w->running, w->running + n,
	        (size_t)w->n_running * sizeof w->running[0]);
}

/* Copies the small results of an answered job from the memory that the worker
 * shares, before its next calls overwrite them. */
static void fetch(const struct worker *w, const struct job *j,
                  const struct done *d)
{
	if (!d->err.code && !job_state_is_end(j->state))
		call_fetch_results(&j->args, d, w->control->results,
		                   j->results);
}

/* The device gets its next jobs before the answered ones are concluded. In
 * between, the answered jobs are in no list. A callback of one may end another
 * early; finish() releases it all the same. */
int dispatch_on_done(void *arg, struct worker *w, const struct answers *a,
                     struct err *e)
{
	struct engine *g = arg;
	struct job *ended[CALL_BATCH];
	const struct done *answer[CALL_BATCH], *d = NULL;
	int n = 0;

	if (check_answers(w, a, e))
		return -1;
	for (; (d = answers_next(a, d)); n++) {
		ended[n] = w->running[n];
		answer[n] = d;
		fetch(w, ended[n], d);
	}
	let_go(w, n);
	for (int i = 0; i < n; i++)
		if (put_off_by(g, w, ended[i], answer[i]))
			ended[i] = NULL;
	dispatch_stay_awake(g, w);
	dispatch_take_all(g);
	for (int i = 0; i < n; i++)
		if (ended[i])
			finish(g, w, ended[i], answer[i]);
	return 0;
}
