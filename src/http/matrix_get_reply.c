/* matrix_get_reply.c - see matrix_get.h. */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "http/dates.h"
#include "http/digest.h"
#include "http/encode.h"
#include "http/matrix_get.h"
#include "http/matrix_reply.h"
#include "http/range.h"
#include "matrix/sparse.h"

/* The formats, in the order in which the service prefers them. */
const char *const get_types[FORMS + 1] = {
	[JSON] = "application/json", [NPY] = "application/x-npy",
	[OCTETS] = "application/octet-stream", [NPZ] = "application/x-npz",
	[MARKET] = "application/x-matrix-market",
};

void get_body_free(void *arg)
{
	struct body *b = arg;

	if (!b)
		return;
	npz_writer_fini(&b->npz);
	rows_fini(&b->rows);
	free(b);
}

bool get_is_text(enum form f)
{
	return f == JSON || f == MARKET;
}

/* Returns the number of lists that hold the elements in JSON, which can be many
 * although there is no element. */
static double count_lists(const struct matrix *m)
{
	double n = 1;

	for (int i = 0; i < m->ndim - 1; i++)
		n *= (double)m->dim[i];
	return n;
}

/* Returns the bytes that prepare() reads and writes; a printed element counts
 * as 8 times its bytes, the brackets around a list as 8. */
double get_work(const struct get *g)
{
	const double size = (double)matrix_size(&g->matrix);
	double bytes = 0;

	if (g->wants_digest || g->form == NPZ)
		bytes += size;
	if (get_is_text(g->form) && (g->wants_digest || g->counts))
		bytes += 8 * (size + count_lists(&g->matrix));
	if (g->matrix.layout == CSR && (g->rows || g->form == NPZ))
		bytes += (double)matrix_index_size(&g->matrix);
	return bytes;
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

int get_make(struct get *g, struct err *e)
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
	return matrix_reply_measure(get_types[g->form], &g->body->rows.matrix,
	                            &g->bytes, hash, e);
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
	exchange_reply_bytes(g->x, 206, get_types[OCTETS], NULL,
	                     (const char *)matrix_data(m) + r.first,
	                     (size_t)r.bytes, get_body_free, g->body);
	g->body = NULL;
	return 1;
}

int get_reply(struct get *g, struct err *e)
{
	struct body *b = g->body;
	int rc = reply_part(g, e);

	if (rc)
		return rc < 0 ? -1 : 0;
	add_headers(g);
	g->body = NULL;
	if (g->form != NPZ)
		return matrix_reply_sized(g->x, get_types[g->form],
		                          &b->rows.matrix,
		                          get_is_text(g->form) ? g->bytes :
		                                                 UINT64_MAX,
		                          get_body_free, b, e);
	exchange_reply_stream(g->x, 200, get_types[NPZ], g->bytes, more_npz,
	                      get_body_free, b);
	return 0;
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
	    (g->form != NPZ && !(get_is_text(g->form) && !*bytes)))
		return 0;
	*bytes = ENCODE_LEAST;
	if (g->form == NPZ ? get_work(g) > GET_AT_ONCE : !g->counts)
		return 0;
	if (get_make(g, e))
		return -1;
	*bytes = g->bytes;
	return 0;
}

/* Sets *length to the exact length of the body; to UINT64_MAX if it takes long
 * to count. bytes: as count_body() has set them. */
static int count_exactly(struct get *g, size_t bytes, uint64_t *length,
                         struct err *e)
{
	*length = bytes;
	if (!get_is_text(g->form) && g->form != NPZ)
		return 0;
	g->counts = get_is_text(g->form);
	if (g->bytes == UINT64_MAX && get_work(g) <= GET_AT_ONCE &&
	    get_make(g, e))
		return -1;
	*length = g->bytes;
	return 0;
}

int get_reply_unchanged(struct get *g, struct err *e)
{
	uint64_t length;
	size_t bytes;

	if (count_body(g, &bytes, e) || count_exactly(g, bytes, &length, e))
		return -1;
	add_validators(g);
	if (g->wants_digest)
		exchange_reply_plain(g->x);
	exchange_reply_unchanged(g->x, get_types[g->form], NULL, bytes,
	                         length);
	return 0;
}
