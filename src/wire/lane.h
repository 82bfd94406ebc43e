/* lane.h - how the first process of a cluster gets its end of the front's
 * socket.
 *
 * A worker inherits its descriptors, but mpirun and srun pass none on, and the
 * process that they start need not be a descendant of the front's. So the
 * worker that runs their command (worker/cluster.h) listens on a Unix socket
 * with an abstract name, and gives the first process of linalgd-mpi, which
 * connects to it, the socket and the memory that it shares with the front. From
 * then on that process is a worker like any other (wire/call.h).
 *
 *     front ── starts ─▶ linalgd worker --cluster ── starts ─▶ mpirun
 *       ▲                         │ lane_give()                   │ starts
 *       │                         ▼                               ▼
 *       └──── calls ────▶ linalgd-mpi, process 0 ◀── MPI ──▶ the others
 *
 * Abstract names have no permissions: each side checks that the other is a
 * process of its own user.
 */
#ifndef WIRE_LANE_H
#define WIRE_LANE_H

#include "base/err.h"

enum { LANE_NAME = 48 };

/* The descriptors that are handed over, and the index of the device that the
 * cluster is. */
struct lane {
	int device;
	int socket, slab, control;
};

/* Listens under a new name, which is written to name[]; returns the socket, or
 * -1. */
int lane_listen(char name[LANE_NAME], struct err *e);

/* Accepts a connection and sends it the descriptors, which stay the caller's. A
 * process of another user is refused; -1 with ERR_DEVICE. */
int lane_give(int listener, const struct lane *l, struct err *e);

/* Connects to that name and receives the descriptors. -1 with ERR_DEVICE, also
 * if the two programs are not of the same version. */
int lane_take(const char *name, struct lane *l, struct err *e);

#endif
