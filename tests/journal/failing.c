/* failing.c - see failing.h. */
#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/size.h"
#include "tests/faults/faults.h"
#include "tests/journal/failing.h"
#include "tests/test.h"

static struct fault_table table;

/* The calls of our own objects that can fail: their rows of the fault table. */
static const struct {
	enum fault_kind kind;
	int code;			/* 0: they are SQLite's */
} ours[FAILING_COUNT] = {
	[OUR_MEMORY] = { FAULT_MEMORY, ENOMEM },
	[OUR_FILES] = { FAULT_FILE, EIO },
	[OUR_SYSTEM] = { FAULT_SYSTEM, EAGAIN },
};

/* The calls of SQLite that can fail, counted by kind. */
static _Atomic int calls[FAILING_COUNT], fail_at[FAILING_COUNT];
static _Atomic bool met, full;

static bool fails(enum failing f)
{
	if (++calls[f] != fail_at[f])
		return false;
	met = true;
	return true;
}

static bool refuses(void)
{
	const bool is = fails(SQLITES_FILES) || full;

	met |= is;
	return is;
}

/* --- SQLite's memory */

static sqlite3_mem_methods memory;

static void *give(int n)
{
	return fails(SQLITES_MEMORY) ? NULL : memory.xMalloc(n);
}

static void *change(void *p, int n)
{
	return fails(SQLITES_MEMORY) ? NULL : memory.xRealloc(p, n);
}

/* --- SQLite's files: the system's, some of whose methods are replaced */

static sqlite3_vfs *honest, failing_vfs;

/* The method tables of the system's VFS, and the tables that replace them. */
static struct {
	const sqlite3_io_methods *system;
	sqlite3_io_methods here;
} methods[8];

static const sqlite3_io_methods *system_of(sqlite3_file *f)
{
	for (size_t i = 0; i < COUNT(methods); i++)
		if (f->pMethods == &methods[i].here)
			return methods[i].system;
	return NULL;
}

static int read_it(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
	return fails(SQLITES_FILES) ? SQLITE_IOERR_READ :
	       system_of(f)->xRead(f, to, n, at);
}

static int write_it(sqlite3_file *f, const void *bytes, int n,
                    sqlite3_int64 at)
{
	if (!refuses())
		return system_of(f)->xWrite(f, bytes, n, at);
	system_of(f)->xWrite(f, bytes, n / 2, at);
	return SQLITE_FULL;
}

static int cut_it(sqlite3_file *f, sqlite3_int64 n)
{
	return refuses() ? SQLITE_IOERR_TRUNCATE :
	       system_of(f)->xTruncate(f, n);
}

/* Does not sync: no test here has the host lose its memory, so waiting for the
 * disk would only take time. */
static int sync_it(sqlite3_file *f, int flags)
{
	(void)f;
	(void)flags;
	return refuses() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int measure_it(sqlite3_file *f, sqlite3_int64 *n)
{
	return fails(SQLITES_FILES) ? SQLITE_IOERR_FSTAT :
	       system_of(f)->xFileSize(f, n);
}

static void replace_methods(sqlite3_file *f)
{
	size_t i = 0;

	while (methods[i].system && methods[i].system != f->pMethods)
		i++;
	methods[i].system = f->pMethods;
	methods[i].here = *f->pMethods;
	methods[i].here.xRead = read_it;
	methods[i].here.xWrite = write_it;
	methods[i].here.xTruncate = cut_it;
	methods[i].here.xSync = sync_it;
	methods[i].here.xFileSize = measure_it;
	f->pMethods = &methods[i].here;
}

static int open_it(sqlite3_vfs *v, const char *name, sqlite3_file *f,
                   int flags, int *flags_now)
{
	int rc;

	(void)v;
	f->pMethods = NULL;
	if (fails(SQLITES_FILES))
		return SQLITE_CANTOPEN;
	rc = honest->xOpen(honest, name, f, flags, flags_now);
	if (rc == SQLITE_OK)
		replace_methods(f);
	return rc;
}

/* --- for tests */

void failing_setup(void)
{
	sqlite3_mem_methods m;

	failing_end();
	ck_assert_int_eq(sqlite3_shutdown(), SQLITE_OK);
	ck_assert_int_eq(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory),
	                 SQLITE_OK);
	m = memory;
	m.xMalloc = give;
	m.xRealloc = change;
	ck_assert_int_eq(sqlite3_config(SQLITE_CONFIG_MALLOC, &m), SQLITE_OK);
	ck_assert_int_eq(sqlite3_initialize(), SQLITE_OK);
	honest = sqlite3_vfs_find(NULL);
	failing_vfs = *honest;
	failing_vfs.pNext = NULL;
	failing_vfs.zName = "failing";
	failing_vfs.xOpen = open_it;
	ck_assert_int_eq(sqlite3_vfs_register(&failing_vfs, 1), SQLITE_OK);
}

void failing_teardown(void)
{
	failing_end();
	sqlite3_vfs_unregister(&failing_vfs);
	ck_assert_int_eq(sqlite3_shutdown(), SQLITE_OK);
	ck_assert_int_eq(sqlite3_config(SQLITE_CONFIG_MALLOC, &memory),
	                 SQLITE_OK);
	fault_use(NULL);
}

void failing_at(enum failing f, int at)
{
	struct fault_point *p;

	failing_end();
	if (!ours[f].code) {
		fail_at[f] = at;
		return;
	}
	p = &table.point[FAULT_OTHER][ours[f].kind];
	p->code = ours[f].code;
	p->fail_at = at;
	fault_use(&table);
}

void failing_disk(bool is_full)
{
	full = is_full;
}

bool failing_met(void)
{
	bool any = met;

	for (int i = 0; i < FAILING_COUNT; i++)
		any |= ours[i].code &&
		       table.point[FAULT_OTHER][ours[i].kind].failed;
	return any;
}

/* Resets a fault point by atomic stores, because a thread of the journal may
 * still be counting a call at it. */
static void clear(struct fault_point *p)
{
	p->code = p->fail_at = p->calls = p->failed = 0;
}

bool failing_end(void)
{
	const bool was = failing_met();

	fault_use(NULL);
	for (int i = 0; i < FAULT_KINDS; i++)
		clear(&table.point[FAULT_OTHER][i]);
	for (int i = 0; i < FAILING_COUNT; i++)
		calls[i] = fail_at[i] = 0;
	met = full = false;
	return was;
}

int failing_next_fd(void)
{
	const int fd = dup(0);

	close(fd);
	return fd;
}
