/* pipeline.c - see pipeline.h: makes and frees pipelines, and has the operation
 * that a pipeline is a call of, with its need of a device's memory.
 * pipeline_check.c checks pipelines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/pipeline.h"
#include "ops/variant.h"

/* --- the operation of pipelines */

static double flops(const struct args *a)
{
	double all = 0;

	for (int k = 0; k < a->pipeline->n; k++) {
		const struct args *s = &a->pipeline->step[k].args;

		all += s->op->flops(s);
	}
	return all;
}

static double bytes(const struct args *a)
{
	double all = 0;

	for (int k = 0; k < a->pipeline->n; k++) {
		const struct args *s = &a->pipeline->step[k].args;

		all += s->op->bytes(s);
	}
	return all;
}

/* Adds the matrices that are on the device during step k and that its variant
 * does not count: those that are neither its operands nor its outputs, and what
 * its operands are made of. A variant that streams counts no operands. */
static void need_others(struct need *n, const struct sheet *d,
                        const struct pipeline *p, int k,
                        const struct variant *v)
{
	for (int j = 0; j < k; j++) {
		const struct step *s = &p->step[j];

		for (int i = 0; i < OP_OUTPUTS; i++)
			if ((s->returned >> i & 1) || s->last_use[i] > k)
				need_matrix(n, d, &s->args.out[i]);
		for (int i = 0; i < OP_INPUTS; i++)
			if (s->args.in[i].memory)
				need_matrix(n, d, &s->args.in[i]);
	}
	for (int i = 0; i < OP_INPUTS; i++) {
		const struct step *s = &p->step[k];

		if (step_is_fed(s, i) && ((v && v->streams) ||
		    step_source(p, s, i)->dtype != s->args.in[i].dtype))
			need_matrix(n, d, step_source(p, s, i));
	}
}

/* Sets *n to the need of the step that needs most: matrices that no later step
 * uses are freed after each step. */
static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct pipeline *const p = a->pipeline;

	(void)v;
	for (int k = 0; k < p->n; k++) {
		const struct args *s = &p->step[k].args;
		const struct variant *w = variant_for(s, NULL, d,
		                                      &(struct err){ 0 });
		struct need all = { 0 };

		if (w)
			all = args_need(s, w, d);
		need_others(&all, d, p, k, w);
		n->bytes = size_max(n->bytes, all.bytes);
		n->largest = size_max(n->largest, all.largest);
	}
}

static const struct operand no_operands[] = { { .name = NULL } };
static const struct param no_params[] = { { .name = NULL } };
static const struct variant steps_variants[] = {
	{ .name = "steps", .auto_for = ~0u, .dtypes = ~0u, .kernels = "",
	  .origin = "linalgd", .need = need },
	{ .name = NULL }
};

static const struct op pipeline_op = {
	.name = "pipeline", .summary = "several operations as one call",
	.dtypes = ~0u, .iterative = true, .inputs = no_operands,
	.params = no_params, .variants = steps_variants, .flops = flops,
	.bytes = bytes,
};

/* --- making and freeing */

struct pipeline *pipeline_new(int n, struct err *e)
{
	struct pipeline *p = calloc(1, sizeof *p +
	                               (size_t)n * sizeof p->step[0]);

	if (!p) {
		err_set(e, ERR_MEMORY, "no memory for a pipeline of %d steps",
		        n);
		return NULL;
	}
	p->n = n;
	p->op = pipeline_op;
	p->op.outputs = p->outputs;
	for (int i = 0; i < PIPELINE_OPERANDS; i++)
		p->operand[i].ndim = MATRIX_ABSENT;
	return p;
}

void step_init(struct step *s, const char *name, const struct op *o)
{
	snprintf(s->name, sizeof s->name, "%s", name);
	args_init(&s->args, o);
	s->args.want = 0;
	s->dtype = -1;
	for (int i = 0; i < OP_OUTPUTS; i++)
		s->last_use[i] = -1;
}

static void drop_charge(struct pipeline *p)
{
	if (p->charged)
		memory_pool_discharge(p->charged, p->charge);
	p->charged = NULL;
}

void pipeline_drop_operands(struct pipeline *p)
{
	for (int i = 0; i < PIPELINE_OPERANDS; i++)
		matrix_fini(&p->operand[i]);
	for (int k = 0; k < p->n; k++)
		for (int i = 0; i < OP_INPUTS && p->step[k].args.op; i++)
			if (p->step[k].args.in[i].memory)
				matrix_fini(&p->step[k].args.in[i]);
	drop_charge(p);
}

