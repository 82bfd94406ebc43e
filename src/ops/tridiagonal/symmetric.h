/* symmetric.h - A = Z diag(w) Z^T of a symmetric matrix on the device.
 *
 *     symmetric.c   the decomposition as a whole
 *     look.c        the largest element, the asymmetry, NaN and infinity
 *     reduce.c      T = Q^T A Q, tridiagonal
 *     divide.c      T = Z_T diag(w) Z_T^T, or w alone (divide.h)
 *     back.c        Z = Q Z_T
 *     finish.c      copies chosen eigenvectors, and normalises them
 */
#ifndef OPS_TRIDIAGONAL_SYMMETRIC_H
#define OPS_TRIDIAGONAL_SYMMETRIC_H

#include "ops/tridiagonal/divide.h"

/* Decomposes the symmetric n x n matrix in `a`, row-major, with both triangles
 * filled, in the sequence's type: A = Z diag(w) Z^T. w, n numbers, ascends.
 * Eigenvector j becomes column j of the row-major n x n matrix z; if z is
 * { 0 }, only w is computed. `a` stays as it is; z may be the same buffer.
 * Where a_ij and a_ji differ, their mean counts. The device must compute in
 * float64 (sheet.float64).
 *
 * Waits for the device. Returns -1 with the sequence's error: ERR_NONFINITE for
 * a matrix with a NaN or an infinity. symmetric_decompose_need() adds the
 * scratch memory that this takes. */
int symmetric_decompose(struct seq *s, size_t n, struct buf a, double *w,
                        struct buf z);
void symmetric_decompose_need(struct need *n, const struct sheet *d,
                              enum dtype t, size_t rows);

#define SYMMETRIC_KERNELS                                                    \
	"tridiagonal_look tridiagonal_told tridiagonal_load sytrd_start "    \
	"sytrd_times sytrd_column sytrd_panel sytrd_clean ormtr_triangle "     \
	TRIDIAGONAL_DIVIDE_KERNELS

#endif
