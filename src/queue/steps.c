/* steps.c - see steps.h. */
#include <string.h>

#include "ops/pipeline.h"
#include "queue/answered.h"
#include "queue/steps.h"

bool steps_run(const struct worker *w)
{
	return w->n_running == 1 &&
	       ((const struct job *)w->running[0])->args.pipeline;
}

/* Returns whether the kernels' rows name steps of the pipeline. */
static bool has_steps_of(const struct pipeline *p, const struct timing *t)
{
	int good = 0;

	while (good < t->n_kernels && t->kernel[good].step < p->n)
		good++;
	return good == t->n_kernels;
}

/* Checks an answer to a step. Answers must arrive in the order of the steps. An
 * answer with an error may name any step, but no other answer may precede
 * it. */
static int check(const struct job *j, const struct done *d, struct err *e)
{
	const struct pipeline *const p = j->args.pipeline;

	if (d->step < 0 || d->step >= p->n || d->step_ns < 0 ||
	    (d->err.code ? p->answered : d->step - p->answered) != 0)
		return err_set(e, ERR_DEVICE, "answered another step");
	if (!has_steps_of(p, &d->timing))
		return err_set(e, ERR_DEVICE, "told kernels of a step that "
		               "there is not");
	return answered_check_call(&p->step[d->step].args, j->serial, d, e);
}

/* Takes an answer to a step. s->wrong is set, and the job fails later, if the
 * answer has an impossible list of failures or type of an output. */
static void take(const struct worker *w, struct job *j, const struct done *d)
{
	struct step *s = &j->args.pipeline->step[d->step];

	call_fetch_results(&s->args, d, w->control->results, s->results);
	memcpy(s->variant, d->variant, sizeof s->variant);
	s->compute_ns = d->step_ns;
	s->wrong = !answers_take(d, &s->args);
}

int steps_take(struct worker *w, const struct answers *a,
               const struct done **last, struct err *e)
{
	struct job *const j = w->running[0];
	struct pipeline *const p = j->args.pipeline;
	const struct done *d = NULL;

	*last = NULL;
	while ((d = answers_next(a, d))) {
		if (*last)
			return err_set(e, ERR_DEVICE, "answered a call twice");
		if (check(j, d, e))
			return -1;
		if (!d->err.code && !job_is_over(j))
			take(w, j, d);
		p->answered++;
		w->n_answers--;
		if (d->err.code || p->answered == p->n)
			*last = d;
	}
	return 0;
}
