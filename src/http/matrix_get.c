/* matrix_get.c - GET and HEAD /matrices/{name}: a stored matrix, or some of its
 * rows, in the format that Accept asks for.
 *
 *     get -> check -> prepare -> reply
 *
 * prepare() runs on a pool thread if it takes long. It copies the index of the
 * requested rows of a sparse matrix, computes the checksums of an npz archive,
 * counts the bytes of a text format for HEAD, and hashes the body for
 * Want-Content-Digest. A text that was counted or hashed is printed a second
 * time while it is sent, so that it never needs memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "format/writer.h"
#include "http/accept.h"
#include "http/dates.h"
#include "http/digest.h"
#include "http/encode.h"
#include "http/etag.h"
#include "http/matrix_reply.h"
#include "http/range.h"
#include "http/service.h"
#include "http/wanted.h"
#include "matrix/rows.h"
#include "matrix/sparse.h"

enum { AT_ONCE = 64 << 10 };		/* bytes prepared in the loop's
					 * thread: well below 1 ms */

enum form { JSON, NPY, OCTETS, NPZ, MARKET, FORMS };

/* The formats, in the order in which the service prefers them. */
static const char *const types[FORMS + 1] = {
	[JSON] = "application/json", [NPY] = "application/x-npy",
	[OCTETS] = "application/octet-stream", [NPZ] = "application/x-npz",
	[MARKET] = "application/x-matrix-market",
};

static const char *const tags[FORMS] = {
	[JSON] = "json", [NPY] = "npy", [OCTETS] = "raw", [NPZ] = "npz",
	[MARKET] = "mm",
};

/* The rows and the archive that are sent; the reply takes them over. */
struct body {
	struct rows rows;
	struct npz_writer npz;
};

struct get {
	struct exchange *x;		/* NULL: the client has left */
	struct api *api;
	struct wanted wanted;
	struct memory_pool *memory;
	enum form form;
	struct matrix matrix;		/* a reference to the stored matrix */
	const char *rows;		/* a copy of the parameter `rows`, or
					 * NULL */
	size_t first, stop;
	struct body *body;
	bool wants_digest, counts;
	struct sha256_ctx hash;
	uint64_t bytes;			/* length of a text; UINT64_MAX:
					 * unknown */
	char etag[ETAG_TEXT];
	int64_t created_ms;
	struct task task;
	bool preparing;			/* a pool thread uses this struct: do
					 * not free it */
	struct err err;
};

static void body_free(void *arg)
{
	struct body *b = arg;

	if (!b)
		return;
	npz_writer_fini(&b->npz);
	rows_fini(&b->rows);
	free(b);
}

static void get_free(struct get *g)
{
	body_free(g->body);
	matrix_fini(&g->matrix);
	wanted_fini(&g->wanted);
	free((char *)g->rows);
	free(g);
}

static int take_rows(void *arg, const char *name, const char *value,
                     struct err *e)
{
	struct get *g = arg;

	if (strcmp(name, "rows") != 0)
		return refuse_argument(NULL, name, value, e);
	if (g->rows)
		return err_set(e, ERR_PARAMETER, "rows is given twice");
	g->rows = strdup(value);
	return g->rows ? 0 : err_set(e, ERR_MEMORY, "no memory for the "
	                             "request");
}

static bool is_text(enum form f)
{
	return f == JSON || f == MARKET;
}

/* --- prepare, on any thread */

static int pack(struct get *g, struct err *e)
{
	static const char *const name = "matrix";
	const struct matrix *m = &g->body->rows.matrix;
	struct npz_writer *w = &g->body->npz;

	if (m->layout == CSR ? npz_writer_init_sparse(w, m, e) :
	    npz_writer_init(w, &m, &name, 1, e))
		return -1;
	g->bytes = npz_writer_size(w);
	return 0;
}

static ssize_t more_npz(void *arg, char *room, size_t most)
{
	struct body *b = arg;

	return (ssize_t)npz_writer_more(&b->npz, room, most);
}

/* Hashes the archive as a second writer makes it; the first one's archive is
 * sent. */
static int hash_npz(struct get *g, struct err *e)
{
	struct npz_writer again = g->body->npz;
	char room[4096];
	size_t n;

	while ((n = npz_writer_more(&again, room, sizeof room)) > 0) {
		sha256_update(&g->hash, n, (const uint8_t *)room);
		if (slice_next(e))
			return -1;
	}
	return 0;
}

