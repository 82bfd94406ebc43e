/* draft_step.c - see draft.h: the members of one step of a description. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "http/draft.h"

/* --- the JSON pointers of errors */

int draft_fault(struct err *e, const struct pipeline *p, int k,
                const char *member, const char *why)
{
	err_set(e, ERR_PARAMETER, "step %d: %s%s%s", k, member ? member : "",
	        member ? " " : "", why);
	return draft_point(e, p, k, member);
}

int draft_point(struct err *e, const struct pipeline *p, int k,
                const char *member)
{
	e->pointer[0] = 0;
	if (member)
		err_point(e, "", member);
	return draft_within(e, p, k);
}

int draft_within(struct err *e, const struct pipeline *p, int k)
{
	char step[32];

	snprintf(step, sizeof step, "/steps/%d", k);
	err_within(e, step);
	pipeline_point(p->root, e);
	return -1;
}

/* --- operands */

int draft_find_step(const struct pipeline *p, int before, const char *name,
                     size_t n)
{
	for (int k = 0; k < before; k++)
		if (strlen(p->step[k].name) == n &&
		    memcmp(p->step[k].name, name, n) == 0)
			return k;
	return -1;
}

static int refuse_source(const struct pipeline *p, int k, const char *member,
                         const char *name, struct err *e)
{
	const int n = (int)strcspn(name, ".");
	struct nearest near = nearest_to(name);
	char why[200];

	for (int j = 0; j < k; j++)
		nearest_add(&near, p->step[j].name);
	if (draft_find_step(p, p->n, name, (size_t)n) >= 0)
		snprintf(why, sizeof why, "is \"%.60s\", a step that comes no "
		         "earlier", name);
	else
		snprintf(why, sizeof why, "is \"%.60s\", and no step before "
		         "has that name%s An operand of the request is "
		         "\"@%.40s\"", name, nearest_hint_and(&near), name);
	nearest_fini(&near);
	return draft_fault(e, p, k, member, why);
}

/* Finds an output of a step before step k by its name, "f" or "f.pivots". */
static int find_source(const struct pipeline *p, int k, const char *member,
                       const char *name, struct source *from, struct err *e)
{
	const size_t n = strcspn(name, ".");
	const int j = draft_find_step(p, k, name, n);
	struct err why = { 0 };

	if (j < 0)
		return refuse_source(p, k, member, name, e);
	*from = (struct source){ .step = j, .plain = !name[n] };
	if (!from->plain)
		from->output = op_output(p->step[j].args.op, name + n + 1);
	if (from->output >= 0)
		return 0;
	op_refuse_output(p->step[j].args.op, name + n + 1, &why);
	err_set(e, ERR_PARAMETER, "step %d: %s", k, why.text);
	return draft_point(e, p, k, member);
}

/* If a step's operand factors is an output of a step of lu, its operand pivots
 * is taken from the same step, unless the description names it. */
static void add_pivots(struct pipeline *p, int k, const char *member,
                       const char *name, const json_t *step)
{
	struct step *s = &p->step[k];
	const int i = op_input(s->args.op, "pivots");
	int output;

	if (strcmp(member, "factors") != 0 || i < 0 || strchr(name, '.') ||
	    json_object_get(step, "pivots"))
		return;
	s->from[i] = s->from[op_input(s->args.op, "factors")];
	output = op_output(p->step[s->from[i].step].args.op, "pivots");
	if (output < 0)
		return;
	s->from[i].output = output;
	s->from[i].plain = false;
	s->args.in[i].ndim = 0;
}

/* Reads the operand i of step k. pipeline_prepare() fills in its shape later;
 * until then ndim = 0 only says that the operand is not absent. */
static int take_operand(struct draft *d, struct pipeline *p, int k, int i,
                        const char *member, json_t *value, const json_t *step,
                        struct err *e)
{
	struct step *s = &p->step[k];
	const char *name = json_string_value(value);
	const bool inner = name && !draft_mentioned(value);
	int place;

	s->args.in[i].ndim = 0;
	if (inner) {
		if (find_source(p, k, member, name, &s->from[i], e) < 0)
			return -1;
		add_pivots(p, k, member, name, step);
		return 0;
	}
	place = draft_place(d, draft_mentioned(value), e);
	s->from[i] = (struct source){ .step = -1,
	                                .output = place };
	if (place < 0 ||
	    (!name && draft_literal(d, p, place, member, value, e) < 0))
		return draft_point(e, p, k, member);
	return 0;
}

/* --- parameters */

