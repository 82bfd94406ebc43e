/* divide.h - all eigenvalues, and eigenvectors, of a symmetric tridiagonal
 * matrix T by divide and conquer on the device (Cuppen 1981; Gu and Eisenstat
 * 1995). The device must compute in float64 (sheet.float64). */
#ifndef OPS_TRIDIAGONAL_DIVIDE_H
#define OPS_TRIDIAGONAL_DIVIDE_H

#include "device/seq.h"
#include "ops/need.h"

/* Decomposes the symmetric tridiagonal matrix T of the diagonal d[n] and the
 * off-diagonal e[n - 1], on the host and finite: T = Z diag(w) Z^T. w replaces
 * d, in ascending order; e is overwritten. z, n x n, row-major and of the
 * sequence's type, float32 or float64, gets eigenvector j in column j.
 *
 * |T - Z W Z^T| and |T| |I - Z Z^T| are small multiples of n |T| eps, where eps
 * is that of the sequence's type. The computation is that of a matrix scaled by
 * a power of two, so that no T overflows or underflows. Returns 0, or -1 with
 * the sequence's error. */
int tridiagonal_decompose(struct seq *s, size_t n, double *d, double *e,
                          struct buf z);

/* Replaces d by the eigenvalues alone, with errors of a small multiple of
 * |T| eps of float64, whichever the sequence's type. */
int tridiagonal_values(struct seq *s, size_t n, double *d, double *e);

/* Add the scratch memory that a decomposition, or the eigenvalues alone, takes
 * on device d in a sequence of type t. */
void tridiagonal_decompose_need(struct need *need, const struct sheet *d,
                                enum dtype t, size_t n);
void tridiagonal_values_need(struct need *need, const struct sheet *d,
                             enum dtype t, size_t n);

#define TRIDIAGONAL_DIVIDE_KERNELS \
	"eigen_jacobi divide_leaves divide_take divide_order " \
	"divide_deflate divide_gather divide_roots divide_fit divide_scale " \
	"divide_rotation divide_keep divide_values divide_vectors"

#endif
