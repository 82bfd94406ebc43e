/* streamed.h - P A = L U of a matrix in the host's memory, of which the device
 * holds some columns at a time: docs/lu.md.
 *
 *     streamed.c         the steps
 *     streamed_plan.c    how many columns; the buffers and their memory
 *     streamed_judge.c   the estimated residual
 */
#ifndef OPS_LU_STREAMED_H
#define OPS_LU_STREAMED_H

#include "ops/gang/panels.h"
#include "ops/lu/panel.h"
#include "ops/lu/pivots.h"
#include "ops/lu/sums.h"
#include "ops/room.h"

struct lu_streamed {
	struct seq *s;
	struct need *need;		/* as for room_make(): NULL, or what
					 * counts buffers instead */
	lu_factor_fn *factor;		/* factors a panel */
	size_t m, n, k, each;
	size_t width;			/* columns of a panel */
	size_t most;			/* columns of a strip at most: a
					 * multiple of `width` */
	bool judged;
	bool turned;			/* factor A^T */
	double all;			/* the share of the factorization in the
					 * call's work, 0 to 1 */
	const struct matrix *a, *lu;	/* in the host's memory */
	struct lu_pivots p;
	/* The present strip: */
	size_t at;			/* its first column */
	struct columns c;		/* its columns, in blocks as wide as
					 * panels */
	/* For even and odd panels: */
	struct buf panel[2], lists[2];
	size_t moves[2];		/* length of the lists */
	/* For each lane: */
	struct buf moved[2];
	struct blas_tensor tensor[2];
	struct buf copy;		/* of the panel that is factored; or a
					 * list of m rows, int32_t */
	struct buf swaps;
	int32_t *host_swaps;		/* width; from malloc(), as the next */
	void *top;			/* L11 and U11 of a panel */
	/* streamed_judge.c: */
	double *sums;			/* struct lu_sums; from malloc() */
	struct buf x, ax, norm, ux;
};

/* Return a factorization whose sizes are set and whose buffers are not made
 * yet: of the matrix a in that type, or of what the call of lu asks for. */
struct lu_streamed lu_streamed_of(const struct matrix *a, enum dtype type,
                                  bool judged, const struct sheet *d);
struct lu_streamed lu_streamed_call(const struct args *a,
                                    const struct sheet *d);

/* Makes the buffers of t->s or, if t->need is set, counts them. */
void lu_streamed_make(struct lu_streamed *t, const struct sheet *d);

/* The memory that these take. */
struct need lu_streamed_need_of(const struct lu_streamed *t,
                                const struct sheet *d);

/* Factors a, or with t->turned a square a's transpose; the factors go to lu,
 * their rows in the final order. Both matrices are in the host's memory. The
 * interchanges are in t->p until lu_streamed_end(), which must follow when all
 * commands have ended, also after a failure. The buffers remain until the
 * sequence drops them. */
void lu_streamed_factor(struct lu_streamed *t, struct seq *s,
                        const struct matrix *a, const struct matrix *lu);
void lu_streamed_end(struct lu_streamed *t);

/* run(), need() and takes() of the variant. */
int lu_streamed_run(struct seq *s, struct args *a);
void lu_streamed_need(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *n);
int lu_streamed_takes(const struct args *a, struct err *e);

/* Panels are factored by the kernels of the device's other variant. */
#define LU_STREAMED_KERNELS \
	"lu_times_a lu_blocks_times_u lu_blocks_times_l " LU_PANEL_KERNELS

/* The residual, in the order of the calls. -1 with the sequence's error if
 * there is no memory. */
int lu_streamed_judge_begin(struct lu_streamed *t);
/* Once a strip has been loaded; once it has been factored. */
void lu_streamed_judge_a(struct lu_streamed *t);
void lu_streamed_judge_u(struct lu_streamed *t);
/* Once all strips have been factored. */
void lu_streamed_judge_l(struct lu_streamed *t);
/* For each panel: `lu` has its columns from row `first` on, with the rows in
 * their final order. */
void lu_streamed_judge_block(struct lu_streamed *t, size_t first, size_t cols,
                             struct buf lu);
/* Sets a->verdict. */
void lu_streamed_judge_end(struct lu_streamed *t, struct args *a);

#endif
