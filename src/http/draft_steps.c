/* draft_steps.c - see draft.h: makes a pipeline of its description. The
 * operands and parameters of a step are read by draft_step.c, the outputs that
 * are returned or stored by draft_outputs.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/json_memory.h"
#include "http/draft.h"

static void take_description(struct draft *d, const json_t *all,
                             struct err *e)
{
	char pointer[ERR_POINTER];
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)all, name, value)
		if (strcmp(name, "steps") != 0 && strcmp(name, "return") != 0 &&
		    strcmp(name, "store") != 0)
			err_set_at(e, ERR_PARAMETER,
			           err_pointer(pointer, "", name),
			           "pipeline: %.40s is none of steps, return "
			           "and store", name);
	d->steps = json_incref(json_object_get(all, "steps"));
	d->returned = json_incref(json_object_get(all, "return"));
	d->stored = json_incref(json_object_get(all, "store"));
	d->described = true;
	if (!d->steps)
		err_set_at(e, ERR_PARAMETER, "/steps", "there are no steps");
}

int draft_describe(struct draft *d, const char *text, struct err *e)
{
	json_error_t fault;
	json_t *const all = json_memory_load(text, strlen(text),
	                                     JSON_REJECT_DUPLICATES, &fault);

	if (!all)
		json_memory_refuse(e, ERR_REQUEST, "", "pipeline", &fault);
	else if (!json_is_object(all))
		err_set(e, ERR_REQUEST, "pipeline: must be an object with "
		        "steps");
	else
		take_description(d, all, e);
	json_decref(all);
	if (e->code == ERR_NONE)
		return 0;
	pipeline_point(d->root, e);
	return -1;
}

const char *draft_mentioned(const json_t *value)
{
	const char *s = json_string_value(value);

	return s && s[0] == '@' ? s + 1 : NULL;
}

const char *draft_mention(const struct draft *d, int i)
{
	const char *seen[PIPELINE_OPERANDS], *name, *member;
	int n = 0, again;
	json_t *step, *value;
	size_t k;

	json_array_foreach(d->steps, k, step) {
		json_object_foreach(step, member, value) {
			name = draft_mentioned(value);
			for (again = 0; name && again < n &&
			     strcmp(seen[again], name) != 0; again++)
				;
			if (!name || again < n)
				continue;
			if (n == i)
				return name;
			if (n < PIPELINE_OPERANDS)
				seen[n++] = name;
		}
	}
	return NULL;
}

/* --- steps */

static bool is_name(const char *s)
{
	static const char usual[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "abcdefghijklmnopqrstuvwxyz"
	                            "0123456789_-";
	const size_t n = s ? strlen(s) : 0;

	return n > 0 && n < PIPELINE_NAME && strspn(s, usual) == n;
}

/* Gives step k its operation and its name; its operands and parameters are read
 * when all steps have theirs. */
static int begin_step(struct pipeline *p, int k, const json_t *step,
                      struct err *e)
{
	const char *op = json_string_value(json_object_get(step, "op"));
	const char *as = json_string_value(json_object_get(step, "as"));
	const struct op *o = op ? op_find(op) : NULL;

	if (!json_is_object(step))
		return draft_fault(e, p, k, NULL, "must be an object, as "
		                   "{\"op\": \"lu\", \"a\": \"@a\", \"as\": "
		                   "\"f\"}");
	if (!op)
		return draft_fault(e, p, k, "op", "must name an operation");
	if (!o) {
		op_refuse(op, e);
		return draft_point(e, p, k, "op");
	}
	if (!is_name(as))
		return draft_fault(e, p, k, "as", "must name the step by 1 to "
		                   "32 of A-Z a-z 0-9 _ -");
	if (draft_find_step(p, k, as, strlen(as)) >= 0)
		return draft_fault(e, p, k, "as", "is the name of an earlier "
		                   "step, too");
	step_init(&p->step[k], as, o);
	p->step[k].place = k;
	return 0;
}

/* Applies the common parameters to the steps that do not set them. If the
 * request's dtype describes a body of raw octets, it is also the element type
 * of those steps whose operation supports it. The accuracy is measured only of
 * steps that have a returned output. */
static void settle(const struct draft *d, struct pipeline *p)
{
	const struct request *r = d->request;

	for (int k = 0; k < p->n; k++) {
		struct step *s = &p->step[k];

		if (s->dtype < 0 && r->dtype >= 0 &&
		    (!d->shape_used || op_takes_dtype(s->args.op,
		                                      (enum dtype)r->dtype)))
			s->dtype = r->dtype;
		if (!s->judged)
			s->args.quality = s->returned ? r->args->quality :
			                                QUALITY_NONE;
	}
}

static int fill(struct draft *d, struct pipeline *p, struct err *e)
{
	for (int k = 0; k < p->n; k++)
		if (begin_step(p, k, json_array_get(d->steps, (size_t)k),
		               e) < 0)
			return -1;
	for (int k = 0; k < p->n; k++)
		if (draft_take_members(d, p, k, json_array_get(d->steps,
		                       (size_t)k), e) < 0)
			return -1;
	if (draft_outputs(d, p, e) < 0 ||
	    pipeline_link(p, d->described && (d->returns || d->stores), e) < 0)
		return -1;
	settle(d, p);
	return 0;
}

struct pipeline *draft_steps(struct draft *d, struct err *e)
{
	const size_t n = json_array_size(d->steps);
	struct pipeline *p;

	if (n < 1 || n > PIPELINE_STEPS) {
		err_set_at(e, ERR_PARAMETER, "/steps", "steps must be a list "
		           "of 1 to %d steps", PIPELINE_STEPS);
		pipeline_point(d->root, e);
		return NULL;
	}
	p = pipeline_new((int)n, e);
	if (p)
		snprintf(p->root, sizeof p->root, "%s", d->root);
	if (p && fill(d, p, e) == 0)
		return p;
	if (d->pipeline == p)
		d->pipeline = NULL;
	pipeline_free(p);
	return NULL;
}
