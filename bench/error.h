/* error.h - functions that the judges of the benchmark's results share.
 *
 * A judge computes in long double on the host. It judges only a sample of the
 * rows where all of them would take too long. It returns an element's error
 * divided by the sum of the magnitudes that were added to get the element, so
 * that cancellation in the data does not count as an error. The ratio is not in
 * units of eps: that of a good result is a modest multiple of eps. */
#ifndef BENCH_ERROR_H
#define BENCH_ERROR_H

#include "matrix/matrix.h"

enum { BENCH_SAMPLE = 8 };

/* Return the number of rows that are judged of n, and the index of the i-th of
 * them. The sample is spread from the first row to the last. It also serves for
 * columns and for the matrices of a stack. */
size_t bench_sample(size_t n);
size_t bench_sampled(size_t i, size_t n);

/* |error| / size, where 0 / 0 counts as 0. */
double bench_ratio(long double error, long double size);

/* The larger of two errors, or NaN if one of them is NaN, so that a maximum
 * never hides a NaN. */
double bench_worse(double a, double b);

/* A row or column: elements at, at + step, at + 2 step, ... of a matrix. */
struct bench_line {
	const struct matrix *of;
	size_t at, step;
};

/* The error of got = sum x_i y_i, i < n. */
double bench_error_dot(struct bench_line x, struct bench_line y, size_t n,
                       double got);

/* The error of C = op(A) op(B) for matrix `which` of the stack C, where op
 * transposes A if `ta` and B if `tb`. */
double bench_error_product(const struct matrix in[2], const struct matrix *c,
                           bool ta, bool tb, size_t which);

/* The error of A X = I for matrix `which` of the stacks A, n x k, and X,
 * k x n. */
double bench_error_identity(const struct matrix *a, const struct matrix *x,
                            size_t which);

/* The largest error that `one` returns for a sample of the matrices in the
 * first operand's stack. */
double bench_error_stack(const struct matrix *in, const struct matrix *out,
                         double (*one)(const struct matrix *in,
                                       const struct matrix *out,
                                       size_t which));

/* The errors of y = A x, where A is sparse, and of the sums of A's rows. */
double bench_error_sparse(const struct matrix *a, const struct matrix *x,
                          const struct matrix *y);
double bench_error_rowsums(const struct matrix *a, const struct matrix *y);

#endif
