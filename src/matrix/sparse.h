/* sparse.h - sparse matrices in compressed rows: built from entries, made
 * from dense ones, and made dense.
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

/* Rows and columns end here: kernels count both in 32 bits and round up. */
#define SPARSE_MOST ((size_t)INT32_MAX - 1024)

/* A value and where it stands, counted from 0. */
struct sparse_entry {
	uint32_t i, j;
	double value;
};

static inline int64_t *sparse_starts(const struct matrix *m)
{
	return m->index->data;
}

static inline int32_t *sparse_columns(const struct matrix *m)
{
	return (int32_t *)(sparse_starts(m) + m->dim[0] + 1);
}

/* Row i's start, or column k, read once: a worker may have written them, and
 * what is looked at must be what is used. */
static inline int64_t sparse_start(const struct matrix *m, size_t i)
{
	return *(const volatile int64_t *)&sparse_starts(m)[i];
}

static inline int32_t sparse_column(const struct matrix *m, size_t k)
{
	return *(const volatile int32_t *)&sparse_columns(m)[k];
}

/* The row of entry k, from row `from` on, which holds it or stands before: the
 * last row if no other claims it. */
size_t sparse_row_of(const struct matrix *m, size_t from, size_t k);

/* Its index as a vector of int32, as for seq_input(). Borrowed. */
struct matrix sparse_index(const struct matrix *m);

/* Two dimensions of at most SPARSE_MOST? ERR_SHAPE, ERR_TOO_LARGE. */
int sparse_check_shape(const struct matrix *m, struct err *e);

/* Do the row starts and columns hold together, as they came from elsewhere?
 * ERR_DEVICE with the first that does not. */
int sparse_check(const struct matrix *m, struct err *e);

/* m has its shape, and becomes the float64 matrix of n entries, which lie
 * within it. Their order is free; those that meet are summed in it. */
int sparse_build(struct matrix *m, const struct sparse_entry *x, size_t n,
                 struct memory_pool *p, struct err *e);

/* Into the other layout, in new memory; nothing to do when m has it. What is
 * zero in a dense matrix is left out of the sparse one. */
int sparse_convert(struct matrix *m, enum layout to, struct memory_pool *p,
                   struct err *e);

/* A dense matrix into CSR with all its elements, zeros too: they count where
 * they are multiplied by infinity or NaN. */
int sparse_convert_all(struct matrix *m, struct memory_pool *p,
                       struct err *e);

#endif
