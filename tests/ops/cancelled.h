/* cancelled.h - cancels the calls of tests. */
#ifndef TESTS_OPS_CANCELLED_H
#define TESTS_OPS_CANCELLED_H

#include <stdatomic.h>
#include <stdbool.h>

/* How often the last call looked whether it was cancelled, and at which of
 * these looks it is; 0: the calls of tests cannot be cancelled. */
extern _Atomic int test_looks;
extern int test_cancel_at;

/* Does a call look as often each time? While the host waits for a device with
 * memory of its own, it looks as often as time allows. */
bool test_looks_are_exact(void);

/* For seq_on_cancel(). */
bool test_cancelled(void *arg);

#endif
