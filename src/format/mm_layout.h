/* mm_layout.h - what a Matrix Market file holds, and its way into a dense
 * matrix. */
#ifndef FORMAT_MM_LAYOUT_H
#define FORMAT_MM_LAYOUT_H

#include "matrix/sparse.h"

enum mm_symmetry { MM_GENERAL, MM_SYMMETRIC, MM_SKEW, MM_HERMITIAN };

/* Beside a row's number: the entry, or that which it mirrors, was given above
 * the diagonal. (Rows end at SPARSE_MOST.) */
#define MM_ABOVE ((uint32_t)1 << 31)

/* Values that an m x n array file holds, a triangle where it is symmetric;
 * false when the count wraps. */
bool mm_count(size_t m, size_t n, enum mm_symmetry s, size_t *count);

/* As reader_cost(), of `bytes` that were read and become that matrix. */
double mm_layout_cost(const struct matrix *to, bool sparse, size_t bytes);

/* Entries, which lie within it, into a dense matrix of float64: summed where
 * they meet. Both work in slices (slice.h): -1 when they were cancelled. */
int mm_scatter(const struct matrix *to, const struct sparse_entry *x,
               size_t n, struct err *e);

/* Takes MM_ABOVE off n entries and their mirror images: 1. If some were given
 * below the diagonal, too, those given on both sides become one; 0 when the
 * two differ, and where in `at`. In slices: -1. */
int mm_join(struct sparse_entry *x, size_t *n, bool both, size_t at[2],
            struct err *e);

/* Is a square matrix of float64 what its symmetry says? 1: yes; 0: not at `at`.
 * It works in slices, too: -1 when they were cancelled. */
int mm_agrees(const struct matrix *m, enum mm_symmetry s, size_t at[2],
              struct err *e);

/* A lower triangle, column by column, into both triangles. */
int mm_unfold(const struct matrix *to, const double *x, enum mm_symmetry s,
              struct err *e);

#endif