static int make(struct get *g, struct err *e)
{
	struct sha256_ctx *hash = g->wants_digest ? &g->hash : NULL;

	if (rows_take(&g->body->rows, &g->matrix, g->first, g->stop,
	              g->memory, e))
		return -1;
	if (hash)
		sha256_init(hash);
	if (g->form == NPZ)
		return pack(g, e) || (hash && hash_npz(g, e)) ? -1 : 0;
	if (!hash && !g->counts)
		return 0;
	return matrix_reply_measure(types[g->form], &g->body->rows.matrix,
	                            &g->bytes, hash, e);
}

static void prepare(void *arg)
{
	struct get *g = arg;

	make(g, &g->err);
}

/* --- reply */

/* Adds the headers that a reply 304 has, too. */
static void add_validators(struct get *g)
{
	exchange_reply_header(g->x, "ETag", g->etag);
	exchange_reply_header(g->x, "Vary", "Accept");
	exchange_reply_header(g->x, "Cache-Control", "no-cache");
}

static void add_headers(struct get *g)
{
	char digest[DIGEST_TEXT];
	struct exchange *x = g->x;

	add_validators(g);
	date_reply(x, g->created_ms);
	matrix_reply_headers(x, &g->body->rows.matrix);
	if (g->form == OCTETS)
		exchange_reply_header(x, "Accept-Ranges", "bytes");
	if (!g->wants_digest)
		return;
	exchange_reply_header(x, "Content-Digest",
	                      digest_text(&g->hash, digest));
	exchange_reply_plain(x);
}

/* Replies with the range of bytes of an octet-stream that the header Range asks
 * for. Returns 0 without a reply if the header asks for no range. */
static int reply_part(struct get *g, struct err *e)
{
	const struct matrix *m = &g->body->rows.matrix;
	const char *condition = exchange_header(g->x, "If-Range");
	struct range r;
	char text[RANGE_TEXT];

	if (g->form != OCTETS || g->wants_digest ||
	    exchange_method(g->x) != GET ||
	    (condition && !etag_is_in(condition, g->etag, false, false)) ||
	    !range_parse(exchange_header(g->x, "Range"), matrix_size(m), &r))
		return 0;
	exchange_reply_header(g->x, "Content-Range",
	                      range_text(&r, matrix_size(m), text));
	if (r.bytes == 0)
		return err_set(e, ERR_RANGE, "Range asks for bytes beyond the "
		               "%zu of the matrix", matrix_size(m));
	add_headers(g);
	exchange_reply_bytes(g->x, 206, types[OCTETS], NULL,
	                     (const char *)matrix_data(m) + r.first,
	                     (size_t)r.bytes, body_free, g->body);
	g->body = NULL;
	return 1;
}

static int reply(struct get *g, struct err *e)
{
	struct body *b = g->body;
	int rc = reply_part(g, e);

	if (rc)
		return rc < 0 ? -1 : 0;
	add_headers(g);
	g->body = NULL;
	if (g->form != NPZ)
		return matrix_reply_sized(g->x, types[g->form],
		                          &b->rows.matrix, is_text(g->form) ?
		                          g->bytes : UINT64_MAX, body_free, b,
		                          e);
	exchange_reply_stream(g->x, 200, types[NPZ], g->bytes, more_npz,
	                      body_free, b);
	return 0;
}

static void prepared(void *arg)
{
	struct get *g = arg;
	struct err e = g->err;

	g->preparing = false;
	engine_vacate(g->api->options.engine);
	if (!g->x)
		get_free(g);
	else if (e.code || reply(g, &e))
		exchange_reply_problem(g->x, &e, NULL);
}

/* --- the request */

/* Returns the bytes that prepare() reads and writes; a printed element counts
 * as 8 times its bytes. */
static double work(const struct get *g)
{
	const double size = (double)matrix_size(&g->matrix);
	double bytes = 0;

	if (g->wants_digest || g->form == NPZ)
		bytes += size;
	if (is_text(g->form) && (g->wants_digest || g->counts))
		bytes += 8 * size;
	if (g->matrix.layout == CSR && (g->rows || g->form == NPZ))
		bytes += (double)matrix_index_size(&g->matrix);
	return bytes;
}

static int prepare_later(struct get *g, struct err *e)
{
	if (engine_occupy(g->api->options.engine, e))
		return -1;
	g->preparing = true;
	pool_submit(g->api->options.codec, &g->task, pool_cost_ns(work(g)),
	            prepare, prepared, g);
	return 0;
}

/* Finds the matrix and checks the request. Returns 0, -1 with an error, or 1 if
 * the reply's status is 304. */
