/* pace.h - how slow a client may be with a body or a reply.
 *
 * What a client holds while it dawdles is the memory of its body or its reply.
 * So the least rate grows with their size: after a grace time, so many bytes
 * a second that all of them pass within a fixed time, and never less than a
 * thousand. Time in which the client waits for us does not count.
 */
#ifndef HTTP_PACE_H
#define HTTP_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { PACE_LEAST = 1000 };		/* bytes a second */

struct paces {
	int64_t grace_ns;	/* also for a head, and for the first byte */
	int64_t whole_ns;	/* for all of a body or a reply, after that */
};

/* 20 s of grace, and so long for the whole. */
struct paces pace_of(int64_t whole_ns);

/* Are so many bytes of `all`, or UINT64_MAX, too few after that time? */
bool pace_is_slow(const struct paces *p, uint64_t bytes, uint64_t all,
                  int64_t elapsed_ns);

/* A reply, as it leaves through a TCP socket. { 0 }: not begun. */
struct pace {
	int64_t since_ns;
	uint64_t acknowledged;		/* bytes of the connection, then */
};

/* Looks again; `all` as above. True: the client reads it too slowly. */
bool pace_reader(struct pace *r, const struct paces *p, int fd, uint64_t all,
                 int64_t now_ns);

/* Bytes that lie unread in the socket. */
bool pace_has_unread(int fd);

#endif
