/* qr.h - declarations that the files of qr's tests share. */
#ifndef TESTS_OPS_QR_QR_H
#define TESTS_OPS_QR_QR_H

#include "tests/ops/op.h"

void qr_add_gram_tests(TCase *c);
void qr_add_host_tall_tests(TCase *c);
void qr_add_blocked_tests(TCase *c);
void qr_add_raw_tests(TCase *c);

/* Makes an m x n matrix whose first `rank` singular values fall geometrically
 * from 1 to 1 / condition. The others are 0. */
struct matrix qr_conditioned(enum dtype t, size_t m, size_t n, size_t rank,
                             double condition);

/* A variant of qr that factors tall matrices by CholeskyQR: R^T = chol(A^T A),
 * Q = A R^-1, repeated. */
struct qr_by_cholesky {
	const char *variant;
	/* Returns whether CholeskyQR alone factors the call's operand; if not,
	 * the variant uses Householder reflections. CholeskyQR must suffice
	 * while eps condition^power is small. */
	bool (*succeeds)(const struct args *a);
	int power;
};

/* Each asserts that the verdict is good and R is near LAPACK's: for matrices of
 * any condition number, of any rank, and for an upper triangle with m rows,
 * whose R is itself, because LAPACK then makes no reflections. */
void qr_check_conditions(const struct qr_by_cholesky *by);
void qr_check_ranks(const struct qr_by_cholesky *by);
void qr_check_triangle(const struct qr_by_cholesky *by, size_t m);

/* |A P - Q R| of matrix s in the Frobenius norm. */
double qr_product_error(const struct args *a, size_t s);

/* Asserts that Q and R are within LAPACK's thresholds, and the verdict, too. */
void qr_check_call(const struct args *a);

#endif
