/* server.h - HTTP in and out; server.c and response.c alone know
 * libmicrohttpd.
 *
 *     headers -> route's begin -> body ... -> done
 *                       |                       |
 *                       +------> reply <--------+
 *
 * An exchange is one request and its reply, alive from the last header
 * byte to the last reply byte or the loss of the connection. All callbacks
 * run on the loop's thread.
 */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/loop.h"
#include "base/text.h"
#include "http/origin.h"
#include "http/pace.h"

struct server;
struct exchange;

enum method { GET, HEAD, POST, PUT, DELETE, OPTIONS, METHOD_OTHER };

/* What an exchange does, chosen from its headers. All but one of begin and
 * done may be NULL; a body that no hook takes is read and dropped. */
struct handler {
	/* Looks at the headers, may answer at once; -1 with *e: refused.
	 * *state is the handler's for the exchange. */
	int (*begin)(struct exchange *x, void **state, struct err *e);
	/* The next bytes of the body. */
	int (*body)(struct exchange *x, void *state, const void *bytes,
	            size_t n, struct err *e);
	/* The body is complete: answer now, or later, on the loop's
	 * thread. */
	int (*done)(struct exchange *x, void *state, struct err *e);
	/* The client left before the answer. */
	void (*gone)(struct exchange *x, void *state);
	/* Always last. */
	void (*end)(struct exchange *x, void *state);
};

struct route {
	enum method method;
	const char *path;	/* "/jobs/{}/result": {} is one segment */
	const struct handler *handler;
	const void *arg;
	bool open;			/* to everybody: no token is needed */
};

struct server_options {
	const char *listen;	/* "127.0.0.1:8080", "[::1]:0", "fd:3" */
	uint64_t max_body;
	struct paces paces;		/* of bodies and replies */
	unsigned connections;		/* at most; 0: as descriptors allow */
	struct origin_rules origins;
	const struct route *routes;	/* ends with a NULL path */
	/* Called first: 401 and the like. */
	int (*admit)(struct exchange *x, void *arg, struct err *e);
	/* Called last, for the access log; NULL: there is none. */
	void (*ended)(const struct exchange *x, void *arg);
	void *arg;			/* exchange_context() */
};

struct server *server_new(struct loop *l, const struct server_options *o,
                          struct err *e);
int server_port(const struct server *s);
void server_leave(struct server *s);	/* each reply ends its connection */
void server_quiesce(struct server *s);		/* no new connections */
bool server_busy(const struct server *s);	/* is a request under way? */
void server_free(struct server *s);

/* The request. Strings live as long as the exchange. */
const char *exchange_path(const struct exchange *x);
const char *exchange_query_text(const struct exchange *x);	/* or NULL */
const char *exchange_segment(const struct exchange *x, int i);	/* of {} */
const char *exchange_header(const struct exchange *x, const char *name);
/* Lists, which may stand on several lines; NULL: there is none. */
const char *exchange_accept(const struct exchange *x);
const char *exchange_prefer(const struct exchange *x);
const struct route *exchange_route(const struct exchange *x);
void *exchange_context(const struct exchange *x);
/* Content-Length; UINT64_MAX when it comes in chunks. */
uint64_t exchange_length(const struct exchange *x);
int64_t exchange_first_byte_ns(const struct exchange *x);
/* Calls fn for every query argument, percent-decoded; -1 stops. */
int exchange_query(const struct exchange *x,
                   int (*fn)(void *arg, const char *name, const char *value,
                             struct err *e), void *arg, struct err *e);

/* The reply. Headers first, then one of the bodies, once. */
void exchange_reply_header(struct exchange *x, const char *name,
                           const char *value);
/* text is taken over (and empty afterwards). */
void exchange_reply_text(struct exchange *x, int status, const char *type,
                         struct text *text);
/* Bytes that lie still until release(arg), which is always called. head, if
 * not NULL, goes before them and is taken over. */
void exchange_reply_bytes(struct exchange *x, int status, const char *type,
                          struct text *head, const void *bytes, size_t n,
                          void (*release)(void *arg), void *arg);
/* Bytes made as they leave: more(arg, room, at most) gives how many it wrote,
 * 0 at the end, -1 on failure (the connection is cut), or STREAM_LATER: it is
 * called again after exchange_resume(). size: in all, or UINT64_MAX. */
enum { STREAM_LATER = -2 };
void exchange_reply_stream(struct exchange *x, int status, const char *type,
                           uint64_t size,
                           ssize_t (*more)(void *arg, char *room, size_t most),
                           void (*release)(void *arg), void *arg);
void exchange_resume(struct exchange *x);
/* How many bytes of memory the reply keeps until it is sent, where its size
 * does not tell: the more, the faster the client must read it. */
void exchange_reply_holds(struct exchange *x, uint64_t bytes);
/* problem+json of e; instance may be NULL. */
void exchange_reply_problem(struct exchange *x, const struct err *e,
                            const char *instance);

#endif
