/* json_raw.c - see json_raw.h. */
#include <string.h>

#include "format/json_memory.h"
#include "format/json_raw.h"

void json_raw_clear(struct json_raw *r)
{
	text_clear(&r->text);
	r->depth = 0;
	r->begun = r->string = r->escaped = r->whole = false;
}

void json_raw_fini(struct json_raw *r)
{
	text_fini(&r->text);
}

static void in_string(struct json_raw *r, char c)
{
	if (r->escaped)
		r->escaped = false;
	else if (c == '\\')
		r->escaped = true;
	else if (c == '"')
		r->string = false;
}

/* Takes one character; false when it does not belong to the value any more. */
static bool step(struct json_raw *r, char c)
{
	bool bare = r->begun && r->depth == 0 && !r->string;

	if (bare && strchr(",]}: \t\r\n", c) && c) {
		r->whole = true;
		return false;
	}
	r->begun = true;
	if (r->string)
		in_string(r, c);
	else if (c == '"')
		r->string = true;
	else if (c == '[' || c == '{')
		r->depth++;
	else if (c == ']' || c == '}')
		r->depth--;
	else
		return true;
	r->whole = !r->string && r->depth <= 0;
	return true;
}

int json_raw_feed(struct json_raw *r, const char **p, const char *end,
                  struct err *e)
{
	const char *from = *p;

	while (*p < end && !r->whole && r->depth <= JSON_RAW_DEPTH &&
	       step(r, **p))
		++*p;
	if (r->depth > JSON_RAW_DEPTH)
		return err_set(e, ERR_REQUEST, "JSON: nested deeper than %d",
		               JSON_RAW_DEPTH);
	if ((size_t)(*p - from) > JSON_RAW_MOST - r->text.length)
		return err_set(e, ERR_REQUEST, "JSON: a value of more than %d "
		               "bytes that is no operand: \"%.20s...\"",
		               JSON_RAW_MOST,
		               r->text.length ? r->text.data : "");
	/* jansson 2.14 overlooks a zero byte after a number. */
	if (memchr(from, 0, (size_t)(*p - from)))
		return err_set(e, ERR_REQUEST, "JSON: a zero byte");
	text_add(&r->text, from, (size_t)(*p - from));
	return r->text.failed ? err_set(e, ERR_MEMORY, "no memory for JSON")
	                      : 0;
}

json_t *json_raw_parse(const struct json_raw *r, const char *what,
                       struct err *e)
{
	json_error_t fault;
	json_t *value;

	value = json_memory_load(r->text.length ? r->text.data : "",
	                         r->text.length, JSON_DECODE_ANY |
	                         JSON_REJECT_DUPLICATES, &fault);
	if (!value)
		json_memory_refuse(e, ERR_REQUEST, "", what, &fault);
	return value;
}

/* Returns whether the value is an ASCII string without escapes, which needs no
 * parser. */
static bool is_literal(const struct text *t)
{
	const size_t n = t->length;

	if (n < 2 || t->data[0] != '"' || t->data[n - 1] != '"')
		return false;
	for (size_t i = 1; i < n - 1; i++)
		if (t->data[i] < ' ' || t->data[i] > '~' ||
		    t->data[i] == '"' || t->data[i] == '\\')
			return false;
	return true;
}

static int check_text(const struct text *t, struct err *e)
{
	return t->failed ? err_set(e, ERR_MEMORY, "no memory for JSON") : 0;
}

int json_raw_string(const struct json_raw *r, const char *what,
                    struct text *to, struct err *e)
{
	json_t *value;

	if (is_literal(&r->text)) {
		text_add(to, r->text.data + 1, r->text.length - 2);
		return check_text(to, e);
	}
	value = json_raw_parse(r, what, e);
	if (!value)
		return -1;
	text_puts(to, json_string_value(value));
	json_decref(value);
	return check_text(to, e);
}

int json_raw_plain(const struct json_raw *r, const char *name, unsigned kinds,
                   struct text *to, struct err *e)
{
	json_t *value;
	int rc;

	if (kinds & VALUE_JSON) {
		text_add(to, r->text.data, r->text.length);
		return check_text(to, e);
	}
	if (kinds & VALUE_STRING && is_literal(&r->text))
		return json_raw_string(r, name, to, e);
	value = json_raw_parse(r, name, e);
	if (!value)
		return -1;
	rc = json_value_print(value, kinds, name, to, e);
	json_decref(value);
	return rc;
}
