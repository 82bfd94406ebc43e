/* origin.h - for whom a web browser may speak to this service.
 *
 * A browser runs pages of anybody on the machine of somebody. Two things keep
 * such a page from using a service that only that machine can reach:
 *
 * The Host header. A page of evil.example may have its own name point to
 * 127.0.0.1 once it is loaded (DNS rebinding), and then talks to "itself". So
 * a service that listens on loopback answers only to the names and addresses
 * of loopback, to the name in --listen, to names without a dot, which nobody
 * can own in the public DNS, and to those in --allow-host; to others 421. One
 * that listens elsewhere does the same once --allow-host is given. The address
 * that a connection was made to is always known.
 *
 * The Origin header. A page may send a request elsewhere although it cannot
 * read the answer. So a request that may change something, and comes from
 * another origin than the service's own, is refused with 403, unless
 * --allow-origin names that; then the answers, and those to the browser's
 * preceding questions (preflights), permit that page to read them (Fetch
 * standard, CORS protocol).
 *
 * Programs other than browsers send no Origin, and notice nothing.
 */
#ifndef HTTP_ORIGIN_H
#define HTTP_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct exchange;

struct origin_rules {
	bool loopback;			/* where the service listens */
	const char *listen;		/* "localhost:8080", or NULL */
	const char *const *hosts;	/* allowed, NULL-ended; may be NULL */
	const char *const *origins;
};

/* May a request with that Host be answered? host: of n characters, with a
 * port or without. */
bool origin_knows_host(const struct origin_rules *r, const char *host,
                       size_t n);

/* Is it the service's own, as the request with that Host calls it? */
bool origin_is_own(const char *origin, const char *host);
bool origin_is_allowed(const struct origin_rules *r, const char *origin);

/* Judges the request's head: 421 or 403 with *e. Adds the headers that let an
 * allowed origin's page read the answer. */
int origin_admit(struct exchange *x, struct err *e);

/* Is it a browser's question whether it may send a request? Of an admitted
 * one; answered with the path's methods. */
bool origin_is_preflight(const struct exchange *x);
int origin_answer_preflight(struct exchange *x, struct err *e);

#endif
