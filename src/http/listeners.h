/* listeners.h - further listening sockets. libmicrohttpd accepts connections
 * from one socket; the loop watches all others and passes every connection that
 * they accept to libmicrohttpd. */
#ifndef HTTP_LISTENERS_H
#define HTTP_LISTENERS_H

#include <sys/socket.h>

#include "base/loop.h"

enum { LISTENERS_MOST = 8 };

struct listeners {
	struct loop *loop;
	int fd[LISTENERS_MOST];
	int n;
	struct timer again;		/* ends the pause that begins when the
					 * process has no descriptor left */
	/* Takes over the accepted connection fd. */
	void (*add)(void *arg, int fd, const struct sockaddr *from,
	            socklen_t length);
	void *arg;
};

/* Opens and watches a socket for each address of a list, separated by commas,
 * in the form that listen_open() takes; the list may be "". The caller sets
 * loop, add and arg before. listeners_close() must be called even after a
 * failure. */
int listeners_open(struct listeners *l, const char *places, struct err *e);
void listeners_close(struct listeners *l);

#endif