static int set_dtype(struct step *s, const char *value, struct err *e)
{
	enum dtype t;

	if (dtype_find(value, &t) || !op_takes_dtype(s->args.op, t))
		return op_refuse_dtype(s->args.op, value, e);
	s->dtype = (int)t;
	return 0;
}

static int set_variant(struct step *s, const char *value, struct err *e)
{
	if (strcmp(value, "auto") == 0)
		return 0;
	s->args.variant = op_variant(s->args.op, value);
	return s->args.variant ? 0 : op_refuse_variant(s->args.op, value, e);
}

static int set_quality(struct step *s, const char *value, struct err *e)
{
	static const char *const levels[] = {
		[QUALITY_ESTIMATE] = "estimate", [QUALITY_FULL] = "full",
		[QUALITY_NONE] = "none", NULL
	};

	for (int i = 0; levels[i]; i++)
		if (strcmp(levels[i], value) == 0) {
			s->args.quality = (enum quality)i;
			s->judged = true;
			return 0;
		}
	return err_set(e, ERR_PARAMETER, "quality is %.40s, must be one of "
	               "estimate, full, none", value);
}

/* The common parameters that a step may set for itself; all are strings. */
static const struct {
	const char *name;
	int (*set)(struct step *s, const char *value, struct err *e);
} own[] = {
	{ "dtype", set_dtype }, { "variant", set_variant },
	{ "quality", set_quality },
};

static int find_own(const char *name)
{
	for (size_t i = 0; i < COUNT(own); i++)
		if (strcmp(own[i].name, name) == 0)
			return (int)i;
	return -1;
}

static int refuse_name(const struct op *o, const char *name,
                       const json_t *value, struct err *e)
{
	const char *names[COUNT(own) + 1] = { NULL };

	for (size_t i = 0; i < COUNT(own); i++)
		names[i] = own[i].name;
	return op_refuse_name(o, name, names, json_is_object(value) ||
	                                      json_is_array(value), e);
}

/* Sets parameter i of the step's operation. */
static int set_parameter(struct step *s, int i, const char *name,
                         const char *value, struct err *e)
{
	if (s->given >> i & 1)
		return err_set(e, ERR_PARAMETER, "%.60s is given twice", name);
	s->given |= 1u << i;
	return args_set(&s->args, i, value, e);
}

/* Reads a parameter of step k, which is a member of the step or, if it is set,
 * of the step's member `inside`. */
static int take_parameter(struct pipeline *p, int k, const char *inside,
                          const char *name, const json_t *value,
                          struct err *e)
{
	struct step *const s = &p->step[k];
	const struct op *const o = s->args.op;
	const int i = op_param(o, name), j = find_own(name);
	struct text text = { 0 };
	int rc;

	if (i < 0 && j < 0)
		rc = refuse_name(o, name, value, e);
	else
		rc = json_value_print(value, i < 0 ? VALUE_STRING :
		                      request_kinds_of(o, i), name, &text, e);
	if (rc == 0)
		rc = i < 0 ? own[j].set(s, text.data, e) :
		     set_parameter(s, i, name, text.data, e);
	text_fini(&text);
	if (rc == 0)
		return 0;
	err_point(e, "", inside ? inside : name);
	if (inside)
		err_point(e, e->pointer, name);
	return draft_within(e, p, k);
}

/* Reads the member "parameters" of a step. It holds those parameters whose name
 * has another meaning as a member of the step, such as reduce's `op`. */
static int take_parameters(struct pipeline *p, int k, json_t *all,
                           struct err *e)
{
	const char *name;
	json_t *value;

	if (!json_is_object(all))
		return draft_fault(e, p, k, "parameters", "must be an object "
		                   "of parameters");
	json_object_foreach(all, name, value)
		if (take_parameter(p, k, "parameters", name, value, e) < 0)
			return -1;
	return 0;
}

int draft_take_members(struct draft *d, struct pipeline *p, int k,
                        json_t *step, struct err *e)
{
	const char *name;
	json_t *value;

	json_object_foreach(step, name, value) {
		const int i = op_input(p->step[k].args.op, name);

		if (strcmp(name, "op") == 0 || strcmp(name, "as") == 0)
			continue;
		if ((i >= 0 ? take_operand(d, p, k, i, name, value, step, e) :
		     strcmp(name, "parameters") == 0 ?
		     take_parameters(p, k, value, e) :
		     take_parameter(p, k, NULL, name, value, e)) < 0)
			return -1;
	}
	return 0;
}
