/* draft.c - see draft.h: makes and frees drafts, reads literal matrices, and
 * moves the operands into the pipeline after the end of the body. draft_sink.c
 * receives the operands and parameters of the query and the body;
 * draft_steps.c, draft_step.c and draft_outputs.c read the description. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/part.h"
#include "http/draft.h"
#include "http/upload.h"
#include "queue/keep.h"

static const struct operand no_operands[] = { { .name = NULL } };
static const struct param no_params[] = { { .name = NULL } };
static const struct output no_outputs[] = { { .name = NULL } };
static const struct variant no_variants[] = { { .name = NULL } };

const struct op draft_op = {
	.name = "pipeline", .dtypes = ~0u, .halves = true,
	.inputs = no_operands, .params = no_params, .outputs = no_outputs,
	.variants = no_variants,
};

struct draft *draft_new(struct request *r, struct memory_pool *p,
                        struct err *e)
{
	struct draft *d = calloc(1, sizeof *d);

	if (!d) {
		err_set(e, ERR_MEMORY, "no memory for a pipeline");
		return NULL;
	}
	d->request = r;
	d->memory = p;
	d->root = "";
	return d;
}

struct draft *draft_saved(const char *text, struct request *r,
                          struct memory_pool *p, struct err *e)
{
	struct draft *d = draft_new(r, p, e);

	if (d)
		d->root = "?";
	if (!d || draft_describe(d, text, e) == 0)
		return d;
	draft_free(d);
	return NULL;
}

void draft_free(struct draft *d)
{
	if (!d)
		return;
	for (int i = 0; i < PIPELINE_OPERANDS; i++)
		reader_free(d->literal[i]);
	for (int i = 0; i < d->n; i++) {
		matrix_fini(&d->operand[i].matrix);
		matrix_fini(&d->operand[i].stored);
	}
	json_decref(d->steps);
	json_decref(d->returned);
	json_decref(d->stored);
	free(d->returns);
	free(d->stores);
	if (!d->handed_over)
		pipeline_free(d->pipeline);
	free(d);
}

/* --- literal matrices */

static struct matrix *literal_operand(void *arg, const char *name,
                                      struct err *e)
{
	struct draft *d = arg;

	(void)name;
	(void)e;
	d->reading->layout = CSR;
	return d->reading;
}

int draft_literal(struct draft *d, struct pipeline *p, int i,
                  const char *name, json_t *value, struct err *e)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT |
	                               JSON_REAL_PRECISION(17));
	const struct part part = { &d->sink, name, UINT64_MAX, true };
	bool work = false;
	int rc = -1;

	d->pipeline = p;
	d->sink = (struct sink){ .operand = literal_operand,
	                         .reference = draft_reference,
	                         .share = draft_share,
	                         .dtype = draft_dtype, .pool = d->memory,
	                         .arg = d };
	d->reading = &p->operand[i];
	if (!text)
		err_set(e, ERR_MEMORY, "no memory for a matrix");
	else
		d->literal[i] = json_value_open(&part, e);
	if (d->literal[i] &&
	    reader_feed(d->literal[i], text, strlen(text), e) == 0)
		rc = reader_end(d->literal[i], &work, e);
	free(text);
	if (rc == 0 && !work) {
		rc = reader_finish(d->literal[i], e);
		reader_free(d->literal[i]);
		d->literal[i] = NULL;
	}
	return rc;
}

/* --- stored matrices */

/* Notes the names in all objects {"ref": name} within the value. */
static int note_references(const json_t *value, struct wanted *w,
                           struct err *e)
{
	const char *name = json_string_value(json_object_get(value, "ref"));
	const char *key;
	json_t *member;
	size_t i;

	if (name && wanted_note(w, name, e) < 0)
		return -1;
	json_object_foreach((json_t *)value, key, member)
		if (note_references(member, w, e))
			return -1;
	json_array_foreach(value, i, member)
		if (note_references(member, w, e))
			return -1;
	return 0;
}

static bool is_given(const struct draft *d, const char *name)
{
	for (int i = 0; i < d->n; i++)
		if (d->operand[i].given &&
		    strcmp(d->operand[i].name, name) == 0)
			return true;
	return false;
}

int draft_note(const struct draft *d, struct wanted *w, struct err *e)
{
	struct err none = { 0 };
	const char *name;

	for (int i = 0; (name = draft_mention(d, i)); i++)
		if (!is_given(d, name) && store_check_name(name, &none) == 0 &&
		    wanted_note(w, name, e) < 0)
			return -1;
	return note_references(d->steps, w, e);
}

/* --- the end of the body */

/* Looks up a stored matrix for each operand that has not arrived so far. The
 * operands of an npz body arrive only in reader_finish(), later than this; they
 * then replace the stored matrices found here. */
static void find_stored(struct draft *d)
{
	for (int i = 0; i < d->n; i++) {
		struct drafted *o = &d->operand[i];
		const struct stored *s;

		if (o->given || !d->request->store)
			continue;
		s = store_find(d->request->store, d->request->tenant->name,
		               o->name, &(struct err){ 0 });
		if (s)
			o->stored = matrix_ref(&s->matrix);
	}
}

