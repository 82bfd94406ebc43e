/* show.c - see show.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "clients/call/show.h"

enum {
	WHOLE_MOST = 1000,	/* arrays of more elements are shortened */
	EDGE = 3,		/* elements shown at each end of a shortened
				 * dimension */
	CELL = 64,
	OTHER_MOST = 400,	/* characters of a value that is no array */
	COLUMNS = 78,		/* longer rows are wrapped */
	DIMS_MOST = 16,
};

/* --- arrays: nested lists of numbers; a complex array has two such lists */

struct array {
	const json_t *real, *imag;	/* imag is NULL if the array is real */
	size_t shape[DIMS_MOST];
	int dims;
	bool shortened;
	int width;			/* characters of the widest element */
};

static bool is_array(const json_t *v, struct array *a)
{
	size_t elements = 1;

	*a = (struct array){ .real = v };
	if (json_is_object(v)) {
		a->real = json_object_get(v, "real");
		a->imag = json_object_get(v, "imag");
		if (!a->real || !a->imag)
			return false;
	}
	for (v = a->real; json_is_array(v); v = json_array_get(v, 0)) {
		if (a->dims == DIMS_MOST)
			return false;
		a->shape[a->dims++] = json_array_size(v);
		elements *= json_array_size(v);
	}
	a->shortened = elements > WHOLE_MOST;
	return v == NULL || !json_is_object(v);
}

static void number(const json_t *v, bool sign, char cell[CELL])
{
	if (json_is_integer(v))
		snprintf(cell, CELL, sign ? "%+lld" : "%lld",
		         (long long)json_integer_value(v));
	else if (json_is_real(v))
		snprintf(cell, CELL, sign ? "%+.8g" : "%.8g",
		         json_real_value(v));
	else
		snprintf(cell, CELL, "%s", json_is_true(v) ? "true" :
		         json_is_false(v) ? "false" :
		         json_is_string(v) ? json_string_value(v) : "null");
}

/* Writes an element as text to cell, a complex one as 1+2i. */
static void cell_of(const json_t *real, const json_t *imag, char cell[CELL])
{
	size_t n;

	number(real, false, cell);
	n = strlen(cell);
	if (!imag || n >= CELL - 32)
		return;
	number(imag, true, cell + n);
	strcat(cell, "i");
}

/* Returns whether element i of a dimension of n elements is left out. */
static bool is_hidden(const struct array *a, size_t i, size_t n)
{
	return a->shortened && n > 2 * EDGE && i >= EDGE && i < n - EDGE;
}

static const json_t *item(const json_t *list, size_t i)
{
	return list ? json_array_get(list, i) : NULL;
}

static void measure(struct array *a, const json_t *real, const json_t *imag)
{
	const size_t n = json_array_size(real);
	char cell[CELL];

	if (!json_is_array(real)) {
		cell_of(real, imag, cell);
		a->width = (int)size_max((size_t)a->width, strlen(cell));
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (!is_hidden(a, i, n))
			measure(a, item(real, i), item(imag, i));
}

/* Appends an element to a row. *column is the number of characters in the
 * present line. */
static void add_cell(struct text *t, const char *cell, int width, int *column)
{
	if (*column + 2 + width > COLUMNS && *column > 1) {
		text_puts(t, "\n ");
		*column = 1;
	}
	text_printf(t, "  %*s", width, cell);
	*column += 2 + width;
}

static void show_row(struct text *t, const struct array *a,
                     const json_t *real, const json_t *imag)
{
	const size_t n = json_array_size(real);
	char cell[CELL];
	int column = 1;

	text_puts(t, " ");
	for (size_t i = 0; i < n; i++) {
		if (is_hidden(a, i, n)) {
			add_cell(t, "...", 3, &column);
			i = n - EDGE - 1;
			continue;
		}
		cell_of(item(real, i), item(imag, i), cell);
		add_cell(t, cell, a->width, &column);
	}
	text_puts(t, "\n");
}

/* Shows a nested list, with a blank line between the matrices of a stack. */
static void show_lists(struct text *t, const struct array *a,
                       const json_t *real, const json_t *imag, int depth)
{
	const size_t n = json_array_size(real);

	if (depth == a->dims - 1) {
		show_row(t, a, real, imag);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (i && depth < a->dims - 2)
			text_puts(t, "\n");
		if (is_hidden(a, i, n)) {
			text_puts(t, "   ...\n");
			i = n - EDGE - 1;
			continue;
		}
		show_lists(t, a, item(real, i), item(imag, i), depth + 1);
	}
}

static void show_array(struct text *t, const char *name, struct array *a)
{
	char cell[CELL];

	if (!a->dims) {
		cell_of(a->real, a->imag, cell);
		text_printf(t, "%s  %s\n", name, cell);
		return;
	}
	text_printf(t, "%s  ", name);
	for (int i = 0; i < a->dims; i++)
		text_printf(t, "%s%zu", i ? "x" : "", a->shape[i]);
	text_puts(t, "\n");
	measure(a, a->real, a->imag);
	show_lists(t, a, a->real, a->imag, 0);
}

static void show_other(struct text *t, const char *name, const json_t *v)
{
	char *s = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY |
	                     JSON_REAL_PRECISION(8));

	if (s)
		text_printf(t, "%s  %.*s%s\n", name, OTHER_MOST, s,
		            strlen(s) > OTHER_MOST ? "..." : "");
	free(s);
}

static void show_quality(struct text *t, const json_t *quality)
{
	const char *name;
	const json_t *v;
	char cell[CELL];
	bool first = true;

	json_object_foreach((json_t *)quality, name, v) {
		if (json_is_array(v) || json_is_object(v))
			continue;
		number(v, false, cell);
		text_printf(t, "%s %s %s", first ? "quality " : ",", name,
		            cell);
		first = false;
	}
	if (!first)
		text_puts(t, "\n");
}

void show_answer(struct text *t, const json_t *answer)
{
	const char *name;
	const json_t *v;

	json_object_foreach(json_object_get(answer, "result"), name, v) {
		struct array a;

		if (is_array(v, &a))
			show_array(t, name, &a);
		else
			show_other(t, name, v);
	}
	v = json_object_get(answer, "stored");
	if (v)
		show_other(t, "stored", v);
	show_quality(t, json_object_get(answer, "quality"));
}

/* --- times */

static double ms_of(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static const char *string_at(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

void show_timing(struct text *t, const json_t *job)
{
	const json_t *timing = json_object_get(job, "timing"), *v;
	const char *key;
	size_t i;

	if (json_object_get(job, "device"))
		text_printf(t, "%s\n", string_at(json_object_get(job,
		            "device"), "name"));
	json_object_foreach((json_t *)timing, key, v)
		if (json_is_number(v))
			text_printf(t, "%-28.*s %11.3f ms\n",
			            (int)(strlen(key) > 3 ? strlen(key) - 3 :
			                  strlen(key)), key,
			            json_number_value(v));
	json_array_foreach(json_object_get(timing, "kernels"), i, v)
		text_printf(t, "  %-26s %11.3f ms  %6.0f calls  %s\n",
		            string_at(v, "name"), ms_of(v, "total_ms"),
		            ms_of(v, "calls"), string_at(v, "variant"));
}
