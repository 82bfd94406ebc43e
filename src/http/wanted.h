/* wanted.h - the stored matrices that a request names. If the service's depot
 * (queue/depot.h) has all stored matrices at hand, they are in its store, at
 * once. Otherwise they are looked up, all together, when the request has named
 * them, and are then in a store of the request's own.
 *
 *     wanted_init ─▶ wanted_note ... ─▶ wanted_look ─▶ then() ─▶ w->store
 */
#ifndef HTTP_WANTED_H
#define HTTP_WANTED_H

#include "http/service.h"
#include "matrix/store.h"

struct wanted {
	struct depot *depot;		/* where they are looked up; NULL: all
					 * are at hand */
	struct exchange *x;
	const struct tenant *tenant;
	struct store *store;		/* with the matrices; if depot is NULL,
					 * that of the service, borrowed */
	char (*name)[STORE_NAME];
	size_t n, room;
	bool looked;			/* the store has what there is */
	bool holds;			/* see wanted_hold() */
	struct asker by;
	int (*then)(void *arg, struct err *e);
	void *arg;
};

/* Prepares w for a request, and its tenant's matrices. -1 with ERR_MEMORY.
 * wanted_fini() accepts { 0 }, and cancels a lookup. */
int wanted_init(struct wanted *w, struct exchange *x, struct err *e);
void wanted_fini(struct wanted *w);

/* Notes a name. Returns 1 if w->store will have the matrix after wanted_look(),
 * 0 if it would have it now, -1 with *e. */
int wanted_note(struct wanted *w, const char *name, struct err *e);

enum wanted_how {
	WANTED_ROWS,			/* shapes and versions only */
	WANTED_ELEMENTS,
	WANTED_STALE,			/* elements; while the database does not
					 * answer, this host's copies serve, and
					 * the reply has a header that says
					 * so */
};

/* Looks the names up, and calls then(arg, e), before it returns if there is
 * nothing to wait for. An error of the lookup, without then(), or of then() is
 * the reply. */
void wanted_look(struct wanted *w, enum wanted_how how,
                 int (*then)(void *arg, struct err *e), void *arg);

/* Looks up the rows while the body is held (exchange_hold()), which an error
 * refuses. Must be called by the handler's begin(). */
void wanted_hold(struct wanted *w, int (*then)(void *arg, struct err *e),
                 void *arg);

/* Returns the stored matrix of that name after wanted_look(), or NULL with
 * ERR_NOT_FOUND. */
const struct stored *wanted_found(const struct wanted *w, const char *name,
                                  struct err *e);

/* To be called before a body is read: has copies of stored matrices make room
 * for it. */
void wanted_make_room(const struct exchange *x);

#endif
