/* json_named.c - see json_named.h. */
#include <stdio.h>

#include "format/json_named.h"
#include "matrix/convert.h"

int json_reference_make(struct json_operand *o, struct json_work *w,
                        struct err *e)
{
	const json_t *name = json_object_get(o->fields, "ref");
	const struct sink *k = o->sink;
	int rc;

	if (!json_is_string(name))
		return json_operand_refuse(o, "ref", "must be a stored "
		                           "matrix's name", e);
	if (!k->reference)
		return err_set(e, ERR_NOT_FOUND, "no stored matrix \"%.128s\"",
		               json_string_value(name));
	rc = k->reference(k->arg, json_string_value(name), &w->m, e);
	w->dtype = w->m.dtype;
	if (rc <= 0)
		return rc;
	w->sink = k;
	snprintf(w->stored, sizeof w->stored, "%s", json_string_value(name));
	return 0;
}

static int read_offset(const struct json_operand *o, size_t *offset,
                       struct err *e)
{
	const json_t *x = json_object_get(o->fields, "offset");
	const json_int_t at = json_integer_value(x);

	*offset = (size_t)at;
	if (!x || (json_is_integer(x) && at >= 0 && at % MEMORY_ALIGN == 0))
		return 0;
	return json_operand_refuse(o, "offset", "must be a multiple of 128", e);
}
_Static_assert(MEMORY_ALIGN == 128, "the error names it");

/* Sets m's memory to a reference to its bytes of the share. */
static int place(const struct json_operand *o, struct matrix *m,
                 struct memory *share, size_t offset, struct err *e)
{
	char why[120];
	size_t bytes;

	if (matrix_bytes(m, &bytes, e) < 0)
		return -1;
	if (offset > share->bytes || bytes > share->bytes - offset) {
		snprintf(why, sizeof why, "has %zu bytes, the operand ends "
		         "after %zu + %zu", share->bytes, offset, bytes);
		return json_operand_refuse(o, "share", why, e);
	}
	m->memory = offset ? memory_part(share, offset, bytes, e) :
	                     memory_ref(share);
	return m->memory ? 0 : -1;
}

int json_share_make(struct json_operand *o, struct json_work *w,
                    struct err *e)
{
	const json_t *id = json_object_get(o->fields, "share");
	const struct sink *k = o->sink;
	struct memory *share = NULL;
	size_t offset;
	int rc;

	if (!json_is_string(id))
		return json_operand_refuse(o, "share", "must be a share's id",
		                           e);
	if (json_operand_shape(o, &w->m, e) < 0 ||
	    json_operand_dtype(o, JSON_BYTES, &w->m.dtype, e) < 0 ||
	    read_offset(o, &offset, e) < 0)
		return -1;
	if (!k->share)
		return json_operand_refuse(o, "share", "is not possible here",
		                           e);
	rc = k->share(k->arg, json_string_value(id), o->target, &share, e);
	if (rc < 0)
		return -1;
	w->dtype = element_dtype(element_of(w->m.dtype));
	w->copy = rc > 0 || (w->m.dtype != FLOAT32 && w->m.dtype != FLOAT64);
	rc = place(o, &w->m, share, offset, e);
	memory_unref(share);
	return rc;
}
