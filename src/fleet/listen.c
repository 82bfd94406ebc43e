/* listen.c - see listen.h. A thread of its own holds the connection, waits for
 * its socket or for the eventfd that stops it, and posts what it has received
 * to the loop. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fleet/listen.h"
#include "fleet/pg.h"

enum {
	RETRY_MS = 1000,
	HEARD_MOST = 1024,		/* notifications that wait for the loop;
					 * further ones are dropped, and count
					 * as missed */
	CHANNEL = 32, TEXT = 64,
};

struct heard {
	char channel[CHANNEL], text[TEXT];
};

struct listener {
	struct loop *loop;
	struct pg *pg;
	pthread_t thread;
	int stop;			/* an eventfd */
	void (*hear)(void *arg, const char *channel, const char *text);
	void *arg;
	struct post post;
	pthread_mutex_t lock;		/* guards all below */
	struct heard *heard;		/* HEARD_MOST of them, or NULL */
	size_t n;
	bool missed;			/* some may have been missed */
	bool posted;			/* tell() will be called */
};

static void tell(void *arg)
{
	struct listener *const l = arg;
	struct heard *heard;
	size_t n;
	bool missed;

	pthread_mutex_lock(&l->lock);
	heard = l->heard;
	n = l->n;
	missed = l->missed;
	l->heard = NULL;
	l->n = 0;
	l->missed = l->posted = false;
	pthread_mutex_unlock(&l->lock);
	for (size_t i = 0; i < n; i++)
		l->hear(l->arg, heard[i].channel, heard[i].text);
	if (missed)
		l->hear(l->arg, "", "");
	free(heard);
}

/* Queues a notification for the loop's thread. channel is NULL when some may
 * have been missed. */
static void note(struct listener *l, const char *channel, const char *text)
{
	pthread_mutex_lock(&l->lock);
	if (!l->heard)
		l->heard = calloc(HEARD_MOST, sizeof *l->heard);
	if (channel && l->heard && l->n < HEARD_MOST) {
		struct heard *const h = &l->heard[l->n++];

		snprintf(h->channel, sizeof h->channel, "%s", channel);
		snprintf(h->text, sizeof h->text, "%s", text);
	} else {
		l->missed = true;
	}
	if (!l->posted)
		loop_post(l->loop, &l->post, tell, l);
	l->posted = true;
	pthread_mutex_unlock(&l->lock);
}

static void on_notification(void *arg, const char *channel, const char *text)
{
	note(arg, channel, text);
}

/* Waits until the socket can be read or `ms` milliseconds have passed; returns
 * false when the thread must end. */
static bool wait_for(struct listener *l, int fd, int ms)
{
	struct pollfd p[] = {
		{ .fd = l->stop, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};

	poll(p, fd < 0 ? 1 : 2, ms);
	return !(p[0].revents & POLLIN);
}

static void *listen_on(void *arg)
{
	struct listener *const l = arg;
	bool on = true;

	while (on) {
		struct err e = { 0 };

		if (!pg_is_open(l->pg) && pg_open(l->pg, true, &e) == 0)
			note(l, NULL, NULL);
		if (pg_is_open(l->pg))
			pg_notifications(l->pg, on_notification, l, &e);
		on = wait_for(l, pg_socket(l->pg),
		              pg_is_open(l->pg) ? -1 : RETRY_MS);
	}
	return NULL;
}

struct listener *listener_new(struct loop *l, const char *url,
                              const char *name,
                              void (*hear)(void *arg, const char *channel,
                                           const char *text), void *arg,
                              struct err *e)
{
	struct listener *n = calloc(1, sizeof *n);

	if (!n) {
		err_set(e, ERR_MEMORY, "no memory for the fleet");
		return NULL;
	}
	*n = (struct listener){ .loop = l, .hear = hear, .arg = arg };
	pthread_mutex_init(&n->lock, NULL);
	n->pg = pg_new(url, name, e);
	n->stop = eventfd(0, EFD_CLOEXEC);
	if (n->pg && n->stop >= 0 &&
	    pthread_create(&n->thread, NULL, listen_on, n) == 0)
		return n;
	err_set(e, ERR_MEMORY, "no thread for the fleet");
	pg_free(n->pg);
	if (n->stop >= 0)
		close(n->stop);
	pthread_mutex_destroy(&n->lock);
	free(n);
	return NULL;
}

void listener_free(struct listener *l)
{
	if (!l)
		return;
	eventfd_write(l->stop, 1);
	pthread_join(l->thread, NULL);
	loop_run_posts(l->loop);
	pg_free(l->pg);
	close(l->stop);
	pthread_mutex_destroy(&l->lock);
	free(l->heard);
	free(l);
}
