/* balance.h - balances a square matrix before its eigenvalues are computed.
 *
 *     B = D^-1 P^T A P D		D a diagonal of powers of two
 *
 * P, a permutation, moves eigenvalues that A shows without computation to the
 * borders: B's rows and columns outside [low, high) are triangular, with their
 * eigenvalues on the diagonal. D makes the 2-norms of row i and column i about
 * equal, which reduces the norm of B and with it the rounding errors of all
 * that follows. Scaling by powers of two makes no rounding errors. The rules
 * are those of LAPACK's xGEBAL since its version 3.5.0 (Osborne 1960; Parlett
 * and Reinsch 1969; James, Langou and Lowery 2014).
 */
#ifndef OPS_EIGEN_BALANCE_H
#define OPS_EIGEN_BALANCE_H

#include <stddef.h>

#include "matrix/matrix.h"

struct lapack_call;

struct balance {
	size_t n, low, high;
	size_t *place;			/* P: row i of B is row place[i] of A */
	int *power;			/* D = diag(2^power[i]) */
};

/* Sets B = A, with n rows; -1: no memory. The caller calls balance_fini(). */
int balance_init(struct balance *b, size_t n);
void balance_fini(struct balance *b);

/* Balances matrix `index` of the stack m, which must be float32 or float64 and
 * finite; P remains I unless `permute`. -1: no memory. */
int balance_find(struct balance *b, const struct matrix *m, size_t index,
                 bool permute);

/* Returns whether the scaling D differs from the identity. */
bool balance_is_scaled(const struct balance *b);

/* Stores `count` elements of row i of P^T A P, from column j on, as float64. */
void balance_row(const struct balance *b, const struct matrix *m, size_t index,
                 size_t i, size_t j, size_t count, double *restrict to);

/* Returns whether balancing must scale a row and a column of these 2-norms. */
bool balance_scales(double row, double column);

/* --- balanced.c */

/* Writes 2^-e B, column-major, with e such that the largest element is in [1,
 * 2); returns e. The threads of c, which may be NULL, share the work. */
int balance_copy(const struct lapack_call *c, const struct balance *b,
                 const struct matrix *m, size_t index, double *to);

/* Turns an eigenvector x of B into A's, with the largest element in [1, 2):
 * 2^-e P D x on the right, 2^-e P D^-1 x on the left; returns e. A complex
 * vector (parts: 2) has its imaginary parts behind its n real ones. `room` must
 * be as long as x. */
enum balance_side { BALANCE_RIGHT, BALANCE_LEFT };
int balance_back(const struct balance *b, enum balance_side side, int parts,
                 double *x, double *room);

#endif
