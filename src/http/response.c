/* response.c - see response.h. */
#include <string.h>

#include "http/response.h"

enum { STREAM_BLOCK = 32 << 10 };

static ssize_t held_more(void *arg, uint64_t at, char *room, size_t most)
{
	struct held *h = arg;
	const ssize_t n = h->x->phase == PHASE_CUT ? -1 :
	                  h->more(h->arg, room, most);

	(void)at;
	if (n > 0)
		h->x->sent += (uint64_t)n;
	if (n == STREAM_LATER)
		server_suspend(h->x);
	return n > 0 ? n : n == 0 ? MHD_CONTENT_READER_END_OF_STREAM :
	       n == STREAM_LATER ? 0 : MHD_CONTENT_READER_END_WITH_ERROR;
}

static ssize_t no_more(void *arg, uint64_t at, char *room, size_t most)
{
	(void)arg, (void)at, (void)room, (void)most;
	return MHD_CONTENT_READER_END_WITH_ERROR;
}

static struct MHD_Response *make(struct exchange *x)
{
	struct reply *r = &x->reply;
	const size_t head = r->head.length;
	struct MHD_Response *m;
	struct held *h;

	if (r->head.failed || r->headers.failed)
		return NULL;
	if (r->constant)
		return MHD_create_response_from_buffer(r->n, (void *)r->bytes,
		                                       MHD_RESPMEM_PERSISTENT);
	if (r->status == 304)
		return MHD_create_response_from_callback(r->size, STREAM_BLOCK,
		                                         no_more, NULL, NULL);
	x->sent = head + r->n;
	if (!r->more && !r->bytes)
		return MHD_create_response_from_buffer(head,
		    text_take(&r->head), MHD_RESPMEM_MUST_FREE);
	h = reply_hold(x);
	if (!h)
		return NULL;
	if (r->more) {
		m = MHD_create_response_from_callback(r->size, STREAM_BLOCK,
		    held_more, h, held_free);
	} else if (!head) {
		m = MHD_create_response_from_buffer_with_free_callback_cls(
		    r->n, (void *)r->bytes, held_free, h);
	} else {
		const struct MHD_IoVec parts[] = {
			{ h->head, head }, { r->bytes, r->n },
		};

		m = MHD_create_response_from_iovec(parts, 2, held_free, h);
	}
	if (!m)
		held_free(h);
	return m;
}

static void add_headers(struct MHD_Response *m, const struct reply *r)
{
	for (size_t at = 0; at < r->headers.length;) {
		const char *name = r->headers.data + at;
		const char *value = name + strlen(name) + 1;

		MHD_add_response_header(m, name, value);
		at += strlen(name) + strlen(value) + 2;
	}
	if (r->type)
		MHD_add_response_header(m, "Content-Type", r->type);
	if (r->constant)
		MHD_add_response_header(m, "Retry-After", "1");
	if (r->close)
		MHD_add_response_header(m, "Connection", "close");
}

/* After the head of a reply to HEAD, or of a reply 304, whose length is not
 * known, libmicrohttpd 0.9.75 sends the last chunk of a body, which the client
 * would take for the beginning of the next reply. With this option it sends
 * none, and closes the connection. */
static void set_options(struct MHD_Response *m, const struct exchange *x)
{
	const struct reply *r = &x->reply;

	if (r->size == MHD_SIZE_UNKNOWN &&
	    (r->status == 304 || (x->method == HEAD && r->more)))
		MHD_set_response_options(m, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT,
		                         MHD_RO_END);
}

struct MHD_Response *response_make(struct exchange *x)
{
	struct MHD_Response *m = make(x);

	if (!m) {
		reply_without_memory(x);
		m = make(x);
	}
	if (!m)
		return NULL;
	set_options(m, x);
	add_headers(m, &x->reply);
	return m;
}

const char *server_reason(int status)
{
	return MHD_get_reason_phrase_for((unsigned)status);
}
