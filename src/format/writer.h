/* writer.h - prints matrices piece by piece, as they are sent.
 *
 * Each writer fills the buffer it is given and remembers where it stopped, so
 * that the text of a large matrix is never in memory as a whole. { 0 } is not
 * valid: begin with the init function. Matrices are borrowed.
 *
 * A stray write of the worker that computed a sparse result may have broken its
 * index. Nothing outside of the matrix is read then, and the writer is `broken`
 * from there on: its text must not be used.
 */
#ifndef FORMAT_WRITER_H
#define FORMAT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"
#include "matrix/matrix.h"

/* Writes a matrix as JSON: nested rows, or a number for a scalar. A number is
 * the shortest text that reads back to the same value of its type (float32 or
 * float64); NaN and infinity are null and set nonfinite; booleans are true and
 * false. A sparse matrix is an object, as json_sparse.h reads it, and a complex
 * one the object {"real": M, "imag": M}. */
struct json_writer {
	const struct matrix *m;		/* the matrix, or a sparse one's list
					 * that is being written */
	size_t next, stop;		/* elements; it ends before stop */
	int depth;			/* open brackets */
	bool nonfinite, ended, broken;
	const struct matrix *sparse;	/* or NULL */
	int lists;			/* of a sparse matrix, begun */
	int part;			/* of a complex matrix: the present one,
					 * from 1 on */
	size_t row;			/* the last that row_of() returned */
	int64_t start;			/* the last that start_of() returned */
	struct matrix list;		/* borrows at */
	struct memory at;
};
void json_writer_init(struct json_writer *w, const struct matrix *m);
/* The number of numbers in m's text, plus its rows without any, of which an
 * empty matrix may have many. */
size_t json_writer_items(const struct matrix *m);
/* Prepares to write elements first to stop - 1 of a real dense matrix without
 * empty dimensions. The text includes the brackets and the comma before each
 * element and, after the last element of the matrix, the closing brackets, so
 * that the texts of successive ranges together are the whole matrix's. */
void json_writer_range(struct json_writer *w, const struct matrix *m,
                       size_t first, size_t stop);
/* Writes at most `room` (>= 64) bytes; 0 when all is written. */
size_t json_writer_more(struct json_writer *w, char *to, size_t room);

/* Writes Matrix Market text: dense matrices and vectors in the array format,
 * column by column, sparse ones in the coordinate format, row by row. */
struct mm_writer {
	const struct matrix *m;
	size_t next, row;
	bool begun, sized, broken;
	bool placed;			/* the row and the column of the next
					 * entry have been written */
};
void mm_writer_init(struct mm_writer *w, const struct matrix *m);
size_t mm_writer_more(struct mm_writer *w, char *to, size_t room);

/* npy_header() appends the header of an npy file (version 1.0) that holds the
 * matrix. npy_string() appends an npy file that holds one string of bytes, as
 * numpy.save() writes b"csr". */
void npy_header(struct text *t, const struct matrix *m);
void npy_string(struct text *t, const char *s);

enum { NPZ_MEMBERS = 16, NPZ_LISTS = 5 };

/* Writes an npz: a zip archive of uncompressed npy files. Only the headers and
 * the central directory are built and kept; elements are copied from the
 * matrices when they are sent. The archive's length is known before its first
 * byte is sent. (libzip would copy the elements into an archive in memory, and
 * copy that once more to read it.) */
struct npz_writer {
	struct text frame;		/* all but the elements */
	struct {
		const struct matrix *m;
		size_t at;		/* in frame, after its npy header */
	} member[NPZ_MEMBERS];
	size_t n, now;			/* members; the present one */
	size_t framed, written;		/* bytes written: of frame, and of the
					 * present member's elements */
	/* The members that represent a sparse matrix; they borrow its memory.
	 * A writer that has them must not be moved. */
	struct matrix list[NPZ_LISTS];
	struct memory at[NPZ_LISTS];
	int64_t shape[2];
};

/* Reads every element, for the checksums, in slices (slice.h), so that it must
 * not be called on the loop's thread for large matrices. The matrices must
 * outlive the writer. */
int npz_writer_init(struct npz_writer *w, const struct matrix *const *m,
                    const char *const *names, size_t n, struct err *e);
/* Begins an archive of one sparse matrix, with the members that
 * scipy.sparse.save_npz() writes for a CSR matrix (npz_sparse.c). Otherwise as
 * npz_writer_init(). ERR_DEVICE if a worker has written an invalid index. */
int npz_writer_init_sparse(struct npz_writer *w, const struct matrix *m,
                           struct err *e);
void npz_writer_fini(struct npz_writer *w);	/* { 0 } is fine */
uint64_t npz_writer_size(const struct npz_writer *w);
/* Writes at most `room` bytes; 0 when all is written. */
size_t npz_writer_more(struct npz_writer *w, char *to, size_t room);

/* Appends a small npz as a whole. */
int npz_write(struct text *t, const struct matrix *const *m,
              const char *const *names, size_t n, struct err *e);

#endif
