/* rows.h - a view of some successive rows of a matrix: a range of its first
 * dimension, as m[first:stop] in NumPy. */
#ifndef MATRIX_ROWS_H
#define MATRIX_ROWS_H

#include "matrix/matrix.h"

/* matrix is the view. Its elements (if it is sparse, the values and the column
 * numbers) are in the memory of `all`, a reference to the whole matrix. The
 * struct must not be moved or copied, because `matrix` points into it. */
struct rows {
	struct matrix all;
	struct matrix matrix;		/* released by rows_fini() alone */
	struct memory at;		/* the memory of `matrix`, unless it has
					 * all rows */
};

/* Parses a range such as "10:20", ":-1" or "5:" for a matrix of `rows` rows. A
 * missing first or last number stands for the beginning or the end; a negative
 * number counts from the end. ERR_PARAMETER if the text is no range, ERR_SHAPE
 * if the range exceeds the matrix. A range that ends before it begins is
 * empty. */
int rows_parse(const char *text, size_t rows, size_t *first, size_t *stop,
               struct err *e);

/* Makes *r a view of the rows first to stop - 1 of m, or of m if it is a
 * scalar. Unless these are all rows, the view of a sparse matrix gets an index
 * array of its own from the pool; this copy takes long if the matrix is large.
 * rows_fini() may be called for { 0 } and after a failure, too. */
int rows_take(struct rows *r, const struct matrix *m, size_t first,
              size_t stop, struct memory_pool *p, struct err *e);
void rows_fini(struct rows *r);

#endif
