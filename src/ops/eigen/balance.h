/* balance.h - balances a square matrix before its eigenvalues are computed.
 *
 *     B = D^-1 P^T A P D		D a diagonal of powers of two
 *
 * P, a permutation, moves what is triangular of A to the borders; B's rows and
 * columns outside [low, high) are then triangular, and their eigenvalues stand
 * on the diagonal. D makes the 2-norms of row i and column i about equal, so
 * that the norm, and with it the rounding errors of all that follows, shrinks.
 * Powers of two make no rounding errors of their own. The rules are those of
 * LAPACK's xGEBAL since its version 3.5.0 (Osborne 1960; Parlett and Reinsch
 * 1969; James, Langou and Lowery 2014).
 */
#ifndef OPS_EIGEN_BALANCE_H
#define OPS_EIGEN_BALANCE_H

#include <stddef.h>

#include "matrix/matrix.h"

struct balance {
	size_t n, low, high;
	size_t *place;			/* P: row i of B is row place[i] of A */
	int *power;			/* D = diag(2^power[i]) */
};

/* Of n rows, B = A so far; -1: no memory. The caller's to balance_fini(). */
int balance_init(struct balance *b, size_t n);
void balance_fini(struct balance *b);

/* Balances matrix `index` of the stack m, of float32 or float64 and all
 * finite; P remains I unless `permute`. -1: no memory. */
int balance_find(struct balance *b, const struct matrix *m, size_t index,
                 bool permute);

/* Does that rule scale a row of that norm, and a column of that one? */
bool balance_scales(double row, double column);

/* 2^-e B, column-major, whose largest element is in [1, 2); e. */
int balance_copy(const struct balance *b, const struct matrix *m,
                 size_t index, double *to);

/* An eigenvector x of B becomes A's: 2^-e P D x on the right, 2^-e P D^-1 x on
 * the left, with the largest element in [1, 2); e. A complex one has its
 * imaginary parts behind the n real ones (parts: 2). `room`: as long as x. */
enum balance_side { BALANCE_RIGHT, BALANCE_LEFT };
int balance_back(const struct balance *b, enum balance_side side, int parts,
                 double *x, double *room);

#endif
