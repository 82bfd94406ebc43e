/* handler.h - what handlers see of the HTTP server.
 *
 *     headers -> route's begin -> body ... -> done
 *                       |                       |
 *                       +------> reply <--------+
 *
 * An exchange is one request and its reply. It lives from the request line to
 * the last byte of the reply or the loss of the connection. All callbacks run
 * on the loop's thread.
 */
#ifndef HTTP_HANDLER_H
#define HTTP_HANDLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/text.h"

struct exchange;
struct tenant;

enum method { GET, HEAD, POST, PUT, DELETE, OPTIONS, METHOD_OTHER };

/* The functions that handle an exchange, chosen by its route. Any may be NULL,
 * but not both begin and done; without `body`, the body is read and dropped. */
struct handler {
	/* Called after the headers; may reply at once. -1 with *e refuses the
	 * request. *state is passed to the other functions. */
	int (*begin)(struct exchange *x, void **state, struct err *e);
	/* Takes the next bytes of the body. */
	int (*body)(struct exchange *x, void *state, const void *bytes,
	            size_t n, struct err *e);
	/* Called when the body is complete; replies now, or later on the
	 * loop's thread. */
	int (*done)(struct exchange *x, void *state, struct err *e);
	/* Called when the client has left before the reply. */
	void (*gone)(struct exchange *x, void *state);
	/* Always called last; frees the state. */
	void (*end)(struct exchange *x, void *state);
};

struct route {
	enum method method;
	const char *path;	/* "/jobs/{}/result": {} is one segment */
	const struct handler *handler;
	const void *arg;
	unsigned scope;		/* the token's that is needed (token.h); 0: no
				 * token is needed */
};

/* --- the request; strings live as long as the exchange */
const char *exchange_path(const struct exchange *x);
const char *exchange_query_text(const struct exchange *x);	/* or NULL */
enum method exchange_method(const struct exchange *x);
const char *exchange_segment(const struct exchange *x, int i);	/* of {} */
/* Returns a header's value, of a list all lines joined; NULL: not given. */
const char *exchange_header(const struct exchange *x, const char *name);
const char *exchange_accept(const struct exchange *x);
const char *exchange_prefer(const struct exchange *x);
const struct route *exchange_route(const struct exchange *x);
void *exchange_context(const struct exchange *x);
/* Whose request it is, never NULL in a handler (tenant.h); and whether its
 * token has the scope admin, or no tokens are required. */
struct tenant *exchange_tenant(const struct exchange *x);
bool exchange_is_admin(const struct exchange *x);
/* The request's token: its name or "", its scopes (token.h), and its end by
 * clock_wall_ms(), INT64_MAX if it has none. */
const char *exchange_token(const struct exchange *x);
unsigned exchange_scopes(const struct exchange *x);
int64_t exchange_expires_ms(const struct exchange *x);
/* Returns the length of the decoded body, which a handler receives, in bytes;
 * UINT64_MAX if it is unknown, because the body is chunked or has a content
 * coding. */
uint64_t exchange_length(const struct exchange *x);
bool exchange_is_coded(const struct exchange *x);
int64_t exchange_first_byte_ns(const struct exchange *x);
/* Calls fn for every query argument, percent-decoded, until it returns -1. */
int exchange_query(const struct exchange *x,
                   int (*fn)(void *arg, const char *name, const char *value,
                             struct err *e), void *arg, struct err *e);

/* May be called by begin(): the body waits until exchange_go_on(), which
 * refuses the request if e->code is set. */
void exchange_hold(struct exchange *x);
void exchange_go_on(struct exchange *x, const struct err *e);

/* --- the reply: headers first, then one of the bodies, once */
void exchange_reply_header(struct exchange *x, const char *name,
                           const char *value);
/* Replies with text, which is taken over and empty afterwards. */
void exchange_reply_text(struct exchange *x, int status, const char *type,
                         struct text *text);
/* Replies 304, without a body. A reply 200 would have a body of that type and
 * of about `bytes` bytes, which decide what content coding it would have
 * (encode.h). `length` is that body's exact length without a coding, or
 * UINT64_MAX if it is not known; it becomes the Content-Length, which must be
 * right or absent (RFC 9110, 8.6). Where it is absent, the connection is
 * closed: libmicrohttpd would send Transfer-Encoding, and clients such as
 * Python's http.client would wait for a body. `body` is NULL or the body, which
 * must not change before end(); a short one is encoded to know its encoded
 * length. */
void exchange_reply_unchanged(struct exchange *x, const char *type,
                              const char *body, uint64_t bytes,
                              uint64_t length);
/* Replies with bytes, which must not change until release(arg), which is always
 * called. head, if not NULL, is sent before them and is taken over. */
void exchange_reply_bytes(struct exchange *x, int status, const char *type,
                          struct text *head, const void *bytes, size_t n,
                          void (*release)(void *arg), void *arg);
/* Replies with bytes that more(arg, room, most) writes as they are sent. more()
 * returns how many it wrote, at most `most`; 0 at the end; -1 on failure, which
 * cuts the connection; or STREAM_LATER, to be called again after
 * exchange_resume(). size: bytes in all, or UINT64_MAX if unknown. */
enum { STREAM_LATER = -2 };
void exchange_reply_stream(struct exchange *x, int status, const char *type,
                           uint64_t size,
                           ssize_t (*more)(void *arg, char *room, size_t most),
                           void (*release)(void *arg), void *arg);
void exchange_resume(struct exchange *x);
/* Sets how many bytes of memory the reply occupies until it is sent, if that is
 * not its size: the more, the faster the client must read it (pace.h). */
void exchange_reply_holds(struct exchange *x, uint64_t bytes);
/* Says that the staged stream is produced at its own rate, such as that of
 * events: the client must read what has been produced, but no least rate
 * applies (pace.h). */
void exchange_reply_live(struct exchange *x);
/* Forbids to apply a content coding to the reply. */
void exchange_reply_plain(struct exchange *x);
/* Replies with the problem document of e; instance may be NULL. */
void exchange_reply_problem(struct exchange *x, const struct err *e,
                            const char *instance);

#endif
