/* json_text.h - small JSON texts: built by jansson, or printed directly where
 * the time of a reply matters. */
#ifndef HTTP_JSON_TEXT_H
#define HTTP_JSON_TEXT_H

#include <jansson.h>

#include "base/err.h"
#include "base/text.h"

/* Makes a JSON string of text from a client or a driver. Bytes that are not
 * UTF-8 become U+FFFD. NULL: no memory. */
json_t *json_text_string(const char *s);

/* Append pieces of an object that is printed directly: a member's name, which
 * needs no escapes, after a comma unless it is the first; a string, as
 * json_text_string() makes it; a finite number, with all of its digits if it is
 * whole or beyond the normal numbers of float32, else as float32. */
void json_text_put_name(struct text *t, const char *name);
void json_text_put_string(struct text *t, const char *s);
void json_text_put_number(struct text *t, double x);

/* Appends j, compact and with 6 digits per real, and frees it. t->failed is set
 * if j is NULL or memory runs out, also if it ran out while j was built. */
void json_text_print(struct text *t, json_t *j);

/* Makes the problem object (RFC 9457) of e; instance may be NULL. Its member
 * `errors` names the faulty member of the body by a JSON pointer, or the query
 * parameter. */
json_t *json_text_problem(const struct err *e, const char *instance);

#endif
