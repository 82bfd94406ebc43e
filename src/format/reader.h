/* reader.h - reads a body, as it arrives, into operands and parameters.
 *
 *     bytes ──▶ reader_feed ... ──▶ reader_end ──▶ matrices
 *                                       └──▶ reader_finish, on a pool thread
 *
 * The formats pass what they find to a sink, whose owner knows which operands
 * and parameters there are and where their memory comes from. A reader never
 * copies an element twice and never holds a tree of the body. Only an npz is
 * kept whole until its end, where its index is; its reader asks the sink for
 * operands in reader_finish().
 */
#ifndef FORMAT_READER_H
#define FORMAT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "matrix/matrix.h"

/* The receiver of a reader's operands and parameters; it must outlive the
 * reader. Its functions return -1 with *e on errors. */
struct sink {
	/* Returns the matrix for operand `name` (NULL: the only or the next one
	 * in order), absent until the reader fills it in. If its layout is CSR,
	 * a matrix that is sparse in the body stays sparse, else it becomes
	 * dense. NULL with ERR_REQUEST when there is no such operand or it was
	 * given before. */
	struct matrix *(*operand)(void *arg, const char *name, struct err *e);
	/* Takes a parameter as text, as in a query string. */
	int (*parameter)(void *arg, const char *name, const char *value,
	                 struct err *e);
	/* Is `name` an operand's? (JSON and forms hold both side by side.) */
	bool (*is_operand)(void *arg, const char *name);
	/* Returns the kinds of values that a JSON body may have for this
	 * parameter (json_value.h). A name that no parameter has may have any
	 * kind here: parameter() refuses the name. NULL: so may every name. */
	unsigned (*kinds)(void *arg, const char *name);
	/* Returns -1, with the name that was probably meant, when neither an
	 * operand nor a parameter has that name. Called before a JSON member's
	 * value is read; matrix: the value is a list or an object. NULL: any
	 * name may be a parameter's. */
	int (*check_name)(void *arg, const char *name, bool matrix,
	                  struct err *e);
	/* Is that an output of the operation? If not, -1. Of requests of the
	 * Open Inference Protocol; may be NULL. */
	int (*check_output)(void *arg, const char *name, struct err *e);
	/* For raw bytes: gives name, shape and dtype of the i-th operand that
	 * has a shape in the query, in the operation's order. Returns 1, 0 when
	 * there are no more, or -1. Called when the reader is opened, see
	 * octet_shape(). NULL: raw bytes are refused. */
	int (*layout)(void *arg, int i, const char **name,
	              struct matrix *shape, struct err *e);
	/* For {"ref": name}: sets m to the stored matrix, or ERR_NOT_FOUND.
	 * NULL: there are no stored matrices. Returns 1 without setting m if
	 * the matrix is elsewhere: then reader_end() sets *work, and
	 * reader_finish() calls fetched(), on any thread. */
	int (*reference)(void *arg, const char *name, struct matrix *m,
	                 struct err *e);
	int (*fetched)(void *arg, const char *name, struct matrix *m,
	               struct err *e);
	/* For {"share": id}: sets *from to a reference to the share's memory,
	 * which its client may change at any time. Returns 0 if the operand m
	 * may lie there, 1 if it must be a copy, or -1. NULL: there are no
	 * shares. */
	int (*share)(void *arg, const char *id, const struct matrix *m,
	             struct memory **from, struct err *e);
	/* The dtype that the request names, or -1 if it has named none yet: it
	 * tells what elements without a type of their own are. NULL: none. */
	int (*dtype)(void *arg);
	/* Reports, repeatedly, that the first `bytes` bytes of an operand's
	 * memory have arrived and will not change. May be NULL. */
	void (*arrived)(void *arg, struct memory *m, size_t bytes);
	struct memory_pool *pool;
	void *arg;
};

/* Leaves only operand(), is_operand(), fetched() and dtype(), which use nothing
 * but the request and its pool, so that reader_finish() can run on another
 * thread: the functions that use objects of the loop's thread (stored matrices,
 * shares, the engine) become NULL. */
static inline void sink_retire(struct sink *k)
{
	k->parameter = NULL;
	k->layout = NULL;
	k->reference = NULL;
	k->share = NULL;
	k->arrived = NULL;
}

struct reader;

/* One format. */
struct format {
	const char *media_type;		/* "application/x-npy" */
	bool needs_length;		/* 411 without Content-Length */
	/* Returns a reader, or NULL with *e. media: the whole Content-Type with
	 * its parameters; length: of the body in bytes, UINT64_MAX when
	 * unknown. */
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
	/* Called after the last byte; a truncated body is an error. Sets *work
	 * if finish will take longer than a millisecond. */
	int (*end)(struct reader *r, bool *work, struct err *e);
	/* Does the remaining long work (inflation, transposition, byte order,
	 * generators), on any thread. May be NULL. */
	int (*finish)(struct reader *r, struct err *e);
	void (*free)(struct reader *r);
	/* Called after end: estimates how long finish will take, in bytes that
	 * could be read or written in that time. */
	double (*cost)(const struct reader *r);
};

/* The formats, ended by a NULL media type. format_find() ignores the
 * parameters and the case of a media type; NULL: it is not supported (415). */
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
