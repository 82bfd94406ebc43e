/* encode.c - see encode.h.
 *
 *     source ─▶ piece ─▶ (pool) encoder ─▶ out ─▶ libmicrohttpd
 *
 * The source is the reply as the handler staged it. A pool thread encodes one
 * piece of it at a time, while the connection is suspended. If the source
 * prints its text, pool threads meanwhile print its next pieces
 * (print_ahead.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/size.h"
#include "format/encoder.h"
#include "http/accept.h"
#include "http/encode.h"
#include "http/exchange.h"

enum {
	PIECE = 128 << 10,		/* bytes given to the pool at a time */
	PIECE_NS = 1000000,		/* time to encode PIECE bytes */
	AT_ONCE = 16 << 10,		/* bytes encoded in the loop's thread:
					 * well below 1 ms */
	WRITER_ROOM = 4096,		/* bytes that more() needs room for */
};

struct encode {
	struct exchange *x;
	struct encoder *encoder;
	struct memory_pool *memory;	/* charged for the encoder; or NULL */
	/* The source: the fields of struct reply as they were staged. */
	struct text head;
	size_t head_at;
	const char *bytes;
	size_t left;			/* length of bytes */
	ssize_t (*more)(void *arg, char *room, size_t most);
	void (*release)(void *arg);
	void *arg;
	bool ended;			/* the source has no further bytes */
	const char *piece;		/* the n bytes that are encoded */
	size_t n;
	char *room;			/* PIECE bytes, for more() */
	struct task task;
	bool encoding;			/* a pool thread uses this struct: do
					 * not free it */
	bool freed, failed, finished;
	struct text out;
	size_t sent;
};

/* --- which replies are encoded */

/* Is it a type of text, or one that shrinks as well? */
static bool is_text(const char *type)
{
	static const char *const types[] = {
		"application/json", "application/problem+json",
		"application/x-matrix-market", "application/yaml",
		"application/openmetrics-text",
		"application/vnd.google.protobuf",
	};
	const size_t n = strcspn(type, ";");

	for (size_t i = 0; i < COUNT(types); i++)
		if (strlen(types[i]) == n && strncmp(type, types[i], n) == 0)
			return true;
	return strncmp(type, "text/", 5) == 0;
}

/* Returns the length of a reply's body in bytes or, if a matrix is printed, the
 * bytes of the matrix; UINT64_MAX if neither is known. Of a reply 304, it is
 * the length of the body that the reply 200 would have. */
static uint64_t size_of(const struct reply *r)
{
	if (r->status == 304)
		return r->holds;
	return !r->more ? r->head.length + r->n :
	       r->holds ? r->holds : r->size;
}

static bool may_be_encoded(const struct reply *r)
{
	return r->type && r->status != 206 && !r->live && !r->plain &&
	       !r->head.failed && size_of(r) >= ENCODE_LEAST;
}

/* Appends -CODING to the entity tag, because the encoded body is another
 * representation (etag.h). */
static void mark_etag(struct text *headers, const char *coding)
{
	struct text marked = { 0 };

	for (size_t at = 0; at < headers->length;) {
		const char *name = headers->data + at;
		const char *value = name + strlen(name) + 1;
		const size_t n = strlen(value);

		text_add(&marked, name, strlen(name) + 1);
		if (strcmp(name, "ETag") == 0 && n > 1)
			text_printf(&marked, "%.*s-%s\"", (int)n - 1, value,
			            coding);
		else
			text_add(&marked, value, n);
		text_add(&marked, "", 1);
		at += (size_t)(value - name) + n + 1;
	}
	marked.failed |= headers->failed;
	text_fini(headers);
	*headers = marked;
}

/* Returns the length of the encoded body of a reply 304; UINT64_MAX if it is
 * not known, because the body is long or not at hand. */
static uint64_t encoded_length(const struct reply *r, int coding)
{
	struct encoder *c = r->bytes && r->holds <= AT_ONCE ?
	                    encoder_new(coding) : NULL;
	struct text out = { 0 };
	uint64_t length = UINT64_MAX;

	if (c && encoder_add(c, r->bytes, r->holds, true, &out) == 0 &&
	    !out.failed)
		length = out.length;
	text_fini(&out);
	encoder_free(c);
	return length;
}

static void mark_unchanged(struct exchange *x, int coding)
{
	mark_etag(&x->reply.headers, encoder_codings[coding]);
	x->reply.size = encoded_length(&x->reply, coding);
}

static void add_headers(struct exchange *x, int coding)
{
	mark_etag(&x->reply.headers, encoder_codings[coding]);
	exchange_reply_header(x, "Content-Encoding", encoder_codings[coding]);
}

/* --- a short text, in the loop's thread */

static void encode_text(struct exchange *x, int coding)
{
	struct encoder *c = encoder_new(coding);
	struct text out = { 0 };

	if (!c || encoder_add(c, x->reply.head.data, x->reply.head.length,
	                      true, &out)) {
		text_fini(&out);
	} else {
		text_fini(&x->reply.head);
		x->reply.head = out;
		add_headers(x, coding);
	}
	encoder_free(c);
}

