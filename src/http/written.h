/* written.h - a reply that waits until what its request has changed is on the
 * disk (journal/journal.h), for handlers whose state begins with a struct
 * written, or is one.
 */
#ifndef HTTP_WRITTEN_H
#define HTTP_WRITTEN_H

#include "http/service.h"
#include "journal/journal.h"

struct written {
	struct exchange *x;		/* NULL: the client has left */
	bool waiting;			/* the journal refers to this */
	bool ended;			/* the exchange is over */
	void (*reply)(struct written *w, const struct err *e);
	void (*free)(void *state);	/* of the whole state */
};

/* The handler's begin() and end(), for a state that is a struct written. */
int written_begin(struct exchange *x, void **state, struct err *e);
void written_end(struct exchange *x, void *state);

/* Prepares the struct within a handler's state, which is freed by free(). */
void written_init(struct written *w, struct exchange *x,
                  void (*free)(void *state));

/* -1 with ERR_STATE: nothing can be written at present, so that a request that
 * changes what survives the process is refused before it changes anything. */
int written_check(const struct api *a, struct err *e);

/* Makes an entry of n rows; NULL with ERR_MEMORY, or without an error if there
 * is no journal. */
struct journal_entry *written_entry(const struct api *a, size_t n,
                                    struct err *e);

/* Submits the entry, and has reply(w, e) called, unless the client has left,
 * when it is on the disk, or when it is not because of *e. If entry is NULL,
 * because there is no journal, reply() is called at once. */
void written_reply(struct written *w, struct api *a,
                   struct journal_entry *entry,
                   void (*reply)(struct written *w, const struct err *e));

/* A reply(): 204, or the problem. */
void written_reply_204(struct written *w, const struct err *e);

#endif
