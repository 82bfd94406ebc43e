/* crew.h - a pool of threads that execute calls to the database, each thread on
 * a connection of its own.
 *
 * work() is called again if the connection had been lost since the last call,
 * and so must tolerate that its first execution did take effect. A call that
 * `must` succeed is repeated until the database answers, or until the crew is
 * closed.
 *
 * CREW_QUICK of the threads take no `slow` call, which transfers a large
 * payload, so that short calls do not wait for it.
 *
 * Calls that are `batchable` may be executed together in one transaction,
 * because its COMMIT, which waits for the disk, costs more than all the rest.
 * If one of them fails, the transaction is rolled back and each call is
 * executed alone.
 */
#ifndef FLEET_CREW_H
#define FLEET_CREW_H

#include "base/loop.h"
#include "fleet/pg.h"

struct crew;

struct call {
	/* Executes the call on a thread of the crew. Returns 0, or -1 with *e:
	 * ERR_STATE means that the database did not answer. */
	int (*work)(struct call *c, struct pg *p, struct err *e);
	/* Called last, on the loop's thread, with work()'s error or ERR_NONE in
	 * c->err. Frees the call, or submits it again. */
	void (*done)(struct call *c);
	bool must, slow;
	bool once;			/* work() is called only once, because
					 * repeating it would do harm */
	bool batchable;
	bool in_batch;			/* set for work(): a transaction is open
					 * already, so it must not begin one,
					 * and fails if it needs its own */
	struct err err;
	/* private to crew.c: */
	struct call *next;
	struct post post;
	bool refused;			/* it is repeated for an answer of the
					 * database that was an error */
};

/* How many threads take no slow call, if the crew has more than that. */
enum { CREW_QUICK = 2 };

struct crew *crew_new(struct loop *l, const char *url, const char *name,
                      int threads, struct err *e);

/* Executes the calls that are left, without repeating any, calls every done(),
 * and ends the threads. NULL is fine. */
void crew_free(struct crew *w);

/* Submits a call. Only the loop's thread may do so. */
void crew_submit(struct crew *w, struct call *c);

/* Is a connection to the database to be had, as far as the last call tells? If
 * not, *e is ERR_STATE. An answer that is an error is an answer. Sets *back_ns
 * to the time of clock_ns() at which the last outage ended; 0: there was
 * none. */
bool crew_is_well(struct crew *w, int64_t *back_ns, struct err *e);

#endif
