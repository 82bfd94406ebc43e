/* reap.h - collects the exit statuses of child processes without waiting for
 * ever.
 *
 * A child that has ended stays uncollected while a debugger traces it, and one
 * that is killed lives on while it is in an uninterruptible sleep in the
 * kernel. waitpid() would block for as long as either lasts. */
#ifndef BASE_REAP_H
#define BASE_REAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Collects the process if it has ended and nobody holds it back; else returns
 * false. *status becomes that of waitpid(); it is 0 if there is no such
 * child. */
bool reap_now(pid_t pid, int *status);

/* Does the same within `ns` nanoseconds. */
bool reap_within(pid_t pid, int64_t ns, int *status);

#endif
