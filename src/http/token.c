/* token.c - see token.h.
 *
 * SHA-256 brings every token to one length, so that comparing tells nothing
 * by its duration, and no token lies in memory longer than it is read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <nettle/memops.h>
#include <nettle/sha2.h>

#include "base/size.h"
#include "http/token.h"

struct digest {
	uint8_t bytes[SHA256_DIGEST_SIZE];
};

struct tokens {
	size_t n, room;
	struct digest *digest;
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

static bool add(struct tokens *t, const char *s, size_t n)
{
	if (t->n == t->room) {
		const size_t room = size_max(8, 2 * t->room);
		struct digest *d = realloc(t->digest, room * sizeof *d);

		if (!d)
			return false;
		t->digest = d;
		t->room = room;
	}
	t->digest[t->n++] = digest_of(s, n);
	return true;
}

static bool add_line(struct tokens *t, const char *line)
{
	const char *s = line + strspn(line, " \t");
	const size_t n = strcspn(s, " \t\r\n");

	return n == 0 || *s == '#' || add(t, s, n);
}

struct tokens *tokens_load(const char *path, struct err *e)
{
	struct tokens *t = calloc(1, sizeof *t);
	FILE *f = fopen(path, "re");
	bool ok = t && f;
	char *line = NULL;
	size_t room = 0;

	if (!f)
		err_set(e, ERR_REQUEST, "token file %s: %s", path,
		        strerror(errno));
	while (ok && getline(&line, &room, f) >= 0)
		ok = add_line(t, line);
	if (ok && t->n == 0)
		err_set(e, ERR_REQUEST, "token file %s has no token", path);
	if (line)
		explicit_bzero(line, room);
	free(line);
	if (f)
		fclose(f);
	if (ok && t->n)
		return t;
	err_set(e, ERR_MEMORY, "no memory for the tokens");
	tokens_free(t);
	return NULL;
}

void tokens_free(struct tokens *t)
{
	if (t)
		free(t->digest);
	free(t);
}

bool tokens_match(const struct tokens *t, const char *authorization)
{
	struct digest d;
	int found = 0;

	if (!authorization || strncasecmp(authorization, "Bearer ", 7) != 0)
		return false;
	authorization += 7;
	authorization += strspn(authorization, " ");
	d = digest_of(authorization, strlen(authorization));
	for (size_t i = 0; i < t->n; i++)
		found |= memeql_sec(d.bytes, t->digest[i].bytes,
		                    sizeof d.bytes);
	return found;
}
