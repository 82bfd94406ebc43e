/* token.h - the bearer tokens that open the service (RFC 6750). */
#ifndef HTTP_TOKEN_H
#define HTTP_TOKEN_H

#include <stdbool.h>

#include "base/err.h"

struct tokens;

/* Reads a file: a token a line, # begins a comment line. Kept as digests.
 * ERR_REQUEST when it cannot be read or holds none. */
struct tokens *tokens_load(const char *path, struct err *e);
void tokens_free(struct tokens *t);

/* Does an Authorization header ("Bearer TOKEN", may be NULL) name one of
 * them? Takes as long whichever it is. */
bool tokens_match(const struct tokens *t, const char *authorization);

#endif
