/* matrix_get.h - the replies of GET /matrices/{name}, for matrix_get*.c. */
#ifndef HTTP_MATRIX_GET_H
#define HTTP_MATRIX_GET_H

#include "format/writer.h"
#include "http/etag.h"
#include "http/service.h"
#include "http/wanted.h"
#include "matrix/rows.h"

enum { GET_AT_ONCE = 64 << 10 };		/* bytes prepared in the loop's
					 * thread: well below 1 ms */

enum form { JSON, NPY, OCTETS, NPZ, MARKET, FORMS };

/* Their media types, in the order in which the service prefers them. */
extern const char *const get_types[FORMS + 1];

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

void get_body_free(void *arg);		/* of the struct body; NULL is fine */
bool get_is_text(enum form f);

/* Returns the bytes that get_make() reads and writes; a printed element counts
 * as 8 times its bytes. */
double get_work(const struct get *g);

/* Makes the body as far as it must be before it is sent: on any thread. */
int get_make(struct get *g, struct err *e);

/* Replies with 200 or 206; with 304. */
int get_reply(struct get *g, struct err *e);
int get_reply_unchanged(struct get *g, struct err *e);

#endif
