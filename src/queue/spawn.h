/* spawn.h - starting a worker process: fork, exec, nothing leaks in. */
#ifndef QUEUE_SPAWN_H
#define QUEUE_SPAWN_H

#include <sys/types.h>

#include "base/err.h"
#include "wire/sheet.h"

enum { SPAWN_FDS = 4 };

struct spawn {
	const char *program;
	const char *const *argv;	/* NULL-terminated */
	int keep[SPAWN_FDS];		/* descriptors it inherits, by number */
	int n_keep;
	int output;			/* its own; -1: our standard error */
	int errors;			/* its standard error; 0: ours */
};

/* Starts it in a process group of its own (the terminal's interrupt is ours
 * alone), with no signal blocked or ignored. Every descriptor of this
 * process that is close-on-exec stays here. */
int spawn_process(const struct spawn *s, pid_t *pid, struct err *e);

/* "exited with 3", "died by signal 11 (Segmentation fault)" */
const char *spawn_status_text(int status, char *text, size_t room);

/* Runs `program worker --list`: the number of sheets, or -1. Blocks. */
int spawn_list(const char *program, struct sheet sheets[SHEETS],
               struct err *e);

/* Runs `program worker --measure`: that device's sheet with fresh peaks, kept
 * in cache unless that is NULL. Blocks, for seconds. */
int spawn_measure(const char *program, int device, const char *cache,
                  struct sheet *sheet, struct err *e);

#endif
