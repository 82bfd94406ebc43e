/* linger.h - replies to a client that is still sending its request, and closes
 * the connection.
 *
 * libmicrohttpd replies before or after a request's body, but not in the middle
 * of it; and a socket that is closed with unread input resets the connection,
 * so that the client may never see the reply. Such a reply therefore bypasses
 * libmicrohttpd: it is written to a duplicate of the connection's descriptor,
 * our side is shut down, and what the client still sends is read and dropped
 * until it closes its side (RFC 9112, 9.6), within the limits below.
 */
#ifndef HTTP_LINGER_H
#define HTTP_LINGER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"
#include "base/text.h"

enum {
	LINGER_MOST = 64,		/* connections; then the oldest is
					 * closed */
	LINGER_SECONDS = 30,
	LINGER_SILENCE_SECONDS = 5,	/* without a byte from the client */
};

struct lingerer;

/* The lingering connections. The caller sets loop and most, the rest is 0. */
struct lingers {
	struct loop *loop;
	uint64_t most;			/* bytes to read from each */
	struct lingerer *first;		/* the newest */
	int n;
	struct timer look;
};

/* Sends a whole HTTP message, which is taken over, on the socket fd, after what
 * was written there before, and lets the client finish. fd stays the caller's,
 * who closes it at once. */
void linger_reply(struct lingers *l, int fd, struct text *message);

/* Returns whether any reply is not yet sent completely. */
bool lingers_sending(const struct lingers *l);
void lingers_fini(struct lingers *l);

#endif
