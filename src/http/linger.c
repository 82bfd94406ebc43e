/* linger.c - see linger.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/linger.h"

enum { SCRATCH = 64 << 10, READS = 8 };		/* bytes; reads per turn */

static const int64_t second = 1000000000;

struct lingerer {
	struct lingers *all;
	int fd;				/* a duplicate */
	struct text message;
	size_t sent;
	bool ended;			/* all is sent, our side is shut */
	uint64_t left;			/* bytes that may still be read */
	int64_t since_ns, heard_ns;
	struct lingerer *next, *previous;
};

/* Shuts the connection down, so that libmicrohttpd, if its descriptor of the
 * socket is still open, sees the end. */
static void end(struct lingerer *g)
{
	struct lingers *l = g->all;

	if (g->next)
		g->next->previous = g->previous;
	if (g->previous)
		g->previous->next = g->next;
	else
		l->first = g->next;
	l->n--;
	loop_unwatch(l->loop, g->fd);
	shutdown(g->fd, SHUT_RDWR);
	close(g->fd);
	text_fini(&g->message);
	free(g);
}

/* Sends the rest as far as possible; false: the connection is lost. */
static bool send_rest(struct lingerer *g)
{
	while (g->sent < g->message.length) {
		const ssize_t n = send(g->fd, g->message.data + g->sent,
		                       g->message.length - g->sent,
		                       MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		g->sent += (size_t)n;
	}
	g->ended = true;
	return shutdown(g->fd, SHUT_WR) == 0;
}

/* Reads and drops input; false: the client has closed its side, or has sent
 * more than may be read. */
static bool drop(struct lingerer *g)
{
	static char scratch[SCRATCH];

	for (int i = 0; i < READS; i++) {
		const ssize_t n = recv(g->fd, scratch, sizeof scratch,
		                       MSG_DONTWAIT);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		if (n == 0 || (uint64_t)n > g->left)
			return false;
		g->left -= (uint64_t)n;
		g->heard_ns = clock_ns();
	}
	return true;
}

static void on_input(void *arg, short revents);

/* Input is read from the beginning on: otherwise a client that sends everything
 * before it reads, and we, would wait for each other. */
static void watch(struct lingerer *g)
{
	struct err ignored = { 0 };
	const short events = g->ended ? POLLIN : POLLIN | POLLOUT;

	loop_unwatch(g->all->loop, g->fd);
	if (loop_watch(g->all->loop, g->fd, events, on_input, g, &ignored))
		end(g);
}

static void on_input(void *arg, short revents)
{
	struct lingerer *g = arg;
	const bool had_ended = g->ended;

	if ((!had_ended && revents & POLLOUT && !send_rest(g)) || !drop(g))
		end(g);
	else if (g->ended != had_ended)
		watch(g);
}

static bool is_over(const struct lingerer *g, int64_t now)
{
	return now - g->since_ns > LINGER_SECONDS * second ||
	       now - g->heard_ns > LINGER_SILENCE_SECONDS * second;
}

static void look(void *arg)
{
	struct lingers *l = arg;
	const int64_t now = clock_ns();

	for (struct lingerer *g = l->first, *next; g; g = next) {
		next = g->next;
		if (is_over(g, now))
			end(g);
	}
	if (l->first)
		loop_timer_set(l->loop, &l->look, now + second, look, l);
}

static void end_oldest(struct lingers *l)
{
	struct lingerer *g = l->first;

	while (g->next)
		g = g->next;
	end(g);
}

static void add(struct lingers *l, struct lingerer *g)
{
	g->next = l->first;
	if (l->first)
		l->first->previous = g;
	l->first = g;
	if (++l->n > LINGER_MOST)
		end_oldest(l);
	if (!l->look.fn)
		loop_timer_set(l->loop, &l->look, clock_ns() + second, look,
		               l);
}

void linger_reply(struct lingers *l, int fd, struct text *message)
{
	const int64_t now = clock_ns();
	struct lingerer *g = message->failed ? NULL : calloc(1, sizeof *g);
	const int own = g ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;

	if (own < 0) {			/* send what can be sent at once */
		send(fd, message->data, message->length,
		     MSG_NOSIGNAL | MSG_DONTWAIT);
		text_fini(message);
		free(g);
		return;
	}
	*g = (struct lingerer){ .all = l, .fd = own, .message = *message,
	                      .left = l->most, .since_ns = now,
	                      .heard_ns = now };
	*message = (struct text){ 0 };
	add(l, g);
	if (send_rest(g))
		watch(g);
	else
		end(g);
}

bool lingers_sending(const struct lingers *l)
{
	for (const struct lingerer *g = l->first; g; g = g->next)
		if (!g->ended)
			return true;
	return false;
}

void lingers_fini(struct lingers *l)
{
	while (l->first)
		end(l->first);
	if (l->loop)
		loop_timer_clear(l->loop, &l->look);
}
