/* journal.h - what survives the process: accepted jobs and their results,
 * stored matrices, saved pipelines, in an SQLite database and in files beside
 * it, in the directory --state.
 *
 *     loop's thread        thread of files           thread of rows
 *     journal_submit() ──▶ large payloads, fdatasync ──▶ one transaction
 *            └──────────── others ─────────────────────▶ for all that wait
 *     then(arg, e) ◀────────────────────────────────────── COMMIT
 *
 * An entry is a few rows that are written together or not at all; when it has
 * been written, so have all earlier entries without large payloads and all
 * earlier ones with them that it does not overtake: an entry overtakes
 * only entries with large payloads, unless it is `ordered` itself. The database
 * is in WAL mode with synchronous=FULL, and has one connection, which one
 * thread at a time uses.
 *
 * When the system refuses to write (a full disk, a failed fsync), the journal
 * is sick: entries are refused with ERR_STATE, but for those that `must` be
 * written, which wait until the disk takes them; that is tried every second.
 * The journal tries to write an entry that `frees` space once, and refuses it
 * if that fails; such an entry overtakes those whose payloads are refused. To
 * repeat a COMMIT after a failed fsync is right here: SQLite
 * writes the transaction's frames to the WAL once more, and believes a frame on
 * recovery only if its checksum is right.
 */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "base/loop.h"
#include "base/text.h"
#include "journal/payload.h"

/* X(verb, what `name` is, what `number` is) */
#define JOURNAL_VERBS(X)                                                 \
	/* A job was accepted: key, text (its request), payload (its     \
	 * operands). An older job of the tenant's key loses the key. */ \
	X(JOURNAL_ADD_JOB, "id", "serial")                               \
	/* It was sent to a worker, or is to wait again. */              \
	X(JOURNAL_BEGIN_JOB, "id", "epoch")                              \
	X(JOURNAL_PUT_BACK_JOB, "id", "epoch")                           \
	/* It ended: state, text (its answer), payload (its results). A  \
	 * job whose end is written, or that has begun in another epoch, \
	 * is left as it is. */                                          \
	X(JOURNAL_END_JOB, "id", "epoch")                                \
	/* Its result is over; its record is forgotten. */               \
	X(JOURNAL_EXPIRE_JOB, "id", "")                                  \
	X(JOURNAL_REMOVE_JOB, "id", "")                                  \
	/* A stored matrix: text, payload; removed if it still has that  \
	 * version. */                                                   \
	X(JOURNAL_PUT_MATRIX, "name", "version")                         \
	X(JOURNAL_REMOVE_MATRIX, "name", "version")                      \
	X(JOURNAL_PUT_PIPELINE, "name", "")                              \
	X(JOURNAL_REMOVE_PIPELINE, "name", "")

enum journal_verb {
#define X(verb, name, number) verb,
	JOURNAL_VERBS(X)
#undef X
	JOURNAL_VERB_COUNT
};

enum { JOURNAL_NAME = 129, JOURNAL_STATE = 16 };

struct journal_row {
	enum journal_verb verb;
	char tenant[JOURNAL_NAME], name[JOURNAL_NAME];
	char key[JOURNAL_NAME];		/* Idempotency-Key, or "" */
	char state[JOURNAL_STATE];
	int64_t number;
	struct text text;		/* owned */
	struct matrix *payload;		/* owned, as are its matrices */
	size_t n;			/* of them */
	/* journal.c's own: */
	char drop[PAYLOAD_NAME];	/* a file that nobody needs when the
					 * row is written, or "" */
	char file[PAYLOAD_NAME];	/* the payload's; "": it has none */
	char *packed;			/* a small payload */
	size_t packed_bytes;
};

struct journal_entry {
	bool must;			/* cannot be refused */
	bool frees;			/* makes room, so it is tried even
					 * while the journal is sick */
	bool ordered;			/* overtakes no other entry */
	void (*then)(void *arg, const struct err *e);	/* or NULL */
	void *arg;
	/* journal.c's own: */
	struct err err;
	struct journal *journal;
	struct journal_entry *next;
	struct post post;
	size_t n;
	struct journal_row row[];
};

struct journal;

/* Opens the journal of a directory, which exists, and brings one of an older
 * version up to date. ERR_STATE when another process has it open, when it is
 * damaged or of a newer version, or when the system refuses. NULL with *e. */
struct journal *journal_open(const char *directory, struct err *e);

/* Begins to write, when everything was read (journal_read.h). */
int journal_start(struct journal *j, struct loop *l, struct err *e);

/* Writes what was submitted, unless the disk refuses it, calls every then(),
 * and closes the journal. NULL is fine. */
void journal_close(struct journal *j);

/* Makes an entry of n rows, all zero; NULL without memory. n = 0: its then() is
 * called when all ordered entries before it were written. */
struct journal_entry *journal_entry_new(size_t n);
void journal_entry_free(struct journal_entry *e);

/* Gives the row copies (references) of n matrices; -1 without memory. */
int journal_row_take(struct journal_row *r, const struct matrix *m, size_t n);

/* Submits the entry, which the journal owns from now on. then(arg, e) is called
 * on the loop's thread, never from within this call: e->code is ERR_NONE when
 * the entry is on the disk. */
void journal_submit(struct journal *j, struct journal_entry *e);

/* Is the payload so large that it gets a file of its own? */
bool journal_is_large(const struct matrix *m, size_t n);

/* The names of such files. */
void journal_operands_file(char file[PAYLOAD_NAME], const char *id);
void journal_results_file(char file[PAYLOAD_NAME], const char *id);
void journal_matrix_file(char file[PAYLOAD_NAME], int64_t version);

/* Does the disk take what is written? Sets *e to the reason if not. j may be
 * NULL: then there is nothing to write. */
bool journal_is_well(const struct journal *j, struct err *e);

/* The time between two tries while the disk refuses writes, in milliseconds: a
 * second. Tests set a shorter time before they open a journal. */
extern int journal_retry_ms;

/* A random number that is the same in every process of this directory. */
uint64_t journal_identity(const struct journal *j);

/* The largest version that a stored matrix ever had. */
int64_t journal_version(const struct journal *j);

#endif
