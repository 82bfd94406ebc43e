/* layout.h - copies between LAPACK's matrices, which are stored by columns with
 * a leading dimension, and those of the service, which are stored by rows
 * without gaps.
 *
 * The columns of A, one after another, are the rows of A^T. So where a routine
 * can be told by A^T, nothing is transposed: see each routine. */
#ifndef CLIENTS_LAPACK_LAYOUT_H
#define CLIENTS_LAPACK_LAYOUT_H

#include "clients/lapack/kind.h"

/* Copies the m x n matrix by columns; both leading dimensions count elements
 * of k. */
void layout_copy(const struct kind *k, size_t m, size_t n, const void *from,
                 size_t ld_from, void *to, size_t ld_to);

/* Copies the m x n matrix `from`, stored by columns with the leading dimension
 * ld, to `to`, stored by rows without gaps. */
void layout_to_rows(const struct kind *k, size_t m, size_t n, const void *from,
                    size_t ld, void *to);

/* The other way round. */
void layout_from_rows(const struct kind *k, size_t m, size_t n,
                      const void *from, void *to, size_t ld);

/* Copies one triangle of an n x n matrix by columns, with its diagonal: the
 * upper one, or the lower one. */
void layout_copy_triangle(const struct kind *k, bool upper, size_t n,
                          const void *from, size_t ld_from, void *to,
                          size_t ld_to);

/* Completes the n x n hermitian matrix a, stored by columns without gaps, of
 * which the upper or lower triangle is there: the other one gets the
 * conjugates, and the imaginary parts of the diagonal become 0. */
void layout_mirror(const struct kind *k, bool upper, size_t n, void *a);

/* Conjugates n elements; real ones stay as they are. */
void layout_conjugate(const struct kind *k, size_t n, void *a);

#endif
