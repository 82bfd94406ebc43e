/* json_operand.c - see json_operand.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "format/json_complex.h"
#include "format/json_factors.h"
#include "format/json_named.h"
#include "matrix/convert.h"

/* "/a" or "/a/shape" */
static const char *pointer_to(const struct json_operand *o,
                              const char *field, char text[ERR_POINTER])
{
	err_pointer(text, "", o->label);
	return *field ? err_pointer(text, text, field) : text;
}

static int refuse(const struct json_operand *o, struct err *e,
                  const char *field, const char *why)
{
	char at[ERR_POINTER];

	return err_set_at(e, ERR_FORMAT, pointer_to(o, field, at),
	                  "%s: %s%s%s", o->label, field, field[0] ? " " : "",
	                  why);
}

void json_operand_init_lists(struct json_operand *o)
{
	json_array_init(&o->rows, o->label, o->sink->pool);
	json_array_init(&o->imag, o->label, o->sink->pool);
	for (int i = 0; i < JSON_PLACES; i++)
		json_array_init(&o->place[i], o->label, o->sink->pool);
}

int json_operand_begin(struct json_operand *o, const struct part *p,
                       struct err *e)
{
	*o = (struct json_operand){ .sink = p->sink };
	part_label(p, o->label, "operand");
	json_operand_init_lists(o);
	/* A guess: a number's text is about as long as a double. */
	o->rows.data.most = p->length == UINT64_MAX ? 0 : p->length;
	o->target = part_operand(p, e);
	return o->target ? 0 : -1;
}

void json_operand_fini(struct json_operand *o)
{
	json_array_fini(&o->rows);
	json_array_fini(&o->imag);
	for (int i = 0; i < JSON_PARTS; i++)
		json_work_free(o->part[i]);
	for (int i = 0; i < JSON_PLACES; i++)
		json_array_fini(&o->place[i]);
	grow_fini(&o->bytes);
	json_decref(o->fields);
	*o = (struct json_operand){ 0 };
}

int json_operand_base64(struct json_operand *o, const char *text, size_t n,
                        struct err *e)
{
	long wrote;

	if (grow_reserve(&o->bytes, o->sink->pool, base64_room(n), e) < 0)
		return -1;
	wrote = base64_feed(&o->base64, text, n, grow_end(&o->bytes));
	if (wrote < 0)
		return refuse(o, e, "base64", "is not base64");
	o->bytes.used += (size_t)wrote;
	return 0;
}

struct json_array *json_operand_list(struct json_operand *o,
                                     const char *field)
{
	const int place = json_sparse_place(field);

	if (strcmp(field, "data") == 0 || strcmp(field, "lu") == 0 ||
	    strcmp(field, "real") == 0)
		return &o->rows;
	if (strcmp(field, "imag") == 0)
		return &o->imag;
	if (strcmp(field, "pivots") == 0)
		return &o->place[0];
	return place < 0 ? NULL : &o->place[place];
}

/* --- the forms of an object */

int json_operand_shape(const struct json_operand *o, struct matrix *m,
                       struct err *e)
{
	const json_t *shape = json_object_get(o->fields, "shape"), *x;
	size_t i;

	if (!json_is_array(shape) || json_array_size(shape) > MATRIX_DIMS)
		return refuse(o, e, "shape", "must be a list of <= 8 integers");
	m->ndim = (int)json_array_size(shape);
	json_array_foreach(shape, i, x) {
		if (!json_is_integer(x) || json_integer_value(x) < 0)
			return refuse(o, e, "shape", "must hold integers from "
			              "0 on");
		m->dim[i] = (size_t)json_integer_value(x);
	}
	return 0;
}

enum { ENTRIES = DTYPE_REALS | DTYPE_INTEGERS | DTYPE_COMPLEXES };

int json_operand_dtype(const struct json_operand *o, unsigned types,
                       enum dtype *d, struct err *e)
{
	struct nearest near = nearest_to("");
	char why[160];
	const json_t *name = json_object_get(o->fields, "dtype");

	if (!name || (json_is_string(name) &&
	              dtype_find(json_string_value(name), d) == 0 &&
	              types & DTYPE_BIT(*d)))
		return 0;
	for (int t = 0; t < DTYPE_COUNT; t++)
		if (types & DTYPE_BIT(t))
			nearest_add(&near, dtype_name((enum dtype)t));
	snprintf(why, sizeof why, "must be one of %s", nearest_list(&near));
	nearest_fini(&near);
	return refuse(o, e, "dtype", why);
}

int json_operand_refuse(const struct json_operand *o, const char *field,
                        const char *why, struct err *e)
{
	return refuse(o, e, field, why);
}

