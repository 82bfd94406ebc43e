/* linger.h - answers a client that is still sending, and closes.
 *
 * libmicrohttpd answers a request before its body or after it, but not in the
 * middle; and a socket that is closed while bytes lie unread in it resets the
 * connection, so that the client may never see its answer. So such an answer
 * is written past libmicrohttpd, on a duplicate of the connection's
 * descriptor: the complete answer, then the end of our side, and then what
 * the client still sends is read and dropped until it closes its own side
 * (RFC 9112, 9.6). That lasts as long as the limits below allow.
 */
#ifndef HTTP_LINGER_H
#define HTTP_LINGER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"
#include "base/text.h"

enum {
	LINGER_MOST = 64,		/* connections; the oldest gives way */
	LINGER_SECONDS = 30,
	LINGER_SILENCE_SECONDS = 5,	/* without a byte from the client */
};

struct lingerer;

/* { 0 } and the first two. */
struct lingers {
	struct loop *loop;
	uint64_t most;			/* bytes to read from one of them */
	struct lingerer *first;		/* the newest */
	int n;
	struct timer look;
};

/* Sends the answer, which is taken over, on the socket fd and lets the client
 * finish. fd stays the caller's, to be closed at once; what was written there
 * before goes first. */
void linger_answer(struct lingers *l, int fd, struct text *answer);

/* Is an answer not yet sent as a whole? */
bool lingers_sending(const struct lingers *l);
void lingers_fini(struct lingers *l);

#endif
