/* exchange.c - see exchange.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "http/exchange.h"
#include "http/origin.h"
#include "http/query.h"

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

static void add_line(struct text *list, const char *value, size_t n)
{
	text_puts(list, list->length ? ", " : "");
	text_add(list, value, n);
}

int exchange_take_header(struct exchange *x, const char *name,
                         size_t name_length, const char *value,
                         size_t value_length, struct err *e)
{
	if (name_length == 6 && strncasecmp(name, "Accept", 6) == 0)
		add_line(&x->accept, value, value_length);
	else if (name_length == 6 && strncasecmp(name, "Prefer", 6) == 0)
		add_line(&x->prefer, value, value_length);
	else if (name_length == 6 && strncasecmp(name, "Origin", 6) == 0)
		x->origin = value;
	else if (name_length == 4 && strncasecmp(name, "Host", 4) == 0)
		x->host = value;
	else if (name_length == 11 && strncasecmp(name, "traceparent", 11) == 0)
		traceparent_take(&x->traceparent, value, value_length);
	return hygiene_header(&x->framing, name, name_length, value,
	                      value_length, e);
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

static int begin(struct exchange *x, struct err *e)
{
	const struct handler *h;

	if (origin_admit(x, e))
		return -1;
	if (origin_is_preflight(x))
		return origin_reply_preflight(x, e);
	if (find_route(x, e))
		return -1;
	if (x->options->admit && x->options->admit(x, x->options->arg, e))
		return -1;
	if (check_length(x, e))
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

/* Takes bytes of the body. The length of a chunked body is only known as it
 * arrives. */
static int take_bytes(struct exchange *x, const void *bytes, size_t n,
                      struct err *e)
{
	const struct handler *h = x->route->handler;

	if (x->received > x->options->max_body)
		return err_set(e, ERR_TOO_LARGE,
		               "the body has more than %llu bytes, the limit",
		               (unsigned long long)x->options->max_body);
	if (!h->body)
		return x->received <= DRAIN_MOST ? 0 :
		       err_set(e, ERR_TOO_LARGE, "%s takes no body", x->path);
	return h->body(x, x->state, bytes, n, e);
}

void exchange_bytes(struct exchange *x, const void *bytes, size_t n)
{
	struct err e = { 0 };

	x->received += n;
	x->taken += n;
	if (x->phase == PHASE_BODY) {
		if (take_bytes(x, bytes, n, &e) == 0)
			return;
		exchange_reply_problem(x, &e, NULL);
	} else {
		x->dropped += n;
	}
	turn_down(x);
}

void exchange_complete(struct exchange *x)
{
	const struct handler *h = x->route ? x->route->handler : NULL;
	struct err e = { 0 };

	if (x->phase != PHASE_BODY)
		return;
	x->phase = PHASE_WAIT;
	if (h->done && h->done(x, x->state, &e))
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
	if (x->reply.release)
		x->reply.release(x->reply.arg);
	text_fini(&x->accept);
	text_fini(&x->prefer);
	text_fini(&x->reply.headers);
	text_fini(&x->reply.head);
	free(x->target);
	free(x);
}

const char *exchange_path(const struct exchange *x)
{
	return x->path;
}

const char *exchange_query_text(const struct exchange *x)
{
	return x->query;
}

const char *exchange_segment(const struct exchange *x, int i)
{
	return x->segments.text[i];
}

const char *exchange_accept(const struct exchange *x)
{
	return x->accept.data;
}

const char *exchange_prefer(const struct exchange *x)
{
	return x->prefer.data;
}

const struct route *exchange_route(const struct exchange *x)
{
	return x->route;
}

void *exchange_context(const struct exchange *x)
{
	return x->options->arg;
}

uint64_t exchange_length(const struct exchange *x)
{
	return hygiene_length(&x->framing);
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
