/* shared_sweep.c - removes files from the shared directory: those whose names
 * rows had, which linalgd.dropped lists, and once an hour old ones that no row
 * names. One host of the fleet does the latter, which S_SHARED_SWEEP picks. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/text.h"
#include "fleet/shared_state.h"

#define UNFINISHED ".new-"		/* before the names of unfinished files:
					 * journal/payload_write.c */

/* How many names a statement takes. */
enum { SWEEP_NAMES = 500 };

/* Marks an error as one of the file system, not of the database. */
static int refused(struct err *e)
{
	e->code = ERR_NOT_READY;
	return -1;
}

/* --- files whose rows are gone */

static int remove_all(struct payloads *d, const struct pg_answer *a,
                      struct err *e)
{
	for (int i = 0; i < pg_rows(a); i++)
		if (payload_remove(d, pg_get(a, i, 0), e))
			return refused(e);
	return 0;
}

/* The names leave the table only if their files have been removed. */
static int remove_dropped(struct payloads *d, struct pg *p, struct err *e)
{
	struct pg_answer *a;
	int rc;

	if (pg_begin(p, e))
		return -1;
	a = pg_ask(p, S_SHARED_DROPPED, NULL, e);
	rc = a ? remove_all(d, a, e) : -1;
	pg_answer_free(a);
	return pg_end(p, rc, e);
}

/* --- files that no row has ever named */

struct sweep {
	const struct shared *shared;
	const struct payloads *dir;
	struct pg *pg;
	int64_t now_s;			/* by the file system's clock */
	struct text names;		/* an array of PostgreSQL's */
	int n, removed;
	bool away;			/* the database has not answered */
};

/* Removes those of the names that no row has. */
static int ask_and_remove(struct sweep *w, struct err *e)
{
	struct pg_answer *a;
	int rc;

	if (!w->n)
		return 0;
	text_puts(&w->names, "}");
	if (w->names.failed)
		return err_set(e, ERR_MEMORY, "no memory for a query");
	a = pg_ask(w->pg, S_SHARED_UNNAMED,
	           (struct pg_value[]){ pg_text(w->names.data) }, e);
	rc = a ? 0 : -1;
	w->away = !a;
	for (int i = 0; rc == 0 && i < pg_rows(a); i++, w->removed++)
		rc = payload_remove(w->dir, pg_get(a, i, 0), e);
	pg_answer_free(a);
	text_fini(&w->names);
	w->n = 0;
	return rc;
}

static bool is_old(const struct sweep *w, const char *name)
{
	char path[SHARED_PATH];
	struct stat st;

	return lstat(shared_path(w->shared, name, path), &st) == 0 &&
	       S_ISREG(st.st_mode) &&
	       st.st_mtime < w->now_s - SHARED_HOURS * INT64_C(3600);
}

/* Files with other names than ours are left alone. */
static int visit(void *arg, const char *name, struct err *e)
{
	struct sweep *const w = arg;
	const size_t begins = strncmp(name, UNFINISHED, strlen(UNFINISHED)) ?
	                      0 : strlen(UNFINISHED);

	if (strlen(name + begins) != SHARED_NAME - 1 ||
	    strspn(name + begins, "0123456789abcdef") != SHARED_NAME - 1 ||
	    !is_old(w, name))
		return 0;
	text_printf(&w->names, "%s%s", w->n ? "," : "{", name);
	return ++w->n < SWEEP_NAMES ? 0 : ask_and_remove(w, e);
}

/* Returns the present time by the clock of the file system, which may be that
 * of a server: sets the marker's modification time to the present, and reads
 * that time back. Returns 0 if it cannot. */
static int64_t file_time(const struct shared *s)
{
	char path[SHARED_PATH];
	struct stat st;

	shared_path(s, SHARED_MARKER, path);
	return utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) == 0 &&
	       lstat(path, &st) == 0 ? st.st_mtime : 0;
}

static int remove_unnamed(struct shared *s, struct payloads *d, struct pg *p,
                          struct err *e)
{
	struct sweep w = {
		.shared = s, .dir = d, .pg = p, .now_s = file_time(s),
	};
	const int rc = payloads_list(d, visit, &w, e) ||
	               ask_and_remove(&w, e) ? -1 : 0;

	text_fini(&w.names);
	if (w.removed)
		log_info("removed %d files from the shared directory that no "
		         "row of the queue's database names", w.removed);
	return rc && !w.away ? refused(e) : rc;
}

int shared_sweep(struct shared *s, struct pg *p, struct err *e)
{
	struct payloads *d = shared_open(s, e);
	int due, rc;

	if (!d)
		return -1;
	rc = remove_dropped(d, p, e);
	due = rc ? 0 : pg_count(p, S_SHARED_SWEEP, NULL, e);
	if (due > 0)
		rc = remove_unnamed(s, d, p, e);
	payloads_close(d);
	return rc || due < 0 ? -1 : 0;
}
