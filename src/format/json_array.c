/* json_array.c - see json_array.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "format/json_array.h"
#include "format/json_number.h"

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
                           char text[ERR_POINTER])
{
	return err_pointer(text, "", a->label);
}

static int refuse(const struct json_array *a, struct err *e, const char *at,
                  const char *end, const char *why)
{
	char to[ERR_POINTER];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: \"%.*s\" %s",
	                  a->label, (int)size_min((size_t)(end - at), 24), at,
	                  why);
}

/* The same, for what is at p in the present piece of the body. */
static int refuse_here(const struct json_array *a, struct err *e,
                       const char *p, const char *end, const char *why)
{
	char to[ERR_POINTER];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: \"%.*s\" at byte "
	                  "%zu %s", a->label,
	                  (int)size_min((size_t)(end - p), 24), p,
	                  a->before + (size_t)(p - a->piece), why);
}

/* Refuses a number among rows or a row among numbers. p is at it, or at the end
 * of a number that began in the previous piece. */
static int mixed(const struct json_array *a, const char *p, struct err *e)
{
	const size_t at = a->before + (size_t)(p - a->piece) - a->number.length;
	char to[ERR_POINTER];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: numbers and rows "
	                  "stand side by side at byte %zu, element %zu of its "
	                  "list", a->label, at, a->count[a->depth - 1] + 1);
}

/* Refuses a trailing comma; p is at the bracket after it. */
static int trailing_comma(const struct json_array *a, const char *p,
                          struct err *e)
{
	char to[ERR_POINTER];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: a trailing comma "
	                  "before the ] at byte %zu, behind element %zu of its "
	                  "list", a->label, a->before + (size_t)(p - a->piece),
	                  a->count[a->depth - 1]);
}

static int ragged(const struct json_array *a, int d, struct err *e)
{
	char to[ERR_POINTER];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: row %zu has %zu "
	                  "%s, row 1 has %zu", a->label, a->count[d - 1] + 1,
	                  a->count[d], d + 1 == a->ndim ? "numbers" : "rows",
	                  a->dim[d]);
}

static int too_deep(const struct json_array *a, struct err *e)
{
	char to[ERR_POINTER];

	return err_set_at(e, ERR_FORMAT, pointer(a, to), "%s: nested deeper "
	                  "than %d", a->label, MATRIX_DIMS);
}

