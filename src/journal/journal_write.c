/* journal_write.c - see journal.h: the two threads that write entries. */
#include "base/clock.h"
#include "base/clock_wait.h"
#include "base/log.h"
#include "journal/journal_state.h"

int journal_retry_ms = JOURNAL_RETRY_SECONDS * 1000;

void line_append(struct line *l, struct journal_entry *e)
{
	if (!l->first)
		l->end = &l->first;
	e->next = NULL;
	*l->end = e;
	l->end = &e->next;
}

struct journal_entry *line_take(struct line *l)
{
	struct journal_entry *e = l->first;

	if (e)
		l->first = e->next;
	return e;
}

static void tell(void *arg)
{
	struct journal_entry *e = arg;

	if (e->then)
		e->then(e->arg, &e->err);
	journal_entry_free(e);
}

void journal_end_entry(struct journal *j, struct journal_entry *e,
                      const struct err *why)
{
	e->err = *why;
	loop_post(j->loop, &e->post, tell, e);
}

const struct health *journal_sickness(const struct journal *j)
{
	return j->files_health.sick ? &j->files_health :
	       j->rows_health.sick ? &j->rows_health : NULL;
}

/* Notes the health of a thread. Changes of the journal's health are logged. A
 * lack of memory is no sickness: it refuses one entry, or delays it. */
static void note_health(struct journal *j, struct health *h,
                        const struct err *why)
{
	bool was;

	if (why->code == ERR_MEMORY)
		return;
	pthread_mutex_lock(&j->lock);
	was = journal_sickness(j);
	h->sick = why->code != ERR_NONE;
	h->why = *why;
	if (h->sick && !was)
		log_with(LOG_LEVEL_ERROR, LOG_FIELDS(LOG_TEXT("reason",
		         why->text)), "no job is accepted: %s", why->text);
	else if (was && !journal_sickness(j))
		log_info("the journal can be written again");
	pthread_mutex_unlock(&j->lock);
}

static bool has_files(const struct journal_entry *entry)
{
	for (size_t i = 0; i < entry->n; i++)
		if (*entry->row[i].file)
			return true;
	return false;
}

static int write_files(struct journal *j, struct journal_entry *entry,
                       struct err *e)
{
	for (size_t i = 0; i < entry->n; i++) {
		struct journal_row *r = &entry->row[i];

		if (*r->file && payload_write(j->payloads, r->file, r->payload,
		                              r->n, e) < 0)
			return -1;
	}
	return 0;
}

/* Waits until an entry is in the line or the journal closes. The caller holds
 * the lock. */
static void wait_for_work(struct journal *j, const struct line *l)
{
	while (!l->first && !j->closing)
		pthread_cond_wait(&j->changed, &j->lock);
}

/* Waits for journal_retry_ms, even if entries arrive, or until the journal
 * closes. The caller holds the lock. */
static void wait_to_retry(struct journal *j)
{
	const int64_t until = clock_ns() +
	                      journal_retry_ms * INT64_C(1000000);

	while (!j->closing && clock_wait(&j->changed, &j->lock, until))
		;
}

static bool is_closing(struct journal *j)
{
	bool closing;

	pthread_mutex_lock(&j->lock);
	closing = j->closing;
	pthread_mutex_unlock(&j->lock);
	return closing;
}

static void pause_between_tries(struct journal *j)
{
	pthread_mutex_lock(&j->lock);
	wait_to_retry(j);
	pthread_mutex_unlock(&j->lock);
}

/* Hands the entries that free space, which have no files, to the other thread:
 * the entry in hand has to wait for space. */
static void let_freeing_pass(struct journal *j)
{
	struct line left = { .first = NULL };
	struct journal_entry *e;

	pthread_mutex_lock(&j->lock);
	while ((e = line_take(&j->files)))
		line_append(e->frees ? &j->rows : &left, e);
	j->files = left;
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->lock);
}

/* Writes the files of an entry; one that must be written is tried until it
 * is, or the journal closes. */
static void do_files(struct journal *j, struct journal_entry *entry)
{
	struct err e = { 0 };
	int rc;

	for (;;) {
		rc = write_files(j, entry, &e);
		if (has_files(entry))
			note_health(j, &j->files_health, &e);
		if (rc == 0 || !entry->must || is_closing(j))
			break;
		let_freeing_pass(j);
		pause_between_tries(j);
		e = (struct err){ 0 };
	}
	if (rc < 0) {
		journal_end_entry(j, entry, &e);
		return;
	}
	pthread_mutex_lock(&j->lock);
	line_append(&j->rows, entry);
	pthread_cond_broadcast(&j->changed);
	pthread_mutex_unlock(&j->lock);
}

/* Writes a file without matrices, and removes it. */
static void probe_files(struct journal *j)
{
	struct err e = { 0 };

	if (payload_write(j->payloads, "probe", NULL, 0, &e) == 0)
		payload_remove(j->payloads, "probe", &e);
	note_health(j, &j->files_health, &e);
}

