/* front.h - process 0's side of the socket to the front (wire/call.h): it is a
 * worker, whose device is the grid. */
#ifndef MPI_FRONT_H
#define MPI_FRONT_H

#include "matrix/received.h"
#include "mpi/grid.h"
#include "wire/call.h"

struct front {
	const struct ranks *grid;
	int index;			/* of the device */
	int socket;
	struct slab slab;
	struct control *control;
};

/* Connects to the front under that name (wire/lane.h), and shows it from then
 * on that this process runs. When the front is gone while a call runs, the
 * process ends at once, and MPI ends the others. -1 with *e. */
int front_open(struct front *f, const char *name, struct ranks *g,
               struct err *e);

/* Tells the front that calls may come; or why not, if why->code is set. */
int front_tell_ready(struct front *f, const struct sheet *s,
                     const struct err *why, struct err *e);

/* Receives calls, has them computed by all processes and answers them until the
 * front is gone. */
void front_serve(struct front *f);

#endif
