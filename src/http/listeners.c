/* listeners.c - see listeners.h. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/listen.h"
#include "http/listeners.h"

enum { BATCH = 64 };		/* connections accepted per turn */

static const int64_t pause_ns = 100000000;

static void watch_all(struct listeners *l);

static void accept_again(void *arg)
{
	watch_all(arg);
}

/* Stops watching the sockets for pause_ns while the process has no descriptor
 * for a connection; poll() would report them in every turn meanwhile. */
static void pause_all(struct listeners *l)
{
	for (int i = 0; i < l->n; i++)
		loop_unwatch(l->loop, l->fd[i]);
	loop_timer_set(l->loop, &l->again, clock_ns() + pause_ns,
	               accept_again, l);
}

/* Accepts one connection. -1 if none waits, or if the process has no descriptor
 * for it. */
static int accept_one(struct listeners *l, int listening)
{
	struct sockaddr_storage from = { 0 };
	socklen_t length = sizeof from;
	const int fd = accept4(listening, (struct sockaddr *)&from, &length,
	                       SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd >= 0)
		l->add(l->arg, fd, (struct sockaddr *)&from, length);
	else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
	         errno == ENOBUFS)
		pause_all(l);
	else if (errno == ECONNABORTED || errno == EINTR)
		return 0;
	return fd;
}

static void on_ready(void *arg, short revents)
{
	struct listeners *l = arg;

	(void)revents;
	for (int i = 0; i < l->n; i++)
		for (int k = 0; k < BATCH && accept_one(l, l->fd[i]) >= 0; k++)
			;
}

static void watch_all(struct listeners *l)
{
	struct err e = { 0 };

	for (int i = 0; i < l->n; i++)
		if (loop_watch(l->loop, l->fd[i], POLLIN, on_ready, l, &e))
			pause_all(l);
}

static int open_one(struct listeners *l, const char *place, struct err *e)
{
	int fd;

	if (l->n == LISTENERS_MOST)
		return err_set(e, ERR_REQUEST, "more than %d places to listen "
		               "on", LISTENERS_MOST + 1);
	fd = listen_open(place, e);
	if (fd < 0)
		return -1;
	l->fd[l->n++] = fd;
	return loop_watch(l->loop, fd, POLLIN, on_ready, l, e);
}

int listeners_open(struct listeners *l, const char *places, struct err *e)
{
	char place[256];

	while (*places) {
		const size_t n = strcspn(places, ",");

		snprintf(place, sizeof place, "%.*s", (int)n, places);
		if (open_one(l, place, e))
			return -1;
		places += n + (places[n] == ',');
	}
	return 0;
}

void listeners_close(struct listeners *l)
{
	loop_timer_clear(l->loop, &l->again);
	for (int i = 0; i < l->n; i++) {
		loop_unwatch(l->loop, l->fd[i]);
		close(l->fd[i]);
	}
	l->n = 0;
}
