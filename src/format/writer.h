/* writer.h - matrices printed as they leave, a piece at a time.
 *
 * Each writer fills the room it is given and remembers where it stopped, so
 * that a large answer never lies printed in memory. { 0 } is not valid: begin
 * with its init function.
 *
 * The index of a sparse result may have been broken by a stray write of the
 * worker that computed it. Nothing outside of the matrix is read then, and the
 * writer is `broken` from there on: its text must not be used.
 */
#ifndef FORMAT_WRITER_H
#define FORMAT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"
#include "matrix/matrix.h"

/* A matrix as JSON: nested rows, a number for a scalar, the shortest text
 * that reads back to the same number (float32 as the shortest float32);
 * NaN and infinity are null and set nonfinite; booleans true and false. A
 * sparse one is an object, as json_sparse.h reads it, and a complex one the
 * object {"real": M, "imag": M}. */
struct json_writer {
	const struct matrix *m;		/* or the list of a sparse one */
	size_t next, stop;		/* elements; it ends before stop */
	int depth;			/* open brackets */
	bool nonfinite, ended, broken;
	const struct matrix *sparse;	/* or NULL */
	int lists;			/* of it, or parts of a complex one,
					 * begun */
	size_t row;			/* of it, the last that was told */
	int64_t start;			/* of it, the last that was told */
	struct matrix list;		/* borrows at */
	struct memory at;
};
void json_writer_init(struct json_writer *w, const struct matrix *m);
/* Numbers in its text, or rows without one: an empty matrix may have many. */
size_t json_writer_items(const struct matrix *m);
/* Of a real dense one without an empty dimension: from element first on, with
 * what stands before it, to before element stop; the last one with the ends of
 * its rows. Such texts one after the other are the whole. */
void json_writer_range(struct json_writer *w, const struct matrix *m,
                       size_t first, size_t stop);
/* Writes at most `room` (>= 64) bytes; 0 when all is written. */
size_t json_writer_more(struct json_writer *w, char *to, size_t room);

/* Matrix Market text: dense matrices and vectors as an array, column by
 * column, sparse ones by coordinates, row by row. */
struct mm_writer {
	const struct matrix *m;
	size_t next, row;
	bool begun, sized, broken;
};
void mm_writer_init(struct mm_writer *w, const struct matrix *m);
size_t mm_writer_more(struct mm_writer *w, char *to, size_t room);

/* The header of an npy file (version 1.0) for that matrix. */
void npy_header(struct text *t, const struct matrix *m);

enum { NPZ_MEMBERS = 16 };

/* An npz: a zip archive of npy files, stored. The elements stay where they are
 * until they leave; only what stands around them is made and kept, and its
 * length is known before the first byte leaves. (libzip would copy the
 * elements into an archive in memory, and that once more to read it.) */
struct npz_writer {
	struct text frame;		/* all but the elements */
	struct {
		const struct matrix *m;
		size_t at;		/* in frame, after its npy header */
	} member[NPZ_MEMBERS];
	size_t n, now;			/* members; that being written */
	size_t framed, written;		/* bytes of frame; of its elements */
};

/* Reads every element, for the checksums, in slices (slice.h): not for the
 * loop's thread if they are many. The matrices outlive the writer. */
int npz_writer_init(struct npz_writer *w, const struct matrix *const *m,
                    const char *const *names, size_t n, struct err *e);
void npz_writer_fini(struct npz_writer *w);	/* { 0 } is fine */
uint64_t npz_writer_size(const struct npz_writer *w);
/* Writes at most `room` bytes; 0 when all is written. */
size_t npz_writer_more(struct npz_writer *w, char *to, size_t room);

/* A small one as a whole. */
int npz_write(struct text *t, const struct matrix *const *m,
              const char *const *names, size_t n, struct err *e);

#endif