/* --- other replies, piece by piece on the pool */

static void encode_free(struct encode *c)
{
	encoder_free(c->encoder);
	if (c->memory)
		memory_pool_discharge(c->memory, ENCODER_BYTES);
	if (c->release)
		c->release(c->arg);
	text_fini(&c->head);
	text_fini(&c->out);
	free(c->room);
	free(c);
}

static void release(void *arg)
{
	struct encode *c = arg;

	c->freed = true;
	if (c->encoding)
		pool_cancel(&c->task);
	else
		encode_free(c);
}

/* Fills c->room by the source's more(). Returns 0, -1 after a failure, or
 * STREAM_LATER if more() has nothing yet. */
static int print(struct encode *c)
{
	ssize_t n = 1;

	c->piece = c->room;
	while (n > 0 && PIECE - c->n >= WRITER_ROOM) {
		n = c->more(c->arg, c->room + c->n, PIECE - c->n);
		c->n += n > 0 ? (size_t)n : 0;
	}
	c->ended = n == 0;
	return n >= 0 || (n == STREAM_LATER && c->n) ? 0 : (int)n;
}

/* Sets the piece that is encoded next. Returns as print(). */
static int next_piece(struct encode *c)
{
	const size_t head = c->head.length - c->head_at;

	c->n = 0;
	if (head) {
		c->piece = c->head.data + c->head_at;
		c->n = size_min(head, PIECE);
		c->head_at += c->n;
	} else if (c->more) {
		return print(c);
	} else {
		c->piece = c->bytes;
		c->n = size_min(c->left, PIECE);
		c->bytes += c->n;
		c->left -= c->n;
	}
	c->ended = !c->more && !c->left && c->head_at == c->head.length;
	return 0;
}

static void work(void *arg)
{
	struct encode *c = arg;

	text_clear(&c->out);
	c->failed = encoder_add(c->encoder, c->piece, c->n, c->ended,
	                        &c->out) || c->out.failed;
}

static void worked(void *arg)
{
	struct encode *c = arg;

	c->encoding = false;
	c->sent = 0;
	c->finished = c->ended;
	if (c->freed)
		encode_free(c);
	else
		exchange_resume(c->x);
}

static ssize_t more(void *arg, char *room, size_t most)
{
	struct encode *c = arg;
	const size_t n = c->encoding ? 0 :
	                 size_min(most, c->out.length - c->sent);
	int rc;

	if (c->encoding)
		return STREAM_LATER;
	if (c->failed)
		return -1;
	if (n || c->finished) {
		memcpy(room, c->out.data + c->sent, n);
		c->sent += n;
		return (ssize_t)n;
	}
	rc = next_piece(c);
	if (rc)
		return rc;
	c->encoding = true;
	pool_submit(c->x->options->codec, &c->task, PIECE_NS, work, worked, c);
	return STREAM_LATER;
}

/* Moves the staged reply into c as its source, and makes c the reply's. */
static void take_source(struct encode *c, struct reply *r)
{
	c->head = r->head;
	c->bytes = r->bytes;
	c->left = r->n;
	c->more = r->more;
	c->release = r->release;
	c->arg = r->arg;
	r->head = (struct text){ 0 };
	r->bytes = NULL;
	r->n = 0;
	r->size = UINT64_MAX;
	r->more = more;
	r->release = release;
	r->arg = c;
}

static void encode_stream(struct exchange *x, int coding)
{
	struct memory_pool *p = x->options->memory;
	struct encode *c;

	if (!x->options->codec ||
	    (p && memory_pool_charge(p, ENCODER_BYTES)))
		return;
	c = calloc(1, sizeof *c);
	if (!c) {
		if (p)
			memory_pool_discharge(p, ENCODER_BYTES);
		return;
	}
	c->x = x;
	c->memory = p;
	c->encoder = encoder_new(coding);
	c->room = x->reply.more ? malloc(PIECE) : NULL;
	if (!c->encoder || (x->reply.more && !c->room)) {
		encode_free(c);
		return;
	}
	take_source(c, &x->reply);
	add_headers(x, coding);
}

static void encode(struct exchange *x)
{
	const struct reply *r = &x->reply;
	const int coding =
	    accept_coding(exchange_header(x, "Accept-Encoding"),
	                  encoder_codings, !is_text(r->type));

	exchange_reply_header(x, "Vary", "Accept-Encoding");
	if (coding < 0)
		return;
	if (r->status == 304)
		mark_unchanged(x, coding);
	else if (!r->more && !r->bytes && r->head.length <= AT_ONCE)
		encode_text(x, coding);
	else
		encode_stream(x, coding);
}

void encode_reply(struct exchange *x)
{
	if (may_be_encoded(&x->reply))
		encode(x);
	if (x->reply.status != 304)
		return;
	x->reply.type = NULL;
	x->reply.bytes = NULL;
	x->reply.holds = 0;
}
