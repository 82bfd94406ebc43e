/* writer.h - matrices printed as they leave, a piece at a time.
 *
 * Each writer fills the room it is given and remembers where it stopped, so
 * that a large answer never lies printed in memory. { 0 } is not valid: begin
 * with its init function.
 */
#ifndef MATRIX_WRITER_H
#define MATRIX_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/text.h"
#include "matrix/matrix.h"

/* A matrix as JSON: nested rows, a number for a scalar, the shortest text
 * that reads back to the same number (float32 as the shortest float32);
 * NaN and infinity are null and set nonfinite; booleans true and false. A
 * sparse one is an object, as json_sparse.h reads it. */
struct json_writer {
	const struct matrix *m;		/* or the list of a sparse one */
	size_t next, stop;		/* elements; it ends before stop */
	int depth;			/* open brackets */
	bool nonfinite, ended;
	const struct matrix *sparse;	/* or NULL */
	int lists;			/* of it, begun */
	size_t row;			/* of it, the last that was told */
	struct matrix list;		/* borrows at */
	struct memory at;
};
void json_writer_init(struct json_writer *w, const struct matrix *m);
/* Numbers in its text, or rows without one: an empty matrix may have many. */
size_t json_writer_items(const struct matrix *m);
/* Of a dense one without an empty dimension: from element first on, with what
 * stands before it, to before element stop; the last one with the ends of its
 * rows. Such texts one after the other are the whole. */
void json_writer_range(struct json_writer *w, const struct matrix *m,
                       size_t first, size_t stop);
/* Writes at most `room` (>= 64) bytes; 0 when all is written. */
size_t json_writer_more(struct json_writer *w, char *to, size_t room);

/* Matrix Market text: dense matrices and vectors as an array, column by
 * column, sparse ones by coordinates, row by row. */
struct mm_writer {
	const struct matrix *m;
	size_t next, row;
	bool begun, sized;
};
void mm_writer_init(struct mm_writer *w, const struct matrix *m);
size_t mm_writer_more(struct mm_writer *w, char *to, size_t room);

/* The header of an npy file (version 1.0) for that matrix. */
void npy_header(struct text *t, const struct matrix *m);

enum { NPZ_MEMBERS = 16 };

/* A whole npz (stored) of n <= NPZ_MEMBERS matrices, built by libzip; for a
 * pool thread. */
int npz_write(struct text *t, const struct matrix *const *m,
              const char *const *names, size_t n, struct err *e);

#endif
