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

/* The factors of an m x n matrix, or room for them. */
struct lu_complex_c {
	cplx_c *lu;			/* m x n and column-major: L and U */
	size_t ld;			/* of lu: complex_ld() or m */
	cplx_c *wide;			/* unused */
	cplx_c *vectors;		/* 4 max(m, n), for the verdict */
	const cplx_c *given;		/* A, column-major, unless it is the
					 * operand itself, and NULL then */
	int *pivots;			/* row i was swapped with row
					 * pivots[i] - 1 */
	double norm;			/* |A|, in the 1-norm */
};

struct lu_complex {
	cplx *lu;
	size_t ld;
	cplx *wide;			/* m x n, if A is of complex64 */
	cplx *vectors;
	const cplx *given;
	int *pivots;
	double norm;
};

/* Take the room for one matrix, of at most lu_complex_bytes(). */
struct lu_complex_c lu_complex_room_c(const struct lapack_call *c, size_t m,
                                      size_t n, struct complex_room *r);
struct lu_complex lu_complex_room(const struct lapack_call *c, size_t m,
                                  size_t n, struct complex_room *r);

static inline size_t lu_complex_bytes(size_t m, size_t n)
{
	return COMPLEX_BYTES(complex_ld(m, sizeof(cplx)) * n) +
	       COMPLEX_BYTES(m * n) +
	       5 * COMPLEX_BYTES(m > n ? m : n);
}

/* Factors the row-major m x n matrix a. Returns false for one that complex64
 * leaves to complex128 (complex_factor_c()). */
bool lu_complex_factor_c(const struct lapack_call *c, const void *a, size_t m,
                         size_t n, struct lu_complex_c *f);
bool lu_complex_factor(const struct lapack_call *c, const void *a, size_t m,
                       size_t n, struct lu_complex *f);

/* Does the same without row interchanges. If no such factors exist, returns
 * ERR_ZERO_PIVOT with the column of the zero pivot. `room` has m n
 * elements. */
struct failure_detail lu_complex_plain(const struct lapack_call *c,
                                       const void *a, size_t m, size_t n,
                                       struct lu_complex *f, cplx *room);

/* Stores the order of the m rows after the first k swaps. */
void lu_complex_order(const int *pivots, size_t k, size_t m, int64_t *p);

/* Returns |P A - L U| / (n |A| eps) in the 1-norm, or an estimate from below;
 * rounds f->lu to the type of the answer. */
double lu_complex_judge_c(const struct lapack_call *c, const void *a, size_t m,
                          size_t n, const struct lu_complex_c *f,
                          const int64_t *p);
double lu_complex_judge(const struct lapack_call *c, const void *a, size_t m,
                        size_t n, const struct lu_complex *f,
                        const int64_t *p);

#endif
