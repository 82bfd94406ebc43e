/* job_record_request.c - see job_record.h: reads a request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ops/pipeline.h"
#include "queue/job_record_lines.h"
#include "queue/job_record_names.h"
#include "queue/keep.h"

static int find_name(const char *const *names, const char *name)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

/* Has the operation an output of that index? */
static bool is_output(const struct op *o, int i)
{
	for (int k = 0; k <= i; k++)
		if (k == OP_OUTPUTS || !o->outputs[k].name)
			return false;
	return i >= 0;
}

static bool is_input(const struct op *o, int i)
{
	for (int k = 0; k <= i; k++)
		if (k == OP_INPUTS || !o->inputs[k].name)
			return false;
	return i >= 0;
}

static int read_op(struct reading *r, const char *values)
{
	static const char pipeline[] = "pipeline";
	const struct op *o;

	r->is_pipeline = strcmp(values, pipeline) == 0;
	o = r->is_pipeline ? ops[0] : op_find(values);
	if (r->job || !o)
		return record_wrong(r, "operation");
	r->job = job_new(o, r->e);
	if (!r->job)
		return -1;
	r->args = &r->job->args;
	return 0;
}

static int read_created(struct reading *r, const char *values)
{
	return record_moment(r, values, &r->job->created_ms);
}

static int read_deadline(struct reading *r, const char *values)
{
	int64_t ms;
	int usual;

	if (sscanf(values, "%*d %d", &usual) != 1)
		return record_wrong(r, "deadline");
	if (record_moment(r, values, &ms))
		return -1;
	r->job->usual_deadline = usual;
	if (ms)
		r->job->deadline_ns = clock_ns() +
		                      (ms - clock_wall_ms()) * 1000000;
	return 0;
}

static int read_priority(struct reading *r, const char *values)
{
	r->job->priority = atoi(values);
	return r->job->priority < 0 || r->job->priority > 9 ?
	       record_wrong(r, "priority") : 0;
}

static int read_level(struct reading *r, const char *values)
{
	const int i = find_name(record_levels, values);

	r->job->timing_level = (enum timing_level)i;
	return i < 0 ? record_wrong(r, "timing") : 0;
}

static int read_parse(struct reading *r, const char *values)
{
	r->job->parse_ns = strtoll(values, NULL, 10);
	return record_is_time(r->job->parse_ns) ? 0 :
	       record_wrong(r, "time");
}

static int read_devices(struct reading *r, const char *values)
{
	r->job->devices = r->room->devices(r->room->arg,
	                                   strtoull(values, NULL, 10));
	return 0;
}

static int read_fingerprint(struct reading *r, const char *values)
{
	unsigned byte;

	for (size_t i = 0; i < sizeof r->job->fingerprint; i++) {
		if (sscanf(values + 2 * i, "%2x", &byte) != 1)
			return record_wrong(r, "fingerprint");
		r->job->fingerprint[i] = (uint8_t)byte;
	}
	return 0;
}

static int read_dtype(struct reading *r, const char *values)
{
	enum dtype d;

	if (dtype_find(values, &d))
		return record_wrong(r, "dtype");
	r->args->dtype = r->args->half = d;
	return 0;
}

static int read_quality(struct reading *r, const char *values)
{
	const int i = find_name(record_qualities, values);

	r->args->quality = (enum quality)i;
	return i < 0 ? record_wrong(r, "quality") : 0;
}

static int read_variant(struct reading *r, const char *values)
{
	r->args->variant = op_variant(r->args->op, values);
	return r->args->variant ? 0 : record_wrong(r, "variant");
}

static int read_want(struct reading *r, const char *values)
{
	char copy[RECORD_LINE], *rest = copy, *one;

	snprintf(copy, sizeof copy, "%s", values);
	r->args->want = 0;
	while ((one = strsep(&rest, " "))) {
		const int i = *one ? op_output(r->args->op, one) : -1;

		if (*one && i < 0)
			return record_wrong(r, "output");
		if (*one)
			r->args->want |= 1u << i;
	}
	return 0;
}

static int read_choice(struct reading *r, const struct param *p,
                       const char *value, double *to)
{
	const int i = find_name(p->choices, value);

	*to = i;
	return i < 0 ? record_wrong(r, p->name) : 0;
}

static int read_param(struct reading *r, const char *values)
{
	const char *space = strchr(values, ' ');
	char name[64];
	const struct param *p;
	int i, n;

	snprintf(name, sizeof name, "%.*s", space ? (int)(space - values) : 0,
	         values);
	i = space ? op_param(r->args->op, name) : -1;
	if (i < 0)
		return record_wrong(r, "parameter");
	p = &r->args->op->params[i];
	if (p->type == PARAM_CHOICE)
		return read_choice(r, p, space + 1, &r->args->param[i]);
	n = p->type == PARAM_LIST ? PARAM_LIST_LENGTH : 1;
	for (int k = 0; k < n; k++) {
		char *end;

		r->args->param[i + k] = strtod(space, &end);
		if (end == space)
			return record_wrong(r, "parameter");
		space = end;
	}
	return 0;
}

static int keeping_of(struct reading *r)
{
	if (!r->job->keeping)
		r->job->keeping = keep_new(r->room->store, r->job->tenant,
		                           r->room->codec, r->e);
	return r->job->keeping ? 0 : -1;
}

