/* beat.c - the worker's heartbeat: a number in the page shared with the front
 * that grows four times a second.
 *
 * A thread of its own counts, rather than the one that runs the calls: a long
 * kernel may keep that one waiting inside a driver for minutes, which is no
 * reason to kill the worker. So the heartbeat says only that the process is
 * neither stopped nor starved. Whether its calls make progress is judged by
 * their deadlines: a worker that does not give up a call in time is killed,
 * whatever it is waiting for. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "worker/serve.h"

static const struct timespec pause_between = { 0, 250000000 };

static void *beat(void *arg)
{
	struct control *c = arg;

	for (;;) {
		nanosleep(&pause_between, NULL);
		atomic_fetch_add(&c->beats, 1);
	}
	return NULL;
}

int beat_start(struct control *c, struct err *e)
{
	sigset_t all, before;
	pthread_t thread;
	int rc;

	atomic_fetch_add(&c->beats, 1);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&thread, NULL, beat, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		return err_set(e, ERR_INTERNAL, "the thread that shows the "
		               "front that the worker runs: %s", strerror(rc));
	pthread_detach(thread);
	return 0;
}
