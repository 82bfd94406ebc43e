/* shared_mark.c - the marker, by which hosts know that a directory is their
 * fleet's. Its text is "linalgd SERVICE ID", where SERVICE is the database's
 * number (linalgd.schema) and ID is a random number. The same text is in the
 * table linalgd.shared. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "fleet/shared_state.h"

#define UNFINISHED SHARED_MARKER ".new"

static int refuse(const struct shared *s, const char *what, struct err *e)
{
	return err_set(e, ERR_NOT_READY, "%s %.160s/" SHARED_MARKER ": %s",
	               what, s->path, strerror(errno));
}

int shared_read_mark(const struct shared *s, char mark[SHARED_MARK],
                     struct err *e)
{
	char path[SHARED_PATH];
	const int fd = open(shared_path(s, SHARED_MARKER, path),
	                    O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, mark, SHARED_MARK - 1);
	const int rc = n < 0 ? refuse(s, "reading", e) : 0;

	mark[n < 0 ? 0 : n] = '\0';
	mark[strcspn(mark, "\n")] = '\0';
	if (fd >= 0)
		close(fd);
	return rc;
}

static int write_all(int directory, int fd, const char *mark)
{
	const int rc = dprintf(fd, "%s\n", mark) < 0 || fdatasync(fd) ||
	               renameat(directory, UNFINISHED, directory,
	                        SHARED_MARKER) || fsync(directory) ? -1 : 0;

	close(fd);
	return rc;
}

/* Writes the marker, durably. Only the transaction that has locked the row of
 * linalgd.shared does this. */
static int write_mark(const struct shared *s, const char *mark, struct err *e)
{
	const int directory = open(s->path, O_RDONLY | O_DIRECTORY |
	                           O_CLOEXEC);
	const int fd = directory < 0 ? -1 :
	               openat(directory, UNFINISHED, O_WRONLY | O_CREAT |
	                      O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	const int rc = fd < 0 || write_all(directory, fd, mark) ?
	               refuse(s, "writing", e) : 0;

	if (directory >= 0)
		close(directory);
	return rc;
}

/* Makes s->path the directory of the fleet, which has no directory yet. It must
 * not be that of another fleet. */
static int take_directory(struct shared *s, struct pg *p, const char *service,
                          char mark[SHARED_MARK], struct err *e)
{
	char found[SHARED_MARK], own[SHARED_MARK / 2];
	const struct pg_value v[] = { pg_text(mark) };
	const int n = snprintf(own, sizeof own, "linalgd %s ", service);
	uint64_t random;

	if (shared_read_mark(s, found, &(struct err){ 0 }) == 0 &&
	    strncmp(found, own, (size_t)n))
		return err_set(e, ERR_NOT_READY, "its file " SHARED_MARKER
		               " is that of another fleet");
	io_random(&random, sizeof random);
	snprintf(mark, SHARED_MARK, "%s%016" PRIx64, own, random);
	return write_mark(s, mark, e) || pg_do(p, S_SHARED_TAKE, v, e) ? -1 : 0;
}

/* Sets `mark` to the marker that the fleet's directory has. */
static int find_mark(struct shared *s, struct pg *p, char mark[SHARED_MARK],
                     struct err *e)
{
	struct pg_answer *a = pg_ask(p, S_SHARED_LOCK, NULL, e);
	int rc = a ? 0 : -1;

	if (a && pg_rows(a) != 1)
		rc = err_set(e, ERR_NOT_READY, "the table linalgd.shared of "
		             "the queue's database has no row");
	if (rc == 0)
		snprintf(mark, SHARED_MARK, "%s", pg_get(a, 0, 0));
	if (rc == 0 && !*mark)
		rc = take_directory(s, p, pg_get(a, 0, 1), mark, e);
	pg_answer_free(a);
	return rc;
}

static int check(struct shared *s, struct pg *p, char mark[SHARED_MARK],
                 struct err *e)
{
	struct pg_answer *a = pg_ask(p, S_SHARED, NULL, e);
	char found[SHARED_MARK];

	if (!a)
		return -1;
	snprintf(mark, SHARED_MARK, "%s", pg_rows(a) ? pg_get(a, 0, 0) : "");
	pg_answer_free(a);
	if (!*mark && (pg_begin(p, e) ||
	               pg_end(p, find_mark(s, p, mark, e), e)))
		return -1;
	if (shared_read_mark(s, found, e))
		return -1;
	return strcmp(found, mark) == 0 ? 0 :
	       err_set(e, ERR_NOT_READY, "its file " SHARED_MARKER " is not "
	               "that of the fleet's directory");
}

int shared_check_mark(struct shared *s, struct pg *p, struct err *e)
{
	char mark[SHARED_MARK];
	const int rc = check(s, p, mark, e);

	if (rc && e->code == ERR_STATE)
		return -1;
	pthread_mutex_lock(&s->lock);
	strcpy(s->mark, rc ? "" : mark);
	pthread_mutex_unlock(&s->lock);
	return rc;
}
