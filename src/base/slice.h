/* slice.h - long work in slices of at most a millisecond: a task of the pool
 * (pool.h) calls these functions between two slices.
 *
 * In such a call the thread runs shorter tasks that wait, and a task that was
 * cancelled learns that it has to end. On a thread that runs no task, the calls
 * do nothing and succeed, so that the same code can also be used in a worker
 * and, for short work, on the loop's thread.
 */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <stddef.h>

#include "base/err.h"

enum { SLICE_STEPS = 1 << 14 };		/* of a loop: well below 1 ms */

/* Ends a slice: 0, or -1 with ERR_DISMISSED when the task was cancelled. */
int slice_next(struct err *e);

/* Does the same as slice_next() at the end of step i of a loop, once in
 * SLICE_STEPS steps. */
static inline int slice_every(size_t i, struct err *e)
{
	return i % SLICE_STEPS == SLICE_STEPS - 1 ? slice_next(e) : 0;
}

/* Writes zeros in slices, which also faults in the pages of new memory. */
int slice_zero(void *to, size_t bytes, struct err *e);

#endif
