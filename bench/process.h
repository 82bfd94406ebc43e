/* process.h - starts the benchmark's processes, and measures the processor
 * time and memory that they use.
 *
 * The processes are children of this one and get SIGTERM when it ends. Their
 * environment lacks the variables that make OpenBLAS use the kernels or cache
 * sizes of another processor. The figures of a process include those of all its
 * descendants.
 */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* Starts argv[0]; fd[0] to fd[2] become its standard descriptors, and negative
 * ones /dev/null. */
int process_start(pid_t *pid, char *const argv[], const int fd[3],
                  struct err *e);

bool process_runs(pid_t pid);

/* Sends SIGTERM, and kills the process and its descendants if they have not
 * ended after that many seconds. */
void process_end(pid_t pid, int seconds);

struct process_use {
	double cpu_s;			/* user and system time so far */
	double peak_mib;		/* peak resident memory, summed */
	double own_kib;			/* resident now, root process alone */
};

/* All zeros when the process has ended. */
struct process_use process_use(pid_t pid);

#endif
