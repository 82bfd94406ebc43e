/* exchange.h - one request and its reply, inside src/http's server.
 *
 *     HEADERS -> BODY -> WAIT -> REPLY
 *        |         |       |       ^
 *        +---------+       +-> CUT |
 *        |         |            ^  |
 *        +-> DRAIN <------------+  |
 *        |     +-------------------+
 *        +-> CUT
 *
 * DRAIN reads the short rest of a refused body, so that the connection lives
 * on. CUT closes the connection; a reply that is staged then is sent at once,
 * past libmicrohttpd (linger.h).
 * exchange.c leads a request through its phases and knows the handlers, but not
 * libmicrohttpd; server.c feeds it and sends what it staged in reply.
 */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include "http/access.h"
#include "http/hygiene.h"
#include "http/route.h"
#include "http/server.h"

struct peer;

/* Bytes of a refused body that are read before its refusal is sent. */
enum { DRAIN_MOST = 64 << 10 };

enum phase {
	PHASE_HEADERS,		/* they are being read */
	PHASE_BODY,		/* the handler takes it */
	PHASE_DRAIN,		/* nobody takes it; the reply is staged */
	PHASE_WAIT,		/* complete; the handler has yet to answer */
	PHASE_REPLY,		/* being sent */
	PHASE_CUT,		/* the connection is to be closed */
};

/* What the handler wants sent. */
struct reply {
	int status;			/* 0: nothing yet */
	bool close;			/* no further request on this one */
	const char *type;
	struct text headers;		/* name NUL value NUL ... */
	struct text head;		/* the body, or its beginning */
	const void *bytes;		/* the rest, where it lies */
	size_t n;
	uint64_t size;			/* of what more() makes */
	uint64_t holds;			/* bytes of memory, until it is sent */
	ssize_t (*more)(void *arg, char *room, size_t most);
	void (*release)(void *arg);
	void *arg;
};

/* The problem of e, with the headers that its status wants. */
void reply_problem(struct reply *r, const struct err *e,
                   const char *instance);
/* A whole HTTP message that closes the connection: of a reply that has no
 * bytes of others. */
void reply_print(struct text *t, const struct reply *r, bool head_only);
/* server.c's: "Bad Request" */
const char *server_reason(int status);

/* A reply's memory, while it is being sent; goes with the exchange. */
struct held {
	struct exchange *x;
	char *head;
	ssize_t (*more)(void *arg, char *room, size_t most);
	void (*release)(void *arg);
	void *arg;
};

/* Takes it from the reply; NULL without memory. */
struct held *reply_hold(struct exchange *x);
void held_free(void *arg);

struct exchange {
	struct server *server;
	const struct server_options *options;
	struct MHD_Connection *connection;
	struct peer *peer;
	enum phase phase;
	bool suspended;
	enum method method;
	struct hygiene framing;
	char *target;			/* path and query point here */
	const char *path, *query;
	const char *authority;		/* of http://authority/path, or NULL */
	const char *host, *origin;	/* headers, or NULL */
	struct text accept, prefer;	/* all lines of each */
	struct segments segments;
	const struct route *route;
	void *state;			/* the handler's */
	bool begun;			/* handler->end is due */
	uint64_t received;		/* bytes of the body */
	uint64_t dropped;		/* of them, after its refusal */
	uint64_t taken, sent;		/* of both bodies, for the log */
	bool aborted;			/* before all of the reply was sent */
	struct access access;
	int64_t first_byte_ns;
	struct reply reply;
	struct exchange *next, *previous;	/* suspended ones */
};

/* target is taken over. */
struct exchange *exchange_new(struct server *s,
                              const struct server_options *o, char *target);

/* One header; several lines of a list become one. */
int exchange_take_header(struct exchange *x, const char *name,
                         size_t name_length, const char *value,
                         size_t value_length, struct err *e);

/* All headers are known; fault: what was wrong with them. */
void exchange_headers(struct exchange *x, const struct err *fault);
void exchange_bytes(struct exchange *x, const void *bytes, size_t n);
void exchange_complete(struct exchange *x);

/* The client is gone before the reply. */
void exchange_lost(struct exchange *x);
void exchange_free(struct exchange *x);

/* server.c's: the exchange waits; a reply was staged while it did. */
void server_suspend(struct exchange *x);
void server_resume(struct exchange *x);

#endif
