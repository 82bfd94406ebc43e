/* mm_layout.h - lays out the values and entries of a Matrix Market file as a
 * matrix. */
#ifndef FORMAT_MM_LAYOUT_H
#define FORMAT_MM_LAYOUT_H

#include "matrix/sparse.h"

enum mm_symmetry { MM_GENERAL, MM_SYMMETRIC, MM_SKEW, MM_HERMITIAN };

/* A bit beside an entry's row number, which is below 2^31: the entry, or the
 * one that it mirrors, was given above the diagonal. */
#define MM_ABOVE ((uint32_t)1 << 31)

/* The number of values in an m x n array file: those of a triangle if it is
 * symmetric. False when the count overflows. */
bool mm_count(size_t m, size_t n, enum mm_symmetry s, size_t *count);

/* The cost, as of reader_cost(), of making the matrix from `bytes` of values or
 * entries. */
double mm_layout_cost(const struct matrix *to, bool sparse, size_t bytes);

/* Writes entries, which lie within the matrix, to a dense matrix of float64;
 * those at the same place are summed. Works in slices (slice.h): -1 when
 * cancelled. */
int mm_scatter(const struct matrix *to, const struct sparse_entry *x,
               size_t n, struct err *e);

/* Clears MM_ABOVE in *n entries and their mirror images. both: some were given
 * below the diagonal, too. Entries given on both sides are then joined. Returns
 * 1, or 0 if two of them differ, and `at` is their place. In slices: -1. */
int mm_join(struct sparse_entry *x, size_t *n, bool both, size_t at[2],
            struct err *e);

/* Has a square matrix of float64 the symmetry s? 1: yes; 0: not at place `at`.
 * Works in slices, too: -1 when cancelled. */
int mm_agrees(const struct matrix *m, enum mm_symmetry s, size_t at[2],
              struct err *e);

/* Writes both triangles from a lower triangle x, stored column by column. */
int mm_unfold(const struct matrix *to, const double *x, enum mm_symmetry s,
              struct err *e);

#endif
