/* spawn.h - starts worker processes, which inherit only the descriptors that
 * they need. */
#ifndef QUEUE_SPAWN_H
#define QUEUE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "wire/sheet.h"

enum { SPAWN_FDS = 4 };

struct spawn {
	const char *program;
	const char *const *argv;	/* NULL-terminated */
	int keep[SPAWN_FDS];		/* descriptors it inherits, by number */
	int n_keep;
	int output;			/* becomes its standard output; -1: our
					 * standard error does */
	int errors;			/* becomes its standard error; 0: ours
					 * does */
};

/* Starts the process in a process group of its own, so that a terminal's
 * interrupt reaches only the front, with no signal blocked or ignored. It does
 * not inherit close-on-exec descriptors other than keep[]. */
int spawn_process(const struct spawn *s, pid_t *pid, struct err *e);

/* Writes "exited with 3" or "died by signal 11 (Segmentation fault)" for a
 * status of waitpid(); returns text. */
const char *spawn_status_text(int status, char *text, size_t room);

/* Does the status tell of a signal that others send: the kernel's out-of-memory
 * killer, an operator or a terminal? */
bool spawn_was_killed(int status);

/* Runs `program worker --list` and waits for it; returns the number of sheets,
 * or -1. */
int spawn_list(const char *program, struct sheet sheets[SHEETS],
               struct err *e);

/* Runs `program worker --measure`, which takes seconds, and waits for it: gives
 * that device's sheet with new peaks, which are kept in the directory `cache`
 * unless that is NULL. */
int spawn_measure(const char *program, int device, const char *cache,
                  struct sheet *sheet, struct err *e);

#endif
