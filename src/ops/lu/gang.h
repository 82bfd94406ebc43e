/* gang.h - P A = L U by several devices (struct gang in ops/op.h), each with
 * some blocks of columns: docs/lu.md.
 *
 *     gang.c         the steps: factor a panel, exchange it, apply it
 *     gang_judge.c   the estimated residual
 */
#ifndef OPS_LU_GANG_H
#define OPS_LU_GANG_H

#include "device/board.h"
#include "ops/gang/panels.h"
#include "ops/lu/factor.h"
#include "ops/lu/panel.h"
#include "ops/lu/pivots.h"

struct lu_gang {
	struct seq *s;
	lu_factor_fn *factor;		/* factors a panel */
	size_t m, n, k, each;
	struct columns c;
	struct board x;
	struct lu_pivots p;
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

/* run() of one part, whose panels are factored by `by`, and the memory that the
 * part takes, where `by` says what factoring a panel takes. */
int lu_gang_run(struct seq *s, struct args *a, lu_factor_fn *by);
void lu_gang_need(const struct args *a, const struct sheet *d,
                  lu_need_fn *by, struct need *n);
#define LU_GANG_FACTOR_KERNELS LU_PANEL_KERNELS
#define LU_GANG_KERNELS \
	"lu_blocks_times_u lu_blocks_times_l " LU_GANG_FACTOR_KERNELS

/* The steps of lu_gang_run(), for other operations that use the factors where
 * they are. The call's first operand is the matrix.
 *
 *     lu_gang_of       the sizes, and no buffers
 *     lu_gang_open     opens the board, with `own` bytes for each part, and
 *                      uploads the part's columns; -1 with the sequence's error
 *     lu_gang_factor   factors; blocks of columns lack the interchanges of the
 *                      panels after them
 *     lu_gang_order    makes up for these
 *     lu_gang_close    after all commands have ended, whatever has failed
 */
struct lu_gang lu_gang_of(const struct args *a);
int lu_gang_open(struct lu_gang *g, struct seq *s, const struct args *a,
                 lu_factor_fn *by, size_t own);
void lu_gang_factor(struct lu_gang *g);
void lu_gang_order(struct lu_gang *g);
void lu_gang_close(struct lu_gang *g);

/* The memory that these take, and the bytes of a slot of the board. */
void lu_gang_factor_need(const struct args *a, const struct sheet *d,
                         lu_need_fn *by, struct need *n);
size_t lu_gang_slot(size_t m, size_t width, enum dtype t);

/* gang_judge.c. The bytes that each part gives the others: its shares of A x,
 * of the rows' sums of |a_ij|, of L w (m numbers each) and of U x (k numbers),
 * all in float64. */
size_t lu_gang_judge_bytes(size_t m, size_t k);
/* To be called in this order: before the factorization; after it; for each of
 * the part's blocks, whose rows lie in `lu` in their final order; at the
 * end. */
void lu_gang_judge_a(struct lu_gang *g);
void lu_gang_judge_u(struct lu_gang *g);
void lu_gang_judge_block(struct lu_gang *g, size_t block, struct buf lu);
void lu_gang_judge_end(struct lu_gang *g, struct args *a);

#endif
