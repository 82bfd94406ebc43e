/* layout.h - copies between LAPACK's matrices, which are stored by columns with
 * a leading dimension, and those of the service, which are stored by rows
 * without gaps.
 *
 * The columns of A, one after another, are the rows of A^T. So a routine that
 * can be expressed by A^T copies without transposing; each file tells how. */
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

/* Copies from rows without gaps to columns with the leading dimension ld. */
void layout_from_rows(const struct kind *k, size_t m, size_t n,
                      const void *from, void *to, size_t ld);

/* Copies the upper or the lower triangle of an n x n matrix, with its diagonal,
 * by columns. */
void layout_copy_triangle(const struct kind *k, bool upper, size_t n,
                          const void *from, size_t ld_from, void *to,
                          size_t ld_to);

/* Completes the n x n hermitian matrix a, stored by columns without gaps, from
 * its upper triangle, or from its lower one: sets the other triangle to the
 * conjugate transpose, and the imaginary parts of the diagonal to 0. */
void layout_mirror(const struct kind *k, bool upper, size_t n, void *a);

/* Conjugates n elements; real ones stay as they are. */
void layout_conjugate(const struct kind *k, size_t n, void *a);

#endif
