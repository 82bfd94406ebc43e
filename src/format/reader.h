/* reader.h - a body read as it arrives into operands and parameters.
 *
 *     bytes ──▶ reader_feed ... ──▶ reader_end ──▶ matrices
 *                                       └──▶ reader_finish, on a pool thread
 *
 * The formats push what they find into a sink: the one who asked knows which
 * operands and parameters there are and where their memory comes from. A
 * reader never copies an element twice and never holds a tree of the body;
 * npz alone is kept whole until its end, since its index stands there; it
 * asks for its operands in reader_finish.
 */
#ifndef FORMAT_READER_H
#define FORMAT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "matrix/matrix.h"

/* Where a reader puts what it finds; lives as long as the reader. */
struct sink {
	/* The matrix for operand `name` (NULL: the only or the next one in
	 * order): absent until the reader fills it in; where its layout is
	 * CSR, what the body has sparse stays so, else it becomes dense.
	 * ERR_REQUEST with the name when there is no such operand or it was
	 * given before. */
	struct matrix *(*operand)(void *arg, const char *name, struct err *e);
	/* A parameter as text, as in a query string. */
	int (*parameter)(void *arg, const char *name, const char *value,
	                 struct err *e);
	/* Is `name` an operand's? (JSON and forms hold both side by side.) */
	bool (*is_operand)(void *arg, const char *name);
	/* -1, and which name was probably meant, when neither an operand nor a
	 * parameter has that name. Asked before a JSON member's value is read;
	 * matrix: the value is a list or an object. NULL: every name is
	 * taken for a parameter's. */
	int (*check_name)(void *arg, const char *name, bool matrix,
	                  struct err *e);
	/* Raw bytes: name, shape and dtype of operand i of those that have a
	 * shape, in the operation's order: 1, 0 when there are no more, -1.
	 * Asked at open, see octet_shape(). NULL: raw bytes are refused. */
	int (*layout)(void *arg, int i, const char **name,
	              struct matrix *shape, struct err *e);
	/* {"ref": name}: fills m; ERR_NOT_FOUND. NULL: nothing is stored. */
	int (*reference)(void *arg, const char *name, struct matrix *m,
	                 struct err *e);
	/* So many first bytes of an operand's memory are there and stay as
	 * they are; told again and again. NULL: nobody wants to know. */
	void (*arrived)(void *arg, struct memory *m, size_t bytes);
	struct memory_pool *pool;
	void *arg;
};

/* From here on only operand() and is_operand(), which touch nothing but what
 * the request owns, and the pool: for reader_finish() on another thread. What
 * belongs to the loop's thread (stored matrices, the engine that is told of
 * arrivals) is out of its reach. */
static inline void sink_retire(struct sink *k)
{
	k->parameter = NULL;
	k->layout = NULL;
	k->reference = NULL;
	k->arrived = NULL;
}

struct reader;

/* One format. */
struct format {
	const char *media_type;		/* "application/x-npy" */
	bool needs_length;		/* 411 without Content-Length */
	/* media: the whole Content-Type with its parameters; length: of the
	 * body, UINT64_MAX when unknown. NULL with *e. */
	struct reader *(*open)(const struct sink *k, const char *media,
	                       uint64_t length, struct err *e);
};

/* A format's state begins with this. */
struct reader {
	const struct reader_kind *kind;
};

struct reader_kind {
	int (*feed)(struct reader *r, const void *bytes, size_t n,
	            struct err *e);
	/* No more bytes: a truncated body is found here. Sets *work when
	 * reader_finish has something longer than a millisecond to do. */
	int (*end)(struct reader *r, bool *work, struct err *e);
	/* The long rest (inflation, transposition, byte order, generators).
	 * Any thread. May be NULL. */
	int (*finish)(struct reader *r, struct err *e);
	void (*free)(struct reader *r);
	/* After end: about how many bytes finish will read and write; one that
	 * takes longer to make than to move counts for more. */
	double (*cost)(const struct reader *r);
};

/* The formats, ended by a NULL media type; format_find ignores media
 * parameters and case. NULL: none (415). */
extern const struct format formats[];
const struct format *format_find(const char *media);

static inline int reader_feed(struct reader *r, const void *bytes, size_t n,
                              struct err *e)
{
	return r->kind->feed(r, bytes, n, e);
}

static inline int reader_end(struct reader *r, bool *work, struct err *e)
{
	return r->kind->end(r, work, e);
}

static inline int reader_finish(struct reader *r, struct err *e)
{
	return r->kind->finish ? r->kind->finish(r, e) : 0;
}

static inline double reader_cost(const struct reader *r)
{
	return r->kind->cost(r);
}

static inline void reader_free(struct reader *r)
{
	if (r)
		r->kind->free(r);
}

#endif
