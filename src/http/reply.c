/* reply.c - stages a handler's reply until server.c sends it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/size.h"
#include "http/json_text.h"
#include "http/exchange.h"

enum { JOIN_MOST = 32 << 10 };

/* Begins a reply. Only the first one counts; false: there was one before. */
static bool stage(struct exchange *x, int status, const char *type)
{
	if (x->reply.status || x->phase == PHASE_CUT)
		return false;
	x->reply.status = status;
	x->reply.type = type;
	return true;
}

static void take_head(struct exchange *x, struct text *head)
{
	if (!head)
		return;
	x->reply.head = *head;
	*head = (struct text){ 0 };
}

static void add_header(struct reply *r, const char *name, const char *value)
{
	text_add(&r->headers, name, strlen(name) + 1);
	text_add(&r->headers, value, strlen(value) + 1);
}

void exchange_reply_header(struct exchange *x, const char *name,
                           const char *value)
{
	add_header(&x->reply, name, value);
}

void exchange_reply_text(struct exchange *x, int status, const char *type,
                         struct text *text)
{
	if (!stage(x, status, type)) {
		text_fini(text);
		return;
	}
	take_head(x, text);
	x->reply.holds = x->reply.head.length;
	server_resume(x);
}

void exchange_reply_unchanged(struct exchange *x, const char *type,
                              const char *body, uint64_t bytes,
                              uint64_t length)
{
	if (!stage(x, 304, type))
		return;
	x->reply.bytes = body;
	x->reply.holds = bytes;
	x->reply.size = length;
	server_resume(x);
}

void exchange_reply_holds(struct exchange *x, uint64_t bytes)
{
	x->reply.holds = bytes;
}

void exchange_reply_plain(struct exchange *x)
{
	x->reply.plain = true;
}

void exchange_reply_live(struct exchange *x)
{
	x->reply.live = true;
}

/* Copies a short body after its head, so that both fit into one packet. */
static void join(struct exchange *x, const void *bytes, size_t n,
                 void (*release)(void *arg), void *arg)
{
	text_add(&x->reply.head, bytes, n);
	release(arg);
}

void exchange_reply_bytes(struct exchange *x, int status, const char *type,
                          struct text *head, const void *bytes, size_t n,
                          void (*release)(void *arg), void *arg)
{
	if (!stage(x, status, type)) {
		if (head)
			text_fini(head);
		release(arg);
		return;
	}
	take_head(x, head);
	x->reply.holds = n;
	if (!head || n > JOIN_MOST) {
		x->reply.bytes = bytes;
		x->reply.n = n;
		x->reply.release = release;
		x->reply.arg = arg;
	} else {
		join(x, bytes, n, release, arg);
	}
	server_resume(x);
}

void exchange_reply_stream(struct exchange *x, int status, const char *type,
                           uint64_t size,
                           ssize_t (*more)(void *arg, char *room, size_t most),
                           void (*release)(void *arg), void *arg)
{
	if (!stage(x, status, type)) {
		release(arg);
		return;
	}
	x->reply.size = size;
	if (size != UINT64_MAX)
		x->reply.holds = size;
	x->reply.more = more;
	x->reply.release = release;
	x->reply.arg = arg;
	server_resume(x);
}

/* The headers that some statuses require. */
static const struct {
	int status;
	const char *name, *value;
} companions[] = {
	{ 401, "WWW-Authenticate", "Bearer realm=\"linalgd\"" },
};

/* 503 always has Retry-After, since it will pass without the client's doing. */
static void add_retry(struct reply *r, const struct err *e)
{
	char seconds[16];

	if (!e->retry_s && r->status != 503)
		return;
	snprintf(seconds, sizeof seconds, "%u", e->retry_s ? e->retry_s : 1);
	add_header(r, "Retry-After", seconds);
}

