/* query.h - percent-encoding, and the arguments of a query string. */
#ifndef HTTP_QUERY_H
#define HTTP_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Decodes n bytes at s in place and ends them with NUL (there is room: text
 * never grows). false: a bad escape or %00. */
bool query_decode(char *s, size_t n, bool plus_is_space);

/* Calls fn for every name=value of the query ("" when there is no "="), in
 * order; -1 of fn stops, and the error then points at that argument. query may
 * be NULL. */
int query_each(const char *query,
               int (*fn)(void *arg, const char *name, const char *value,
                         struct err *e), void *arg, struct err *e);

#endif