static bool same_shape(const struct matrix *a, const struct matrix *b)
{
	return a->ndim == b->ndim &&
	       memcmp(a->dim, b->dim, (size_t)a->ndim * sizeof a->dim[0]) == 0;
}

static int from_data(struct json_operand *o, struct json_work *w,
                     struct err *e)
{
	char have[MATRIX_SHAPE_TEXT], want[MATRIX_SHAPE_TEXT], at[ERR_POINTER];
	struct matrix shape = { .dtype = FLOAT64 };
	size_t n;

	if (json_operand_shape(o, &shape, e) < 0 ||
	    json_array_take(&o->rows, &w->m, e) < 0 ||
	    matrix_count(&shape, &n, e) < 0)
		return -1;
	w->dtype = w->m.dtype;
	if (json_operand_dtype(o, JSON_NUMBERS, &w->dtype, e) < 0)
		return -1;
	if (!(w->m.ndim == 1 && w->m.dim[0] == n) &&
	    !same_shape(&w->m, &shape))
		return err_set_at(e, ERR_FORMAT, pointer_to(o, "data", at),
		                  "%s: data is %s, its shape says %s", o->label,
		                  matrix_shape_text(&w->m, have),
		                  matrix_shape_text(&shape, want));
	w->m.ndim = shape.ndim;
	memcpy(w->m.dim, shape.dim, sizeof shape.dim);
	return 0;
}

static int from_base64(struct json_operand *o, struct json_work *w,
                       struct err *e)
{
	char text[MATRIX_SHAPE_TEXT], at[ERR_POINTER];
	struct matrix *m = &w->m;
	size_t bytes;

	if (json_operand_shape(o, m, e) < 0 ||
	    json_operand_dtype(o, JSON_BYTES, &m->dtype, e) < 0 ||
	    matrix_bytes(m, &bytes, e) < 0)
		return -1;
	w->dtype = element_dtype(element_of(m->dtype));
	if (!base64_whole(&o->base64))
		return refuse(o, e, "base64", "ends within a group of 4");
	if (o->bytes.used != bytes)
		return err_set_at(e, ERR_FORMAT, pointer_to(o, "base64", at),
		                  "%s: base64 holds %zu bytes, %s of %s is %zu",
		                  o->label, o->bytes.used,
		                  matrix_shape_text(m, text),
		                  dtype_name(m->dtype), bytes);
	m->memory = grow_take(&o->bytes, o->sink->pool, e);
	return m->memory ? 0 : -1;
}

static int read_seed(const struct json_operand *o, uint64_t *seed,
                     struct err *e)
{
	const json_t *x = json_object_get(o->fields, "seed");

	if (x && (!json_is_integer(x) || json_integer_value(x) < 0))
		return refuse(o, e, "seed", "must be an integer from 0 on");
	*seed = (uint64_t)json_integer_value(x);
	return 0;
}

static int from_generator(struct json_operand *o, struct json_work *w,
                          struct err *e)
{
	const json_t *name = json_object_get(o->fields, "generate");

	if (!json_is_string(name))
		return refuse(o, e, "generate", "must be a generator's name");
	w->generator = generator_find(json_string_value(name), e);
	if (!w->generator || json_operand_shape(o, &w->m, e) < 0 ||
	    json_operand_dtype(o, JSON_NUMBERS, &w->dtype, e) < 0 ||
	    read_seed(o, &w->seed, e) < 0 ||
	    generator_check(w->generator, &w->m, e) < 0)
		return -1;
	w->m.dtype = w->dtype == FLOAT32 ? FLOAT32 : FLOAT64;
	return matrix_alloc(&w->m, o->sink->pool, e);
}

static int from_entries(struct json_operand *o, struct json_work *w,
                        struct err *e)
{
	struct json_sparse *s;

	if (json_operand_shape(o, &w->m, e) < 0 ||
	    json_operand_dtype(o, ENTRIES, &w->dtype, e) < 0)
		return -1;
	w->m.text = true;
	s = w->sparse = json_sparse_new(o->label, o->fields, &w->m, e);
	if (!s || json_array_take(&o->rows, &s->values, e) < 0)
		return -1;
	for (int i = 0; i < JSON_PLACES; i++)
		if (json_array_take(&o->place[i], &s->place[i], e) < 0)
			return -1;
	return 0;
}

