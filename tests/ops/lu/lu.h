/* lu.h - LAPACK's test matrices for general matrices (its working note
 * 41, table 2), made anew, for the tests of lu and solve. */
#ifndef TESTS_OPS_LU_LU_H
#define TESTS_OPS_LU_LU_H

#include "tests/ops/op.h"

#define THRESHOLD 30		/* of LAPACK's own tests */

/* The outputs of lu. */
enum { LU, PIVOTS, SINGULAR, SIGN, P, L, U };

enum lu_type {
	TYPE_DIAGONAL, TYPE_UPPER, TYPE_LOWER, TYPE_RANDOM,
	TYPE_FIRST_COLUMN_ZERO, TYPE_LAST_COLUMN_ZERO, TYPE_LAST_HALF_ZERO,
	TYPE_ILL, TYPE_WORST, TYPE_UNDERFLOW, TYPE_OVERFLOW, TYPE_COUNT
};

static inline bool type_is_singular(enum lu_type type)
{
	return type == TYPE_FIRST_COLUMN_ZERO ||
	       type == TYPE_LAST_COLUMN_ZERO || type == TYPE_LAST_HALF_ZERO;
}

/* An m x n matrix of that type; the caller's to matrix_fini(). */
struct matrix type_matrix(enum lu_type type, enum dtype t, size_t m, size_t n,
                          unsigned seed);

/* For which n the tests ask, ended by LU_SIZES_END: the usual ones and the
 * edges of vectors, tiles, panels and blocks of both variants. */
#define LU_SIZES_END ((size_t)-1)
extern const size_t lu_sizes[];

/* |P A - L U| / (n |A| eps) in the 1-norm, from packed factors. */
double factors_ratio(const struct matrix *a, const struct matrix *lu,
                     const struct matrix *pivots);

/* The largest |b - A x| / (n |A| |x| eps) of all columns of b, a vector or a
 * matrix, in the 1-norm. */
double solve_ratio(const struct matrix *a, const struct matrix *b,
                   const struct matrix *x);

/* getrf's pivots, counted from 1, and its info; m stays as it is. */
int lapack_pivots(const struct matrix *m, int *pivots);

/* Those that swap rows; the article's do not. */
void each_pivoting_variant(void (*fn)(const struct variant *v));

void lu_add_seed_tests(TCase *t);
void lu_add_zero_pivot_tests(TCase *t);
void lu_add_special_tests(TCase *t);
void lu_add_stack_tests(TCase *t);
void solve_add_accuracy_tests(TCase *t);
void solve_add_structure_tests(TCase *t);
void solve_add_symmetric_tests(TCase *t);
void solve_add_refusal_tests(TCase *t);
void solve_add_complex_tests(TCase *t);
void solve_add_complex_quick_tests(TCase *t);
void solve_add_refine_tests(TCase *t);
void solve_add_verdict_tests(TCase *t);
void solve_add_overflow_tests(TCase *t);
void solve_add_iterative_tests(TCase *t);
void solve_add_iterative_ways_tests(TCase *t);
void solve_add_iterative_scale_tests(TCase *t);

#endif
