/* invariant.h - what must be true of the engine after every step, and a number
 * that stands for its state. */
#ifndef TESTS_MODEL_INVARIANT_H
#define TESTS_MODEL_INVARIANT_H

#include <stddef.h>
#include <stdint.h>

/* Returns what is wrong in the world; NULL: nothing. */
const char *invariant_broken(void);

/* The same when all jobs have ended. */
const char *invariant_broken_at_end(void);

/* Returns a hash of the state: the same for two paths after which everything
 * that matters for what may follow is the same. */
uint64_t invariant_state(void);

#endif
