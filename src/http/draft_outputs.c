/* draft_outputs.c - see draft.h: which outputs of its steps a pipeline returns,
 * and which are stored. What is stored is returned by the device, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "http/draft.h"
#include "queue/keep.h"

/* Adds the output "f" or "f.pivots" of n bytes, which that member names. */
static int add(struct pipeline *p, const char *member, const char *name,
               struct err *e)
{
	const size_t n = strcspn(name, ".");
	const int k = draft_find_step(p, p->n, name, n);
	struct source from = { .step = k, .plain = !name[n] };

	if (k < 0)
		return err_set(e, ERR_PARAMETER, "%s names %.60s, and no step "
		               "has that name", member, name);
	if (!from.plain)
		from.output = op_output(p->step[k].args.op, name + n + 1);
	if (from.output < 0)
		return op_refuse_output(p->step[k].args.op, name + n + 1, e);
	return pipeline_return(p, from, name, e);
}

/* Writes the parameter, which comes first, or the description's text or list of
 * texts, as one text with commas. */
static int join(const char *member, const char *parameter,
                const json_t *list, struct text *all, struct err *e)
{
	if (parameter)
		text_puts(all, parameter);
	else if (json_value_print(list, DRAFT_LIST, member, all, e))
		return -1;
	if (all->failed)
		return err_set(e, ERR_MEMORY, "no memory for a parameter");
	return all->length ? 0 : err_set(e, ERR_PARAMETER, "%s names nothing",
	                                 member);
}

/* Calls fn for each item of what join() writes. An error is the member's: a
 * parameter of the request, or a member of the description at `root`. */
static int each(const char *root, const char *member, const char *parameter,
                const json_t *list,
                int (*fn)(void *arg, char *one, struct err *e), void *arg,
                struct err *e)
{
	struct text all = { 0 };
	char *rest, *item;
	int rc = join(member, parameter, list, &all, e);

	rest = all.data;
	while (rc == 0 && (item = strsep(&rest, ",")))
		rc = fn(arg, item + strspn(item, " "), e);
	text_fini(&all);
	if (rc == 0)
		return 0;
	err_point(e, "", member);
	if (!parameter)
		pipeline_point(root, e);
	return -1;
}

/* --- return */

static int return_one(void *arg, char *one, struct err *e)
{
	return add(arg, "return", one, e);
}

/* Without `return`, the last step's first output. */
static int return_last(struct pipeline *p, struct err *e)
{
	const struct step *s = &p->step[p->n - 1];
	const struct source from = { .step = p->n - 1, .plain = true };

	return pipeline_return(p, from, s->name, e);
}

/* --- store */

struct storing {
	struct pipeline *pipeline;
	struct keeping *keeping;
};

/* "NAME", or "f.pivots:NAME" whose output is returned if it is not yet. */
static int store_one(void *arg, char *one, struct err *e)
{
	const struct storing *s = arg;
	char *colon = strchr(one, ':');
	int rc = 0;

	if (colon) {
		*colon = 0;
		if (op_output(&s->pipeline->op, one) < 0)
			rc = add(s->pipeline, "store", one, e);
		*colon = ':';
	}
	return rc || keep_parse(s->keeping, &s->pipeline->op, one, e) ? -1 : 0;
}

static int take_stored(struct draft *d, struct pipeline *p, struct err *e)
{
	const struct request *r = d->request;
	struct storing s = { p, NULL };
	int rc;

	if (!d->stores && !d->stored)
		return 0;
	s.keeping = *r->keeping = keep_new(r->store, r->tenant,
	                                      r->codec, e);
	if (!s.keeping)
		return -1;
	rc = each(d->root, "store", d->stores, d->stored, store_one, &s, e);
	return rc;
}

int draft_outputs(struct draft *d, struct pipeline *p, struct err *e)
{
	const int rc = d->returns || d->returned ?
	    each(d->root, "return", d->returns, d->returned, return_one, p, e) :
	    return_last(p, e);

	d->n_told = p->n_returned;
	return rc < 0 ? -1 : take_stored(d, p, e);
}
