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
 * every few matrices, where the call may also be cancelled.
 *
 * Operands and outputs are read and written in the host's memory: no buffer of
 * the device is made. */
#ifndef OPS_LAPACK_STACK_H
#define OPS_LAPACK_STACK_H

#include "device/seq.h"
#include "ops/failure.h"
#include "ops/lapack/lapack.h"

struct lapack_call {
	size_t rows;			/* of a matrix: see lapack_load() */
	double flops;			/* about, for one matrix */
	size_t room;			/* bytes of workspace for one matrix */
	unsigned operands;		/* bit i: operand i must be finite */
	/* Computes matrix `index` of the answer's stack, on any thread, with
	 * `room` bytes (NULL if that is 0). Returns { ERR_NONE }, or why there
	 * is no answer; ERR_MEMORY ends the call. */
	struct failure_detail (*one)(const struct lapack_call *c,
	                             size_t index, void *room);
	const void *how;		/* the caller's own */
	bool judged;			/* `one` sets the matrix's element of
					 * ratios, whose worst becomes the
					 * verdict's residual */

	/* Set by lapack_run(). */
	const struct lapack *l;
	struct args *a;
	double *ratios;			/* of all matrices, at first 0; NULL if
					 * they are not judged */
};

/* Runs all a->stack matrices and records the failed ones. It ends with
 * seq_finish(). */
int lapack_run(struct lapack_call *c, struct seq *s, struct args *a);

/* The same for `count` items that are not the answer's matrices, such as those
 * of an operand that several of these share: why[i] becomes what `one` returned
 * for item i, { ERR_NONE } for items that it did not come to, and no failure is
 * recorded. -1 with the sequence's error, which includes that of a cancelled
 * call. */
int lapack_each(struct lapack_call *c, struct seq *s, struct args *a,
                size_t count, struct failure_detail *why);

/* A test ratio of the n x n matrix `index`, n > 0, in each of the two types.
 * room: n doubles, then n x n elements. */
struct lapack_ratio {
	double (*s)(const struct lapack_call *c, size_t index, void *room);
	double (*d)(const struct lapack_call *c, size_t index, void *room);
};

/* For an operation's residual(): with quality=full the largest ratio of the
 * square matrices of operand 0 that have not failed becomes the verdict's
 * residual. It ends with seq_finish(). */
int lapack_residual(struct seq *s, struct args *a,
                    const struct lapack_ratio *ratio);

/* Element i of the vector of signs, +1 and -1, with which residuals are
 * estimated: by Fibonacci hashing. kernels/cholesky/cholesky.cl has the
 * same. */
static inline int lapack_sign(size_t i)
{
	return (uint32_t)(i + 1) * UINT32_C(2654435769) >> 31 ? 1 : -1;
}

/* Matrix `index` of the answer's stack in operand i: the only one where the
 * operand is no stack. And in output i. The second is NULL for an output that
 * is not wanted. */
const void *lapack_in(const struct args *a, int i, size_t index);
void *lapack_out(const struct args *a, int i, size_t index);

/* Copies the m x n matrix `from` to its transpose `to`, both without gaps: from
 * row-major to column-major order. Back it is the n x m matrix, transposed.
 * `bytes` is the length of an element: 4, 8 or 16. */
void lapack_transpose(const void *from, size_t m, size_t n, size_t bytes,
                      void *to);

/* The 1-norm of the row-major m x n array, the largest column sum of
 * magnitudes, and NaN if that holds one. sums has room for n numbers. */
double lapack_norm1(enum dtype t, const void *x, size_t m, size_t n,
                    double *sums);

/* The first element that is NaN or infinity of the real array x, or n. */
size_t lapack_find_nonfinite(enum dtype t, const void *x, size_t n);

/* ERR_NONFINITE with the place of the first such element of lapack_in(), or
 * { ERR_NONE }. */
struct failure_detail lapack_nonfinite(const struct args *a, int i,
                                       size_t index);

/* For describe(): the words of an ERR_NONFINITE that lapack_run() recorded. */
int lapack_describe_nonfinite(const struct args *a, const struct failure *f,
                              struct err *e);

/* "matrix", or in a stack "matrix 3 of the stack", for other words. */
enum { LAPACK_WHICH_TEXT = 64 };
const char *lapack_which(const struct args *a, const struct failure *f,
                         char text[LAPACK_WHICH_TEXT]);

#endif
