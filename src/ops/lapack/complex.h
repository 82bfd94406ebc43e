/* complex.h - operations on complex matrices by LAPACK on the host: what their
 * parts of the operations' folders (complex.c there) have in common.
 *
 * Matrices are column-major here, without gaps. The functions for complex64,
 * whose names end in _c, and those for complex128 are compiled from the same
 * source where they do the same (each_complex.h).
 *
 * Operands of complex64 are computed with in complex64 where that is quicker
 * and as good. Others, and all that complex64 leaves because it is near the
 * ends of float32's range or because a matrix may be singular, are computed
 * with in complex128, and their answers are rounded at the end. The residuals
 * are judged as the answer is stored, after rounding, with the ratios that
 * LAPACK's tests have for complex matrices: the same as for real ones.
 *
 *     static struct failure_detail one(const struct lapack_call *c,
 *                                      size_t index, void *room);
 *
 * is called for each matrix of a stack (stack.h), with room for the arrays that
 * it takes by complex_array(). */
#ifndef OPS_LAPACK_COMPLEX_H
#define OPS_LAPACK_COMPLEX_H

#include <complex.h>
#include <float.h>
#include <math.h>

#include "ops/lapack/stack.h"

/* What `one` finds in c->how: what its caller gave to complex_run(), and a
 * verdict for each matrix of the stack, at first none, which `one` sets. */
struct complex_call {
	const void *how;
	struct verdict *told;
};

static inline const void *complex_how(const struct lapack_call *c)
{
	return ((const struct complex_call *)c->how)->how;
}

static inline struct verdict *complex_told(const struct lapack_call *c,
                                           size_t index)
{
	return &((const struct complex_call *)c->how)->told[index];
}

/* Runs c, whose `how` it replaces, over the stack by lapack_run(), and adds the
 * verdicts on matrices that have not failed. */
int complex_run(struct lapack_call *c, struct seq *s, struct args *a);

/* A workspace, from which arrays are taken one after the other. */
struct complex_room { char *next; };

/* Takes an array of n elements of that size. COMPLEX_BYTES() is what n elements
 * of complex128 take at most. */
void *complex_array(struct complex_room *r, size_t n, size_t each);
#define COMPLEX_BYTES(n) (((n) + 8) * sizeof(cplx))

/* Copy the row-major m x n matrix `from` of type t to column-major order, and
 * back, rounding. Only m rows and n columns of the column-major matrix, whose
 * leading dimension is ld, are stored. */
void complex_load(const void *from, enum dtype t, size_t m, size_t n,
                  cplx *to);
void complex_store(const cplx *from, size_t ld, size_t m, size_t n,
                   enum dtype t, void *to);

/* The same for arrays in complex64. Matrices have that type, too. */
static inline void complex_load_c(const void *from, enum dtype t, size_t m,
                                  size_t n, cplx_c *to)
{
	(void)t;
	lapack_transpose(from, n, m, n, sizeof *to, to, m);
}

static inline void complex_store_c(const cplx_c *from, size_t ld,
                                   size_t m, size_t n, enum dtype t, void *to)
{
	(void)t;
	lapack_transpose(from, ld, n, m, sizeof *from, to, n);
}

/* Stores n elements as complex64. */
void complex_narrow(const cplx *from, size_t n, void *to);

/* Stores n reals as t or, if it is complex, as the type of its parts. */
void complex_store_reals(const double *from, size_t n, enum dtype t, void *to);

/* Rounds n elements as they are stored in type t. */
void complex_round(cplx *x, size_t n, enum dtype t);

static inline void complex_round_c(const cplx_c *x, size_t n,
                                   enum dtype t)
{
	(void)x, (void)n, (void)t;
}

/* Compute y = A x and y = A^H x of an m x n matrix. */
void complex_times(const cplx *a, size_t m, size_t n, const cplx *x, cplx *y);
void complex_times_c(const cplx_c *a, size_t m, size_t n, const cplx_c *x,
                     cplx_c *y);
void complex_times_turned(const cplx *a, size_t m, size_t n, const cplx *x,
                          cplx *y);
void complex_times_turned_c(const cplx_c *a, size_t m, size_t n,
                            const cplx_c *x, cplx_c *y);

/* Returns the largest magnitude among the real and imaginary parts of n
 * elements, apart from NaN. */
double complex_largest_part(const cplx *x, size_t n);

/* complex_lower() divides n elements by 2^k and returns k. That is 0 unless
 * some real or imaginary parts are so large that moduli or their sums may
 * overflow, or the inverses of pivots underflow. The others multiply n elements
 * by 2^k. */
int complex_lower(cplx *x, size_t n);
void complex_raise(cplx *x, size_t n, int k);
void complex_raise_reals(double *x, size_t n, int k);

/* Returns a leading dimension for arrays of factors with n rows, whose elements
 * have `each` bytes: the cache lines of a column are odd in number, so that the
 * elements of a row lie in different sets of the cache. */
static inline size_t complex_ld(size_t n, size_t each)
{
	enum { LINE = 64, SMALL = 64 };

	return n <= SMALL ? n :
	       ((n * each + LINE - 1) / LINE | 1) * LINE / each;
}

