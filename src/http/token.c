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
#include <nettle/sha2.h>

#include "base/io.h"
#include "base/size.h"
#include "http/token.h"

enum { NAME = 40, TOKEN_BYTES = 24 };

struct digest {
	uint8_t bytes[SHA256_DIGEST_SIZE];
};

struct token {
	struct digest digest;
	char name[NAME];
};

struct tokens {
	size_t n, room;
	struct token *token;
};

static struct digest digest_of(const char *s, size_t n)
{
	struct sha256_ctx ctx;
	struct digest d;

	sha256_init(&ctx);
	sha256_update(&ctx, n, (const uint8_t *)s);
	sha256_digest(&ctx, sizeof d.bytes, d.bytes);
	return d;
}

static bool add(struct tokens *t, const char *s, size_t n, const char *name,
                size_t name_length)
{
	struct token *to;

	if (t->n == t->room) {
		const size_t room = size_max(8, 2 * t->room);

		to = realloc(t->token, room * sizeof *to);
		if (!to)
			return false;
		t->token = to;
		t->room = room;
	}
	to = &t->token[t->n++];
	to->digest = digest_of(s, n);
	snprintf(to->name, sizeof to->name, "%.*s", (int)name_length, name);
	return true;
}

/* Takes a line: TOKEN or TOKEN NAME, which a comment may follow, or a
 * comment. */
static bool add_line(struct tokens *t, const char *line)
{
	static const char space[] = " \t\r\n";
	const char *s = line + strspn(line, space);
	const size_t n = strcspn(s, space);
	const char *name = s + n + strspn(s + n, space);
	const size_t length = *name == '#' ? 0 : strcspn(name, space);

	return n == 0 || *s == '#' || add(t, s, n, name, length);
}

static int read_file(struct tokens *t, const char *path, struct err *e)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	bool ok = true;

	if (!f)
		return err_set(e, ERR_REQUEST, "token file %.150s: %s", path,
		               strerror(errno));
	while (ok && getline(&line, &room, f) >= 0)
		ok = add_line(t, line);
	if (line)
		explicit_bzero(line, room);
	free(line);
	fclose(f);
	if (!ok)
		return err_set(e, ERR_MEMORY, "no memory for the tokens");
	return t->n ? 0 : err_set(e, ERR_REQUEST, "token file %.150s has no "
	                          "token", path);
}

struct tokens *tokens_load(const char *path, const char *one, struct err *e)
{
	struct tokens *t = calloc(1, sizeof *t);

	if (t && (!path || read_file(t, path, e) == 0) &&
	    (!one || add(t, one, strlen(one), "", 0)))
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

const char *tokens_find(const struct tokens *t, const char *authorization)
{
	const char *found = NULL;
	struct digest d;

	if (!authorization || strncasecmp(authorization, "Bearer ", 7) != 0)
		return NULL;
	authorization += 7;
	authorization += strspn(authorization, " ");
	d = digest_of(authorization, strlen(authorization));
	for (size_t i = 0; i < t->n; i++)
		if (memeql_sec(d.bytes, t->token[i].digest.bytes,
		               sizeof d.bytes))
			found = t->token[i].name;
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
