/* cluster.h - a worker that computes nothing itself, but has the processes of
 * linalgd-mpi do it, which a command such as mpirun starts.
 *
 * It hands its socket over to their first process (wire/lane.h), waits for the
 * command's end, and ends as the command did. When it is killed, so is the
 * command: by SIGTERM, upon which mpirun and srun end all processes on all
 * hosts.
 *
 * Neither this process nor the command is confined as sandbox.h does, because
 * MPI starts programs and opens connections.
 */
#ifndef WORKER_CLUSTER_H
#define WORKER_CLUSTER_H

struct cluster_options {
	const char *command;		/* one command, for the shell; the
					 * option --front NAME is added */
	int device;			/* its index */
	int socket, slab, control;	/* descriptors, which are closed */
};

/* Returns the exit status. If the command was ended by a signal, or reports by
 * its own status that one of its processes was, this process ends by the same
 * signal, so that the front learns of it. */
int cluster_run(const struct cluster_options *o);

#endif
