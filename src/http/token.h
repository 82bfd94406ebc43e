/* token.h - the bearer tokens that open the service (RFC 6750). */
#ifndef HTTP_TOKEN_H
#define HTTP_TOKEN_H

#include <stdbool.h>

#include "base/err.h"

struct tokens;

/* Reads a file: a token a line, behind it the name that the access log has for
 * it, if any; # begins a comment. Kept as digests. ERR_REQUEST when it cannot
 * be read or holds none. path NULL: none; one: a further token, or NULL. */
struct tokens *tokens_load(const char *path, const char *one, struct err *e);
void tokens_free(struct tokens *t);

/* The name of the token that an Authorization header ("Bearer TOKEN", may be
 * NULL) holds, "" when it has none; NULL: it is no token of these. Takes as
 * long whichever it is. */
const char *tokens_find(const struct tokens *t, const char *authorization);

/* Makes that file with a random token, for this user alone, unless it is there.
 * 1: it was made. */
int tokens_make(const char *path, struct err *e);

#endif
