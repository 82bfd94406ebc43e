/* cluster.c - see cluster.h. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/call.h"
#include "wire/lane.h"
#include "worker/cluster.h"
#include "worker/worker.h"

/* What shells, mpirun and srun add to the number of the signal that ended a
 * process. */
enum { BY_SIGNAL = 128 };

/* In the new process. */
static void execute(const char *command, const char *name)
{
	char *line = NULL;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (asprintf(&line, "exec %s --front %s", command, name) >= 0)
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(BY_SIGNAL - 1);
}

/* Waits until a process connects, or until the command has ended; -1 with the
 * reason in the latter case. */
static int await(int listener, pid_t pid, const char *command, struct err *e)
{
	const int ended = pidfd_open(pid, 0);
	struct pollfd p[] = { { .fd = listener, .events = POLLIN },
	                      { .fd = ended, .events = POLLIN } };
	int rc;

	if (ended < 0)
		return err_set(e, ERR_DEVICE, "pidfd_open: %s",
		               strerror(errno));
	do
		rc = poll(p, 2, -1);
	while (rc < 0 && errno == EINTR);
	close(ended);
	return p[0].revents ? 0 :
	       err_set(e, ERR_DEVICE, "\"%.80s\" has ended before its first "
	               "process was there", command);
}

static int end_as(int status)
{
	const int code = WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) :
	                 WEXITSTATUS(status);

	if (code > BY_SIGNAL && code < BY_SIGNAL + NSIG) {
		signal(code - BY_SIGNAL, SIG_DFL);
		raise(code - BY_SIGNAL);
	}
	return code;
}

static int end_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return end_as(status);
}

/* Reports to the front why no process was there to do so. */
static int fail(const struct cluster_options *o, const struct err *e)
{
	const struct ready r = { .err = *e };

	io_send(o->socket, &r, sizeof r, NULL, 0, &(struct err){ 0 });
	return WORKER_NO_START;
}

int cluster_run(const struct cluster_options *o)
{
	const struct lane l = { o->device, o->socket, o->slab, o->control };
	char name[LANE_NAME];
	struct err e = { 0 };
	const int listener = lane_listen(name, &e);
	pid_t pid;

	if (listener < 0)
		return fail(o, &e);
	pid = fork();
	if (pid == 0)
		execute(o->command, name);
	if (pid < 0)
		err_set(&e, ERR_DEVICE, "fork: %s", strerror(errno));
	if (pid < 0 || await(listener, pid, o->command, &e) ||
	    lane_give(listener, &l, &e)) {
		if (pid > 0)
			kill(pid, SIGTERM);
		return fail(o, &e);
	}
	close(listener);
	close(o->socket);
	close(o->slab);
	close(o->control);
	return end_of(pid);
}
