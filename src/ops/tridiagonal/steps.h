/* steps.h - the steps of a symmetric decomposition; see symmetric.h. None of
 * them ends with seq_finish(), which would download outputs too early. */
#ifndef OPS_TRIDIAGONAL_STEPS_H
#define OPS_TRIDIAGONAL_STEPS_H

#include "ops/blas/gemm.h"
#include "ops/need.h"

/* --- look.c */

/* The properties of a matrix that symmetric_look() determines before it is
 * decomposed. */
struct symmetric_told {
	double largest;			/* the largest |a_ij| */
	double asymmetry;		/* the largest |a_ij - a_ji| */
	bool finite;
};

/* Sets *told for the n x n matrix in `a`, and waits for the device. Returns -1
 * if the sequence failed. */
int symmetric_look(struct seq *s, size_t n, struct buf a,
                   struct symmetric_told *told);
void symmetric_look_need(struct need *n, enum dtype t, size_t rows);

/* The power of two by which a matrix is divided, so that its largest element
 * comes into [1, 2). */
int symmetric_power(const struct symmetric_told *told);

/* --- reduce.c */

/* The factorization 2^-power A = Q T Q^T of an n x n matrix A, with Q = H_0 H_1
 * ... H_(n - 2) and H_i = I - tau_i v_i v_i^T. */
struct tridiagonal_form {
	struct seq *s;
	size_t n, ld;
	struct blas_tensor tensor;	/* for products up to n x n x n */
	struct buf v;			/* v_i in row i of an n x n matrix with
					 * rows of ld elements; elements up to
					 * and on the diagonal are 0 */
	struct buf t;			/* the diagonal d and off-diagonal e of
					 * T, and tau, n doubles each; the last
					 * element of e, and that of tau, is
					 * undefined */
};

/* Reduces a scaled copy of the n x n matrix in `a`, where n > 0. */
struct tridiagonal_form tridiagonal_reduce(struct seq *s, size_t n,
                                           struct buf a, int power);

/* Reduces A by `groups` co-resident work-groups, which make all reflections of
 * a panel in one launch, or, if groups is 0, by two launches for each column.
 * tridiagonal_reduce() chooses between the two. */
struct tridiagonal_form tridiagonal_reduce_by(struct seq *s, size_t n,
                                              struct buf a, int power,
                                              size_t groups);
void tridiagonal_reduce_need(struct need *n, const struct sheet *d,
                             enum dtype t, size_t rows);

/* Reads the diagonal d and the off-diagonal e, n numbers each, and waits; e[n -
 * 1] becomes 0. Returns -1 if the sequence failed. */
int tridiagonal_read(const struct tridiagonal_form *f, double *d, double *e);

/* --- back.c */

/* Z = Q Z for the row-major n x cols matrix z. */
void tridiagonal_back(const struct tridiagonal_form *f, struct buf z,
                      size_t cols);
void tridiagonal_back_need(struct need *n, enum dtype t, size_t rows,
                           size_t cols);

/* --- finish.c */

/* Copies `cols` columns of the n x n matrix z, with the numbers columns[], to
 * the n x cols matrix `to`. */
void tridiagonal_gather(struct seq *s, size_t n, struct buf z,
                        const size_t *columns, size_t cols, struct buf to);

/* Scales the columns of the n x cols matrix z to unit 2-norm, and makes the
 * first of the components of largest modulus of each one positive. */
void tridiagonal_signs(struct seq *s, size_t n, struct buf z, size_t cols);

#endif