void *journal_files_main(void *arg)
{
	struct journal *j = arg;
	struct journal_entry *e;
	bool ends;

	do {
		pthread_mutex_lock(&j->lock);
		j->files_busy = false;
		pthread_cond_broadcast(&j->changed);
		if (j->files_health.sick)
			wait_to_retry(j);
		else
			wait_for_work(j, &j->files);
		e = line_take(&j->files);
		ends = !e && j->closing;
		j->files_busy = e != NULL;
		pthread_mutex_unlock(&j->lock);
		if (e)
			do_files(j, e);
		else if (!ends)
			probe_files(j);
	} while (!ends);
	return NULL;
}

static int pack_rows(struct journal_entry *entry, struct err *e)
{
	for (size_t i = 0; i < entry->n; i++) {
		struct journal_row *r = &entry->row[i];

		if (r->packed || *r->file || r->n == 0)
			continue;
		r->packed = payload_pack(r->payload, r->n, &r->packed_bytes,
		                         e);
		if (!r->packed)
			return -1;
	}
	return 0;
}

/* Packs the payloads of all entries. An entry for which there is no memory is
 * refused, unless it must be written: then nothing is written now. */
static int pack_all(struct journal *j, struct line *l, struct err *e)
{
	struct line packed = { .first = NULL };
	struct journal_entry *i;
	int rc = 0;

	while ((i = line_take(l))) {
		struct err why = { 0 };

		if (pack_rows(i, &why) == 0) {
			line_append(&packed, i);
		} else if (!i->must) {
			journal_end_entry(j, i, &why);
		} else {
			line_append(&packed, i);
			*e = why;
			rc = -1;
		}
	}
	*l = packed;
	return rc;
}

static int write_rows(struct journal *j, struct journal_entry *entry,
                      struct err *e)
{
	for (size_t i = 0; i < entry->n; i++)
		if (database_write(j->database, &entry->row[i], e) < 0)
			return -1;
	return 0;
}

/* Writes entries in one transaction, all or none. probe: even if there is
 * nothing to write. */
static int write_all(struct journal *j, const struct line *l, bool probe,
                     struct err *e)
{
	bool any = probe;

	for (const struct journal_entry *i = l->first; i; i = i->next)
		any |= i->n > 0;
	if (!any)
		return 0;
	if (database_begin(j->database, e) < 0)
		return -1;
	if (probe && database_touch(j->database, e) < 0) {
		database_roll_back(j->database);
		return -1;
	}
	for (struct journal_entry *i = l->first; i; i = i->next)
		if (write_rows(j, i, e) < 0) {
			database_roll_back(j->database);
			return -1;
		}
	if (database_commit(j->database, e) == 0)
		return 0;
	database_roll_back(j->database);
	return -1;
}

/* Files that no row names any more. One that stays is removed at the next
 * start. */
static void drop_files(struct journal *j, const struct journal_entry *entry)
{
	for (size_t i = 0; i < entry->n; i++)
		if (*entry->row[i].drop)
			payload_remove(j->payloads, entry->row[i].drop,
			               &(struct err){ 0 });
}

/* Ends the entries that were written, or refuses those that may be refused;
 * the others stay in the line. */
static void settle(struct journal *j, struct line *l, const struct err *why)
{
	struct line left = { .first = NULL };
	struct journal_entry *e;

	while ((e = line_take(l))) {
		if (why->code && e->must) {
			line_append(&left, e);
			continue;
		}
		if (!why->code)
			drop_files(j, e);
		journal_end_entry(j, e, why);
	}
	*l = left;
}

/* What remains when the journal closes and the disk refuses: it is left to
 * what the next process finds. */
static void give_up(struct journal *j, struct line *l, const struct err *why)
{
	struct journal_entry *e;

	while ((e = line_take(l)))
		journal_end_entry(j, e, why);
}

/* Appends all that waits to the thread's own line, and sets *sick. False: the
 * journal closes and nothing more will come. */
static bool gather(struct journal *j, struct line *own, bool *sick)
{
	struct journal_entry *e;
	bool more;

	pthread_mutex_lock(&j->lock);
	*sick = j->rows_health.sick;
	if ((own->first || *sick) && !j->closing)
		wait_to_retry(j);
	while (!own->first && !*sick && !j->rows.first &&
	       !(j->closing && !j->files.first && !j->files_busy))
		pthread_cond_wait(&j->changed, &j->lock);
	more = j->rows.first || j->files.first || j->files_busy || !j->closing;
	while ((e = line_take(&j->rows)))
		line_append(own, e);
	pthread_mutex_unlock(&j->lock);
	return more;
}

void *journal_rows_main(void *arg)
{
	struct journal *j = arg;
	struct line own = { .first = NULL };
	bool sick;

	while (gather(j, &own, &sick) || own.first) {
		struct err e = { 0 };

		if (pack_all(j, &own, &e) == 0)
			write_all(j, &own, sick, &e);
		note_health(j, &j->rows_health, &e);
		settle(j, &own, &e);
		if (e.code && is_closing(j))
			give_up(j, &own, &e);
	}
	return NULL;
}
