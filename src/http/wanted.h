/* wanted.h - the stored matrices that a request names. Without a fleet they are
 * in the service's store, at once. With one they are first looked up in its
 * database (fleet/matrices.h), all together, when the request has named them,
 * and are then in a store of the request's own.
 *
 *     wanted_init ─▶ wanted_note ... ─▶ wanted_look ─▶ then() ─▶ w->store
 */
#ifndef HTTP_WANTED_H
#define HTTP_WANTED_H

#include "fleet/fleet.h"
#include "http/service.h"
#include "matrix/store.h"

struct wanted {
	struct fleet *fleet;		/* NULL: there is none */
	struct exchange *x;
	const struct tenant *tenant;
	struct store *store;		/* borrowed without a fleet */
	char (*name)[STORE_NAME];
	size_t n, room;
	bool looked;			/* the store has what there is */
	bool holds;			/* see wanted_hold() */
	struct asker by;
	int (*then)(void *arg, struct err *e);
	void *arg;
};

/* Prepares w for an exchange, or, if x is NULL, for a tenant. -1 with
 * ERR_MEMORY. wanted_fini() accepts { 0 }, and cancels a lookup. */
int wanted_init(struct wanted *w, struct api *a, struct exchange *x,
                const struct tenant *t, struct err *e);
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

/* Returns the one name's stored matrix after wanted_look(), or NULL with
 * ERR_NOT_FOUND. */
const struct stored *wanted_found(const struct wanted *w, struct err *e);

/* To be called before a body is read: has copies of stored matrices, of which a
 * host of a fleet keeps as many as it can, make room for it. */
void wanted_make_room(const struct exchange *x);

/* ERR_STATE if there is a fleet whose database does not answer. */
int wanted_check(const struct api *a, struct err *e);

#endif
