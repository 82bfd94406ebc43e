/* matrix_reply.c - see matrix_reply.h. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/slice.h"
#include "format/writer.h"
#include "http/matrix_reply.h"

enum { PIECE = 4096 };

/* A text that is being sent: a matrix between two strings. */
struct matrix_text {
	enum { WORD_BEFORE, NUMBERS, WORD_AFTER, END } part;
	struct json_writer json;
	struct mm_writer market;
	void (*release)(void *arg);
	void *arg;
	/* For sized_more(): if the reply's length is known, libmicrohttpd may
	 * ask for fewer bytes than a writer needs room for, so that more()
	 * prints into piece, whose bytes from `at` up to n are not sent yet. */
	ssize_t (*more)(void *arg, char *room, size_t most);
	size_t at, n;
	char piece[PIECE];
};

static void matrix_text_free(void *arg)
{
	struct matrix_text *t = arg;

	t->release(t->arg);
	free(t);
}

static ssize_t market_more(void *arg, char *room, size_t most)
{
	struct matrix_text *t = arg;

	const size_t n = mm_writer_more(&t->market, room, most);

	return t->market.broken ? -1 : (ssize_t)n;
}

static ssize_t word(struct matrix_text *t, char *room, const char *s)
{
	t->part++;
	memcpy(room, s, strlen(s));
	return (ssize_t)strlen(s);
}

static ssize_t json_more(void *arg, char *room, size_t most)
{
	struct matrix_text *t = arg;
	size_t n;

	if (t->part == WORD_BEFORE)
		return word(t, room, "{\"matrix\":");
	if (t->part == NUMBERS) {
		n = json_writer_more(&t->json, room, most);
		if (t->json.broken)
			return -1;
		if (n)
			return (ssize_t)n;
		t->part++;
	}
	if (t->part == WORD_AFTER)
		return word(t, room, t->json.nonfinite ?
		            ",\"nonfinite\":true}\n" : "}\n");
	return 0;
}

static ssize_t sized_more(void *arg, char *room, size_t most)
{
	struct matrix_text *t = arg;
	size_t n;

	if (t->at == t->n) {
		const ssize_t made = t->more(t, t->piece, PIECE);

		if (made <= 0)
			return made;
		t->at = 0;
		t->n = (size_t)made;
	}
	n = size_min(most, t->n - t->at);
	memcpy(room, t->piece + t->at, n);
	t->at += n;
	return (ssize_t)n;
}

void matrix_reply_headers(struct exchange *x, const struct matrix *m)
{
	struct text shape = { 0 };

	/* A scalar's shape is empty; libmicrohttpd needs a space instead. */
	text_puts(&shape, m->ndim ? "" : " ");
	for (int i = 0; i < m->ndim; i++)
		text_printf(&shape, "%s%zu", i ? "," : "", m->dim[i]);
	if (!shape.failed)
		exchange_reply_header(x, "Linalgd-Shape", shape.data);
	exchange_reply_header(x, "Linalgd-Dtype", dtype_name(m->dtype));
	text_fini(&shape);
}

struct form {
	const char *type;
	bool sparse;			/* can hold a sparse matrix */
	int dimensions;			/* the most that it can hold */
	/* A text format has more(), a binary one may have a head. */
	ssize_t (*more)(void *arg, char *room, size_t most);
	void (*head)(struct text *t, const struct matrix *m);
};

static const struct form forms[] = {
	{ "application/json", true, MATRIX_DIMS, json_more, NULL },
	{ "application/x-matrix-market", true, 2, market_more, NULL },
	{ "application/x-npy", false, MATRIX_DIMS, NULL, npy_header },
	{ "application/octet-stream", false, MATRIX_DIMS, NULL, NULL },
};

static const struct form *find_form(const char *type, const struct matrix *m,
                                    struct err *e)
{
	const struct form *f = forms;

	while (strcmp(f->type, type) != 0)
		f++;
	if (m->layout == CSR && !f->sparse)
		err_set(e, ERR_ACCEPT, "%s holds no sparse matrix", type);
	else if (m->ndim > f->dimensions)
		err_set(e, ERR_ACCEPT, "%s holds no stacks; the matrix has %d "
		        "dimensions", type, m->ndim);
	else
		return f;
	return NULL;
}

int matrix_reply_check(const char *type, const struct matrix *m,
                       struct err *e)
{
	return find_form(type, m, e) ? 0 : -1;
}

static void count(const void *bytes, size_t n, uint64_t *sum,
                  struct sha256_ctx *hash)
{
	*sum += n;
	if (hash)
		sha256_update(hash, n, bytes);
}

static int measure_text(const struct form *f, const struct matrix *m,
                        uint64_t *bytes, struct sha256_ctx *hash,
                        struct err *e)
{
	struct matrix_text t = { 0 };
	char room[4096];
	ssize_t n;

	json_writer_init(&t.json, m);
	mm_writer_init(&t.market, m);
	while ((n = f->more(&t, room, sizeof room)) > 0) {
		count(room, (size_t)n, bytes, hash);
		if (slice_next(e))
			return -1;
	}
	return n < 0 ? err_set(e, ERR_DEVICE, "the matrix is broken") : 0;
}

int matrix_reply_measure(const char *type, const struct matrix *m,
                         uint64_t *bytes, struct sha256_ctx *hash,
                         struct err *e)
{
	enum { STEP = 256 << 10 };
	const struct form *f = find_form(type, m, e);
	const size_t size = f ? matrix_size(m) : 0;
	struct text head = { 0 };

	*bytes = 0;
	if (!f || f->more)
		return f ? measure_text(f, m, bytes, hash, e) : -1;
	if (f->head)
		f->head(&head, m);
	count(head.data, head.length, bytes, hash);
	text_fini(&head);
	for (size_t at = 0; at < size; at += STEP) {
		count((const char *)matrix_data(m) + at,
		      size_min(STEP, size - at), bytes, hash);
		if (slice_next(e))
			return -1;
	}
	return 0;
}

static int reply_text(struct exchange *x, const struct form *f,
                      const struct matrix *m, uint64_t bytes,
                      void (*release)(void *arg), void *arg, struct err *e)
{
	struct matrix_text *t = calloc(1, sizeof *t);

	if (!t)
		return err_set(e, ERR_MEMORY, "no memory for the reply");
	t->release = release;
	t->arg = arg;
	t->more = f->more;
	json_writer_init(&t->json, m);
	mm_writer_init(&t->market, m);
	exchange_reply_stream(x, 200, f->type, bytes,
	                      bytes == UINT64_MAX ? f->more : sized_more,
	                      matrix_text_free, t);
	exchange_reply_holds(x, matrix_size(m));
	return 0;
}

int matrix_reply(struct exchange *x, const char *type, const struct matrix *m,
                 void (*release)(void *arg), void *arg, struct err *e)
{
	return matrix_reply_sized(x, type, m, UINT64_MAX, release, arg, e);
}

int matrix_reply_sized(struct exchange *x, const char *type,
                       const struct matrix *m, uint64_t bytes,
                       void (*release)(void *arg), void *arg, struct err *e)
{
	const struct form *f = find_form(type, m, e);
	struct text head = { 0 };

	if (!f || (f->more && reply_text(x, f, m, bytes, release, arg, e))) {
		release(arg);
		return -1;
	}
	if (f->more)
		return 0;
	if (f->head)
		f->head(&head, m);
	exchange_reply_bytes(x, 200, type, &head, matrix_data(m),
	                     matrix_size(m), release, arg);
	return 0;
}
