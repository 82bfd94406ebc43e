/* mm_layout.h - what a Matrix Market file holds, and its way into a dense
 * matrix. */
#ifndef MATRIX_MM_LAYOUT_H
#define MATRIX_MM_LAYOUT_H

#include "matrix/sparse.h"

enum mm_symmetry { MM_GENERAL, MM_SYMMETRIC, MM_SKEW };

/* Values that an m x n array file holds, a triangle where it is symmetric;
 * false when the count wraps. */
bool mm_count(size_t m, size_t n, enum mm_symmetry s, size_t *count);

/* Entries, which lie within it, into a dense matrix of float64: summed where
 * they meet. */
void mm_scatter(const struct matrix *to, const struct sparse_entry *x,
                size_t n);

/* A lower triangle, column by column, into both triangles. */
void mm_unfold(const struct matrix *to, const double *x, enum mm_symmetry s);

#endif
