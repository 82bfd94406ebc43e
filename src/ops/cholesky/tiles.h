/* tiles.h - the factorization of a block of columns of tiles in one launch, by
 * work-groups that wait for each other (kernels/cholesky/tiles.h). The buffer
 * task->state has counters for the work-groups after the state of the matrices;
 * the caller sets the counters to 0. */
#ifndef OPS_CHOLESKY_TILES_H
#define OPS_CHOLESKY_TILES_H

#include "ops/cholesky/cholesky.h"

/* Returns the number of columns of tiles that one launch factors, for matrices
 * of n rows. */
size_t cholesky_tiles_block(size_t n);

/* Returns whether one launch factors a whole matrix of n rows. That launch
 * reads A from the operand, sets the elements of L above the diagonal to zero,
 * and computes the sums for the verdict. */
bool cholesky_tiles_whole(size_t n);

/* Returns the number of counters, int32_t. */
size_t cholesky_tiles_counters(size_t n, size_t stack);

struct cholesky_tiles {
	struct buf a;			/* the buffer with A: the operand, or
					 * that of L if other kernels update A
					 * there */
	struct buf work, sums;		/* see kernels/cholesky/tiles.h */
	size_t at;			/* index in task->state of the next
					 * launch's counters */
	bool whole, judged;
	const char *kernel;
};

/* Begins the factorization of the task. With `on_tensor`, tensor cores compute
 * sums in float64. */
struct cholesky_tiles cholesky_tiles_begin(const struct cholesky_task *t,
                                           struct buf a, bool judged,
                                           bool on_tensor);
void cholesky_tiles_need(struct need *need, const struct sheet *d, size_t n,
                         size_t stack, enum dtype t, bool judged);

/* Factors the next block, the columns of tiles from `begin` to `end` - 1. */
void cholesky_tiles_run(const struct cholesky_task *t, struct cholesky_tiles *x,
                        size_t begin, size_t end);

/* Computes the verdict's residuals from the sums; only after launches that have
 * factored whole matrices (cholesky_tiles_whole()). */
void cholesky_tiles_judge(const struct cholesky_task *t,
                          const struct cholesky_tiles *x);

#endif
