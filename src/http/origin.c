/* origin.c - see origin.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "http/address.h"
#include "http/exchange.h"
#include "http/origin.h"
#include "http/peers.h"

enum { NAME = 256 };		/* a name in DNS has at most 253 characters */

/* Is the text ":80", ":" or empty? */
static bool is_port(const char *s, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return n == 0 || *s == ':';
}

/* Extracts the name or address of "name:80", "[::1]:80" or "name."; false: the
 * text is none of these. */
static bool name_of(const char *host, size_t n, char name[NAME])
{
	const bool v6 = n && *host == '[';
	const char *const end = host + n;
	const char *stop = memchr(host, v6 ? ']' : ':', n);

	if (v6 && !stop)
		return false;
	if (!is_port(stop ? stop + v6 : end, stop ? (size_t)(end - stop) - v6 :
	             0))
		return false;
	host += v6;
	n = (size_t)((stop ? stop : end) - host);
	if (n && host[n - 1] == '.')
		n--;
	if (n >= NAME)
		return false;
	memcpy(name, host, n);
	name[n] = 0;
	return true;
}

static bool is_loopback_address(const char *name)
{
	struct sockaddr_storage s;

	return address_parse(&s, name) && address_is_loopback(&s);
}

/* Is the name "localhost" or a subdomain of it (RFC 6761, 6.3)? */
static bool is_localhost(const char *name)
{
	static const char word[] = "localhost";
	const size_t n = strlen(name), below = sizeof word;

	return strcasecmp(name, word) == 0 ||
	       (n > below && name[n - below] == '.' &&
	        strcasecmp(name + n - below + 1, word) == 0);
}

static bool is_any(const char *entry)
{
	return strcmp(entry, "*") == 0;
}

/* Does `entry`, a host with or without a port, have this name? */
static bool is_named(const char *name, const char *entry)
{
	char known[NAME];

	return is_any(entry) ||
	       (name_of(entry, strlen(entry), known) &&
	        strcasecmp(name, known) == 0);
}

static bool is_listed(const char *name, const char *const *list)
{
	for (; list && *list; list++)
		if (is_named(name, *list))
			return true;
	return false;
}

bool origin_is_host(const char *text)
{
	char name[NAME];

	return is_any(text) || (name_of(text, strlen(text), name) && *name &&
	                        !strpbrk(name, "/*?#@ "));
}

bool origin_is_origin(const char *text)
{
	const char *const host = strstr(text, "://");

	return is_any(text) || strcmp(text, "null") == 0 ||
	       (host && host > text && !is_any(host + 3) &&
	        origin_is_host(host + 3));
}

bool origin_knows_host(const struct origin_rules *r, const char *host,
                       size_t n)
{
	char name[NAME];

	if (!r->loopback && !(r->hosts && *r->hosts))
		return true;
	if (!name_of(host, n, name))
		return false;
	return !strpbrk(name, ".:") || is_localhost(name) ||
	       is_loopback_address(name) || is_listed(name, r->hosts) ||
	       (r->listen && is_named(name, r->listen));
}

bool origin_is_own(const char *origin, const char *host)
{
	static const char *const schemes[] = { "http://", "https://" };

	for (size_t i = 0; i < COUNT(schemes); i++) {
		const size_t n = strlen(schemes[i]);

		if (strncasecmp(origin, schemes[i], n) == 0)
			return host && strcasecmp(origin + n, host) == 0;
	}
	return false;
}

bool origin_is_allowed(const struct origin_rules *r, const char *origin)
{
	for (const char *const *o = r->origins; o && *o; o++)
		if (is_any(*o) || strcasecmp(*o, origin) == 0)
			return true;
	return false;
}

/* Is host the address that the connection was made to? */
static bool is_reached(const struct exchange *x, const char *host, size_t n)
{
	struct sockaddr_storage own = { 0 }, named;
	socklen_t size = sizeof own;
	char name[NAME];

	return name_of(host, n, name) && address_parse(&named, name) &&
	       getsockname(x->peer->fd, (struct sockaddr *)&own, &size) == 0 &&
	       address_equals(&own, &named);
}

static int check_host(const struct exchange *x, const char *host, size_t n,
                      struct err *e)
{
	if (origin_knows_host(&x->options->origins, host, n) ||
	    is_reached(x, host, n))
		return 0;
	return err_set(e, ERR_HOST, "Host is %.*s, which is no name of this "
	               "service; --allow-host adds one",
	               (int)size_min(n, 80), host);
}

/* Adds the CORS headers for a page of an allowed origin. */
static void permit(struct exchange *x)
{
	exchange_reply_header(x, "Access-Control-Allow-Origin", x->origin);
	exchange_reply_header(x, "Access-Control-Expose-Headers",
	    "Accept-Encoding, Accept-Ranges, Allow, Content-Digest, "
	    "Content-Range, ETag, Inference-Header-Content-Length, "
	    "Linalgd-Dtype, Linalgd-Job, Linalgd-Queue, Linalgd-Shape, "
	    "Linalgd-Stored, Location, Preference-Applied, Retry-After, "
	    "Server-Timing, traceparent, WWW-Authenticate");
	exchange_reply_header(x, "Vary", "Origin");
}

static int check_origin(struct exchange *x, struct err *e)
{
	if (origin_is_own(x->origin, x->host))
		return 0;
	if (origin_is_allowed(&x->options->origins, x->origin)) {
		permit(x);
		return 0;
	}
	if (x->method == GET || x->method == HEAD)
		return 0;
	return err_set(e, ERR_ORIGIN, "Origin is %.80s, a page of another "
	               "service; --allow-origin allows it", x->origin);
}

int origin_admit(struct exchange *x, struct err *e)
{
	if (x->host && check_host(x, x->host, strlen(x->host), e))
		return -1;
	if (x->authority && check_host(x, x->authority,
	                               strcspn(x->authority, "/"), e))
		return -1;
	return x->origin ? check_origin(x, e) : 0;
}

bool origin_is_preflight(const struct exchange *x)
{
	return x->method == OPTIONS && x->origin &&
	       exchange_header(x, "Access-Control-Request-Method");
}

int origin_reply_preflight(struct exchange *x, struct err *e)
{
	struct text methods = { 0 }, none = { 0 };
	struct err other = { 0 };

	route_find(x->options->routes, x->method, x->path, &x->segments,
	           &methods, &other);
	if (!methods.length) {
		*e = other;
		return -1;
	}
	exchange_reply_header(x, "Access-Control-Allow-Methods", methods.data);
	exchange_reply_header(x, "Access-Control-Allow-Headers", "Accept, "
	    "Authorization, Content-Digest, Content-Encoding, Content-Type, "
	    "Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, "
	    "If-Range, If-Unmodified-Since, Inference-Header-Content-Length, "
	    "Prefer, Range, traceparent, Want-Content-Digest");
	exchange_reply_header(x, "Access-Control-Max-Age", "600");
	if (exchange_header(x, "Access-Control-Request-Private-Network"))
		exchange_reply_header(x, "Access-Control-Allow-Private-Network",
		                      "true");
	exchange_reply_text(x, 204, NULL, &none);
	text_fini(&methods);
	return 0;
}