static int read_ttl(struct reading *r, const char *values)
{
	if (keeping_of(r))
		return -1;
	r->job->keeping->ttl_ns = strtoll(values, NULL, 10);
	return 0;
}

static int read_conditional(struct reading *r, const char *values)
{
	if (keeping_of(r))
		return -1;
	r->job->keeping->conditional = atoi(values);
	return 0;
}

static int read_store(struct reading *r, const char *values)
{
	struct kept k = { .output = -1 };
	unsigned long long version;
	struct keeping *all;
	int told;

	if (keeping_of(r))
		return -1;
	all = r->job->keeping;
	if (all->n == OP_OUTPUTS ||
	    sscanf(values, "%d %d %llu %128s", &k.output, &told, &version,
	           k.name) != 4 || !is_output(r->job->args.op, k.output) ||
	    store_check_name(k.name, &(struct err){ 0 }))
		return record_wrong(r, "name to store");
	k.told = told;
	k.version = version;
	all->kept[all->n++] = k;
	return 0;
}

/* --- a pipeline */

static int read_steps(struct reading *r, const char *values)
{
	const int n = atoi(values);
	const char *const root = strchr(values, ' ');
	struct pipeline *p;

	if (n < 1 || n > PIPELINE_STEPS || !r->is_pipeline ||
	    r->job->args.pipeline)
		return record_wrong(r, "number of steps");
	p = pipeline_new(n, r->e);
	if (!p)
		return -1;
	snprintf(p->root, sizeof p->root, "%s", root ? root + 1 : "");
	pipeline_args(&r->job->args, p);
	return 0;
}

static int read_step(struct reading *r, const char *values)
{
	struct pipeline *const p = r->job->args.pipeline;
	char name[PIPELINE_NAME], op[64];
	const struct op *o;
	struct step *s;
	int place, judged;
	unsigned given;

	if (!p || r->step + 1 >= p->n ||
	    sscanf(values, "%32s %63s %d %u %d", name, op, &place, &given,
	           &judged) != 5 || !(o = op_find(op)))
		return record_wrong(r, "step");
	s = &p->step[++r->step];
	step_init(s, name, o);
	s->place = place;
	s->given = given;
	s->judged = judged;
	r->args = &s->args;
	return 0;
}

static int read_from(struct reading *r, const char *values)
{
	struct pipeline *const p = r->job->args.pipeline;
	struct source from = { .plain = false };
	int i;

	if (r->step < 0 ||
	    sscanf(values, "%d %d %d", &i, &from.step, &from.output) != 3 ||
	    !is_input(r->args->op, i) || from.step < 0 ||
	    from.step >= r->step ||
	    !is_output(p->step[from.step].args.op, from.output))
		return record_wrong(r, "source");
	p->step[r->step].from[i] = from;
	r->args->in[i].ndim = 0;
	return 0;
}

/* An operand of the request, which record_take_operands() fills in. */
static int read_operand(struct reading *r, const char *values)
{
	const int i = atoi(values);

	if (r->step < 0 || !is_input(r->args->op, i))
		return record_wrong(r, "operand");
	r->job->args.pipeline->step[r->step].from[i] =
		(struct source){ .step = -1 };
	r->args->in[i].ndim = 0;
	return 0;
}

static int read_return(struct reading *r, const char *values)
{
	struct pipeline *const p = r->job->args.pipeline;
	char name[2 * PIPELINE_NAME];
	struct source from = { .plain = false };

	if (!p || sscanf(values, "%d %d %65s", &from.step, &from.output,
	                 name) != 3 || from.step < 0 || from.step > r->step ||
	    !is_output(p->step[from.step].args.op, from.output))
		return record_wrong(r, "output");
	return pipeline_return(p, from, name, r->e);
}

/* The first row makes the job. */
static const struct record_line request_lines[] = {
	{ "op", read_op }, { "created", read_created },
	{ "deadline", read_deadline }, { "priority", read_priority },
	{ "timing", read_level }, { "parse", read_parse },
	{ "devices", read_devices }, { "fingerprint", read_fingerprint },
	{ "dtype", read_dtype }, { "quality", read_quality },
	{ "variant", read_variant }, { "want", read_want },
	{ "param", read_param }, { "ttl", read_ttl },
	{ "conditional", read_conditional }, { "store", read_store },
	{ "steps", read_steps }, { "step", read_step }, { "from", read_from },
	{ "operand", read_operand }, { "return", read_return },
	{ NULL, NULL }
};

static int link_steps(struct reading *r)
{
	struct pipeline *const p = r->job->args.pipeline;

	if (!r->is_pipeline)
		return 0;
	if (!p || r->step + 1 != p->n || p->n_returned == 0)
		return record_wrong(r, "number of steps");
	r->job->args.want = (1u << p->n_returned) - 1;
	return pipeline_link(p, false, r->e);
}

struct job *record_read_request(const char *text, const struct record_room *r,
                                struct err *e)
{
	struct reading g = { .room = r, .step = -1, .e = e };
	int rc = record_lines(&g, request_lines, text);

	if (rc == 0)
		rc = g.job ? link_steps(&g) : record_wrong(&g, "length");
	if (rc && g.job && g.job->args.pipeline)
		g.job->args.pipeline->n = g.step + 1;	/* those that it has */
	return g.job;
}
