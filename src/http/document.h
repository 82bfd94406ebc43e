/* document.h - small JSON documents: by jansson, or printed right away where an
 * answer's time counts. */
#ifndef HTTP_DOCUMENT_H
#define HTTP_DOCUMENT_H

#include <jansson.h>

#include "base/err.h"
#include "base/text.h"

/* A string of what a client or a driver sent: bytes that are not UTF-8
 * become U+FFFD. */
json_t *document_string(const char *s);

/* The pieces of an object that is printed: a member's name, which needs no
 * escapes, after a comma unless it is the first; a string, as
 * document_string()'s; a finite number, a whole one with all of its digits,
 * others as float32. */
void document_put_name(struct text *t, const char *name);
void document_put_string(struct text *t, const char *s);
void document_put_number(struct text *t, double x);

/* Appends j, compact and with 6 digits a real, and lets it go. NULL or no
 * memory: t->failed. */
void document_print(struct text *t, json_t *j);

/* RFC 9457's problem object of e; instance may be NULL. Its `errors` name the
 * member of the body by a JSON pointer, or the query parameter. */
json_t *document_problem(const struct err *e, const char *instance);

#endif
