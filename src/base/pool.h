/* pool.h - a few threads for work too long for the loop's thread:
 * inflation, conversion, generators.
 *
 * work(arg) runs on a pool thread, done(arg) afterwards on the loop's thread.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "base/loop.h"

struct pool;

struct task {
	void (*work)(void *arg);
	void (*done)(void *arg);
	void *arg;
	struct pool *pool;	/* the pool's own from here on */
	struct task *next;
	struct post post;
};

struct pool *pool_new(struct loop *l, int threads, struct err *e);

/* Waits for what runs; what still waits is not worked on any more. Calls done()
 * for all that was submitted, as the loop does not run again. */
void pool_free(struct pool *p);

/* t is the caller's again when done is called. */
void pool_submit(struct pool *p, struct task *t, void (*work)(void *arg),
                 void (*done)(void *arg), void *arg);

#endif
