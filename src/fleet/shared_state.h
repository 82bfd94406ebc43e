/* shared_state.h - private to shared.c, shared_mark.c and shared_sweep.c. */
#ifndef FLEET_SHARED_STATE_H
#define FLEET_SHARED_STATE_H

#include <pthread.h>

#include "base/host.h"
#include "fleet/shared.h"

#define SHARED_MARKER "linalgd-fleet"

enum { SHARED_MARK = 128 };		/* bytes of a marker, with its NUL */

struct shared {
	char path[HOST_PATH];
	uint64_t above;
	pthread_mutex_t lock;		/* guards what follows */
	char mark[SHARED_MARK];		/* the text that the marker must have;
					 * "": the last look did not find the
					 * directory */
	bool looked;			/* shared_look() was called before */
};

/* Writes the path of a file in the directory to `path`. */
enum { SHARED_PATH = HOST_PATH + 64 };
const char *shared_path(const struct shared *s, const char *name,
                        char path[SHARED_PATH]);

/* shared_mark.c: reads the marker. -1 with ERR_NOT_READY and the reason if
 * there is none. */
int shared_read_mark(const struct shared *s, char mark[SHARED_MARK],
                     struct err *e);

/* shared_mark.c: makes sure that the directory is the fleet's, and sets
 * s->mark. */
int shared_check_mark(struct shared *s, struct pg *p, struct err *e);

/* shared_sweep.c: removes files that are not needed any more. -1 with ERR_STATE
 * if the database does not answer, with another error if the file system has
 * refused something. */
int shared_sweep(struct shared *s, struct pg *p, struct err *e);

/* shared.c: opens the directory if it still has its marker; NULL with
 * ERR_NOT_READY. */
struct payloads *shared_open(struct shared *s, struct err *e);

#endif
