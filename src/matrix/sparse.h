/* sparse.h - sparse matrices in compressed rows (CSR): built from entries, and
 * converted from and to dense ones.
 *
 *     index   starts   rows + 1 int64: row i holds starts[i], ... up to
 *                      before starts[i + 1]
 *             columns  nnz int32, ascending within a row
 *     memory  values   nnz of dtype; zeros may be among them
 */
#ifndef MATRIX_SPARSE_H
#define MATRIX_SPARSE_H

#include <stdint.h>

#include "matrix/matrix.h"

/* The largest number of rows and of columns: kernels count both in 32 bits and
 * round them up. */
#define SPARSE_MOST ((size_t)INT32_MAX - 1024)

/* A value at row i, column j, counted from 0. */
struct sparse_entry {
	uint32_t i, j;
	double value;
};

/* Returns whether the CSR matrix m has its row and column indices. While the
 * front checks a pipeline, the matrices that its steps will compute have
 * none. */
static inline bool sparse_is_known(const struct matrix *m)
{
	return m->index != NULL;
}

static inline int64_t *sparse_starts(const struct matrix *m)
{
	return m->index->data;
}

static inline int32_t *sparse_columns(const struct matrix *m)
{
	return (int32_t *)(sparse_starts(m) + m->dim[0] + 1);
}

/* Return row i's start, and entry k's column. Each is read exactly once,
 * because a worker may overwrite it between the caller's check and its use. */
static inline int64_t sparse_start(const struct matrix *m, size_t i)
{
	return *(const volatile int64_t *)&sparse_starts(m)[i];
}

static inline int32_t sparse_column(const struct matrix *m, size_t k)
{
	return *(const volatile int32_t *)&sparse_columns(m)[k];
}

/* Returns the row that holds entry k, searched from row `from` on, which must
 * not come after that row. If the row starts are broken, the result is at most
 * the last row. */
size_t sparse_row_of(const struct matrix *m, size_t from, size_t k);

/* Returns m's index as a vector of int32, as seq_input() takes it. The vector
 * borrows m's memory. */
struct matrix sparse_index(const struct matrix *m);

/* Checks that m has two dimensions (ERR_SHAPE) of at most SPARSE_MOST
 * (ERR_TOO_LARGE). */
int sparse_check_shape(const struct matrix *m, struct err *e);

/* Checks the row starts and columns that a worker wrote: ERR_DEVICE names the
 * first that is wrong. */
int sparse_check(const struct matrix *m, struct err *e);

/* Builds m, whose shape is set, as a float64 CSR matrix of n entries, which lie
 * within it and may come in any order. Entries at the same place are summed in
 * their order. */
int sparse_build(struct matrix *m, const struct sparse_entry *x, size_t n,
                 struct memory_pool *p, struct err *e);

/* Converts m to that layout, in new memory, if it has not that layout already.
 * Zeros of a dense matrix do not become entries. */
int sparse_convert(struct matrix *m, enum layout to, struct memory_pool *p,
                   struct err *e);

/* Converts a dense matrix to CSR with all its elements as entries: zeros matter
 * where they are multiplied by infinity or NaN. */
int sparse_convert_all(struct matrix *m, struct memory_pool *p,
                       struct err *e);

#endif
