/* json_array.c - see json_array.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "matrix/json_array.h"
#include "matrix/json_number.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool in_number(char c)
{
	return is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' ||
	       c == 'E';
}

static const char *pointer(const struct json_array *a,
                           char text[PART_NAME + 1])
{
	text[0] = '/';
	strcpy(text + 1, a->label);
	return text;
}

static int refuse(const struct json_array *a, struct err *e, const char *at,
                  const char *end, const char *why)
{
	char to[PART_NAME + 1];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: \"%.*s\" %s",
	                  a->label, (int)size_min((size_t)(end - at), 24), at,
	                  why);
}

static int mixed(const struct json_array *a, struct err *e)
{
	char to[PART_NAME + 1];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: numbers and rows "
	                  "stand side by side", a->label);
}

static int ragged(const struct json_array *a, int d, struct err *e)
{
	char to[PART_NAME + 1];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: row %zu has %zu "
	                  "%s, row 1 has %zu", a->label, a->count[d - 1] + 1,
	                  a->count[d], d + 1 == a->ndim ? "numbers" : "rows",
	                  a->dim[d]);
}

static int too_deep(const struct json_array *a, struct err *e)
{
	char to[PART_NAME + 1];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: nested deeper "
	                  "than %d", a->label, MATRIX_DIMS);
}

static int open_row(struct json_array *a, struct err *e)
{
	if (a->leaf && a->depth == a->ndim)
		return mixed(a, e);
	if (a->depth == MATRIX_DIMS)
		return too_deep(a, e);
	a->count[a->depth++] = 0;
	if (a->ndim < a->depth)
		a->ndim = a->depth;
	a->expect = JSON_ELEMENT_OR_END;
	return 0;
}

static int close_row(struct json_array *a, struct err *e)
{
	int d = a->depth - 1;

	if (a->known[d] && a->dim[d] != a->count[d])
		return ragged(a, d, e);
	a->known[d] = true;
	a->dim[d] = a->count[d];
	a->depth = d;
	if (d > 0)
		a->count[d - 1]++;
	a->expect = JSON_COMMA_OR_END;
	return 0;
}

/* Are numbers here, between the brackets, in place? */
static int expect_numbers(struct json_array *a, struct err *e)
{
	if (a->depth != a->ndim)
		return mixed(a, e);
	a->leaf = true;
	return grow_room(&a->data, a->pool, sizeof(double), e);
}

static void keep_numbers(struct json_array *a, size_t n)
{
	a->data.used += n * sizeof(double);
	a->count[a->depth - 1] += n;
	a->expect = JSON_COMMA_OR_END;
}

/* Takes what may be the first or a further piece of a number. */
static int keep_piece(struct json_array *a, const char **p, const char *end,
                      struct err *e)
{
	const char *from = *p;

	while (*p < end && in_number(**p))
		++*p;
	text_add(&a->number, from, (size_t)(*p - from));
	if (a->number.failed)
		return err_set(e, ERR_MEMORY, "no memory for JSON");
	if (a->number.length <= JSON_NUMBER)
		return 0;
	return refuse(a, e, a->number.data, a->number.data + JSON_NUMBER,
	              "is too long a number");
}

static int end_cut_number(struct json_array *a, const char **p,
                          const char *end, struct err *e)
{
	const char *from, *to;
	double *x;

	if (keep_piece(a, p, end, e) < 0)
		return -1;
	if (*p == end)
		return 0;
	if (expect_numbers(a, e) < 0)
		return -1;
	from = a->number.data;
	to = from + a->number.length;
	x = grow_end(&a->data);
	if (json_number(from, to, x) != to)
		return refuse(a, e, from, to, "is not a JSON number");
	if (isinf(*x))
		return refuse(a, e, from, to, "is beyond float64");
	text_clear(&a->number);
	keep_numbers(a, 1);
	return 0;
}

/* No number stands here, whole: it was cut, is beyond the range, or none. */
static int odd_number(struct json_array *a, const char **p, const char *end,
                      struct err *e)
{
	const char *cut = *p;
	double x;

	while (cut < end && in_number(*cut))
		cut++;
	if (cut == end)
		return keep_piece(a, p, end, e);
	return refuse(a, e, *p, end, json_number(*p, end, &x) && isinf(x) ?
	              "is beyond float64" : "where a number is wanted");
}

/* After a comma, and a space as some programs write one: the next number, or
 * NULL. */
static const char *next_number(const char *p, const char *end)
{
	if (*p++ != ',')
		return NULL;
	p += p < end && *p == ' ';
	return p < end && (is_digit(*p) || *p == '-') ? p : NULL;
}

/* Numbers from *p, one after the other's comma, as far as they are whole and
 * as there is room; how many. *p: behind the last. Here the time goes. */
static size_t read_numbers(const char **p, const char *end, double *x,
                           size_t room)
{
	size_t n = 0;

	for (const char *at = *p; at && n < room; at = next_number(*p, end)) {
		const char *to = json_number(at, end, &x[n]);

		if (!to || to == end || isinf(x[n]))
			break;
		*p = to;
		n++;
	}
	return n;
}

static int take_numbers(struct json_array *a, const char **p,
                        const char *end, struct err *e)
{
	size_t room, n;

	if (expect_numbers(a, e) < 0)
		return -1;
	room = (a->data.memory->bytes - a->data.used) / sizeof(double);
	n = read_numbers(p, end, grow_end(&a->data), room);
	if (n == 0)
		return odd_number(a, p, end, e);
	keep_numbers(a, n);
	return 0;
}

/* One token that begins at *p, which is no space. */
static int take(struct json_array *a, const char **p, const char *end,
                struct err *e)
{
	char c = **p;

	if (a->expect == JSON_COMMA_OR_END) {
		if (c != ',' && c != ']')
			return refuse(a, e, *p, end, "where , or ] is wanted");
		++*p;
		if (c == ']')
			return close_row(a, e);
		a->expect = JSON_ELEMENT;
		return 0;
	}
	if (c == '[') {
		++*p;
		return open_row(a, e);
	}
	if (c == ']' && a->expect == JSON_ELEMENT_OR_END) {
		++*p;
		return close_row(a, e);
	}
	return take_numbers(a, p, end, e);
}

int json_array_feed(struct json_array *a, const char **p, const char *end,
                    struct err *e)
{
	if (a->number.length && end_cut_number(a, p, end, e) < 0)
		return -1;
	while (*p < end) {
		if (is_space(**p)) {
			++*p;
			continue;
		}
		if (take(a, p, end, e) < 0)
			return -1;
		if (a->depth == 0)
			return 1;
	}
	return 0;
}

void json_array_init(struct json_array *a, const char *label,
                     struct memory_pool *p)
{
	*a = (struct json_array){ .label = label, .pool = p };
}

void json_array_fini(struct json_array *a)
{
	grow_fini(&a->data);
	text_fini(&a->number);
}

int json_array_take(struct json_array *a, struct matrix *m, struct err *e)
{
	*m = (struct matrix){ .dtype = FLOAT64, .ndim = a->ndim };
	memcpy(m->dim, a->dim, sizeof m->dim);
	m->memory = grow_take(&a->data, a->pool, e);
	if (m->memory)
		return 0;
	m->ndim = MATRIX_ABSENT;
	return -1;
}