void reply_problem(struct reply *r, const struct err *e, const char *instance)
{
	r->status = err_status(e->code);
	r->type = "application/problem+json";
	for (size_t i = 0; i < COUNT(companions); i++)
		if (companions[i].status == r->status)
			add_header(r, companions[i].name, companions[i].value);
	add_retry(r, e);
	json_text_print(&r->head, json_text_problem(e, instance));
	r->holds = r->head.length;
}

/* Adds the member "error" to a problem document: the Open Inference Protocol's
 * clients read an error's text there. */
static void add_error(struct text *t, const struct err *e)
{
	if (t->failed)
		return;
	t->length--;			/* drops the closing brace */
	json_text_put_name(t, "error");
	json_text_put_string(t, e->text);
	text_puts(t, "}");
}

void exchange_reply_problem(struct exchange *x, const struct err *e,
                            const char *instance)
{
	struct err why = *e;

	if (x->reply.status || x->phase == PHASE_CUT)
		return;
	if (x->options->explain)
		x->options->explain(x, &why, x->options->arg);
	access_problem(x, &why);
	reply_problem(&x->reply, &why, instance);
	if (strncmp(x->path, "/v2", 3) == 0)
		add_error(&x->reply.head, &why);
	server_resume(x);
}

void reply_without_memory(struct exchange *x)
{
#define DETAIL "no memory for the reply"
	static const char problem[] =
		"{\"type\":\"/problems/out-of-memory\",\"title\":\"Memory is "
		"full\",\"status\":503,\"detail\":\"" DETAIL "\"}";
	static const char inference[] = "{\"error\":\"" DETAIL "\"}";
	const struct err e = { .code = ERR_MEMORY, .text = DETAIL };
	const bool told = strncmp(x->path, "/v2", 3) == 0;
	struct reply *r = &x->reply;

	if (r->release)
		r->release(r->arg);
	text_fini(&r->head);
	text_fini(&r->headers);
	access_problem(x, &e);
	*r = (struct reply){
		.status = err_status(e.code), .close = r->close,
		.type = told ? "application/json" : "application/problem+json",
		.bytes = told ? inference : problem,
		.n = told ? sizeof inference - 1 : sizeof problem - 1,
		.constant = true,
	};
	r->holds = r->n;
#undef DETAIL
}

/* RFC 9110, 5.6.7 */
static void print_date(struct text *t)
{
	const time_t now = time(NULL);
	char date[40];
	struct tm utc;

	if (gmtime_r(&now, &utc) &&
	    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc))
		text_printf(t, "Date: %s\r\n", date);
}

void reply_print(struct text *t, const struct reply *r, bool head_only)
{
	const struct text *h = &r->headers;

	text_printf(t, "HTTP/1.1 %d %s\r\n", r->status,
	            server_reason(r->status));
	print_date(t);
	text_puts(t, "Connection: close\r\n");
	for (size_t at = 0; at < h->length;) {
		const char *name = h->data + at;
		const char *value = name + strlen(name) + 1;

		text_printf(t, "%s: %s\r\n", name, value);
		at += strlen(name) + strlen(value) + 2;
	}
	if (r->type)
		text_printf(t, "Content-Type: %s\r\n", r->type);
	text_printf(t, "Content-Length: %zu\r\n\r\n", r->head.length);
	if (!head_only)
		text_add(t, r->head.data, r->head.length);
	t->failed |= r->head.failed || r->headers.failed;
}

void exchange_resume(struct exchange *x)
{
	server_resume(x);
}

struct held *reply_hold(struct exchange *x)
{
	struct held *h = calloc(1, sizeof *h);
	struct reply *r = &x->reply;

	if (!h)
		return NULL;
	*h = (struct held){ x, text_take(&r->head), r->more, r->release,
	                    r->arg };
	r->release = NULL;
	return h;
}

void held_free(void *arg)
{
	struct held *h = arg;

	if (h->release)
		h->release(h->arg);
	free(h->head);
	free(h);
}
