/* gang.h - P A = L U by several devices (struct gang in ops/op.h), each with
 * some blocks of columns: docs/lu.md.
 *
 *     gang.c          the steps: factor a panel, exchange it, apply it
 *     gang_pivots.c   interchanges, and what clients see of them
 *     gang_judge.c    the estimated residual
 */
#ifndef OPS_LU_GANG_H
#define OPS_LU_GANG_H

#include <math.h>

#include "device/board.h"
#include "ops/blas/trsm.h"
#include "ops/gang/panels.h"
#include "ops/lu/factor.h"

/* The interchanges of all panels so far, on the host. */
struct lu_gang_pivots {
	size_t m, k;			/* rows; pivots of the matrix */
	int64_t *pivot;			/* k */
	int32_t *row;			/* m; row[i] is i except while a panel
					 * is being added */
	int32_t *list;			/* two lists of m rows: results */
	bool nan, negative;		/* of U's diagonal so far, and of the
					 * determinant */
	ptrdiff_t zero;			/* the first zero on U's diagonal, or
					 * -1 */
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

/* run() of one part, whose panels are factored by `by`, and the memory that the
 * part takes, where `by` says what factoring a panel takes. */
int lu_gang_run(struct seq *s, struct args *a, lu_factor_fn *by);
void lu_gang_need(const struct args *a, const struct sheet *d,
                  lu_need_fn *by, struct need *n);
#define LU_GANG_FACTOR_KERNELS COLUMNS_KERNELS " " BLAS_TRSM_KERNELS
#define LU_GANG_KERNELS \
	"lu_gang_times_u lu_gang_times_l " LU_GANG_FACTOR_KERNELS

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

/* The larger one of two numbers; a NaN wins. */
static inline double lu_gang_larger(double a, double b)
{
	return b > a || isnan(b) ? b : a;
}

/* gang_pivots.c. lu_gang_pivots_init(): -1 with the sequence's error. */
int lu_gang_pivots_init(struct lu_gang_pivots *p, struct seq *s, size_t m,
                        size_t n);
void lu_gang_pivots_fini(struct lu_gang_pivots *p);

/* Adds the interchanges of the panel with r pivots whose first row is row j of
 * the matrix, and looks at U's diagonal in the panel, whose rows are `ld`
 * elements apart. Returns how many rows the interchanges move: p->list has the
 * rows that they come from and, from element `room` on, the rows that they go
 * to. Returns -1 with the sequence's error if a pivot is no row of the
 * panel. */
ptrdiff_t lu_gang_pivots_take(struct lu_gang_pivots *p, struct seq *s, size_t j,
                              size_t r, const int32_t *swaps,
                              const void *panel, size_t ld, size_t room);

/* Returns the order of rows that the interchanges of all pivots from pivot j on
 * give: row i then holds what was row order[i]. The m numbers are in p->list,
 * until that is used again. */
const int32_t *lu_gang_pivots_after(struct lu_gang_pivots *p, size_t j);

/* Writes pivots, singular, sign and p, as far as they are wanted. */
void lu_gang_pivots_answer(struct lu_gang_pivots *p, struct args *a);

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
