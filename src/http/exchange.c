/* exchange.c - see exchange.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "http/exchange.h"
#include "http/origin.h"
#include "http/query.h"
#include "http/token.h"

/* How long a request waits before it asks again for memory, which comes at
 * some MB in a millisecond (release.h). */
static const int64_t wait_for_memory_ns = 1000000;

/* A proxy may ask for http://host/path (RFC 9112, 3.2.2). */
static void find_path(struct exchange *x)
{
	x->path = x->target;
	if (strncasecmp(x->target, "http://", 7) != 0)
		return;
	x->authority = x->target + 7;
	x->path = strchr(x->authority, '/');
	if (!x->path)
		x->path = "/";
}

struct exchange *exchange_new(struct server *s,
                              const struct server_options *o, char *target)
{
	struct exchange *x = target ? calloc(1, sizeof *x) : NULL;
	char *mark;

	if (!x) {
		free(target);
		return NULL;
	}
	x->server = s;
	x->options = o;
	x->target = target;
	x->first_byte_ns = clock_ns();
	mark = strchr(target, '?');
	if (mark) {
		*mark = 0;
		x->query = mark + 1;
	}
	find_path(x);
	return x;
}

/* Refuses a request, whose reply is staged, before its body has arrived. The
 * rest of a short body is read first, unless the client waits for 100
 * Continue. */
static void turn_down(struct exchange *x)
{
	const uint64_t length = hygiene_length(&x->framing);
	const uint64_t rest = length == LENGTH_UNKNOWN ? 0 :
	                      length - x->received;

	x->phase = rest + x->dropped > DRAIN_MOST ||
	           (x->framing.expects_continue && !x->received) ?
	           PHASE_CUT : PHASE_DRAIN;
}

static int find_route(struct exchange *x, struct err *e)
{
	struct text allow = { 0 };

	x->route = route_find(x->options->routes, x->method, x->path,
	                      &x->segments, &allow, e);
	if (!x->route && allow.length)
		exchange_reply_header(x, "Allow", allow.data);
	text_fini(&allow);
	return x->route ? 0 : -1;
}

/* Replies to OPTIONS with the path's methods, which find_route() has put into
 * Allow; * is the server as a whole (RFC 9110, 9.3.7). */
static int tell_methods(struct exchange *x, struct err *e)
{
	struct text none = { 0 };

	if (e->code != ERR_METHOD && strcmp(x->path, "*"))
		return -1;
	*e = (struct err){ 0 };
	exchange_reply_text(x, 204, NULL, &none);
	return 0;
}

static int check_length(const struct exchange *x, struct err *e)
{
	const uint64_t length = hygiene_length(&x->framing);
	const uint64_t most = x->options->max_body;

	if (length != LENGTH_UNKNOWN && length > most)
		return err_set(e, ERR_TOO_LARGE, "the body has %llu bytes, "
		               "%llu are the limit",
		               (unsigned long long)length,
		               (unsigned long long)most);
	return 0;
}

/* Begins to decode the body. If its Content-Encoding is unknown, the reply's
 * Accept-Encoding lists the known ones (RFC 9110, 12.5.3). */
static int begin_decoding(struct exchange *x, struct err *e)
{
	if (!x->route->handler->body ||
	    intake_begin(&x->intake, exchange_header(x, "Content-Encoding"),
	                 x->options->memory, x->options->max_body, e) == 0)
		return 0;
	if (e->code == ERR_MEDIA)
		exchange_reply_header(x, "Accept-Encoding", decoder_codings);
	return -1;
}

static int begin(struct exchange *x, struct err *e)
{
	const struct handler *h;

	for (int i = 0; i < EXCHANGE_LISTS; i++)
		if (x->list[i].failed)
			return err_set(e, ERR_MEMORY,
			               "no memory for the headers");
	if (origin_admit(x, e))
		return -1;
	if (origin_is_preflight(x))
		return origin_reply_preflight(x, e);
	if (find_route(x, e))
		return x->method == OPTIONS ? tell_methods(x, e) : -1;
	if (x->options->admit && x->options->admit(x, x->options->arg, e))
		return -1;
	if (check_length(x, e) || begin_decoding(x, e) ||
	    digest_begin(&x->digest, exchange_header(x, "Content-Digest"), e))
		return -1;
	h = x->route->handler;
	x->begun = true;
	return h->begin ? h->begin(x, &x->state, e) : 0;
}

void exchange_headers(struct exchange *x, const struct err *fault)
{
	struct err e = { 0 };
	char parent[TRACEPARENT_TEXT];

	exchange_reply_header(x, "traceparent",
	                      traceparent_begin(&x->traceparent, parent));
	if (fault->code != ERR_NONE) {
		exchange_reply_problem(x, fault, NULL);
		x->phase = PHASE_CUT;
		return;
	}
	if (begin(x, &e))
		exchange_reply_problem(x, &e, NULL);
	if (x->reply.status)
		turn_down(x);
	else
		x->phase = PHASE_BODY;
}

/* Must the body wait, because the handler is not ready for it, or because
 * memory that was freed before has not yet returned to the system? */
