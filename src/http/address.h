/* address.h - how many connections each client address has. IPv6 addresses
 * count by their first 64 bits, which one client may have all of. */
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

/* The row of that address, with one connection more; NULL: it is this host's
 * own, or none of the Internet. */
struct address *address_take(struct addresses *a,
                             const struct sockaddr_storage *s);
void address_give(struct addresses *a, struct address *one);	/* or NULL */

/* From "192.0.2.1" or "2001:db8::1"; false: it is neither. */
bool address_parse(struct sockaddr_storage *s, const char *text);
/* The same host's, whatever the ports; an IPv4 address may be mapped. */
bool address_equals(const struct sockaddr_storage *a,
                    const struct sockaddr_storage *b);

/* 127.0.0.0/8, ::1, the former mapped to IPv6, or not of the Internet. */
bool address_is_loopback(const struct sockaddr_storage *s);

#endif
