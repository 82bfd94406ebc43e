/* pieces.h - reads a body that holds the elements of several operands one after
 * another, without headers. A piece is the elements of one operand. Their types
 * may be foreign: they are converted in place (matrix/convert.h). */
#ifndef FORMAT_PIECES_H
#define FORMAT_PIECES_H

#include "format/reader.h"
#include "matrix/convert.h"

enum { PIECES = 8 };		/* operands that a body may hold */

struct piece {
	struct matrix *target;		/* the sink's operand */
	struct matrix m;
	size_t size, got;		/* bytes */
	struct element element;
};

struct pieces {
	const struct sink *sink;	/* borrowed */
	int n, now;			/* number of pieces; index of the one
					 * that is being read */
	struct piece piece[PIECES];
	bool ready;
};

/* Adds a piece for the sink's operand `name`. `shape` gives the dimensions
 * alone, x the type and byte order of the elements in the body. */
int pieces_add(struct pieces *p, const char *name, const struct matrix *shape,
               struct element x, struct err *e);

/* Sets *sum to the bytes of all pieces together. */
int pieces_bytes(const struct pieces *p, size_t *sum, struct err *e);

/* Allocates the pieces' memory. To be called before the first byte. */
int pieces_alloc(struct pieces *p, struct err *e);

/* The functions of struct reader_kind (reader.h) for the pieces. */
int pieces_feed(struct pieces *p, const void *bytes, size_t n, struct err *e);
int pieces_end(struct pieces *p, bool *work, struct err *e);
int pieces_finish(struct pieces *p, struct err *e);
double pieces_cost(const struct pieces *p);

/* { 0 } is fine. */
void pieces_fini(struct pieces *p);

#endif
