/* pool.h - a few threads for work that would block the loop's thread too long:
 * inflation, conversion, generators.
 *
 * work(arg) runs on a pool thread, done(arg) afterwards on the loop's thread.
 *
 * The shortest waiting task runs first, except that a task that has waited for
 * as long as it is expected to take goes before all newer ones. A short task
 * does not wait for longer ones that already run: between two slices (slice.h)
 * of a task, its thread runs waiting tasks of at most a quarter of its cost, as
 * long as the longer task keeps at least a quarter of the thread's time.
 *
 *     long: | slice | slice |              | slice | slice | ...
 *                           | short | short|
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/loop.h"

struct pool;

struct task {
	void (*work)(void *arg);
	void (*done)(void *arg);
	void *arg;
	struct pool *pool;	/* the pool's own from here on */
	struct task *next;
	int64_t cost_ns, since_ns;
	bool waiting;		/* in the pool's list; guarded by its lock */
	atomic_bool cancelled;
	/* Used by the thread that runs the task. */
	struct task *below;	/* the longer task that is paused for it */
	int depth;		/* number of tasks paused below it */
	int64_t begun_ns, next_ns;	/* next_ns: its next slice begins */
	int64_t lent_ns;	/* spent on shorter tasks since it began; the
				 * caller may read it when done is called */
	struct post post;
};

struct pool *pool_new(struct loop *l, int threads, struct err *e);

/* Waits for the tasks that run, which end at their next slice; waiting tasks
 * never begin. Calls done() of every task that was submitted, because the loop
 * does not run again. */
void pool_free(struct pool *p);

/* Estimates the time to read and write so many bytes once each. It is the same
 * on every machine, because only the order of the tasks depends on it. */
static inline int64_t pool_cost_ns(double bytes)
{
	return bytes < 1e15 ? (int64_t)bytes : INT64_C(1000000000000000);
}

/* Submits a task that takes about cost_ns. The pool owns t until done is
 * called. */
void pool_submit(struct pool *p, struct task *t, int64_t cost_ns,
                 void (*work)(void *arg), void (*done)(void *arg), void *arg);

/* Cancels a task whose result is not needed any more: it ends at its next
 * slice, or never begins. done is called all the same, but not from within this
 * call. Must not be called after done. */
void pool_cancel(struct task *t);

#endif
