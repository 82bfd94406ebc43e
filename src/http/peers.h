/* peers.h - the clients that are connected: who is too slow, who has left.
 *
 * libmicrohttpd's timeout starts anew with every byte, and it does not look
 * at suspended connections at all. So every connection has a row here. One
 * timer looks at them, while there are any: a client that takes too long over
 * its headers, sends its body below the least rate, or keeps an idle
 * connection too long, has its socket shut; one that closed its end while
 * its job waits or runs is reported.
 */
#ifndef HTTP_PEERS_H
#define HTTP_PEERS_H

#include "base/loop.h"
#include "http/exchange.h"

struct peer {
	int fd;
	int64_t since_ns;	/* of its connecting, or its last reply */
	struct exchange *x;	/* NULL: between requests */
	struct peer *next, *previous;
};

/* { 0 } and the loop. */
struct peers {
	struct loop *loop;
	struct peer *first;
	struct exchange *suspended;
	struct timer slow, left;
};

struct peer *peers_add(struct peers *p, int fd);
void peers_remove(struct peers *p, struct peer *one);

void peers_suspended(struct peers *p, struct exchange *x);
void peers_resumed(struct peers *p, struct exchange *x);

/* Does any of them have a request under way? */
bool peers_busy(const struct peers *p);
void peers_fini(struct peers *p);

#endif
