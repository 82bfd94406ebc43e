/* host.h - the memory, processors, files and directories that the machine, or
 * the container, lets this process use. */
#ifndef BASE_HOST_H
#define BASE_HOST_H

#include <stdint.h>

#include "base/err.h"

enum { HOST_PATH = 4096 };

/* Bytes of memory: the machine's, or the control groups' limit (cgroup.h) if
 * that is less. This and the processors are looked up once. */
uint64_t host_memory(void);

/* The processors that this process may use: those that its affinity mask
 * names, or the time that control groups leave it if that is less. A quota of
 * 150 ms in every 100 ms is 1.5 processors. */
double host_cpus(void);

/* The number of threads that host_cpus() processors keep busy, at least 1. */
int host_threads(void);

/* Sets malloc's number of arenas, for a few threads that compute, and its
 * thresholds: large allocations go back to the system, but not the memory that
 * some dozens of small requests reuse. */
void host_tune_malloc(void);

/* Raises the soft limit of open files to the hard limit; returns the limit. */
uint64_t host_raise_files(void);

/* Makes the directory and its missing parents, readable by this user alone;
 * succeeds if it exists. */
int host_make_directory(const char *path, struct err *e);

/* Writes the path of this user's cache directory, which is made if it does not
 * exist, and returns path; NULL where there is no home directory. */
const char *host_default_cache(char path[HOST_PATH]);

/* Writes the path of `name` in the directory of this program's executable. */
int host_beside(char path[HOST_PATH], const char *name, struct err *e);

/* Limits PoCL, which starts a thread for every processor of the machine
 * whatever the quota or the affinity mask, to host_threads() by its environment
 * variables, unless the user has set them. To be called before any thread is
 * started. */
void host_limit_pocl(void);

#endif
