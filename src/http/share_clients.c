/* share_clients.c - the connections of the share sockets (shares.h).
 *
 *     client: "claim ID"   service: "ok BYTES", with the descriptor
 *             "drop ID"             "ok"
 *                                   "none" where there is no such share
 *
 * A message is a packet of a SOCK_SEQPACKET socket. Descriptors that a client
 * sends are not received, so that the kernel closes them.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/size.h"
#include "http/shares_state.h"

enum { MESSAGE = 48, MESSAGES = 64 };	/* bytes; in a turn of the loop */

void share_client_end(struct share_client *c)
{
	struct shares *const s = c->shares;
	struct share_client **at = &s->clients;

	for (struct share **x = &s->first; *x;)
		if ((*x)->owner == c)
			shares_remove(s, x);
		else
			x = &(*x)->next;
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	s->n_clients--;
	loop_unwatch(s->loop, c->fd);
	close(c->fd);
	free(c);
}

/* The answers never wait: who does not read them is disconnected. */
static int answer(struct share_client *c, const char *text, int fd)
{
	struct err e = { 0 };

	return io_send(c->fd, text, strlen(text), &fd, fd >= 0, &e);
}

static int claim(struct share_client *c, const char *id)
{
	struct share **at = shares_at(c->shares, id);
	char text[MESSAGE];

	if (!at || (*at)->owner)
		return answer(c, "none", -1);
	(*at)->owner = c;
	snprintf(text, sizeof text, "ok %zu", (*at)->memory->bytes);
	return answer(c, text, memory_descriptor((*at)->memory, true));
}

static int drop(struct share_client *c, const char *id)
{
	struct share **at = shares_at(c->shares, id);

	if (!at || (*at)->owner != c)
		return answer(c, "none", -1);
	shares_remove(c->shares, at);
	return answer(c, "ok", -1);
}

static const struct {
	const char *word;		/* before the id */
	int (*obey)(struct share_client *c, const char *id);
} verbs[] = {
	{ "claim ", claim },
	{ "drop ", drop },
};

static int obey(struct share_client *c, const char *message)
{
	for (size_t i = 0; i < COUNT(verbs); i++) {
		const size_t n = strlen(verbs[i].word);

		if (strncmp(message, verbs[i].word, n) == 0)
			return verbs[i].obey(c, message + n);
	}
	return -1;
}

/* Obeys one message: 1, 0 when there is none, -1 when the client has left, or
 * has sent what is no message. */
static int next_message(struct share_client *c)
{
	char message[MESSAGE];
	const ssize_t n = recv(c->fd, message, sizeof message - 1,
	                       MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (n == 0 || n > (ssize_t)sizeof message - 1)
		return -1;
	message[n] = 0;
	return obey(c, message) < 0 ? -1 : 1;
}

static void on_message(void *arg, short revents)
{
	struct share_client *c = arg;
	int rc = 1;

	(void)revents;
	for (int i = 0; i < MESSAGES && rc > 0; i++)
		rc = next_message(c);
	if (rc < 0)
		share_client_end(c);
}

void share_client_add(void *arg, int fd, const struct sockaddr *from,
                      socklen_t length)
{
	struct shares *s = arg;
	struct share_client *c = s->n_clients < SHARE_CLIENTS ?
	                         calloc(1, sizeof *c) : NULL;
	struct err e = { 0 };

	(void)from;
	(void)length;
	if (!c || loop_watch(s->loop, fd, POLLIN, on_message, c, &e)) {
		free(c);
		close(fd);
		return;
	}
	*c = (struct share_client){ s, fd, s->clients };
	s->clients = c;
	s->n_clients++;
}
