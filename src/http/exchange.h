/* exchange.h - an exchange: one HTTP request and its reply.
 *
 *     HEADERS -> BODY -> WAIT -> REPLY
 *        |         |       |       ^
 *        +---------+       +-> CUT |
 *        |         |            ^  |
 *        +-> DRAIN <------------+  |
 *        |     +-------------------+
 *        +-> CUT
 *
 * DRAIN reads the rest of a refused short body, so that the connection can be
 * kept. CUT closes the connection; a reply that is staged then is sent at once,
 * bypassing libmicrohttpd (linger.h). exchange.c takes a request through its
 * phases and calls the handlers, but does not know libmicrohttpd; server.c
 * feeds it bytes and sends the staged reply.
 */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include "http/access.h"
#include "http/digest.h"
#include "http/hygiene.h"
#include "http/intake.h"
#include "http/route.h"
#include "http/server.h"
#include "http/traceparent.h"

struct peer;

/* Bytes of a refused body that are read before its refusal is sent. */
enum { DRAIN_MOST = 64 << 10 };

enum { EXCHANGE_LISTS = 7 };		/* headers that are lists */

enum phase {
	PHASE_HEADERS,		/* the headers are being read */
	PHASE_BODY,		/* the handler takes the body */
	PHASE_DRAIN,		/* the reply is staged, the body dropped */
	PHASE_WAIT,		/* the handler has not replied yet */
	PHASE_REPLY,		/* the reply is being sent */
	PHASE_CUT,		/* the connection is to be closed */
};

/* A reply that a handler has staged: its body is `head` and then `bytes`, or
 * what more() makes. */
struct reply {
	int status;			/* 0: none is staged */
	bool close;			/* close the connection after it */
	const char *type;
	struct text headers;		/* name NUL value NUL ... */
	struct text head;
	const void *bytes;		/* borrowed until release(arg) */
	size_t n;
	uint64_t size;			/* bytes that more() makes in all;
					 * 304: its Content-Length, or
					 * UINT64_MAX */
	uint64_t holds;			/* see exchange_reply_holds() */
	bool live;			/* see exchange_reply_live() */
	bool plain;			/* see exchange_reply_plain() */
	bool constant;			/* see reply_without_memory() */
	ssize_t (*more)(void *arg, char *room, size_t most);
	void (*release)(void *arg);
	void *arg;
};

/* Makes a problem document of e, with the headers that its status needs. */
void reply_problem(struct reply *r, const struct err *e,
                   const char *instance);
/* Replaces the staged reply, for which there was no memory, by a problem that
 * says so: `bytes` are a constant, and there are no `headers`. */
void reply_without_memory(struct exchange *x);
/* Appends a reply as a whole HTTP message that closes the connection. The reply
 * must have neither `bytes` nor more(). */
void reply_print(struct text *t, const struct reply *r, bool head_only);
/* "Bad Request"; defined in server.c. */
const char *server_reason(int status);

/* A reply's memory, while libmicrohttpd sends it. */
struct held {
	struct exchange *x;
	char *head;
	ssize_t (*more)(void *arg, char *room, size_t most);
	void (*release)(void *arg);
	void *arg;
};

/* Moves the memory from the exchange's reply; NULL without memory. */
struct held *reply_hold(struct exchange *x);
void held_free(void *arg);

struct exchange {
	struct server *server;
	const struct server_options *options;
	struct MHD_Connection *connection;
	struct peer *peer;
	enum phase phase;
	bool suspended;
	bool held;			/* see exchange_hold() */
	enum method method;
	struct hygiene framing;
	struct digest digest;		/* of the body's received bytes */
	struct intake intake;		/* decodes the body */
	char *target;			/* path and query point here */
	const char *path, *query;
	const char *authority;		/* of http://authority/path, or NULL */
	const char *host, *origin;	/* headers, or NULL */
	struct text list[EXCHANGE_LISTS];	/* all lines of each */
	struct segments segments;
	const struct route *route;
	void *state;			/* the handler's */
	bool begun;			/* handler->end is due */
	uint64_t received;		/* bytes of the body */
	uint64_t dropped;		/* of these, dropped after a refusal */
	uint64_t taken, sent;		/* bytes of both bodies, for the log */
	bool aborted;			/* before all of the reply was sent */
	struct tenant *tenant;		/* set by options->admit */
	unsigned scopes;		/* of the request's token (token.h) */
	int64_t expires_ms;		/* of the token */
	struct access access;
	struct traceparent traceparent;
	int64_t first_byte_ns;
	struct reply reply;
	struct exchange *next, *previous;	/* suspended ones */
};

/* Makes an exchange; target is taken over. */
struct exchange *exchange_new(struct server *s,
                              const struct server_options *o, char *target);

/* Returns the length of a header's value without the blanks at its end, which
 * are no part of it (RFC 9110, 5.5). libmicrohttpd 0.9.75 leaves them there.
 * The string is ended in libmicrohttpd's own memory, so that server_header(),
 * which reads it there later, finds it without them, too. */
size_t exchange_cut_blanks(char *value, size_t n);

/* Takes one header; several lines of a list are joined. */
int exchange_take_header(struct exchange *x, const char *name,
                         size_t name_length, const char *value,
                         size_t value_length, struct err *e);

/* To be called after the last header; fault: what was wrong with them. */
void exchange_headers(struct exchange *x, const struct err *fault);
/* Takes bytes of the body. Returns how many it took; the caller must offer the
 * others again in the next turn of the loop. */
size_t exchange_bytes(struct exchange *x, const void *bytes, size_t n);
/* To be called after the body; if the phase is still PHASE_BODY then, to be
 * called again later. */
void exchange_complete(struct exchange *x);
/* Returns when, as clock_ns(), a suspended connection is to be resumed to offer
 * again what was not taken. */
int64_t exchange_again_ns(const struct exchange *x);

/* To be called when the client has left before the reply. */
void exchange_lost(struct exchange *x);
void exchange_free(struct exchange *x);

/* Defined in server.c: the first line of a header. */
const char *server_header(const struct exchange *x, const char *name);

/* Defined in server.c: stop reading for an exchange whose handler replies
 * later; go on when its reply is staged. */
void server_suspend(struct exchange *x);
void server_resume(struct exchange *x);

#endif
