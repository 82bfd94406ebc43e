/* job_record_operands.c - see job_record.h: gives a job its operands, and
 * prepares its call as the request did. */
#include "ops/pipeline.h"
#include "queue/job_record.h"

static int take_step_operands(struct pipeline *p, struct matrix *m, size_t n,
                              struct err *e)
{
	size_t at = 0;

	for (int k = 0; k < p->n; k++)
		for (int i = 0; i < OP_INPUTS; i++) {
			struct step *const s = &p->step[k];

			if (s->args.in[i].ndim == MATRIX_ABSENT ||
			    s->from[i].step >= 0)
				continue;
			if (at == n)
				return err_set(e, ERR_FORMAT, "a job's record: "
				               "an operand is not there");
			s->args.in[i] = m[at];
			m[at++].ndim = MATRIX_ABSENT;
			m[at - 1].memory = m[at - 1].index = NULL;
			s->from[i].output = (int)at - 1;
		}
	return 0;
}

static int prepare_steps(struct job *j, struct memory_pool *pool,
                         struct err *e)
{
	struct pipeline *const p = j->args.pipeline;

	for (int k = 0; k < p->n; k++)
		p->step[k].dtype = (int)p->step[k].args.half;
	return pipeline_prepare(&j->args, pool, e);
}

int record_take_operands(struct job *j, struct matrix *m, size_t n,
                         const struct record_room *r, struct err *e)
{
	struct args *const a = &j->args;

	if (a->pipeline)
		return take_step_operands(a->pipeline, m, n, e) ||
		       prepare_steps(j, r->memory, e) ? -1 : 0;
	if (n != OP_INPUTS)
		return err_set(e, ERR_FORMAT, "a job's record: %zu operands",
		               n);
	for (size_t i = 0; i < n; i++) {
		a->in[i] = m[i];
		m[i] = (struct matrix){ .ndim = MATRIX_ABSENT };
	}
	return args_settle_dtype(a, (int)a->half, e) ||
	       args_prepare(a, r->memory, e) ? -1 : 0;
}
