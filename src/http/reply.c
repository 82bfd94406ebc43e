/* reply.c - what a handler answers, staged until server.c sends it. */
#include <stdlib.h>
#include <string.h>

#include "http/document.h"
#include "http/exchange.h"

enum { JOIN_MOST = 32 << 10 };

/* Only the first reply counts; one that comes too late is let go. */
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

void exchange_reply_header(struct exchange *x, const char *name,
                           const char *value)
{
	text_add(&x->reply.headers, name, strlen(name) + 1);
	text_add(&x->reply.headers, value, strlen(value) + 1);
}

void exchange_reply_text(struct exchange *x, int status, const char *type,
                         struct text *text)
{
	if (!stage(x, status, type)) {
		text_fini(text);
		return;
	}
	take_head(x, text);
	server_resume(x);
}

/* Copies short bytes behind their head: one packet instead of two. */
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
	x->reply.more = more;
	x->reply.release = release;
	x->reply.arg = arg;
	server_resume(x);
}

/* Statuses that want a header of their own. */
static const struct {
	int status;
	const char *name, *value;
} companions[] = {
	{ 401, "WWW-Authenticate", "Bearer realm=\"linalgd\"" },
	{ 503, "Retry-After", "1" },
};

void exchange_reply_problem(struct exchange *x, const struct err *e,
                            const char *instance)
{
	const int status = err_status(e->code);
	struct text t = { 0 };

	for (size_t i = 0; i < sizeof companions / sizeof *companions; i++)
		if (companions[i].status == status)
			exchange_reply_header(x, companions[i].name,
			                      companions[i].value);
	document_print(&t, document_problem(e, instance));
	exchange_reply_text(x, status, "application/problem+json", &t);
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