static int open_row(struct json_array *a, const char *p, struct err *e)
{
	if (a->leaf && a->depth == a->ndim)
		return mixed(a, p, e);
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

/* May numbers stand at this depth? */
static int expect_numbers(struct json_array *a, const char *p, struct err *e)
{
	if (a->depth != a->ndim)
		return mixed(a, p, e);
	a->leaf = true;
	return grow_room(&a->data, a->pool, sizeof(double), e);
}

static void keep_numbers(struct json_array *a, size_t n)
{
	a->data.used += n * sizeof(double);
	a->count[a->depth - 1] += n;
	a->expect = JSON_COMMA_OR_END;
}

/* Keeps a piece of a number that the end of the body's present piece cuts. */
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

/* Takes one number, whose whole text is given. */
static int take_number(struct json_array *a, const char *from,
                       const char *to, struct err *e)
{
	double x;

	if (json_number(from, to, &x) != to)
		return refuse(a, e, from, to, "is not a JSON number");
	if (isinf(x))
		return refuse(a, e, from, to, "is beyond float64");
	json_whole_put(&a->whole, from, to, x, a->data.memory->data,
	               a->data.used / sizeof(double));
	keep_numbers(a, 1);
	return 0;
}

/* Does the text name NaN or infinity as Python's json module and others write
 * them? "+1" is refused elsewhere; it is not JSON, either. */
static bool names_nonfinite(const char *p, const char *end)
{
	p += *p == '-' || *p == '+';
	return p < end && strchr("NnIi", *p) && *p;
}

static bool begins_word(char c)
{
	return c == 't' || c == 'f';
}

/* Takes true as 1 and false as 0; a word that the end of the body's present
 * piece cuts is kept like a number's piece. */
static int take_word(struct json_array *a, const char **p, const char *end,
                     struct err *e)
{
	const char *word;
	bool is_true;

	while (*p < end && **p >= 'a' && **p <= 'z' &&
	       a->number.length < sizeof "false")
		text_add(&a->number, (*p)++, 1);
	if (a->number.failed)
		return err_set(e, ERR_MEMORY, "no memory for JSON");
	if (*p == end)
		return 0;
	word = a->number.data;
	is_true = strcmp(word, "true") == 0;
	if (!is_true && strcmp(word, "false") != 0)
		return refuse(a, e, word, word + a->number.length,
		              "where a number, true or false is wanted");
	if (expect_numbers(a, *p, e) < 0)
		return -1;
	text_clear(&a->number);
	a->worded = true;
	word = is_true ? "1" : "0";
	return take_number(a, word, word + 1, e);
}

static int end_cut_number(struct json_array *a, const char **p,
                          const char *end, struct err *e)
{
	if (begins_word(a->number.data[0]))
		return take_word(a, p, end, e);
	if (keep_piece(a, p, end, e) < 0)
		return -1;
	if (*p == end)
		return 0;
	if (expect_numbers(a, *p, e) < 0 ||
	    take_number(a, a->number.data, a->number.data + a->number.length,
	                e) < 0)
		return -1;
	text_clear(&a->number);
	return 0;
}

/* Handles what read_numbers() leaves: a number that is cut, one of at least
 * the limit in magnitude, or text that is no number. */
static int odd_number(struct json_array *a, const char **p, const char *end,
                      struct err *e)
{
	const char *from = *p, *cut = from;
	double x;

	if (a->words && begins_word(*from))
		return take_word(a, p, end, e);
	while (cut < end && in_number(*cut))
		cut++;
	if (cut == end)
		return keep_piece(a, p, end, e);
	if (!json_number(from, end, &x))
		return refuse_here(a, e, from, end, names_nonfinite(from, end) ?
		                   "where a number is wanted; JSON has no NaN "
		                   "or infinity, binary formats have" :
		                   "where a number is wanted");
	*p = cut;
	return take_number(a, from, cut, e);
}

/* Returns the next number after a comma and perhaps a space, or NULL. */
static const char *next_number(const char *p, const char *end)
{
	if (*p++ != ',')
		return NULL;
	p += p < end && *p == ' ';
	return p < end && (is_digit(*p) || *p == '-') ? p : NULL;
}

/* Reads numbers from *p on, separated by commas, while they are complete, below
 * `limit` in magnitude, and there is room. Returns how many; *p is after the
 * last. Most of the time for a body is spent here. */
static size_t read_numbers(const char **p, const char *end, double *x,
                           size_t room, double limit)
{
	size_t n = 0;

	for (const char *at = *p; at && n < room; at = next_number(*p, end)) {
		const char *to = json_number(at, end, &x[n]);

		if (!to || to == end || !(fabs(x[n]) < limit))
			break;
		*p = to;
		n++;
	}
	return n;
}

static int take_numbers(struct json_array *a, const char **p,
                        const char *end, struct err *e)
{
	size_t room, n = 0;

	if (expect_numbers(a, *p, e) < 0)
		return -1;
	room = (a->data.memory->bytes - a->data.used) / sizeof(double);
	if (a->whole.kind != WHOLE_INT64)
		n = read_numbers(p, end, grow_end(&a->data), room,
		                 a->whole.limit);
	if (n == 0)
		return odd_number(a, p, end, e);
	keep_numbers(a, n);
	return 0;
}

/* Takes one token, which begins at *p with a character that is no space. */
static int take(struct json_array *a, const char **p, const char *end,
                struct err *e)
{
	char c = **p;

	if (a->expect == JSON_COMMA_OR_END) {
		if (c != ',' && c != ']')
			return refuse_here(a, e, *p, end,
			                   "where , or ] is wanted");
		++*p;
		if (c == ']')
			return close_row(a, e);
		a->expect = JSON_ELEMENT;
		return 0;
	}
	if (c == '[') {
		if (open_row(a, *p, e) < 0)
			return -1;
		++*p;
		return 0;
	}
	if (c == ']' && a->expect == JSON_ELEMENT_OR_END) {
		++*p;
		return close_row(a, e);
	}
	if (c == ']')
		return trailing_comma(a, *p, e);
	return take_numbers(a, p, end, e);
}

int json_array_feed(struct json_array *a, const char **p, const char *end,
                    struct err *e)
{
	a->piece = *p;
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
	*a = (struct json_array){ .label = label, .pool = p,
	                          .whole.limit = JSON_WHOLE_LIMIT };
}

void json_array_fini(struct json_array *a)
{
	grow_fini(&a->data);
	text_fini(&a->number);
}

int json_array_take(struct json_array *a, struct matrix *m, struct err *e)
{
	*m = (struct matrix){
		.dtype = a->whole.kind == WHOLE_INT64 ? INT64 : FLOAT64,
		.ndim = a->ndim, .text = true,
	};
	memcpy(m->dim, a->dim, sizeof m->dim);
	if (a->data.memory)
		m->rounded = json_whole_rounded(&a->whole,
		    a->data.memory->data, a->data.used / sizeof(double));
	m->memory = grow_take(&a->data, a->pool, e);
	if (m->memory)
		return 0;
	m->ndim = MATRIX_ABSENT;
	return -1;
}
