/* peers.h - the table of connected clients: checks their input, and closes
 * those that are too slow, have left, or are too many.
 *
 * libmicrohttpd's timeout starts anew with every byte, it does not check
 * suspended connections at all, and at its limit of connections it accepts
 * none. So every connection has a row here, which timers check (patience.h): a
 * client that takes too long over its head or its body (pace.h) gets 408; one
 * that takes too long over its first byte, its next request or reading its
 * reply is disconnected; one that closed its side while its job waits or runs
 * is reported to the handler.
 *
 * Near the limit of connections, each new one replaces the one that has been
 * silent for the longest time and has no complete request: of the address that
 * has the most connections, if these are many, else of all. One address other
 * than this host's own has at most half of the connections, and the tokens of
 * one tenant at most three quarters.
 */
#ifndef HTTP_PEERS_H
#define HTTP_PEERS_H

#include "base/loop.h"
#include "http/address.h"
#include "http/exchange.h"
#include "http/gate.h"
#include "http/linger.h"
#include "http/pace.h"

struct peer {
	int fd;
	int64_t since_ns;	/* when it connected, or of its last reply */
	int64_t head_ns;	/* when the present head began; 0: there is
				 * none */
	struct exchange *x;	/* NULL: between requests */
	struct gate gate;
	unsigned replied;	/* requests of the gate whose exchange ended */
	struct err *fault;	/* a refusal, to be sent after the replies to
				 * earlier requests; or NULL */
	bool closing;		/* libmicrohttpd will close it */
	struct pace reading;	/* of its reply */
	struct address *address;	/* NULL: this host */
	struct peers *peers;
	struct tenant *tenant;		/* of its last token; NULL: it has sent
					 * none */
	struct peer *next, *previous;
};

struct peers {
	struct loop *loop;
	const struct server_options *options;
	unsigned limit;			/* connections */
	struct paces paces;
	struct lingers lingers;
	struct peer *first, *last;	/* most recently heard of first */
	unsigned n, leaving;		/* all; those being closed */
	struct peer **by_fd;
	size_t fds;
	struct addresses addresses;
	struct exchange *suspended;
	struct timer slow, left;
};

void peers_init(struct peers *p, struct loop *l,
                const struct server_options *o);
struct peer *peers_add(struct peers *p, int fd);
struct peer *peers_find(const struct peers *p, int fd);
void peers_remove(struct peers *p, struct peer *one);

/* To be called when the peer has sent a token of that tenant. If the tenant has
 * too many connections, the one that has been silent for the longest time is
 * closed. */
void peers_claim(struct peer *one, struct tenant *t);

/* Closes the connection without a reply. */
void peers_shut(struct peers *p, struct peer *one);

/* To be called when bytes of the peer have arrived. */
void peers_heard(struct peers *p, struct peer *one);

/* Replies with the problem, after the replies to earlier requests, and closes
 * the connection. */
void peers_refuse(struct peers *p, struct peer *one, const struct err *e);

/* Sends a staged reply at once, and closes the connection. */
void peers_turn_away(struct peers *p, struct peer *one,
                     struct reply *reply, bool head_only);

/* To be called when the peer's exchange has ended. */
void peers_replied(struct peers *p, struct peer *one);

void peers_suspended(struct peers *p, struct exchange *x);
void peers_resumed(struct peers *p, struct exchange *x);

/* Returns whether any peer has a request whose reply is not sent completely, or
 * has begun so recently that its request may be on its way. */
bool peers_busy(const struct peers *p);
void peers_fini(struct peers *p);

#endif
