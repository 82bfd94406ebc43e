/* said.h - reads the output of a child process line by line.
 *
 * A worker, the drivers in it and the compilers that it starts have a pipe as
 * standard output and error, so that what they print becomes lines of the log
 * that name the worker.
 */
#ifndef QUEUE_SAID_H
#define QUEUE_SAID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum { SAID_LINE = 1000 };		/* bytes; a longer line is cut in two */

struct said {
	int fd;				/* the pipe's reading end; -1: none */
	size_t n;			/* bytes of a line without its end */
	char text[SAID_LINE + 1];
};

/* Makes the pipe. Returns the end for the child, which the caller closes once
 * the child was started, or -1. */
int said_open(struct said *s, struct err *e);

/* Calls line(arg, text) for each complete line that can be read without
 * waiting; false when every writer has closed the pipe. */
bool said_read(struct said *s, void (*line)(void *arg, const char *text),
               void *arg);

/* Calls line(arg, text) for all that is left in the pipe, then closes it. */
void said_close(struct said *s, void (*line)(void *arg, const char *text),
                void *arg);

#endif