/* Sets the elements of n columns below the first m rows to 0. */
void complex_clear_ends(cplx *a, size_t m, size_t n, size_t ld);
void complex_clear_ends_c(cplx_c *a, size_t m, size_t n, size_t ld);

/* Are the m x n factors of ZGETRF finite, and none of their pivots subnormal?
 * Some versions of OpenBLAS multiply the column below a subnormal pivot by its
 * inverse, which overflows, and others leave the column as it is. */
bool complex_are_factors(const cplx *lu, size_t m, size_t n, size_t ld);
bool complex_are_factors_c(const cplx_c *lu, size_t m, size_t n, size_t ld);

/* Factors the m x n matrix A as ZGETRF does: P A = L U, returning the number of
 * the first zero pivot, or 0. If complex_are_factors() refuses the factors of a
 * finite A, it is factored again by divisions, without the BLAS. */
int complex_factor(const struct lapack *l, const cplx *a, size_t m, size_t n,
                   cplx *lu, int *pivots);

/* Factors A in place in the same way. Its columns are ld elements apart, and
 * those between them 0. Sets *good to what complex_are_factors() says of the
 * factors. The second function divides, without the BLAS. */
int complex_factor_in_place(const struct lapack *l, size_t m, size_t n,
                            cplx *lu, size_t ld, int *pivots, bool *good);
int complex_eliminate(cplx *a, size_t m, size_t n, size_t ld, int *pivots);

/* Factors A in place, in complex64. Returns false for a matrix that is left to
 * complex128: one whose norm, `norm`, or whose factors are near the ends of
 * float32's range or not finite. */
bool complex_factor_c(const struct lapack *l, size_t m, size_t n, cplx_c *lu,
                      size_t ld, double norm, int *pivots);

/* Is a pivot of the n x n factors in complex64 so small that it may consist of
 * rounding errors? Then more is known of A by its factors in complex128. */
bool complex_is_doubtful(const cplx_c *lu, size_t n, size_t ld);

/* At smaller reciprocal condition numbers complex64 leaves an answer hardly any
 * digits. */
#define COMPLEX_FEW_DIGITS (8 * FLT_EPSILON)

/* Is a norm in the range in which complex64's products and inverses are far
 * from the ends of float32's range? */
static inline bool complex_is_moderate(double norm)
{
	return norm > 0x1p-40 && norm < 0x1p40;
}

/* Overwrites a triangle of the n x n matrix A by its Cholesky factor, as ZPOTRF
 * does. Returns the order of the first leading minor that is not positive, or
 * 0. OpenBLAS's ZPOTRF does not stop at a diagonal element that is NaN. One
 * becomes NaN if the square of an element to its left overflows, which cannot
 * happen if the matrix is positive definite. */
int complex_cholesky(const struct lapack *l, char uplo, cplx *a, size_t n,
                     size_t ld);
int complex_cholesky_c(const struct lapack *l, char uplo, cplx_c *a, size_t n,
                       size_t ld);

/* Return the modulus of x. cabs() takes ten times as long, and is needed only
 * where the square overflows or loses digits. */
static inline double complex_modulus(cplx x)
{
	const double re = creal(x), im = cimag(x), square = re * re + im * im;

	return square > 0x1p-960 && square < 0x1p960 ? sqrt(square) :
	       x == 0 ? 0 : cabs(x);
}

static inline double complex_modulus_c(cplx_c x)
{
	const double re = crealf(x), im = cimagf(x);

	return sqrt(re * re + im * im);
}

/* Store the moduli of n elements, and return their sum. */
double complex_sizes(const cplx *x, size_t n, double *to);
double complex_sizes_c(const cplx_c *x, size_t n, float *to);

/* Return the sum of the moduli of n elements, their 2-norm, and the largest
 * column sum of an m x n matrix, or NaN if it contains one. */
double complex_sum(const cplx *x, size_t n);
double complex_sum_c(const cplx_c *x, size_t n);
double complex_norm2(const cplx *x, size_t n);
double complex_norm1(const cplx *a, size_t m, size_t n, size_t ld);
double complex_norm1_c(const cplx_c *a, size_t m, size_t n, size_t ld);

/* The latter of a row-major matrix; room has 2 n numbers. */
double complex_norm1_by_rows(const cplx *a, size_t m, size_t n, double *room);
double complex_norm1_by_rows_c(const cplx_c *a, size_t m, size_t n,
                               float *room);

/* Estimates the 1-norm of an m x n matrix R that is small if an answer is
 * right, such as P A - L U, from its product with a vector of signs: |R x| /
 * |x|. With quality=full it is the norm itself, from products with the unit
 * vectors. defect(how, x, r) stores R x in r; room has m + n elements. */
double complex_defect(const struct lapack_call *c, size_t m, size_t n,
                      void (*defect)(const void *how, const cplx *x, cplx *r),
                      const void *how, cplx *room);
double complex_defect_c(const struct lapack_call *c, size_t m, size_t n,
                        void (*defect)(const void *how, const cplx_c *x,
                                       cplx_c *r),
                        const void *how, cplx_c *room);

/* Is the answer judged? */
static inline bool complex_is_judged(const struct lapack_call *c)
{
	return c->a->quality != QUALITY_NONE;
}

/* Returns norm / scale, but 0 for 0 / 0. */
double complex_ratio(double norm, double scale);

#endif
