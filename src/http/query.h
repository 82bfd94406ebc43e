/* query.h - percent-encoding, and the arguments of a query string. */
#ifndef HTTP_QUERY_H
#define HTTP_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Decodes n bytes at s in place and appends a NUL, for which s must have room.
 * False: a bad escape or %00. */
bool query_decode(char *s, size_t n, bool plus_is_space);

/* Calls fn for every name=value of the query, in order; the value is "" if
 * there is no "=". If fn returns -1, so does this, and the error points at
 * that argument. query may be NULL. */
int query_each(const char *query,
               int (*fn)(void *arg, const char *name, const char *value,
                         struct err *e), void *arg, struct err *e);

#endif
