/* inlet.c - see inlet.h. */
#undef _FORTIFY_SOURCE			/* would define recv() itself */
#include <errno.h>
#include <sys/socket.h>

#include "http/inlet.h"

/* The peers for which this thread runs libmicrohttpd; NULL: it does not. */
static _Thread_local struct peers *serving;

/* Shows the n bytes to the gate; returns how many libmicrohttpd gets. */
static ssize_t pass(struct peer *one, const void *bytes, size_t n)
{
	struct err e = { 0 };
	const size_t good = gate_feed(&one->gate, bytes, n, &e);

	peers_heard(serving, one);
	if (e.code != ERR_NONE)
		peers_refuse(serving, one, &e);
	if (good || e.code == ERR_NONE)
		return (ssize_t)good;
	errno = one->closing ? ECONNRESET : EAGAIN;
	return -1;
}

__attribute__((visibility("default")))
ssize_t recv(int fd, void *room, size_t most, int flags)
{
	struct peer *one = serving ? peers_find(serving, fd) : NULL;
	ssize_t n;

	if (one && (one->closing || one->fault)) {
		errno = one->closing ? ECONNRESET : EAGAIN;
		return -1;
	}
	n = recvfrom(fd, room, most, flags, NULL, NULL);
	return one && n > 0 ? pass(one, room, (size_t)n) : n;
}

void inlet_run(struct peers *p, void (*run)(void *arg), void *arg)
{
	serving = p;
	run(arg);
	serving = NULL;
}
