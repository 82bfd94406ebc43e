/* written.h - a change that is answered when the journal has it on the disk or,
 * without a journal, at once. Such a change is made even if whoever asked for
 * it does not wait for the answer. */
#ifndef QUEUE_WRITTEN_H
#define QUEUE_WRITTEN_H

#include "journal/journal.h"
#include "queue/ask.h"

/* The first member of a change's struct. */
struct written {
	struct ask ask;
	struct journal *journal;
	struct journal_entry *entry;	/* NULL: there is no journal */
	/* Tells `by`, unless it is NULL, how the change went, and frees what
	 * the struct has; the struct itself is freed afterwards. */
	void (*done)(struct written *w, struct asker *by, const struct err *e);
};

/* Makes a change of `size` bytes, whose entry has n rows. j may be NULL. NULL
 * with ERR_MEMORY, or with ERR_STATE while the journal cannot write. */
void *written_new(struct journal *j, size_t size, size_t n,
                  void (*done)(struct written *w, struct asker *by,
                               const struct err *e), struct err *e);

/* Makes a change that frees space, with one row: the same, but it is tried
 * while the journal cannot write, too. done() gets ERR_STATE if that fails. */
void *written_new_freeing(struct journal *j, size_t size,
                          void (*done)(struct written *w, struct asker *by,
                                       const struct err *e), struct err *e);

/* Submits the change, whose answer `by` gets. written_free() is for one that is
 * not submitted, and for NULL. */
void written_submit(void *change, struct asker *by);
void written_free(void *change);

#endif