static int check(struct get *g, struct err *e)
{
	const struct stored *s = wanted_found(&g->wanted,
	                                      exchange_segment(g->x, 0), e);
	int form;

	if (!s)
		return -1;
	form = accept_choose(exchange_accept(g->x), types);
	if (form < 0)
		return err_set(e, ERR_ACCEPT, "a stored matrix is answered as "
		               "application/json, x-npy, octet-stream, x-npz "
		               "or x-matrix-market");
	g->form = (enum form)form;
	g->matrix = matrix_ref(&s->matrix);
	g->created_ms = s->created_ms;
	g->stop = g->matrix.ndim ? g->matrix.dim[0] : 0;
	if (g->form != NPZ &&
	    matrix_reply_check(types[form], &g->matrix, e))
		return -1;
	if (g->rows && g->matrix.ndim == 0)
		return err_set(e, ERR_SHAPE, "a number has no rows");
	if (g->rows && rows_parse(g->rows, g->stop, &g->first, &g->stop, e))
		return -1;
	etag_of(s, tags[form], g->etag);
	return etag_admit_read(g->x, g->etag, g->created_ms, e);
}

/* Returns the shape and type of the requested rows, without elements. */
static struct matrix rows_shape(const struct get *g)
{
	struct matrix m = g->matrix;

	if (m.ndim)
		m.dim[0] = g->stop - g->first;
	if (m.layout == CSR)
		m.nnz = (size_t)(sparse_start(&m, g->stop) -
		                 sparse_start(&m, g->first));
	m.memory = m.index = NULL;
	return m;
}

/* Sets *bytes to what encode_reply() takes for the length of the body; any
 * length from ENCODE_LEAST on stands for all of them, and for an unknown one,
 * that of the text of an empty matrix that is not counted. */
static int count_body(struct get *g, size_t *bytes, struct err *e)
{
	const struct matrix m = rows_shape(g);
	struct text head = { 0 };

	*bytes = matrix_size(&m);
	if (g->form == NPY)
		npy_header(&head, &m);
	*bytes += head.length;
	text_fini(&head);
	if (*bytes >= ENCODE_LEAST ||
	    (g->form != NPZ && !(is_text(g->form) && !*bytes)))
		return 0;
	*bytes = ENCODE_LEAST;
	if (g->form == NPZ ? work(g) > AT_ONCE : !g->counts)
		return 0;
	if (make(g, e))
		return -1;
	*bytes = g->bytes;
	return 0;
}

static int reply_unchanged(struct get *g, struct err *e)
{
	struct text none = { 0 };
	size_t bytes;

	if (count_body(g, &bytes, e))
		return -1;
	add_validators(g);
	if (g->wants_digest)
		exchange_reply_plain(g->x);
	exchange_reply_text(g->x, 304, types[g->form], &none);
	exchange_reply_holds(g->x, bytes);
	return 0;
}

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct get *g = calloc(1, sizeof *g);

	*state = g;
	if (!g || !(g->body = calloc(1, sizeof *g->body)))
		return err_set(e, ERR_MEMORY, "no memory for the reply");
	g->x = x;
	g->api = exchange_context(x);
	g->memory = g->api->options.memory;
	g->matrix.ndim = MATRIX_ABSENT;
	g->bytes = UINT64_MAX;
	g->counts = exchange_method(x) == HEAD;
	g->wants_digest = digest_is_wanted(
	    exchange_header(x, "Want-Content-Digest"));
	return 0;
}

/* Goes on when the matrix is there, if it exists. */
static int go_on(void *arg, struct err *e)
{
	struct get *g = arg;
	const int rc = check(g, e);

	if (rc)
		return rc < 0 ? -1 : reply_unchanged(g, e);
	g->counts &= is_text(g->form);
	if (work(g) > AT_ONCE)
		return prepare_later(g, e);
	return make(g, e) ? -1 : reply(g, e);
}

static int done(struct exchange *x, void *state, struct err *e)
{
	struct get *g = state;
	const char *name = exchange_segment(x, 0);

	if (store_check_name(name, e) || exchange_query(x, take_rows, g, e) ||
	    wanted_init(&g->wanted, x, e) ||
	    wanted_note(&g->wanted, name, e) < 0)
		return -1;
	wanted_look(&g->wanted, WANTED_ELEMENTS, go_on, g);
	return 0;
}

static void end(struct exchange *x, void *state)
{
	struct get *g = state;

	(void)x;
	if (!g)
		return;
	g->x = NULL;
	if (g->preparing)
		pool_cancel(&g->task);
	else
		get_free(g);
}

const struct handler matrix_get_handler = {
	.begin = begin, .done = done, .end = end,
};
