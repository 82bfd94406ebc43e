/* host.h - what this machine, or the container around us, lets us have. */
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

/* Raises the soft limit of open files to the hard one; the limit. */
uint64_t host_raise_files(void);

/* The directory and those above it, for this user alone, if they are not
 * there yet. */
int host_make_directory(const char *path, struct err *e);

/* The cache directory of this user, made if need be, in path; NULL where
 * there is no home. */
const char *host_default_cache(char path[HOST_PATH]);

/* The path of a file beside this program's. */
int host_beside(char path[HOST_PATH], const char *name, struct err *e);

/* PoCL starts a thread for every processor of the machine, whatever a quota or
 * an affinity mask leaves us. Sets its variables to host_threads() where that
 * is less, unless the user has set them. Before any other thread. */
void host_limit_pocl(void);

#endif
