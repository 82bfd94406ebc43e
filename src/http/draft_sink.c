/* draft_sink.c - see draft.h: receives the operands and parameters of a
 * request's query and body. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/json_memory.h"
#include "format/octets.h"
#include "http/draft.h"
#include "http/shares.h"
#include "http/upload.h"

/* --- names */

/* The names that an operand cannot have, because the body uses them for the
 * pipeline's description and for the common parameters. The shapes of raw
 * octets have theirs in the query, where no operand is. */
static const char *const reserved[] = {
	"pipeline", "steps", "return", "device", "dtype", "variant",
	"timeout_ms", "priority", "timing", "quality", "store", "ttl", "into",
	NULL
};

static bool is_reserved(const char *name)
{
	for (int i = 0; reserved[i]; i++)
		if (strcmp(reserved[i], name) == 0)
			return true;
	return false;
}

static struct drafted *find(struct draft *d, const char *name)
{
	for (int i = 0; i < d->n; i++)
		if (strcmp(d->operand[i].name, name) == 0)
			return &d->operand[i];
	return NULL;
}

static int check_operand_name(const char *name, struct err *e)
{
	if (is_reserved(name))
		return err_set(e, ERR_REQUEST, "\"%s\" cannot be an operand's "
		               "name: a parameter of pipelines has it", name);
	return *name && strlen(name) < DRAFT_NAME ? 0 :
	       err_set(e, ERR_REQUEST, "\"%.70s\" cannot be an operand's "
	               "name: it has %zu bytes, must have 1 to %d", name,
	               strlen(name), DRAFT_NAME - 1);
}

struct drafted *draft_operand(struct draft *d, const char *name,
                              struct err *e)
{
	struct drafted *o = find(d, name);

	if (o)
		return o;
	if (check_operand_name(name, e))
		return NULL;
	if (d->n == PIPELINE_OPERANDS) {
		err_set(e, ERR_REQUEST, "a pipeline takes at most %d operands",
		        PIPELINE_OPERANDS);
		return NULL;
	}
	o = &d->operand[d->n++];
	snprintf(o->name, sizeof o->name, "%s", name);
	o->matrix.ndim = o->stored.ndim = o->shape.ndim = MATRIX_ABSENT;
	return o;
}

int draft_place(struct draft *d, const char *name, struct err *e)
{
	const struct drafted *o = name ? draft_operand(d, name, e) : NULL;
	const int at = o ? (int)(o - d->operand) : -1;

	if (name && !o)
		return -1;
	for (int i = 0; o && i < d->n_places; i++)
		if (d->place[i] == at)
			return i;
	if (d->n_places == PIPELINE_OPERANDS)
		return err_set(e, ERR_PARAMETER, "a pipeline takes at most %d "
		               "operands", PIPELINE_OPERANDS);
	d->place[d->n_places] = at;
	return d->n_places++;
}

/* --- callbacks of the query and the body's reader */

static int set_shape(struct draft *d, const char *name, const char *value,
                     struct err *e)
{
	const char *dot = strrchr(name, '.');
	char operand[DRAFT_NAME] = "";
	const char *first = draft_mention(d, 0);
	struct drafted *o;

	if (dot && (size_t)(dot - name) < sizeof operand)
		memcpy(operand, name, (size_t)(dot - name));
	else if (!dot && first && strlen(first) < sizeof operand)
		strcpy(operand, first);
	o = draft_operand(d, operand, e);
	if (!o)
		return -1;
	if (o->shape.ndim != MATRIX_ABSENT)
		return err_set(e, ERR_PARAMETER, "%.60s is given twice", name);
	d->shaped = true;
	request_note_shape(d->request, name);
	return octet_shape(name, value, &o->shape, e);
}

static bool is_shape(const char *name)
{
	const char *dot = strrchr(name, '.');

	return strcmp(name, "shape") == 0 ||
	       (dot && strcmp(dot, ".shape") == 0);
}

static int set_text(struct draft *d, char **text, const char *name,
                    const char *value, struct err *e)
{
	if (*text)
		return err_set(e, ERR_PARAMETER, "%s is given twice", name);
	request_note(d->request, name);
	*text = strdup(value);
	return *text ? 0 : err_set(e, ERR_MEMORY, "no memory for a "
	                           "parameter");
}

static int given_twice(const char *member, struct err *e)
{
	err_set(e, ERR_REQUEST, "the steps are given twice");
	return err_point(e, "", member);
}

static int set_steps(struct draft *d, const char *value, struct err *e)
{
	json_error_t fault;

	if (d->steps)
		return given_twice("steps", e);
	d->root = d->request->in_body ? "" : "?steps";
	d->steps = json_memory_load(value, strlen(value),
	                            JSON_REJECT_DUPLICATES, &fault);
	return d->steps ? 0 : json_memory_refuse(e, ERR_REQUEST, "/steps",
	                                         "steps", &fault);
}

