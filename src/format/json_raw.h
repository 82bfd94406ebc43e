/* json_raw.h - one small JSON value, collected as text and then parsed by
 * jansson. */
#ifndef FORMAT_JSON_RAW_H
#define FORMAT_JSON_RAW_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "format/json_value.h"

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

/* Appends a parameter's value to `to` as json_value_print() does; with
 * VALUE_JSON its JSON text, unchanged. -1 with *e. */
int json_raw_plain(const struct json_raw *r, const char *name, unsigned kinds,
                   struct text *to, struct err *e);

#endif
