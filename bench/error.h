/* error.h - what the judges of the benchmark's results share.
 *
 * A judge computes in long double, on the host, from a sample of rows where all
 * would take too long. It returns a ratio, not in units of eps: an element's
 * error over the sum of the magnitudes that were added to get it. So a good
 * result has eps times a modest number, and cancellation in the data does not
 * count against it. */
#ifndef BENCH_ERROR_H
#define BENCH_ERROR_H

#include "matrix/matrix.h"

enum { BENCH_SAMPLE = 8 };

/* How many of n rows, or of other things, are judged, and the i-th of them;
 * they are spread from the first to the last. */
size_t bench_sample(size_t n);
size_t bench_sampled(size_t i, size_t n);

/* |error| / size; 0 / 0 is 0. */
double bench_ratio(long double error, long double size);

/* The larger; NaN if one is, so that it is not hidden. */
double bench_worse(double a, double b);

/* Elements of a matrix with the same distance between each and the next. */
struct bench_line {
	const struct matrix *of;
	size_t at, step;
};

/* The error of got = sum x_i y_i, i < n. */
double bench_error_dot(struct bench_line x, struct bench_line y, size_t n,
                       double got);

/* The error of C = op(A) op(B) for one matrix of the stack C; op transposes. */
double bench_error_product(const struct matrix in[2], const struct matrix *c,
                           bool ta, bool tb, size_t which);

/* The error of I = A X for one matrix of the stacks A, n x k, and X, k x n. */
double bench_error_identity(const struct matrix *a, const struct matrix *x,
                            size_t which);

/* The worst of what `one` finds in a sample of the stack of the first
 * operand. */
double bench_error_stack(const struct matrix *in, const struct matrix *out,
                         double (*one)(const struct matrix *in,
                                       const struct matrix *out,
                                       size_t which));

/* The errors of y = A x, where A is sparse, and of the sums of A's rows. */
double bench_error_sparse(const struct matrix *a, const struct matrix *x,
                          const struct matrix *y);
double bench_error_rowsums(const struct matrix *a, const struct matrix *y);

#endif
