/* timers.h - the timers of an event loop, as a pairing heap (Fredman,
 * Sedgewick, Sleator and Tarjan, 1986).
 *
 * The timers themselves are the nodes, so adding one allocates nothing and
 * cannot fail. Adding takes constant time, removing any of n timers O(log n)
 * on average over a sequence of operations, so that a timer for every kept
 * result does not slow down other jobs.
 *
 *     first ── child ──▶ t ── next ──▶ t ── next ──▶ t      each is due no
 *                        │ child                            earlier than its
 *                        t ── next ──▶ t                    parent
 */
#ifndef BASE_TIMERS_H
#define BASE_TIMERS_H

#include <stdint.h>

/* When to call which function; embedded in the object that waits. { 0 } is a
 * timer that is not set. */
struct timer {
	int64_t at_ns;		/* clock_ns() */
	void (*fn)(void *arg);	/* NULL: not set */
	void *arg;
	/* The heap alone uses the members that follow. */
	uint64_t order;		/* of those due together, the first set
				 * fires first */
	struct timer *child, *next;
	struct timer *before;	/* the previous sibling, else the parent */
};

/* A heap of timers. { 0 } is empty. */
struct timers {
	struct timer *first;	/* the earliest; NULL: none */
	uint64_t added;		/* number of timers ever added */
};

/* Adds t, whose at_ns, fn and arg are set and which is in no heap. */
void timers_add(struct timers *h, struct timer *t);

/* Removes t, which is in this heap, and sets its fn to NULL. */
void timers_remove(struct timers *h, struct timer *t);

#endif
