/* json_sparse.c - see json_sparse.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/slice.h"
#include "format/json_sparse.h"
#include "matrix/complex.h"

enum { AT_ONCE = 4096 };

static int csr_entries(const struct json_sparse *s, const struct matrix *m,
                       struct sparse_entry *x, struct err *e);
static int csc_entries(const struct json_sparse *s, const struct matrix *m,
                       struct sparse_entry *x, struct err *e);
static int coo_entries(const struct json_sparse *s, const struct matrix *m,
                       struct sparse_entry *x, struct err *e);

static const struct json_sparse_format {
	const char *name, *field[JSON_PLACES];
	int (*entries)(const struct json_sparse *s, const struct matrix *m,
	               struct sparse_entry *x, struct err *e);
} forms[] = {
	{ "csr", { "indptr", "indices" }, csr_entries },
	{ "csc", { "indptr", "indices" }, csc_entries },
	{ "coo", { "row", "col" }, coo_entries },
};

int json_sparse_place(const char *field)
{
	for (size_t f = 0; f < COUNT(forms); f++)
		for (int i = 0; i < JSON_PLACES; i++)
			if (strcmp(forms[f].field[i], field) == 0)
				return i;
	return -1;
}

static int refuse(const char *label, const char *field, const char *why,
                  struct err *e)
{
	char at[ERR_POINTER];

	err_pointer(at, "", label);
	return err_set_at(e, ERR_FORMAT, err_pointer(at, at, field),
	                  "%s: %s%s", label, field, why);
}

static const struct json_sparse_format *find_format(const char *name)
{
	for (size_t f = 0; f < COUNT(forms); f++)
		if (strcmp(name, forms[f].name) == 0)
			return &forms[f];
	return NULL;
}

/* Has the format a list of places of this name? */
static bool has_field(const struct json_sparse_format *f, const char *name)
{
	for (int i = 0; i < JSON_PLACES; i++)
		if (strcmp(f->field[i], name) == 0)
			return true;
	return false;
}

static int check_fields(const struct json_sparse_format *f,
                        const char *label, const json_t *fields,
                        struct err *e)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)fields, name, value)
		if (json_sparse_place(name) >= 0 && !has_field(f, name))
			return refuse(label, name, " does not go with this "
			              "format", e);
	for (int i = 0; i < JSON_PLACES; i++)
		if (!json_object_get(fields, f->field[i]))
			return refuse(label, f->field[i], " is missing", e);
	if (!json_object_get(fields, "data"))
		return refuse(label, "data", " is missing", e);
	return 0;
}

struct json_sparse *json_sparse_make(const char *label, const char *format,
                                     const struct matrix *m, struct err *e)
{
	const struct json_sparse_format *f = find_format(format);
	struct json_sparse *s;

	if (!f) {
		refuse(label, "format", " must be csr, csc or coo", e);
		return NULL;
	}
	if (m->ndim != 2) {
		refuse(label, "shape", " must be rows and columns", e);
		return NULL;
	}
	if (sparse_check_shape(m, e) < 0)
		return NULL;
	s = calloc(1, sizeof *s);
	if (!s) {
		err_set(e, ERR_MEMORY, "no memory for an operand");
		return NULL;
	}
	s->format = f;
	snprintf(s->label, sizeof s->label, "%s", label);
	return s;
}

const char *json_sparse_field(const struct json_sparse *s, int place)
{
	return s->format->field[place];
}

struct json_sparse *json_sparse_new(const char *label, const json_t *fields,
                                    const struct matrix *m, struct err *e)
{
	const char *name = json_string_value(json_object_get(fields, "format"));
	struct json_sparse *s = json_sparse_make(label, name ? name : "", m, e);

	if (!s || check_fields(s->format, label, fields, e) == 0)
		return s;
	json_sparse_free(s);
	return NULL;
}

void json_sparse_free(struct json_sparse *s)
{
	if (!s)
		return;
	for (int i = 0; i < JSON_PLACES; i++)
		matrix_fini(&s->place[i]);
	matrix_fini(&s->values);
	free(s);
}

bool json_sparse_is_long(const struct json_sparse *s, const struct matrix *m,
                         enum layout to)
{
	size_t n = m->dim[0];

	if (to == DENSE && !size_mul(n, m->dim[1], &n))
		return true;
	return size_max(n / 16, matrix_elements(&s->values)) > AT_ONCE;
}

/* Counts the three lists that are read, and the entries that are sorted and
 * written twice. */
double json_sparse_cost(const struct json_sparse *s, const struct matrix *m,
                        enum layout to)
{
	enum { EACH = 128 };
	const double rows = (double)m->dim[0], cols = (double)m->dim[1];

	return EACH * (double)matrix_elements(&s->values) +
	       rows * 2 * sizeof(int64_t) +
	       (to == DENSE ? rows * cols * sizeof(double) : 0);
}

/* --- the entries */

static size_t length(const struct matrix *m)
{
	return m->dim[0];
}

static int check_list(const struct json_sparse *s, const char *field,
                      const struct matrix *m, size_t wanted, struct err *e)
{
	char why[80];

	if (m->ndim != 1)
		return refuse(s->label, field, " must be a flat list", e);
	if (length(m) == wanted)
		return 0;
	snprintf(why, sizeof why, " has %zu elements, must have %zu",
	         length(m), wanted);
	return refuse(s->label, field, why, e);
}

