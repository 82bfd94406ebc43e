/* crew.h - threads that do calls to the database, each on a connection of its
 * own.
 *
 * A call that transfers a large payload is `slow`: some threads never take
 * those, so that short calls do not wait for them. A call that `must` succeed
 * is repeated until the database takes it, or until the crew closes. work() may
 * be called several times. Small calls `join`: several are done in one
 * transaction, because its COMMIT, which waits for the disk, takes longer than
 * all else; if one of them fails, each is done alone.
 */
#ifndef FLEET_CREW_H
#define FLEET_CREW_H

#include "base/loop.h"
#include "fleet/pg.h"

struct crew;

struct call {
	/* Runs on a thread of the crew: 0, or -1 with *e. ERR_STATE: the
	 * database did not answer. */
	int (*work)(struct call *c, struct pg *p, struct err *e);
	/* Runs on the loop's thread, last: c->err says whether work() failed.
	 * Frees the call. */
	void (*done)(struct call *c);
	bool must, slow;
	bool once;			/* not to be repeated at all */
	bool joins;			/* may be one of several in one
					 * transaction */
	bool joined;			/* work() is called in a transaction: it
					 * begins none, and fails if it needs
					 * one of its own */
	struct err err;
	/* crew.c's own: */
	struct crew *crew;
	struct call *next;
	struct post post;
};

/* Threads that never take slow calls, if there are that many. */
enum { CREW_QUICK = 2 };

struct crew *crew_new(struct loop *l, const char *url, const char *name,
                      int threads, struct err *e);

/* Does what was submitted, once, and calls every done(). NULL is fine. */
void crew_free(struct crew *w);

/* Submits a call, from the loop's thread. */
void crew_submit(struct crew *w, struct call *c);

/* Has the last call that asked the database got an answer? Sets *e if not. */
bool crew_is_well(struct crew *w, struct err *e);

#endif