static void drop_results(struct args *a)
{
	for (int i = 0; i < OP_OUTPUTS && a->op; i++)
		if (a->out[i].memory)
			matrix_fini(&a->out[i]);
}

void pipeline_drop_outputs(struct pipeline *p)
{
	for (int k = 0; k < p->n; k++) {
		drop_results(&p->step[k].args);
		if (p->step[k].args.op)
			matrix_fini(&p->step[k].args.failed);
	}
}

void pipeline_free(struct pipeline *p)
{
	if (!p)
		return;
	pipeline_drop_operands(p);
	pipeline_drop_outputs(p);
	free(p);
}

void pipeline_args(struct args *a, struct pipeline *p)
{
	args_init(a, &p->op);
	a->pipeline = p;
	a->want = (1u << p->n_returned) - 1;
}

int pipeline_return(struct pipeline *p, struct source from, const char *name,
                    struct err *e)
{
	const int n = p->n_returned;

	if (n == OP_OUTPUTS)
		return err_set(e, ERR_PARAMETER, "return and store name more "
		               "than %d outputs", OP_OUTPUTS);
	for (int i = 0; i < n; i++)
		if (strcmp(p->names[i], name) == 0)
			return err_set(e, ERR_PARAMETER, "return names %.60s "
			               "twice", name);
	snprintf(p->names[n], sizeof p->names[n], "%s", name);
	p->outputs[n] = (struct output){
		.name = p->names[n],
		.help = p->step[from.step].args.op->outputs[from.output].help,
	};
	p->returned[n] = from;
	p->n_returned++;
	p->step[from.step].returned |= 1u << from.output;
	return 0;
}

void pipeline_collect(struct args *a)
{
	struct pipeline *const p = a->pipeline;

	for (int i = 0; i < p->n_returned; i++) {
		const struct source from = p->returned[i];
		const struct matrix *m = &p->step[from.step].args
		                              .out[from.output];

		matrix_fini(&a->out[i]);
		if (m->memory)
			a->out[i] = matrix_ref(m);
	}
	a->failures = 0;
	for (int k = 0; k < p->n; k++) {
		drop_results(&p->step[k].args);
		a->failures += p->step[k].args.failures;
	}
}

const struct step *pipeline_failed(const struct args *a, size_t *i)
{
	const struct step *s = a->pipeline ? a->pipeline->step : NULL;

	for (; s && *i >= s->args.failures; s++)
		*i -= s->args.failures;
	return s;
}

/* --- errors, and devices */

void pipeline_point(const char *root, struct err *e)
{
	if (root[0] == '?')
		snprintf(e->pointer, sizeof e->pointer, "%s",
		         root[1] ? root : "");
	else
		err_within(e, root);
}

/* Points an error of a saved pipeline, whose pointer is "/b" or "/b/data" and
 * so to the step's operand b, at the operand of the request that b is. */
static void point_at_told(const struct pipeline *p, const struct step *s,
                          struct err *e)
{
	const size_t n = strcspn(e->pointer, " ") ?
	                 1 + strcspn(e->pointer + 1, "/ ") : 0;
	char name[PIPELINE_OPERAND], at[ERR_POINTER];
	int i;

	snprintf(name, sizeof name, "%.*s", n ? (int)n - 1 : 0, e->pointer + 1);
	i = op_input(s->args.op, name);
	if (i < 0 || s->args.in[i].ndim == MATRIX_ABSENT ||
	    s->from[i].step >= 0 || !*p->told[s->from[i].output]) {
		e->pointer[0] = 0;
		return;
	}
	memmove(e->pointer, e->pointer + n, strlen(e->pointer + n) + 1);
	err_within(e, err_pointer(at, "", p->told[s->from[i].output]));
}

int pipeline_blame(const struct pipeline *p, int step, struct err *e)
{
	const struct step *const s = &p->step[step];
	const struct err was = *e;
	char place[32];

	snprintf(e->text, sizeof e->text, "step %s: %.200s", s->name, was.text);
	if (strcmp(p->root, "?") == 0) {
		point_at_told(p, s, e);
		return -1;
	}
	snprintf(place, sizeof place, "/steps/%d", s->place);
	err_within(e, place);
	pipeline_point(p->root, e);
	return -1;
}

int pipeline_fit(const struct pipeline *p, const struct sheet *s,
                 struct err *e)
{
	for (int k = 0; k < p->n; k++)
		if (!variant_for(&p->step[k].args, NULL, s, e))
			return pipeline_blame(p, k, e);
	return 0;
}
