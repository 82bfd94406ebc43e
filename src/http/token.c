/* token.c - see token.h.
 *
 * Tokens are kept as SHA-256 digests: comparing these takes the same time
 * whatever the token, and no token stays in memory after it was read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <nettle/memops.h>

#include "base/io.h"
#include "base/size.h"
#include "http/token_line.h"

enum { TOKEN_BYTES = 24 };

struct tokens {
	size_t n, room;
	struct token *token;
};

struct digest_of_token token_digest(const char *s, size_t n)
{
	struct sha256_ctx ctx;
	struct digest_of_token d;

	sha256_init(&ctx);
	sha256_update(&ctx, n, (const uint8_t *)s);
	sha256_digest(&ctx, sizeof d.bytes, d.bytes);
	return d;
}

/* --- scopes */

static const struct {
	const char *name;
	enum scope scope;
} scopes[] = {
	{ "read", SCOPE_READ },
	{ "run", SCOPE_RUN },
	{ "admin", SCOPE_ADMIN },
};

enum scope scope_find(const char *name, size_t n)
{
	for (size_t i = 0; i < COUNT(scopes); i++)
		if (strlen(scopes[i].name) == n &&
		    memcmp(scopes[i].name, name, n) == 0)
			return scopes[i].scope;
	return SCOPE_NONE;
}

const char *scopes_text(unsigned set, char text[SCOPES_TEXT])
{
	size_t n = 0;

	text[0] = 0;
	for (size_t i = 0; i < COUNT(scopes); i++)
		if (set & scopes[i].scope)
			n += (size_t)snprintf(text + n, SCOPES_TEXT - n,
			                      "%s%s", n ? "," : "",
			                      scopes[i].name);
	return text;
}

/* --- the file */

static bool same(const struct token *a, const struct token *b)
{
	return memeql_sec(a->digest.bytes, b->digest.bytes,
	                  sizeof a->digest.bytes);
}

static int add(struct tokens *t, const struct token *one, struct err *e)
{
	if (t->n == t->room) {
		const size_t room = size_max(8, 2 * t->room);
		struct token *const to = realloc(t->token, room * sizeof *to);

		if (!to)
			return err_set(e, ERR_MEMORY, "no memory for the "
			               "tokens");
		t->token = to;
		t->room = room;
	}
	t->token[t->n++] = *one;
	return 0;
}

/* Checks a line against those before it. */
static int check_new(const struct tokens *t, const struct token *one,
                     struct err *e)
{
	for (size_t i = 0; i < t->n; i++) {
		struct tenant_limits limits = t->token[i].limits;

		if (same(&t->token[i], one))
			return err_set(e, ERR_REQUEST, "the same token stands "
			               "in a line before");
		if (strcmp(t->token[i].tenant_name, one->tenant_name) == 0 &&
		    token_limits_join(&limits, &one->limits, e))
			return -1;
	}
	return 0;
}

static int add_line(struct tokens *t, char *line, struct err *e)
{
	struct token one;
	const int rc = token_line(line, &one, e);

	return rc <= 0 ? rc : check_new(t, &one, e) ? -1 : add(t, &one, e);
}

/* Some editors write UTF-8's byte order mark at the beginning of a file. */
static char *past_mark(char *line)
{
	return strncmp(line, "\xef\xbb\xbf", 3) == 0 ? line + 3 : line;
}

static int unreadable(const char *path, int fault, struct err *e)
{
	return err_set(e, ERR_REQUEST, "token file %.150s: %s", path,
	               strerror(fault));
}

static int read_lines(struct tokens *t, FILE *f, const char *path,
                      struct err *e)
{
	char *line = NULL;
	size_t room = 0;
	struct err why = { 0 };
	int number = 0, fault;

	while (why.code == ERR_NONE && getline(&line, &room, f) >= 0)
		add_line(t, number++ ? line : past_mark(line), &why);
	fault = errno;
	if (line)
		explicit_bzero(line, room);
	free(line);
	if (why.code != ERR_NONE)
		return err_set(e, why.code, "token file %.60s, line %d: %s",
		               path, number, why.text);
	if (ferror(f))
		return unreadable(path, fault, e);
	return t->n ? 0 : err_set(e, ERR_REQUEST, "token file %.150s has no "
	                          "token", path);
}

static int read_file(struct tokens *t, const char *path, struct err *e)
{
	FILE *f = fopen(path, "re");
	int rc;

	if (!f)
		return unreadable(path, errno, e);
	rc = read_lines(t, f, path, e);
	fclose(f);
	return rc;
}

static int add_admin(struct tokens *t, const char *s, struct err *e)
{
	const struct token one = {
		.digest = token_digest(s, strlen(s)), .scopes = SCOPE_ALL,
		.expires_ms = INT64_MAX,
	};

	return add(t, &one, e);
}

struct tokens *tokens_load(const char *path, const char *one, struct err *e)
{
	struct tokens *t = calloc(1, sizeof *t);

	if (t && (!path || read_file(t, path, e) == 0) &&
	    (!one || add_admin(t, one, e) == 0))
		return t;
	err_set(e, ERR_MEMORY, "no memory for the tokens");
	tokens_free(t);
	return NULL;
}

void tokens_free(struct tokens *t)
{
	if (t)
		free(t->token);
	free(t);
}

int tokens_grant(struct tokens *t, struct tenants *all, struct err *e)
{
	for (size_t i = 0; i < t->n; i++) {
		struct token *const one = &t->token[i];

		one->tenant = tenants_get(all, one->tenant_name, e);
		if (!one->tenant)
			return -1;
	}
	for (struct tenant *at = tenants_first(all); at; at = at->next)
		at->limits = (struct tenant_limits){ 0 };
	for (size_t i = 0; i < t->n; i++)
		token_limits_join(&t->token[i].tenant->limits,
		                  &t->token[i].limits, e);
	return 0;
}

const struct token *tokens_find(const struct tokens *t,
                                const char *authorization)
{
	const struct token *found = NULL;
	struct digest_of_token d;

	if (!authorization || strncasecmp(authorization, "Bearer ", 7) != 0)
		return NULL;
	authorization += 7;
	authorization += strspn(authorization, " ");
	d = token_digest(authorization, strlen(authorization));
	for (size_t i = 0; i < t->n; i++)
		if (memeql_sec(d.bytes, t->token[i].digest.bytes,
		               sizeof d.bytes))
			found = &t->token[i];
	return found;
}

int tokens_make(const char *path, struct err *e)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
	                    0600);
	uint8_t random[TOKEN_BYTES];
	char text[2 * TOKEN_BYTES + 1];
	size_t n = 0;
	int rc;

	if (fd < 0)
		return errno == EEXIST ? 0 :
		       err_set(e, ERR_REQUEST, "token file %.150s: %s", path,
		               strerror(errno));
	io_random(random, sizeof random);
	for (size_t i = 0; i < sizeof random; i++)
		n += (size_t)sprintf(text + n, "%02x", random[i]);
	text[n++] = '\n';
	rc = io_write_all(fd, text, n);
	explicit_bzero(text, sizeof text);
	if (close(fd) == 0 && rc == 0)
		return 1;
	unlink(path);
	return err_set(e, ERR_REQUEST, "token file %.150s could not be "
	               "written", path);
}
