/* zero_pivot.h - does A = L U exist without row interchanges? */
#ifndef OPS_LU_ZERO_PIVOT_H
#define OPS_LU_ZERO_PIVOT_H

#include "ops/lapack/complex_routines.h"
#include "ops/lu/factor.h"

#define LU_ZERO_PIVOT_KERNELS "lu_zero_pivots"

/* Reads, for each matrix, the column of its first zero pivot, and that of its
 * first zero pivot with an element below it that is not zero; INT_MAX if there
 * is none. Errors are the sequence's. */
void lu_zero_pivots(struct seq *s, const struct factors *f, int32_t *zero,
                    int32_t *broken);

/* The scratch memory of lu_zero_pivots() and of lu_check_pivots(). */
void lu_need_pivots(struct need *n, const struct factors *f);

/* Checks factors that were made without interchanges. Where elimination met a
 * zero pivot above an element that is not zero, they are wrong: others are
 * found and written to f->lu, or, if none exist, that matrix of the operand
 * fails with ERR_ZERO_PIVOT. */
int lu_check_pivots(struct seq *s, struct args *a, const struct factors *f);

/* The operation's describe(): which pivot of which matrix is zero. */
void lu_describe_zero_pivot(const struct args *a, const struct failure *f,
                            struct err *e);

/* Overwrites the row-major m x n matrix A by U and the strict lower triangle of
 * L, computing in the precision of type t. Returns false if no factors exist,
 * with *where as the column of the pivot that is zero and must not be, or
 * without memory, with ERR_MEMORY in *e. */
bool lu_by_rows(double *a, size_t m, size_t n, enum dtype t, size_t *where,
                struct err *e);
bool lu_by_rows_complex(cplx *a, size_t m, size_t n, enum dtype t,
                        size_t *where, struct err *e);

#endif
