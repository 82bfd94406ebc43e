/* process.h - processes that a benchmark starts, and what they use.
 *
 * They are children of this process and end with it. OpenBLAS is not told
 * another processor's kernels or cache by their environment, whatever ours
 * says. A process counts with all its descendants.
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* Starts argv[0]; fd[0] to fd[2] become its standard descriptors, below 0:
 * /dev/null. */
int process_start(pid_t *pid, char *const argv[], const int fd[3],
                  struct err *e);

bool process_runs(pid_t pid);

/* Asks it to end (SIGTERM), and makes it and its descendants end after so
 * many seconds. */
void process_end(pid_t pid, int seconds);

struct process_use {
	double cpu_s;			/* user and system, so far */
	double peak_mib;		/* of resident memory, summed */
	double own_kib;			/* resident now, without descendants */
};

/* All zero when it has ended. */
struct process_use process_use(pid_t pid);

#endif
