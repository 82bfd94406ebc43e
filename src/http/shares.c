/* shares.c - see shares.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/size.h"
#include "http/listen_unix.h"
#include "http/shares_state.h"

enum { PAGE = 4096 };

struct shares *shares_new(struct loop *l, struct memory_pool *p, size_t limit,
                          struct err *e)
{
	struct shares *s = calloc(1, sizeof *s);

	if (!s) {
		err_set(e, ERR_MEMORY, "no memory for shares");
		return NULL;
	}
	s->loop = l;
	s->pool = p;
	s->limit = limit;
	s->listeners = (struct listeners){ .loop = l, .add = share_client_add,
	                                   .arg = s };
	return s;
}

void shares_free(struct shares *s)
{
	if (!s)
		return;
	memory_pool_leave(s->pool);
	listeners_close(&s->listeners);
	for (int i = 0; i < LISTENERS_MOST && s->path[i][0]; i++)
		listen_unix_remove(s->path[i]);
	while (s->clients)
		share_client_end(s->clients);
	while (s->first)
		shares_remove(s, &s->first);
	loop_timer_clear(s->loop, &s->unclaimed);
	free(s);
}

/* --- the sockets */

int shares_listen(struct shares *s, const char *path, struct err *e)
{
	char *const own = s->path[s->listeners.n];
	char place[24];
	int fd;

	if (s->listeners.n == LISTENERS_MOST ||
	    snprintf(own, SHARE_PATH, "%s" SHARE_SUFFIX, path) >= SHARE_PATH)
		return err_set(e, ERR_REQUEST, "too many sockets, or too long "
		               "a path");
	fd = listen_unix_packets(own, e);
	snprintf(place, sizeof place, "fd:%d", fd);
	if (fd >= 0 && listeners_open(&s->listeners, place, e) == 0)
		return 0;
	own[0] = 0;
	return -1;
}

static void listen_beside(struct shares *s, int fd)
{
	struct sockaddr_un a = { 0 };
	socklen_t length = sizeof a;
	struct err e = { 0 };

	if (getsockname(fd, (struct sockaddr *)&a, &length) ||
	    a.sun_family != AF_UNIX || a.sun_path[0] != '/')
		return;
	if (shares_listen(s, a.sun_path, &e))
		log_with(LOG_LEVEL_WARN, LOG_FIELDS(LOG_TEXT("address",
		         a.sun_path)), "%s shares no memory: %s", a.sun_path,
		         e.text);
}

void shares_listen_beside(struct shares *s, const char *listen)
{
	int fd, n;

	for (; sscanf(listen, "fd:%d%n", &fd, &n) == 1; listen += n) {
		listen_beside(s, fd);
		n += listen[n] == ',';
	}
}

const char *shares_path(const struct shares *s)
{
	return s->listeners.n ? s->path[0] : NULL;
}

/* --- the shares */

/* An id is all that protects a share from other clients. */
static int make_id(char id[SHARE_ID], struct err *e)
{
	uint64_t x[2];

	if (getrandom(x, sizeof x, 0) != sizeof x)
		return err_set(e, ERR_INTERNAL, "no random id for a share");
	snprintf(id, SHARE_ID, "%016llx%016llx", (unsigned long long)x[0],
	         (unsigned long long)x[1]);
	return 0;
}

/* Compares all characters, so that the time tells nothing of an id. */
static bool is_same(const char a[SHARE_ID], const char *b)
{
	unsigned differ = strlen(b) != SHARE_ID - 1;

	for (int i = 0; !differ && i < SHARE_ID - 1; i++)
		differ |= (unsigned)(a[i] ^ b[i]) << 8;
	return !differ;
}

struct share **shares_at(struct shares *s, const char *id)
{
	for (struct share **at = &s->first; *at; at = &(*at)->next)
		if (is_same((*at)->id, id))
			return at;
	return NULL;
}

void shares_remove(struct shares *s, struct share **at)
{
	struct share *const x = *at;

	*at = x->next;
	s->n--;
	s->bytes -= x->memory->bytes;
	memory_unref(x->memory);
	free(x);
}

static void remove_unclaimed(void *arg)
{
	struct shares *s = arg;
	int64_t next = INT64_MAX;

	for (struct share **at = &s->first; *at;) {
		if (!(*at)->owner && (*at)->until_ns <= clock_ns()) {
			shares_remove(s, at);
			continue;
		}
		if (!(*at)->owner && (*at)->until_ns < next)
			next = (*at)->until_ns;
		at = &(*at)->next;
	}
	if (next < INT64_MAX)
		loop_timer_set(s->loop, &s->unclaimed, next, remove_unclaimed,
		               s);
}

static int check_room(const struct shares *s, size_t bytes, struct err *e)
{
	if (!s->listeners.n)
		return err_set(e, ERR_NOT_FOUND, "this service shares no "
		               "memory: it listens on no Unix socket, or "
		               "--share-memory is 0");
	if (bytes > s->limit)
		return err_set(e, ERR_TOO_LARGE, "%zu bytes, the limit of all "
		               "shares (--share-memory) is %zu", bytes,
		               s->limit);
	if (bytes > s->limit - s->bytes || s->n == SHARES_MOST)
		return err_set(e, ERR_MEMORY, "%zu bytes; %d shares have %zu "
		               "of %zu bytes, and at most %d there can be",
		               bytes, s->n, s->bytes, s->limit, SHARES_MOST);
	return 0;
}

struct memory *shares_make(struct shares *s, const struct tenant *t,
                           size_t bytes, char id[SHARE_ID], struct err *e)
{
	const size_t all = bytes > SIZE_MAX - PAGE ? bytes :
	    size_round_up(size_max(bytes, MEMORY_SLAB), PAGE);
	struct share *x;

	if (check_room(s, all, e) || make_id(id, e))
		return NULL;
	x = calloc(1, sizeof *x);
	if (!x)
		err_set(e, ERR_MEMORY, "no memory for a share");
	else
		x->memory = memory_new_given(s->pool, all, e);
	if (!x || !x->memory) {
		free(x);
		return NULL;
	}
	strcpy(x->id, id);
	x->tenant = t;
	x->until_ns = clock_ns() + SHARE_CLAIM_NS;
	x->next = s->first;
	s->first = x;
	s->n++;
	s->bytes += all;
	if (!s->unclaimed.fn)
		loop_timer_set(s->loop, &s->unclaimed, x->until_ns,
		               remove_unclaimed, s);
	return x->memory;
}

struct memory *shares_find(const struct shares *s, const struct tenant *t,
                           const char *id, struct err *e)
{
	struct share **at = shares_at((struct shares *)s, id);

	if (at && (*at)->tenant == t)
		return (*at)->memory;
	err_set(e, ERR_NOT_FOUND, "there is no share of that id (any more)");
	return NULL;
}

size_t shares_count(const struct shares *s)
{
	return (size_t)s->n;
}

size_t shares_bytes(const struct shares *s)
{
	return s->bytes;
}
