/* compilers.h - processes that compile what will be launched into the cache
 * of programs, where it lacks that: a platform's compiler may do one thing at
 * a time in a process.
 *
 *     linalgd worker --compile WHAT --device I --cache DIR
 */
#ifndef WORKER_COMPILERS_H
#define WORKER_COMPILERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "device/device.h"

enum { COMPILERS = 12 };

/* { 0 }: none. */
struct compilers {
	pid_t pid[COMPILERS];		/* 0: it has ended */
};

/* As many as there is work for, and room. what: of foresee(); cache: the
 * device's, or NULL. They end with this process. */
void compilers_start(struct compilers *c, struct device *d, const char *what,
                     const char *cache);

/* Is one still at work? */
bool compilers_work(struct compilers *c);

/* What such a process does. */
int compilers_main(int device, const char *what, const char *cache,
                   struct err *e);

#endif
