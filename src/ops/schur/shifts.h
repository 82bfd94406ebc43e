/* shifts.h - chooses the shifts of a sweep of the multishift QR algorithm among
 * eigenvalues re[i] + im[i] i, as LAPACK's xLAQR0 does. */
#ifndef OPS_SCHUR_SHIFTS_H
#define OPS_SCHUR_SHIFTS_H

#include <stddef.h>

/* Sorts the shifts by descending magnitude. A sweep uses the last ones, so that
 * the smallest are used if there are too many. room has 2 count elements. */
void shifts_sort(double *re, double *im, size_t count, double *room);

/* Reorders the shifts so that, counted from the last one, they form pairs of
 * two real or two conjugate ones. */
void shifts_pair(double *re, double *im, size_t count);

/* If there are two shifts, both real, replaces them by two copies of the one
 * nearer to `end`, the last diagonal element of the block. */
void shifts_take_nearer(double *re, double *im, size_t count, double end);

/* Sets exceptional shifts, which end a cycle of the iteration: the eigenvalues
 * of 2 x 2 matrices made from the subdiagonal, with the constants of xLAQR0.
 * diagonal[i] and below[i] are the block's elements (i, i) and (i, i - 1) of
 * its last `count` rows; the block has `rows` rows. */
void shifts_exceptional(double *re, double *im, size_t count, size_t rows,
                        const double *diagonal, const double *below);

#endif
