/* said.h - what a child process prints, a line at a time.
 *
 * A worker, the drivers in it and the compilers that it starts write to one
 * pipe in place of standard output and error, so that their words become lines
 * of the log that name the worker.
 */
#ifndef QUEUE_SAID_H
#define QUEUE_SAID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum { SAID_LINE = 1000 };		/* bytes; a longer line is cut in two */

/* fd: the end that is read; -1: none. */
struct said {
	int fd;
	size_t n;
	char text[SAID_LINE + 1];
};

/* Makes the pipe; the end for the child, which the caller closes once it was
 * started, or -1. */
int said_open(struct said *s, struct err *e);

/* Calls line(arg, text) for each whole line that is there, without waiting;
 * false when nobody can write any more. */
bool said_read(struct said *s, void (*line)(void *arg, const char *text),
               void *arg);

/* The same of all that is left, then closes the pipe. */
void said_close(struct said *s, void (*line)(void *arg, const char *text),
                void *arg);

#endif
