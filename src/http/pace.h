/* pace.h - how slowly a client may send a body or read a reply.
 *
 * A slow client occupies the memory of its body or reply. So the least rate
 * grows with their size: after a grace time, it must be such that all bytes
 * pass within a fixed time, and at least PACE_LEAST. Time in which the client
 * waits for us does not count.
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

/* Returns 20 s of grace, and whole_ns. */
struct paces pace_of(int64_t whole_ns);

/* Are `bytes` of `all` bytes (UINT64_MAX: unknown) too few after elapsed_ns? */
bool pace_is_slow(const struct paces *p, uint64_t bytes, uint64_t all,
                  int64_t elapsed_ns);

/* The progress of a reply through a TCP socket. { 0 }: it has not begun. */
struct pace {
	int64_t since_ns;
	uint64_t acknowledged;		/* bytes of the connection, by then */
};

/* Checks the progress again; `all` is as for pace_is_slow(). True: the client
 * reads the reply too slowly. */
bool pace_reader(struct pace *r, const struct paces *p, int fd, uint64_t all,
                 int64_t now_ns);

/* Checks the progress of a reply that is sent while it is produced. True: for
 * all of the grace time the client read nothing, though there was something to
 * read. */
bool pace_live_reader(struct pace *r, const struct paces *p, int fd,
                      int64_t now_ns);

/* Has the socket unread input? */
bool pace_has_unread(int fd);

#endif
