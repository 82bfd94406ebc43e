/* address.h - counts the connections of each client address. IPv6 addresses
 * with the same first 64 bits count as one, because a client may own all of
 * them. */
#ifndef HTTP_ADDRESS_H
#define HTTP_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

struct address {
	uint64_t key;
	unsigned connections;
	struct address *next;
};

enum { ADDRESS_BUCKETS = 1024 };

struct addresses {
	struct address *bucket[ADDRESS_BUCKETS];
};

/* Counts one connection more for that address and returns its row, to be given
 * back by address_give(). NULL: 127.0.0.1 or ::1, from which an edge on this
 * host passes on the connections of many, or neither IPv4 nor IPv6. */
struct address *address_take(struct addresses *a,
                             const struct sockaddr_storage *s);
void address_give(struct addresses *a, struct address *one);	/* or NULL */

/* Parses "192.0.2.1" or "2001:db8::1"; false: it is neither. */
bool address_parse(struct sockaddr_storage *s, const char *text);
/* Are the addresses equal, apart from ports? An IPv4 address equals its mapped
 * IPv6 form. */
bool address_equals(const struct sockaddr_storage *a,
                    const struct sockaddr_storage *b);

/* Is it 127.0.0.0/8, also mapped to IPv6, ::1, or of another address family? */
bool address_is_loopback(const struct sockaddr_storage *s);

#endif
