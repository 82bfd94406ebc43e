/* divide.h - all eigenvalues, and eigenvectors, of a symmetric tridiagonal
 * matrix T by divide and conquer on the device.
 *
 * T is torn into halves, these into halves again, and so on: a binary tree of
 * nodes, whose leaves are tridiagonal matrices of at most 16 rows. Jacobi's
 * method computes the eigenpairs of the leaves (kernels/tridiagonal/leaf.cl).
 * With the eigenpairs (D1, Q1) and (D2, Q2) of two halves, the matrix that they
 * make up is
 *
 *     diag(Q1, Q2) (D + rho z z^T) diag(Q1, Q2)^T,   D = diag(D1, D2),
 *
 * where z is made of the last row of Q1 and the first row of Q2. Eigenpairs of
 * D + rho z z^T that are those of D to working accuracy are deflated
 * (deflate.cl). The others come from the secular equation (secular.cl), and
 * their eigenvectors U turn into those of the larger matrix by one product,
 * diag(Q1, Q2) U (merge.h). All nodes of a level are merged side by side.
 *
 * Values, z and the roots of the secular equation are float64 whatever the
 * sequence's type, which is that of Q and U alone. The first and last rows of
 * all Q are computed in float64, too, so that z does not depend on Q, and the
 * eigenvalues alone need no Q. The results have the same bits in every run.
 *
 * Without deflation this takes 4/3 n^3 multiplications and additions, 3/4 of
 * them in the last product; the eigenvalues alone take O(n^2) operations.
 *
 * J. J. M. Cuppen, A divide and conquer method for the symmetric tridiagonal
 * eigenproblem, Numer. Math. 36 (1981); M. Gu and S. C. Eisenstat, A
 * divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem, SIAM
 * J. Matrix Anal. Appl. 16 (1995); R.-C. Li, Solving secular equations stably
 * and efficiently, LAPACK Working Note 89 (1993). LAPACK's dlaed0 to dlaed4 do
 * the same on a CPU.
 *
 * The device must compute in float64 (sheet.float64). */
#ifndef OPS_TRIDIAGONAL_DIVIDE_H
#define OPS_TRIDIAGONAL_DIVIDE_H

#include "device/seq.h"
#include "ops/need.h"

/* Decomposes the symmetric tridiagonal matrix T of the diagonal d[n] and the
 * off-diagonal e[n - 1], both on the host: T = Z diag(w) Z^T. w replaces
 * d, in ascending order; e is not changed. z, n x n, row-major and of the
 * sequence's type, float32 or float64, gets eigenvector j in column j.
 *
 * |T - Z W Z^T| and |T| |I - Z Z^T| are small multiples of n |T| eps, where eps
 * is that of the sequence's type. T is scaled by a power of two before the
 * computation, so that no T makes it overflow or underflow. Returns 0, or -1
 * with the sequence's error, which is ERR_NONFINITE if T is not finite. */
int tridiagonal_decompose(struct seq *s, size_t n, double *d,
                          const double *e, struct buf z);

/* Replaces d by the eigenvalues alone, in ascending order, with errors of a
 * small multiple of |T| eps of float64, whichever the sequence's type. e is not
 * changed. Returns 0, or -1 with the sequence's error. */
int tridiagonal_values(struct seq *s, size_t n, double *d, const double *e);

/* Add the scratch memory that a decomposition, or the eigenvalues alone, takes
 * on device d in a sequence of type t. */
void tridiagonal_decompose_need(struct need *need, const struct sheet *d,
                                enum dtype t, size_t n);
void tridiagonal_values_need(struct need *need, const struct sheet *d,
                             enum dtype t, size_t n);

#define TRIDIAGONAL_DIVIDE_KERNELS \
	"divide_leaves divide_order divide_deflate divide_roots divide_fit " \
	"divide_scale divide_gather divide_rotation divide_keep " \
	"divide_values divide_vectors"

#endif
