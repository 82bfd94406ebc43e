/* shared.c - see shared.h: writes and reads the files. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/log.h"
#include "fleet/shared_state.h"

struct shared *shared_new(const char *path, uint64_t above, struct err *e)
{
	struct shared *s = calloc(1, sizeof *s);

	if (!s) {
		err_set(e, ERR_MEMORY, "no memory for the shared directory");
		return NULL;
	}
	if (snprintf(s->path, sizeof s->path, "%s", path) >=
	    (int)sizeof s->path) {
		err_set(e, ERR_PARAMETER, "--shared-dir: the path is too long");
		free(s);
		return NULL;
	}
	s->above = above;
	pthread_mutex_init(&s->lock, NULL);
	return s;
}

void shared_free(struct shared *s)
{
	if (!s)
		return;
	pthread_mutex_destroy(&s->lock);
	free(s);
}

const char *shared_path(const struct shared *s, const char *name,
                        char path[SHARED_PATH])
{
	snprintf(path, SHARED_PATH, "%s/%s", s->path, name);
	return path;
}

static bool get_mark(struct shared *s, char mark[SHARED_MARK])
{
	pthread_mutex_lock(&s->lock);
	strcpy(mark, s->mark);
	pthread_mutex_unlock(&s->lock);
	return *mark;
}

bool shared_is_there(struct shared *s)
{
	char mark[SHARED_MARK];

	return s && get_mark(s, mark);
}

/* The marker is read each time, because the file system may have been unmounted
 * since the last look. */
struct payloads *shared_open(struct shared *s, struct err *e)
{
	char expected[SHARED_MARK], mark[SHARED_MARK];

	if (!s || !get_mark(s, expected))
		err_set(e, ERR_NOT_READY, "there is no shared directory");
	else if (shared_read_mark(s, mark, e) == 0 && strcmp(mark, expected))
		err_set(e, ERR_NOT_READY, "the shared directory has become "
		        "another one");
	return e->code ? NULL : payloads_open(s->path, e);
}

/* --- writing */

static void make_name(char name[SHARED_NAME])
{
	uint8_t random[(SHARED_NAME - 1) / 2];

	io_random(random, sizeof random);
	for (size_t i = 0; i < sizeof random; i++)
		snprintf(name + 2 * i, 3, "%02x", random[i]);
}

/* Returns whether the file that was written before is still there. Sets its
 * time of modification to now, so that it is not removed as an old file before
 * its row is committed. */
static bool renew(const struct shared *s, const char *name)
{
	char path[SHARED_PATH];

	return *name && utimensat(AT_FDCWD, shared_path(s, name, path), NULL,
	                          AT_SYMLINK_NOFOLLOW) == 0;
}

void shared_write(struct shared *s, uint64_t bytes, const struct matrix *m,
                  size_t n, char name[SHARED_NAME])
{
	struct payloads *d;
	struct err e = { 0 };

	if (!shared_is_there(s) || bytes <= s->above) {
		*name = '\0';
		return;
	}
	if (renew(s, name))
		return;
	if (!*name)
		make_name(name);
	d = shared_open(s, &e);
	if (d && payload_write(d, name, m, n, &e) == 0) {
		payloads_close(d);
		return;
	}
	payloads_close(d);
	*name = '\0';
	log_with(LOG_LEVEL_WARN, LOG_FIELDS(LOG_TEXT("reason", e.text)),
	         "a payload of %llu bytes goes to the queue's database, "
	         "because it could not be written to the shared directory: %s",
	         (unsigned long long)bytes, e.text);
}

void shared_drop(struct shared *s, char name[SHARED_NAME])
{
	struct err e = { 0 };
	struct payloads *d = *name ? shared_open(s, &e) : NULL;

	if (d)		/* a file that stays is removed when it is old */
		payload_remove(d, name, &e);
	payloads_close(d);
	*name = '\0';
}

/* --- reading */

/* Logs the error of payload_read(), which names the file, and replaces it by an
 * error for clients. */
static int refuse(struct err *e)
{
	const bool lost = e->code == ERR_NOT_FOUND || e->code == ERR_FORMAT;
	const bool missing = e->code == ERR_NOT_FOUND;

	if (!lost && e->code != ERR_STATE)
		return -1;
	log_with(LOG_LEVEL_ERROR, LOG_FIELDS(LOG_TEXT("reason", e->text)),
	         "a payload in the shared directory cannot be read: %s",
	         e->text);
	*e = (struct err){ 0 };
	if (!lost)
		return err_set(e, ERR_NOT_READY, "its file in the fleet's "
		               "shared directory cannot be read at the moment");
	return err_set(e, ERR_GONE, "its file in the fleet's shared directory "
	               "is %s", missing ? "missing" : "damaged");
}

static int check_length(struct matrix *m, size_t *n, uint64_t bytes,
                        const char *name, struct err *e)
{
	uint64_t length;

	if (payload_bytes(m, *n, &length, e) == 0 && length == bytes)
		return 0;
	while (*n > 0)
		matrix_fini(&m[--*n]);
	*e = (struct err){ 0 };
	return err_set(e, ERR_FORMAT, "%s is not the file that its row "
	               "describes", name);
}

int shared_read(struct shared *s, const char *name, uint64_t bytes,
                struct matrix *m, size_t most, size_t *n,
                struct memory_pool *pool, struct err *e)
{
	struct err why = { 0 };
	struct payloads *d = shared_open(s, &why);
	int rc;

	if (!d) {
		err_set(e, ERR_NOT_READY, "it is in the fleet's shared "
		        "directory, which this host does not see");
		e->retry_s = 1;
		return -1;
	}
	rc = payload_read(d, name, m, most, n, pool, e);
	if (rc == 0)
		rc = check_length(m, n, bytes, name, e);
	payloads_close(d);
	return rc ? refuse(e) : 0;
}

/* --- looking after the directory */

/* Logs when the directory has come or gone. */
static void log_change(struct shared *s, bool was, const struct err *e)
{
	const bool is = shared_is_there(s);

	if (is && (!was || !s->looked))
		log_info("payloads above %llu bytes are in the shared "
		         "directory %s", (unsigned long long)s->above,
		         s->path);
	else if (!is && (was || !s->looked))
		log_with(LOG_LEVEL_ERROR,
		         LOG_FIELDS(LOG_TEXT("reason", e->text)),
		         "this host does not use the shared directory %s, and "
		         "claims no jobs that need it: %s", s->path, e->text);
	s->looked = true;
}

int shared_look(struct shared *s, struct pg *p, struct err *e)
{
	struct err why = { 0 };
	bool was;

	if (!s)
		return 0;
	was = shared_is_there(s);
	if (shared_check_mark(s, p, &why) && why.code == ERR_STATE) {
		*e = why;
		return -1;
	}
	log_change(s, was, &why);
	if (!shared_is_there(s) || shared_sweep(s, p, e) == 0)
		return 0;
	if (e->code == ERR_STATE)
		return -1;
	log_with(LOG_LEVEL_WARN, LOG_FIELDS(LOG_TEXT("reason", e->text)),
	         "files stay in the shared directory: %s", e->text);
	*e = (struct err){ 0 };
	return 0;
}
