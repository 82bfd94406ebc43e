/* complex.h - the LU factorization of complex matrices on the host, for the
 * operations lu and det. */
#ifndef OPS_LU_COMPLEX_H
#define OPS_LU_COMPLEX_H

#include "ops/lapack/complex.h"

/* The parameters of the operation lu, the values of the first, and its outputs,
 * in the order of its tables. */
enum { LU_PIVOT, LU_DEVICES };
enum { LU_PARTIAL, LU_NONE };
enum { LU_LU, LU_PIVOTS, LU_SINGULAR, LU_SIGN, LU_P, LU_L, LU_U };

/* The run() of lu's variant for complex matrices. */
int lu_complex(struct seq *s, struct args *a);

/* Factors the row-major m x n matrix a: lu, m x n and column-major, holds L and
 * U, and row i was swapped with row pivots[i] - 1. copy, of m n elements,
 * becomes a, column-major. */
void lu_complex_factor(const struct lapack_call *c, const void *a, size_t m,
                       size_t n, cplx *lu, int *pivots, cplx *copy);

/* Does the same without row interchanges. If no such factors exist, returns
 * ERR_ZERO_PIVOT with the column of the zero pivot. `room` has m n
 * elements. */
struct failure_detail lu_complex_plain(const struct lapack_call *c,
                                       const void *a, size_t m, size_t n,
                                       cplx *lu, int *pivots, cplx *room);

/* Stores the order of the m rows after the first k swaps. */
void lu_complex_order(const int *pivots, size_t k, size_t m, int64_t *p);

/* Returns |P A - L U| / (n |A| eps) in the 1-norm, or an estimate from below;
 * rounds lu to the type of the answer. room has 4 max(m, n) elements. */
double lu_complex_judge(const struct lapack_call *c, size_t m, size_t n,
                        const cplx *a, cplx *lu, const int64_t *p, cplx *room);

#endif
