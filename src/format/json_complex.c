/* json_complex.c - see json_complex.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/json_complex.h"
#include "format/json_part.h"
#include "matrix/complex.h"

static int take_part(struct json_operand *o, int part, struct json_work *w,
                     struct err *e)
{
	const struct json_work *const own = o->part[part];
	const char *const field = json_part_name(part);

	if (!json_object_get(o->fields, field))
		return json_operand_refuse(o, field, "is missing", e);
	if (own && own->imag)
		return json_operand_refuse(o, field, "must be real", e);
	return json_part_take(o, part, w, e);
}

int json_complex_make(struct json_operand *o, struct json_work *w,
                      struct err *e)
{
	const bool named = w->named;
	enum dtype joined = DTYPE_COUNT;
	struct json_work *imag;

	if (json_operand_dtype(o, DTYPE_COMPLEXES, &joined, e) < 0 ||
	    take_part(o, JSON_REAL_PART, w, e) < 0)
		return -1;
	imag = w->imag = calloc(1, sizeof *w->imag);
	if (!imag)
		return err_set(e, ERR_MEMORY, "no memory for an operand");
	*imag = (struct json_work){ .target = o->target,
	                            .m = { .dtype = FLOAT64 } };
	strcpy(imag->label, o->label);
	w->joined = joined;
	w->named = named;
	return take_part(o, JSON_IMAG_PART, imag, e);
}

static int join(struct json_work *w, struct memory_pool *p, struct err *e)
{
	if (dtype_is_complex(w->m.dtype) || dtype_is_complex(w->imag->m.dtype))
		return err_set(e, ERR_FORMAT, "real and imag must be real");
	if (complex_join(&w->m, &w->imag->m, p, e) < 0)
		return -1;
	return w->named ? matrix_convert(&w->m, w->joined, p, e) : 0;
}

int json_complex_join(struct json_work *w, struct memory_pool *p,
                      struct err *e)
{
	struct err why = { 0 };
	char pointer[ERR_POINTER];

	if (join(w, p, &why) == 0)
		return 0;
	err_pointer(pointer, "", w->label);
	err_pointer(pointer, pointer, "imag");
	return err_set_at(e, why.code, pointer, "%s: %.200s", w->label,
	                  why.text);
}
