/* gang.h - P A = L U by several devices (struct gang in ops/op.h), each with
 * some blocks of columns: docs/lu.md.
 *
 *     gang.c          the steps: factor a panel, exchange it, apply it
 *     gang_pivots.c   interchanges, and what clients see of them
 *     gang_judge.c    the estimated residual
 */
#ifndef OPS_LU_GANG_H
#define OPS_LU_GANG_H

#include "device/board.h"
#include "ops/gang/panels.h"
#include "ops/lu/factor.h"

/* On the host: all interchanges so far, and what they leave of the present
 * panel's. */
struct lu_gang_pivots {
	size_t m, k;			/* rows; pivots of the matrix */
	int64_t *pivot;			/* k */
	int32_t *row;			/* m: the numbers of the rows, in order
					 * between two uses */
	int32_t *list;			/* room for two lists of m rows */
	bool zero, nan, negative;	/* of U's diagonal so far, and of the
					 * determinant */
};

struct lu_gang {
	struct seq *s;
	lu_factor_fn *factor;		/* factors a panel */
	size_t m, n, k, each;
	struct columns c;
	struct board x;
	struct lu_gang_pivots p;
	bool judged;
	struct buf ax, norm;		/* gang_judge.c: this part's share of A
					 * x and of the sums of |a_ij| */
	struct buf x_own;		/* its elements of x */
	struct buf ux, lw;		/* U x, of all parts; its share of L
					 * w */
	/* For even and odd panels, of which one is factored while the one
	 * before it is applied: */
	struct buf panel[2];		/* the rows from the diagonal down */
	struct buf lists[2];		/* 2 x 2 width int32_t: where rows come
					 * from, where they go */
	size_t moves[2];		/* length of each list */
	/* For each lane: */
	struct buf moved[2];		/* rows that are interchanged */
	struct blas_tensor tensor[2];
};

/* The operation's gang(). */
void lu_gang_plan(const struct args *a, int parts, struct gang_plan *g);

/* run() of one part, whose panels `by` factors, and the memory that it takes;
 * the second `by` says what factoring takes. */
int lu_gang_run(struct seq *s, struct args *a, lu_factor_fn *by);
void lu_gang_need(const struct args *a, const struct sheet *d,
                  lu_need_fn *by, struct need *n);
#define LU_GANG_KERNELS \
	"lu_gang_times_u lu_gang_times_l " COLUMNS_KERNELS " blas_trsm " \
	"blas_trsm_wide " BLAS_GEMM_KERNELS

/* gang_pivots.c. lu_gang_pivots_init(): -1 with the sequence's error. */
int lu_gang_pivots_init(struct lu_gang_pivots *p, struct seq *s, size_t m,
                        size_t n);
void lu_gang_pivots_fini(struct lu_gang_pivots *p);

/* Takes the interchanges of a panel of r pivots at row j, and the diagonal of U
 * in it; `ld` is the distance of the panel's rows. Writes to p->list which rows
 * change, first where they come from, `room` elements later where they go, and
 * returns their number. -1 with the sequence's error if a pivot cannot be. */
ptrdiff_t lu_gang_pivots_take(struct lu_gang_pivots *p, struct seq *s, size_t j,
                              size_t r, const int32_t *swaps,
                              const void *panel, size_t ld, size_t room);

/* Returns where each row of a block that was last changed by the panel before
 * row j belongs, by the panels from there on: p->list, m numbers. */
const int32_t *lu_gang_pivots_after(struct lu_gang_pivots *p, size_t j);

/* Writes pivots, singular, sign and p, as far as they are wanted. */
void lu_gang_pivots_answer(struct lu_gang_pivots *p, struct args *a);

/* gang_judge.c. Each part has these numbers for the others, float64: its shares
 * of A x and of the sums of |a_ij|, L w (m each) and U x (k). */
size_t lu_gang_judge_bytes(size_t m, size_t k);
/* Before the factorization; after it; for each block in its final order, that
 * is in a buffer; and at the end. */
void lu_gang_judge_a(struct lu_gang *g);
void lu_gang_judge_u(struct lu_gang *g);
void lu_gang_judge_block(struct lu_gang *g, size_t block, struct buf lu);
void lu_gang_judge_end(struct lu_gang *g, struct args *a);

#endif
