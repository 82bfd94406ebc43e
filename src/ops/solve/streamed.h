/* streamed.h - A X = B for a matrix in the host's memory, of which the device
 * holds some columns at a time (ops/gang/strips.h), with vectors on the host
 * (hosted.h): docs/lu.md. The factors are those of ops/lu/streamed.h, in a
 * matrix of the host's.
 *
 *     streamed.c         the steps; the buffers and their memory; B - A X
 *     streamed_sweep.c   solves with L, with U and with their transposes
 */
#ifndef OPS_SOLVE_STREAMED_H
#define OPS_SOLVE_STREAMED_H

#include "ops/gang/strips.h"
#include "ops/lu/streamed.h"
#include "ops/solve/hosted.h"

struct solve_streamed {
	struct solve_hosted h;
	struct need *need;		/* as for room_make() */
	struct lu_streamed lu;
	const struct matrix *a;		/* in the host's memory, as is: */
	struct matrix factors;
	bool turned;			/* solve with A^T */
	size_t most;			/* columns of a strip */
	/* While A is not being factored: */
	struct buf strip[2];		/* n x most, row-major */
	struct buf x;			/* n x h.most, row-major */
	struct buf own, share;		/* of struct solve_part */
};

/* run(), need() and takes() of the variant. */
int solve_streamed(struct seq *s, struct args *a);
void solve_streamed_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n);
int solve_streamed_takes(const struct args *a, struct err *e);

/* Returns strip k, as the block of a gang whose parts have one each. */
struct columns solve_streamed_strip(const struct solve_streamed *t, size_t k);

/* The steps of struct solve_holder; `task` is a struct solve_streamed. */
void solve_streamed_substitute(void *task, double *x, size_t cols);
void solve_streamed_substitute_transposed(void *task, double *x, size_t cols);

#define SOLVE_STREAMED_KERNELS \
	"solve_gang_look solve_gang_rest " STRIPS_TURNED_KERNELS " " \
	LU_PANEL_KERNELS

#endif
