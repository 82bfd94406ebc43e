/* token.h - the bearer tokens that authorise requests (RFC 6750). */
#ifndef HTTP_TOKEN_H
#define HTTP_TOKEN_H

#include <stdbool.h>

#include "base/err.h"

struct tokens;

/* Reads a token file: on each line a token and, optionally, a name for it in
 * the access log; # begins a comment. ERR_REQUEST when the file cannot be
 * read or has no token. path may be NULL; `one` is an additional token, or
 * NULL. Only digests are kept. */
struct tokens *tokens_load(const char *path, const char *one, struct err *e);
void tokens_free(struct tokens *t);

/* Returns the name of the token in an Authorization header ("Bearer TOKEN",
 * may be NULL), "" if the token has no name, or NULL if it is not one of
 * these. Takes the same time for every token. */
const char *tokens_find(const struct tokens *t, const char *authorization);

/* Makes a token file with a random token, readable by this user only, unless
 * the file exists. Returns 1 if it was made, 0 if it exists, -1 with *e. */
int tokens_make(const char *path, struct err *e);

#endif
