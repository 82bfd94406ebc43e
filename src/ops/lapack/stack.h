/* stack.h - runs LAPACK over the matrices of a stack, on the host.
 *
 *     static struct failure_detail one(const struct lapack_call *c,
 *                                      size_t index, void *room);
 *
 *     static int run(struct seq *s, struct args *a)
 *     {
 *             struct lapack_call c = {
 *                     .rows = n, .flops = n * n * n / 3, .operands = 1,
 *                     .one = one,
 *             };
 *
 *             return lapack_run(&c, s, a);
 *     }
 *
 * A matrix that fails does not end its stack (ops/failure.h). Every operand
 * that `operands` names is searched for NaN and infinity first, and such a
 * matrix fails with ERR_NONFINITE without reaching LAPACK. Small matrices of a
 * stack run on several threads, one thread each; for a large one OpenBLAS uses
 * its own threads. The time is reported as the stage `host`, the progress after
 * every few matrices, where the call may also be cancelled; within a matrix it
 * may be where LAPACK's routines are left (lapack.h) and by lapack_poll().
 *
 * Operands and outputs are read and written in the host's memory: no buffer of
 * the device is made. */
#ifndef OPS_LAPACK_STACK_H
#define OPS_LAPACK_STACK_H

#include <stdatomic.h>

#include "device/seq.h"
#include "ops/failure.h"
#include "ops/lapack/lapack.h"

struct lapack_call {
	size_t rows;			/* of a matrix: see lapack_load() */
	double flops;			/* about, for one matrix; 0: as the
					 * operation counts them */
	size_t room;			/* bytes of workspace for one matrix */
	unsigned operands;		/* bit i: operand i must be finite */
	/* Returns the matrix of operand i from which matrix `index` of the
	 * answer's stack is computed. NULL stands for lapack_in(). */
	const void *(*in)(const struct args *a, int i, size_t index);
	/* Computes matrix `index` of the answer's stack, on any thread, with
	 * `room` bytes (NULL if that is 0). Returns { ERR_NONE }, or why there
	 * is no answer; ERR_MEMORY ends the call. */
	struct failure_detail (*one)(const struct lapack_call *c,
	                             size_t index, void *room);
	const void *how;		/* the caller's own */
	bool divided;			/* `one` calls lapack_parts() */
	bool judged;			/* `one` sets the matrix's element of
					 * ratios, whose worst becomes the
					 * verdict's residual */

	/* Set by lapack_run(). */
	const struct lapack *l;
	struct args *a;
	struct copier *threads;		/* for lapack_parts(); or NULL */
	double *ratios;			/* of all matrices, at first 0; NULL
					 * without `judged` */
	atomic_bool *fallback;		/* `one` sets it when its first method
					 * did not converge; it becomes the
					 * verdict's fallback */
};

/* Runs all a->stack matrices and records those that fail. It ends with
 * seq_finish(); -1 leaves the sequence's error. */
int lapack_run(struct lapack_call *c, struct seq *s, struct args *a);

/* Runs `count` items that are not the answer's matrices, such as the matrices
 * of an operand that several of those share. why[i] becomes what `one` returned
 * for item i, or { ERR_NONE } if the call ended before that item; no failure is
 * recorded. Returns -1 with the sequence's error, also after a cancellation. */
int lapack_each(struct lapack_call *c, struct seq *s, struct args *a,
                size_t count, struct failure_detail *why);

/* For work of our own in `one` that takes long: leaves `one` if the call was
 * cancelled. Neither the caller nor those that called it, up to `one`, may own
 * anything. */
void lapack_poll(void);

/* Runs part(arg, i) for every i below `count`, in any order. Where OpenBLAS
 * uses several threads for a matrix, so does this function, for the copies and
 * checks before and after LAPACK's part; the call must be `divided`. */
void lapack_parts(const struct lapack_call *c, size_t count,
                  void (*part)(void *arg, size_t i), void *arg);

/* The functions for float32 and float64 that compute a test ratio of the n x n
 * matrix `index`; n > 0. `room` holds n doubles, then n x n elements. */
struct lapack_ratio {
	double (*s)(const struct lapack_call *c, size_t index, void *room);
	double (*d)(const struct lapack_call *c, size_t index, void *room);
};

/* For an operation's residual(): with quality=full, sets the verdict's residual
 * to the largest ratio of those square matrices of operand 0 that have not
 * failed. It ends with seq_finish(). */
int lapack_residual(struct seq *s, struct args *a,
                    const struct lapack_ratio *ratio);

/* Returns element i, 1 or -1, of the vector with which residuals are estimated.
 * Fibonacci hashing makes the signs; kernels/lib/sign.h makes the same ones. */
static inline int lapack_sign(size_t i)
{
	return (uint32_t)(i + 1) * UINT32_C(2654435769) >> 31 ? 1 : -1;
}

/* The first function returns the matrix of operand i that belongs to matrix
 * `index` of the answer's stack: the only one if the operand is no stack. The
 * second returns matrix `index` of output i, or NULL if the output is not
 * wanted. */
const void *lapack_in(const struct args *a, int i, size_t index);
void *lapack_out(const struct args *a, int i, size_t index);

/* Stores the transpose of the m x n matrix `from` in `to`, which turns
 * row-major into column-major order. The rows of `from` are from_ld elements
 * apart, those of `to` to_ld. `bytes` is the size of an element: 4, 8 or 16. */
void lapack_transpose(const void *from, size_t from_ld, size_t m, size_t n,
                      size_t bytes, void *to, size_t to_ld);

/* Transposes an n x n matrix in place. */
void lapack_transpose_square(void *x, size_t n, size_t bytes);

/* Do the same, and store a float32 matrix as float64, or a float64 matrix as
 * float32. */
void lapack_transpose_widened(const float *from, size_t from_ld, size_t m,
                              size_t n, double *to, size_t to_ld);
void lapack_transpose_narrowed(const double *from, size_t from_ld, size_t m,
                               size_t n, float *to, size_t to_ld);

/* Copies a column-major m x n matrix of leading dimension from_ld to one of
 * leading dimension to_ld. */
void lapack_copy(const void *from, size_t from_ld, size_t m, size_t n,
                 size_t bytes, void *to, size_t to_ld);

/* Returns the 1-norm of the row-major m x n array x, which is its largest
 * column sum of magnitudes, or NaN if x contains one. sums has room for n
 * numbers. */
long double lapack_norm1(enum dtype t, const void *x, size_t m, size_t n,
                         double *sums);

/* Returns the index of the first NaN or infinity among the n elements of x, or
 * n. */
size_t lapack_find_nonfinite(enum dtype t, const void *x, size_t n);

/* Returns ERR_NONFINITE with the row and column of the first NaN or infinity in
 * x, one of the matrices of operand i, or { ERR_NONE }. */
struct failure_detail lapack_nonfinite(const struct args *a, int i,
                                       const void *x);

/* For an operation's describe(): sets *e to the words for an ERR_NONFINITE that
 * lapack_run() recorded. */
void lapack_describe_nonfinite(const struct args *a, const struct failure *f,
                               struct err *e);

/* Writes the subject of an error's sentence to text, and returns it: "matrix",
 * or in a stack "matrix 3 of the stack". */
enum { LAPACK_WHICH_TEXT = 64 };
const char *lapack_which(const struct args *a, const struct failure *f,
                         char text[LAPACK_WHICH_TEXT]);

#endif