/* Element k of a list of places as an integer from `least` to `most`. */
static int place(const struct json_sparse *s, int list, size_t k,
                 size_t least, size_t most, size_t *to, struct err *e)
{
	const double x = matrix_get(&s->place[list], k);
	char why[128];

	if (x >= (double)least && x <= (double)most && x == (double)(size_t)x) {
		*to = (size_t)x;
		return 0;
	}
	snprintf(why, sizeof why, "[%zu] is %.17g, must be a whole number "
	         "from %zu to %zu", k, x, least, most);
	return refuse(s->label, s->format->field[list], why, e);
}

/* Element k of a list of places as the number of a row or column, below n. */
static int number(const struct json_sparse *s, int list, size_t k, size_t n,
                  uint32_t *to, struct err *e)
{
	size_t x;

	if (n == 0)
		return refuse(s->label, s->format->field[list],
		              " has elements, the matrix has none", e);
	if (place(s, list, k, 0, n - 1, &x, e) < 0)
		return -1;
	*to = (uint32_t)x;
	return 0;
}

static double value(const struct json_sparse *s, size_t k)
{
	return (s->imaginary ? matrix_get_imaginary : matrix_get)(&s->values,
	                                                          k);
}

/* Makes the entries of row i of a csr matrix, or of column i of a csc one, from
 * entry *at on; *at becomes their end. */
static int line(const struct json_sparse *s, const struct matrix *m,
                bool rows, size_t i, size_t *at, struct sparse_entry *x,
                struct err *e)
{
	size_t k = *at;

	if (place(s, 0, i + 1, k, length(&s->values), at, e) < 0)
		return -1;
	for (; k < *at; k++) {
		*(rows ? &x[k].i : &x[k].j) = (uint32_t)i;
		x[k].value = value(s, k);
		if (number(s, 1, k, m->dim[rows], rows ? &x[k].j : &x[k].i,
		           e) < 0 || slice_every(k, e) < 0)
			return -1;
	}
	return 0;
}

/* Makes all entries of a csr or csc matrix, by rows or columns. */
static int compressed(const struct json_sparse *s, const struct matrix *m,
                      bool rows, struct sparse_entry *x, struct err *e)
{
	const size_t n = length(&s->values), lines = m->dim[!rows];
	size_t at;

	if (check_list(s, s->format->field[0], &s->place[0], lines + 1,
	               e) < 0 || place(s, 0, 0, 0, 0, &at, e) < 0)
		return -1;
	for (size_t i = 0; i < lines; i++)
		if (line(s, m, rows, i, &at, x, e) < 0)
			return -1;
	return place(s, 0, lines, n, n, &at, e);
}

static int csr_entries(const struct json_sparse *s, const struct matrix *m,
                       struct sparse_entry *x, struct err *e)
{
	return compressed(s, m, true, x, e);
}

static int csc_entries(const struct json_sparse *s, const struct matrix *m,
                       struct sparse_entry *x, struct err *e)
{
	return compressed(s, m, false, x, e);
}

static int coo_entries(const struct json_sparse *s, const struct matrix *m,
                       struct sparse_entry *x, struct err *e)
{
	if (check_list(s, s->format->field[0], &s->place[0],
	               length(&s->values), e) < 0)
		return -1;
	for (size_t k = 0; k < length(&s->values); k++) {
		x[k].value = value(s, k);
		if (number(s, 0, k, m->dim[0], &x[k].i, e) < 0 ||
		    number(s, 1, k, m->dim[1], &x[k].j, e) < 0 ||
		    slice_every(k, e) < 0)
			return -1;
	}
	return 0;
}

/* Do int64 values lose digits in entries, which are float64? */
static bool loses_digits(const struct matrix *values)
{
	const int64_t *v = matrix_data(values);
	bool lost = values->rounded;

	for (size_t k = 0; values->dtype == INT64 && k < length(values); k++)
		lost |= !json_whole_held(v[k]);
	return lost;
}

static int build(const struct json_sparse *s, struct matrix *m,
                 struct memory_pool *p, struct err *e)
{
	const size_t n = length(&s->values);
	struct memory *entries;
	size_t bytes;
	int rc;

	if (check_list(s, "data", &s->values, n, e) < 0 ||
	    check_list(s, s->format->field[1], &s->place[1], n, e) < 0)
		return -1;
	if (!size_mul(n, sizeof(struct sparse_entry), &bytes))
		return err_set(e, ERR_TOO_LARGE, "%s: %zu entries are beyond "
		               "any memory", s->label, n);
	entries = memory_new(p, bytes, e);
	if (!entries)
		return -1;
	m->coordinates = s->format->entries == coo_entries;
	m->rounded = loses_digits(&s->values);
	rc = s->format->entries(s, m, entries->data, e);
	if (rc == 0)
		rc = sparse_build(m, entries->data, n, p, e);
	memory_unref(entries);
	return rc;
}

int json_sparse_build(struct json_sparse *s, struct matrix *m,
                      struct memory_pool *p, struct err *e)
{
	struct matrix imag = *m;
	int rc;

	if (build(s, m, p, e) < 0)
		return -1;
	if (!dtype_is_complex(s->values.dtype))
		return 0;
	s->imaginary = true;
	rc = build(s, &imag, p, e);
	if (rc == 0)
		rc = complex_join(m, &imag, p, e);
	matrix_fini(&imag);
	return rc;
}
