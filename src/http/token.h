/* token.h - the bearer tokens that authorise requests (RFC 6750), and what each
 * of them allows. The format of the file stands in token_line.h. */
#ifndef HTTP_TOKEN_H
#define HTTP_TOKEN_H

#include <stdbool.h>

#include <nettle/sha2.h>

#include "base/err.h"
#include "queue/tenant.h"

/* What a token is good for, and what a route needs; bits. */
enum scope {
	SCOPE_NONE = 0,			/* of a route: no token is needed */
	SCOPE_READ = 1,			/* GET and HEAD */
	SCOPE_RUN = 2,			/* POST, PUT and DELETE */
	SCOPE_ADMIN = 4,		/* what concerns all tenants */
	SCOPE_ALL = SCOPE_READ | SCOPE_RUN | SCOPE_ADMIN,
	SCOPE_TOKEN = 8			/* every token has it, beside others */
};

enum { TOKEN_NAME = 40, SCOPES_TEXT = 20 };

struct digest_of_token {
	uint8_t bytes[SHA256_DIGEST_SIZE];
};

struct token {
	struct digest_of_token digest;
	char name[TOKEN_NAME];		/* "" if it has none */
	char tenant_name[TENANT_NAME];
	unsigned scopes;
	int64_t expires_ms;		/* clock_wall_ms(); INT64_MAX: never */
	struct tenant_limits limits;	/* of its tenant; members that its line
					 * does not give are 0 */
	struct tenant *tenant;		/* set by tokens_grant() */
};

struct tokens;

/* Reads a token file. ERR_REQUEST, with the file's name and the number of the
 * line, when it cannot be read, has no token or a line that is wrong. path may
 * be NULL; `one` is an additional token of the tenant "" with all scopes, or
 * NULL. Only digests are kept. */
struct tokens *tokens_load(const char *path, const char *one, struct err *e);
void tokens_free(struct tokens *t);

/* Gives every token its tenant, which is made if it is new, and the tenants
 * their limits; tenants without a token here have none any more. ERR_MEMORY:
 * all limits are as before. */
int tokens_grant(struct tokens *t, struct tenants *all, struct err *e);

/* Returns the token of an Authorization header ("Bearer TOKEN", may be NULL),
 * or NULL if it is not one of these. Takes the same time for every token. */
const struct token *tokens_find(const struct tokens *t,
                                const char *authorization);

/* Returns the digest of a token, or of what is to be compared with one. */
struct digest_of_token token_digest(const char *s, size_t n);

/* "read", "run", "admin": returns the scope's bit, or SCOPE_NONE. */
enum scope scope_find(const char *name, size_t n);
/* Writes "read,run" and returns text. */
const char *scopes_text(unsigned scopes, char text[SCOPES_TEXT]);

/* Makes a token file with a random token, readable by this user only, unless
 * the file exists. Returns 1 if it was made, 0 if it exists, -1 with *e. */
int tokens_make(const char *path, struct err *e);

#endif
