/* peers.h - the clients that are connected: their input, who is too slow, who
 * has left, and who gives way when there are too many.
 *
 * libmicrohttpd's timeout starts anew with every byte, it does not look at
 * suspended connections at all, and at its limit of connections it accepts
 * none. So every connection has a row here. One timer looks at them, while
 * there are any: a client that takes too long over its head or its body
 * (pace.h) is answered 408, one that takes too long over its first byte, its
 * next request or its reply has its socket shut; one that closed its end
 * while its job waits or runs is reported.
 *
 * When the connections come near the limit, the one that has been silent for
 * the longest time gives way to each new one, unless its request is complete.
 * One address, other than this host's own, has at most half of them.
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
	int64_t since_ns;	/* of its connecting, or its last reply */
	int64_t head_ns;	/* of the head that is arriving; 0: none is */
	struct exchange *x;	/* NULL: between requests */
	struct gate gate;
	unsigned answered;	/* requests: those of the gate that ended */
	struct err *fault;	/* of what follows those not yet answered */
	bool closing;		/* libmicrohttpd is told that it is gone */
	struct pace reading;	/* of its reply */
	struct address *address;	/* NULL: this host's own */
	struct peer *next, *previous;
};

struct peers {
	struct loop *loop;
	const struct server_options *options;
	unsigned limit;			/* connections */
	struct paces paces;
	struct lingers lingers;
	struct peer *first, *last;	/* the one heard of last is first */
	unsigned n, leaving;		/* all; those told to go */
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

/* Has it closed, without a word. */
void peers_shut(struct peers *p, struct peer *one);

/* Bytes of it have arrived. */
void peers_heard(struct peers *p, struct peer *one);

/* Answers with the problem, after the replies that are due before, and closes
 * the connection. */
void peers_refuse(struct peers *p, struct peer *one, const struct err *e);

/* The same with a staged reply, at once. */
void peers_turn_away(struct peers *p, struct peer *one,
                     struct reply *reply, bool head_only);

/* The peer's exchange ended. */
void peers_answered(struct peers *p, struct peer *one);

void peers_suspended(struct peers *p, struct exchange *x);
void peers_resumed(struct peers *p, struct exchange *x);

/* Does any of them have a request under way? */
bool peers_busy(const struct peers *p);
void peers_fini(struct peers *p);

#endif
