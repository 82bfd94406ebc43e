/* journal_room.c - see journal_room.h. */
#include <stdio.h>
#include <unistd.h>

#include "tests/journal/journal_room.h"
#include "tests/journal/payload_room.h"

struct journal_room disk;

void journal_room_open(void)
{
	disk = (struct journal_room){ .path = "/tmp/linalgd-journal-XXXXXX" };
	disk.used_before = memory_pool_used(test_pool);
	ck_assert_ptr_nonnull(mkdtemp(disk.path));
	disk.loop = loop_new(&disk.e);
	ck_assert_ptr_nonnull(disk.loop);
}

void journal_room_close(void)
{
	char command[96];

	journal_close(disk.journal);
	loop_free(disk.loop);
	snprintf(command, sizeof command, "rm -rf %s", disk.path);
	ck_assert_int_eq(system(command), 0);
	ck_assert_uint_eq(memory_pool_used(test_pool), disk.used_before);
}

void journal_room_begin(void)
{
	disk.journal = journal_open(disk.path, &disk.e);
	ck_assert_msg(disk.journal != NULL, "%s", disk.e.text);
	ck_ok(journal_start(disk.journal, disk.loop, &disk.e), &disk.e);
}

void journal_room_end(void)
{
	journal_close(disk.journal);
	disk.journal = NULL;
}

static void stop(void *arg)
{
	(void)arg;
	loop_stop(disk.loop);
}

void journal_room_run(void)
{
	struct timer t = { 0 };

	loop_timer_set(disk.loop, &t, clock_ns() + 1000000, stop, NULL);
	ck_ok(loop_run(disk.loop, &disk.e), &disk.e);
	loop_timer_clear(disk.loop, &t);
}

static void on_told(void *arg, const struct err *e)
{
	ck_assert_int_lt(disk.n_told, JOURNAL_TOLD);
	disk.code[disk.n_told] = e->code;
	disk.told[disk.n_told++] = (int)(intptr_t)arg;
}

struct journal_entry *journal_room_entry(int number, enum journal_verb verb,
                                         const char *name, int64_t of_row)
{
	struct journal_entry *e = journal_entry_new(1);
	struct journal_row *const r = &e->row[0];

	ck_assert_ptr_nonnull(e);
	e->then = on_told;
	e->arg = (void *)(intptr_t)number;
	r->verb = verb;
	r->number = of_row;
	snprintf(r->tenant, sizeof r->tenant, "t");
	snprintf(r->name, sizeof r->name, "%s", name);
	snprintf(r->state, sizeof r->state, "successful");
	text_printf(&r->text, "text-of-%s", name);
	return e;
}

void journal_room_give(struct journal_entry *e, size_t n)
{
	struct matrix m = payload_dense(FLOAT64, 1, &n);

	ck_assert_int_eq(journal_row_take(&e->row[0], &m, 1), 0);
	matrix_fini(&m);
}

void journal_room_write(enum journal_verb verb, const char *name,
                        int64_t of_row, size_t payload)
{
	struct journal_entry *e = journal_room_entry(-1, verb, name, of_row);
	const int before = disk.n_told;

	if (payload)
		journal_room_give(e, payload);
	journal_submit(disk.journal, e);
	UNTIL_TOLD(before + 1);
	ck_assert_int_eq(disk.code[before], ERR_NONE);
}

/* --- reading */

static struct text rows;

static void put_payload(struct journal *j, const struct journal_packed *p)
{
	struct matrix m;
	struct err e = { 0 };
	size_t n;

	if (p->bytes && p->size == 0) {
		text_puts(&rows, " -");
	} else if (journal_unpack(j, p, "a row", &m, 1, &n, test_pool, &e)) {
		text_printf(&rows, " %s", err_slug(e.code));
	} else {
		text_printf(&rows, " %zu", n ? matrix_elements(&m) : 0);
		if (n)
			matrix_fini(&m);
	}
}

static int put_job(void *arg, const struct journal_found *f, struct err *e)
{
	(void)e;
	text_printf(&rows, "%s %lld %s %lld %d %s %s %.*s", f->name,
	            (long long)f->number, f->state, (long long)f->epoch,
	            f->attempts, *f->key ? f->key : "-", f->text,
	            (int)strcspn(f->answer, "\n"), f->answer);
	put_payload(arg, &f->payload);
	put_payload(arg, &f->results);
	text_puts(&rows, "\n");
	return 0;
}

static int put_matrix(void *arg, const struct journal_found *f, struct err *e)
{
	(void)e;
	text_printf(&rows, "%s %lld %s", f->name, (long long)f->number,
	            f->text);
	put_payload(arg, &f->payload);
	text_puts(&rows, "\n");
	return 0;
}

static int put_pipeline(void *arg, const struct journal_found *f,
                        struct err *e)
{
	(void)arg;
	(void)e;
	text_printf(&rows, "%s %s\n", f->name, f->text);
	return 0;
}

const char *journal_room_rows(struct journal *j)
{
	struct err e = { 0 };

	text_clear(&rows);
	ck_ok(journal_read_jobs(j, put_job, j, &e), &e);
	ck_ok(journal_read_matrices(j, put_matrix, j, &e), &e);
	ck_ok(journal_read_pipelines(j, put_pipeline, j, &e), &e);
	return rows.length ? rows.data : "";
}

bool journal_room_has(const char *file)
{
	char path[160];

	snprintf(path, sizeof path, "%s/payloads/%s", disk.path, file);
	return access(path, F_OK) == 0;
}