static int set_description(struct draft *d, const char *value, struct err *e)
{
	if (d->steps)
		return given_twice("pipeline", e);
	d->root = d->request->in_body ? "/pipeline" : "?pipeline";
	return draft_describe(d, value, e);
}

int draft_parameter(void *arg, const char *name, const char *value,
                    struct err *e)
{
	struct draft *d = arg;

	if (strcmp(name, "pipeline") == 0)
		return set_description(d, value, e);
	if (strcmp(name, "steps") == 0)
		return set_steps(d, value, e);
	if (strcmp(name, "return") == 0)
		return set_text(d, &d->returns, name, value, e);
	if (strcmp(name, "store") == 0)
		return set_text(d, &d->stores, name, value, e);
	if (is_shape(name))
		return set_shape(d, name, value, e);
	if (strcmp(name, "variant") == 0)
		return err_set_at(e, ERR_PARAMETER, "/variant", "variant is a "
		                  "parameter of each step, not of a pipeline");
	return request_parameter(d->request, name, value, e);
}

static bool is_operand(void *arg, const char *name)
{
	(void)arg;
	return !is_reserved(name);
}

static unsigned kinds(void *arg, const char *name)
{
	if (strcmp(name, "steps") == 0 || strcmp(name, "pipeline") == 0)
		return VALUE_JSON;
	if (strcmp(name, "store") == 0)
		return DRAFT_LIST;
	return request_kinds(((const struct draft *)arg)->request, name);
}

/* Returns the name of the first operand that the description mentions and that
 * has not arrived yet; it belongs to the next operand without a name. */
static const char *next_mention(struct draft *d)
{
	const char *name;

	for (int i = 0; (name = draft_mention(d, i)); i++) {
		const struct drafted *o = find(d, name);

		if (!o || !o->given)
			return name;
	}
	return NULL;
}

static struct matrix *take_operand(void *arg, const char *name, struct err *e)
{
	struct draft *d = arg;
	struct drafted *o;

	if (!name)
		name = next_mention(d);
	if (!name) {
		err_set(e, ERR_REQUEST, d->steps ? "no step takes one operand "
		        "more" : "a body of operands without names needs the "
		        "description before it, in the query");
		return NULL;
	}
	o = draft_operand(d, name, e);
	if (!o)
		return NULL;
	if (o->given) {
		err_set(e, ERR_REQUEST, "operand %.60s is given twice", name);
		return NULL;
	}
	o->given = true;
	o->matrix.layout = CSR;
	return &o->matrix;
}

static int raw_layout(void *arg, int i, const char **name,
                      struct matrix *shape, struct err *e)
{
	struct draft *d = arg;
	const char *mention;

	d->shape_used = true;
	for (int k = 0; (mention = draft_mention(d, k)); k++) {
		const struct drafted *o = find(d, mention);

		if (!o || o->shape.ndim == MATRIX_ABSENT || i-- > 0)
			continue;
		if (d->request->dtype < 0)
			return upload_wants_dtype(e);
		*name = o->name;
		*shape = o->shape;
		shape->dtype = (enum dtype)d->request->dtype;
		return 1;
	}
	return 0;
}

int draft_dtype(void *arg)
{
	return ((const struct draft *)arg)->request->dtype;
}

int draft_reference(void *arg, const char *name, struct matrix *m,
                    struct err *e)
{
	return request_reference(((struct draft *)arg)->request, name, m, e);
}

static int fetched(void *arg, const char *name, struct matrix *m,
                   struct err *e)
{
	return request_fetched(((struct draft *)arg)->request, name, m, e);
}

/* Which steps will take the operand is not known yet. */
int draft_share(void *arg, const char *id, const struct matrix *m,
                struct memory **from, struct err *e)
{
	const struct draft *d = arg;

	(void)m;
	if (!d->request->shares)
		return err_set(e, ERR_FORMAT, "a saved pipeline holds no "
		               "share: its client may leave before");
	*from = memory_ref(shares_find(d->request->shares,
	                               d->request->tenant, id, e));
	return *from ? 1 : -1;
}

static void arrived(void *arg, struct memory *m, size_t bytes)
{
	request_arrived(((struct draft *)arg)->request, m, bytes);
}

struct sink draft_sink(struct draft *d)
{
	return (struct sink){
		.operand = take_operand, .parameter = draft_parameter,
		.is_operand = is_operand, .kinds = kinds,
		.layout = raw_layout, .reference = draft_reference,
		.fetched = fetched, .share = draft_share,
		.dtype = draft_dtype, .arrived = arrived, .pool = d->memory,
		.arg = d,
	};
}