/* The forms: the field that identifies each, and the fields allowed with it. */
static const struct form {
	const char *field, *with[8];	/* NULL-terminated */
	int (*make)(struct json_operand *o, struct json_work *w,
	            struct err *e);
} forms[] = {
	{ "format", { "shape", "dtype", "data", "indptr", "indices", "row",
	              "col" }, from_entries },
	{ "data", { "shape", "dtype" }, from_data },
	{ "base64", { "shape", "dtype" }, from_base64 },
	{ "generate", { "shape", "dtype", "seed" }, from_generator },
	{ "ref", { NULL }, json_reference_make },
	{ "share", { "shape", "dtype", "offset" }, json_share_make },
	{ "lu", { "pivots", "singular", "sign" }, json_factors_make },
	{ "real", { "imag", "dtype" }, json_complex_make },
	{ "imag", { "real", "dtype" }, json_complex_make },
};

static bool goes_with(const struct form *f, const char *name)
{
	for (const char *const *with = f->with; *with; with++)
		if (strcmp(*with, name) == 0)
			return true;
	return strcmp(f->field, name) == 0;
}

static const struct form *find_form(const struct json_operand *o,
                                    struct err *e)
{
	const struct form *f = NULL;
	const char *name;
	json_t *value;

	for (size_t i = 0; i < COUNT(forms) && !f; i++)
		if (json_object_get(o->fields, forms[i].field))
			f = &forms[i];
	if (!f)
		refuse(o, e, "", "needs data, format, base64, generate, ref, "
		       "share or real");
	json_object_foreach(o->fields, name, value)
		if (f && !goes_with(f, name)) {
			refuse(o, e, name, "does not go with the other fields");
			return NULL;
		}
	return f;
}

static int unknown_field(const struct json_operand *o, const char *name,
                         struct err *e)
{
	struct nearest near = nearest_to(name);
	char why[NEAREST_HINT + 40];

	for (size_t i = 0; i < COUNT(forms); i++) {
		nearest_try(&near, forms[i].field);
		nearest_try_all(&near, forms[i].with);
	}
	snprintf(why, sizeof why, "is not a field of an operand%s",
	         nearest_hint(&near));
	return refuse(o, e, name, why);
}

int json_operand_field(struct json_operand *o, const char *name,
                       json_t *value, struct err *e)
{
	const struct json_array *list = json_operand_list(o, name);
	bool known = false;
	int rc;

	for (size_t i = 0; i < COUNT(forms); i++)
		known |= goes_with(&forms[i], name);
	if (!o->fields)
		o->fields = json_object();
	if (!known)
		rc = unknown_field(o, name, e);
	else if (json_object_get(o->fields, name))
		rc = refuse(o, e, name, "is given twice");
	else if (list && list->ndim)	/* given as another format's list */
		rc = refuse(o, e, name, "does not go with the other fields");
	else
		rc = json_object_set(o->fields, name, value) < 0 ?
		     err_set(e, ERR_MEMORY, "no memory for a field") : 0;
	json_decref(value);
	return rc;
}

static struct json_work *new_work(const struct json_operand *o,
                                  struct err *e)
{
	struct json_work *w = calloc(1, sizeof *w);

	if (!w) {
		err_set(e, ERR_MEMORY, "no memory for an operand");
		return NULL;
	}
	w->target = o->target;
	strcpy(w->label, o->label);
	w->m = (struct matrix){ .dtype = FLOAT64 };
	w->dtype = FLOAT64;
	w->named = json_object_get(o->fields, "dtype") != NULL;
	return w;
}

/* Makes an operand of bare rows, which keep the type that their numbers
 * need. */
static int from_rows(struct json_operand *o, struct json_work *w,
                     struct err *e)
{
	if (json_array_take(&o->rows, &w->m, e) < 0)
		return -1;
	w->dtype = w->m.dtype;
	return 0;
}

struct json_work *json_operand_settle(struct json_operand *o, struct err *e)
{
	const struct form *f = o->fields ? find_form(o, e) : NULL;
	struct json_work *w = o->fields && !f ? NULL : new_work(o, e);

	if (!w)
		return NULL;
	if ((f ? f->make : from_rows)(o, w, e) == 0)
		return w;
	json_work_free(w);
	return NULL;
}

struct json_work *json_operand_scalar(struct json_operand *o,
                                      const struct text *number, double x,
                                      struct err *e)
{
	struct json_whole whole = { .limit = JSON_WHOLE_LIMIT };
	struct json_work *w = new_work(o, e);

	if (!w || matrix_alloc(&w->m, o->sink->pool, e) < 0) {
		json_work_free(w);
		return NULL;
	}
	json_whole_put(&whole, number->data, number->data + number->length, x,
	               matrix_data(&w->m), 0);
	if (whole.kind == WHOLE_INT64)
		w->m.dtype = w->dtype = INT64;
	w->m.rounded = json_whole_rounded(&whole, matrix_data(&w->m), 1);
	w->m.text = true;
	return w;
}