/* Makes a the pipeline's call. */
static int hand_over(struct draft *d, struct args *a, struct err *e)
{
	args_fini(a);
	pipeline_args(a, d->pipeline);
	d->handed_over = true;
	a->want = (1u << d->n_told) - 1;
	return keep_settle(*d->request->keeping, a, d->returns || d->returned,
	                   e);
}

/* What is told of `store` when it was in the description and no parameter. */
void draft_locate(const struct draft *d, struct err *e)
{
	if (!d->stores && strcmp(e->pointer, "/store") == 0)
		pipeline_point(d->root, e);
}

int draft_build(struct draft *d, struct args *a, bool *work, struct err *e)
{
	if (d->shaped && !d->shape_used)
		return upload_wants_no_shape(d->request->shape_name,
		                             d->request->shape_in_query, e);
	d->pipeline = draft_steps(d, e);
	if (!d->pipeline)
		return -1;
	find_stored(d);
	for (int i = 0; i < PIPELINE_OPERANDS; i++)
		*work |= d->literal[i] != NULL;
	*work |= draft_cost(d) > 2 << 20;
	return hand_over(d, a, e);
}

double draft_cost(const struct draft *d)
{
	double bytes = 0;

	for (int i = 0; i < PIPELINE_OPERANDS; i++)
		if (d->literal[i])
			bytes += reader_cost(d->literal[i]);
	for (int i = 0; i < d->n; i++) {
		const struct drafted *o = &d->operand[i];

		bytes += 4.0 * (double)(o->given ? matrix_size(&o->matrix) :
		                        matrix_size(&o->stored));
	}
	return bytes;
}

static int missing(const struct drafted *o, struct err *e)
{
	char pointer[ERR_POINTER];

	err_pointer(pointer, "", o->name);
	return err_set_at(e, ERR_REQUEST, pointer, "operand %s is missing: the "
	                  "request has none, and no stored matrix has that "
	                  "name", o->name);
}

static bool is_placed(const struct draft *d, int at)
{
	for (int i = 0; i < d->n_places; i++)
		if (d->place[i] == at)
			return true;
	return false;
}

static int check_used(const struct draft *d, struct err *e)
{
	char pointer[ERR_POINTER];

	for (int i = 0; i < d->n; i++) {
		if (!d->operand[i].given || is_placed(d, i))
			continue;
		err_pointer(pointer, "", d->operand[i].name);
		return err_set_at(e, ERR_REQUEST, pointer, "no step takes "
		                  "operand %s, as \"@%s\"", d->operand[i].name,
		                  d->operand[i].name);
	}
	return 0;
}

/* Returns whether any step takes the pipeline's operand i. */
static bool is_taken(const struct pipeline *p, int i)
{
	for (int k = 0; k < p->n; k++)
		for (int l = 0; l < OP_INPUTS; l++)
			if (p->step[k].args.in[l].ndim != MATRIX_ABSENT &&
			    p->step[k].from[l].step < 0 &&
			    p->step[k].from[l].output == i)
				return true;
	return false;
}

/* Moves the operands into the pipeline. */
static int place_operands(struct draft *d, struct err *e)
{
	for (int i = 0; i < d->n_places; i++) {
		struct drafted *o = d->place[i] < 0 ? NULL :
		                    &d->operand[d->place[i]];
		struct matrix *m = !o ? NULL : o->given ? &o->matrix :
		                   &o->stored;

		if (!o || !is_taken(d->pipeline, i))
			continue;
		if (m->ndim == MATRIX_ABSENT)
			return missing(o, e);
		if (o->given)
			strcpy(d->pipeline->told[i], o->name);
		d->pipeline->operand[i] = *m;
		m->ndim = MATRIX_ABSENT;
		m->memory = m->index = NULL;
	}
	return 0;
}

static void give_operands(struct pipeline *p)
{
	for (int k = 0; k < p->n; k++) {
		struct step *s = &p->step[k];

		for (int i = 0; i < OP_INPUTS; i++)
			if (s->args.in[i].ndim != MATRIX_ABSENT &&
			    s->from[i].step < 0)
				s->args.in[i] = matrix_ref(
				    &p->operand[s->from[i].output]);
	}
}

/* Points an error of the pipeline's operand i, a literal matrix, at it. */
static int point_at_literal(const struct pipeline *p, int i, struct err *e)
{
	for (int k = 0; k < p->n; k++) {
		const struct step *s = &p->step[k];

		for (int l = 0; l < OP_INPUTS; l++)
			if (s->args.in[l].ndim != MATRIX_ABSENT &&
			    s->from[l].step < 0 && s->from[l].output == i)
				return draft_point(e, p, s->place,
				                   s->args.op->inputs[l].name);
	}
	return -1;
}

int draft_prepare(struct draft *d, struct args *a, struct err *e)
{
	for (int i = 0; i < PIPELINE_OPERANDS; i++)
		if (d->literal[i] && reader_finish(d->literal[i], e) < 0)
			return point_at_literal(d->pipeline, i, e);
	if (check_used(d, e) < 0 || place_operands(d, e) < 0)
		return -1;
	give_operands(d->pipeline);
	return pipeline_prepare(a, d->memory, e);
}