static bool is_held_up(const struct exchange *x)
{
	return x->phase == PHASE_BODY &&
	       (x->held || (x->options->memory && x->route->handler->body &&
	                    memory_pool_is_behind(x->options->memory)));
}

void exchange_hold(struct exchange *x)
{
	x->held = true;
}

void exchange_go_on(struct exchange *x, const struct err *e)
{
	x->held = false;
	if (e->code) {
		exchange_reply_problem(x, e, NULL);
		turn_down(x);
	}
	server_resume(x);
}

int64_t exchange_again_ns(const struct exchange *x)
{
	return clock_ns() + (is_held_up(x) ? wait_for_memory_ns : 0);
}

static int pass_on(void *arg, const void *bytes, size_t n, struct err *e)
{
	struct exchange *x = arg;

	return x->route->handler->body(x, x->state, bytes, n, e);
}

/* Takes bytes of the body. Returns how many it took, or -1. The limit is
 * checked here again, because a chunked body does not announce its length. */
static ssize_t take_bytes(struct exchange *x, const void *bytes, size_t n,
                          struct err *e)
{
	const uint64_t all = x->received + n;

	if (all > x->options->max_body)
		return err_set(e, ERR_TOO_LARGE,
		               "the body has more than %llu bytes, the limit",
		               (unsigned long long)x->options->max_body);
	if (!x->route->handler->body)
		return all <= DRAIN_MOST ? (ssize_t)n :
		       err_set(e, ERR_TOO_LARGE, "%s takes no body", x->path);
	if (x->intake.decoder)
		return intake_feed(&x->intake, bytes, n, pass_on, x, e);
	return pass_on(x, bytes, n, e) ? -1 : (ssize_t)n;
}

static size_t count(struct exchange *x, size_t n)
{
	x->received += n;
	x->taken += n;
	return n;
}

size_t exchange_bytes(struct exchange *x, const void *bytes, size_t n)
{
	struct err e = { 0 };
	ssize_t used;

	if (is_held_up(x))
		return 0;
	if (x->phase == PHASE_BODY) {
		used = take_bytes(x, bytes, n, &e);
		if (used >= 0) {
			digest_add(&x->digest, bytes, (size_t)used);
			return count(x, (size_t)used);
		}
		exchange_reply_problem(x, &e, NULL);
	} else {
		x->dropped += n;
	}
	count(x, n);
	turn_down(x);
	return n;
}

void exchange_complete(struct exchange *x)
{
	const struct handler *h = x->route ? x->route->handler : NULL;
	struct err e = { 0 };

	if (x->phase != PHASE_BODY || is_held_up(x))
		return;
	x->phase = PHASE_WAIT;
	if (digest_end(&x->digest, &e) || intake_end(&x->intake, &e) ||
	    (h->done && h->done(x, x->state, &e)))
		exchange_reply_problem(x, &e, NULL);
}

void exchange_lost(struct exchange *x)
{
	const bool waited = x->begun && !x->reply.status;

	x->phase = PHASE_CUT;
	if (waited && x->route->handler->gone)
		x->route->handler->gone(x, x->state);
	server_resume(x);
}

void exchange_free(struct exchange *x)
{
	if (!x)
		return;
	if (x->options->ended)
		x->options->ended(x, x->options->arg);
	if (x->begun && x->route->handler->end)
		x->route->handler->end(x, x->state);
	access_fini(&x->access);
	intake_fini(&x->intake);
	if (x->reply.release)
		x->reply.release(x->reply.arg);
	for (int i = 0; i < EXCHANGE_LISTS; i++)
		text_fini(&x->list[i]);
	text_fini(&x->reply.headers);
	text_fini(&x->reply.head);
	free(x->target);
	free(x);
}

const char *exchange_path(const struct exchange *x)
{
	return x->path;
}

enum method exchange_method(const struct exchange *x)
{
	return x->method;
}

const char *exchange_query_text(const struct exchange *x)
{
	return x->query;
}

const char *exchange_segment(const struct exchange *x, int i)
{
	return x->segments.text[i];
}

const struct route *exchange_route(const struct exchange *x)
{
	return x->route;
}

struct tenant *exchange_tenant(const struct exchange *x)
{
	return x->tenant;
}

const char *exchange_token(const struct exchange *x)
{
	return x->access.token;
}

unsigned exchange_scopes(const struct exchange *x)
{
	return x->scopes;
}

int64_t exchange_expires_ms(const struct exchange *x)
{
	return x->expires_ms;
}

bool exchange_is_admin(const struct exchange *x)
{
	return x->scopes & SCOPE_ADMIN;
}

void *exchange_context(const struct exchange *x)
{
	return x->options->arg;
}

uint64_t exchange_length(const struct exchange *x)
{
	return x->intake.decoder ? LENGTH_UNKNOWN :
	       hygiene_length(&x->framing);
}

bool exchange_is_coded(const struct exchange *x)
{
	return x->intake.decoder != NULL;
}

int64_t exchange_first_byte_ns(const struct exchange *x)
{
	return x->first_byte_ns;
}

int exchange_query(const struct exchange *x,
                   int (*fn)(void *arg, const char *name, const char *value,
                             struct err *e), void *arg, struct err *e)
{
	return query_each(x->query, fn, arg, e);
}
