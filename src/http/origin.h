/* origin.h - which web pages may use this service from a browser.
 *
 * A browser runs the pages of any site on its user's machine. Two headers are
 * checked to keep a foreign page from using a service that only this machine
 * can reach:
 *
 * Host. A page of evil.example may let its own name point to 127.0.0.1 after it
 * was loaded (DNS rebinding), so that it may talk to the service as to itself.
 * A service that listens on loopback therefore accepts only the names and
 * addresses of loopback, the name in --listen, names without a dot, which
 * cannot exist in the public DNS, and those in --allow-host; others get 421. A
 * service that listens elsewhere applies this rule if --allow-host is given.
 * The address that a connection was made to is always accepted.
 *
 * Origin. A page may send a request to another site, although it cannot read
 * the reply. So a request that may change something, and comes from another
 * origin than the service's own, is refused with 403, unless --allow-origin
 * names that origin. For an allowed origin, preflight requests are answered,
 * and replies carry the headers that let its page read them (Fetch standard,
 * CORS protocol).
 *
 * Programs other than browsers send no Origin, and are not affected.
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

/* Can the text be an entry of `hosts`, or of `origins`? One that cannot would
 * match nothing: "https://app.example" is no host, "https://app.example/" and
 * "*.app.example" are no origins. */
bool origin_is_host(const char *text);
bool origin_is_origin(const char *text);

/* Is a request with that Host accepted? host has n characters, with a port or
 * without. */
bool origin_knows_host(const struct origin_rules *r, const char *host,
                       size_t n);

/* Is the origin the service's own, given the request's Host? */
bool origin_is_own(const char *origin, const char *host);
bool origin_is_allowed(const struct origin_rules *r, const char *origin);

/* Checks the request's head: -1 with ERR_HOST (421) or ERR_ORIGIN (403). Adds
 * the headers that let an allowed origin's page read the reply. */
int origin_admit(struct exchange *x, struct err *e);

/* Is an admitted request a CORS preflight? Replies to one with the path's
 * methods. */
bool origin_is_preflight(const struct exchange *x);
int origin_reply_preflight(struct exchange *x, struct err *e);

#endif
