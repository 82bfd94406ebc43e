/* json_raw.h - one small JSON value, collected as text and then parsed by
 * jansson. */
#ifndef FORMAT_JSON_RAW_H
#define FORMAT_JSON_RAW_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"

enum { JSON_RAW_MOST = 64 << 10, JSON_RAW_DEPTH = 64 };

/* { 0 } is an empty one. */
struct json_raw {
	struct text text;
	int depth;			/* open brackets */
	bool begun, string, escaped, whole;
};

void json_raw_clear(struct json_raw *r);
void json_raw_fini(struct json_raw *r);

/* Takes bytes from *p up to the value's end, and sets `whole` when it was
 * reached. A number or literal ends before the first character that cannot
 * belong to it. */
int json_raw_feed(struct json_raw *r, const char **p, const char *end,
                  struct err *e);

/* Parses the value, which the caller must json_decref(); NULL with *e, which
 * calls it `what`. */
json_t *json_raw_parse(const struct json_raw *r, const char *what,
                       struct err *e);

/* Appends the text of a string, a value that begins with a quote, to `to`. -1
 * with *e, which calls it `what`. */
int json_raw_string(const struct json_raw *r, const char *what,
                    struct text *to, struct err *e);

/* Appends the JSON text of the value, unchanged. */
int json_raw_text(const struct json_raw *r, struct text *to, struct err *e);

/* Appends a parameter's value to `to` as in a query string: a string's text, a
 * number or literal as it is, a list's elements separated by commas. -1 with
 * *e. */
int json_raw_plain(const struct json_raw *r, const char *name,
                   struct text *to, struct err *e);

/* Appends a parsed value to `to` in the same way. Returns false if it is, or
 * holds, neither a string nor a number nor a boolean. */
bool json_raw_print(const json_t *value, struct text *to);

#endif
