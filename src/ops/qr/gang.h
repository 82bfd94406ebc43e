/* gang.h - A = Q R by several devices (struct gang in ops/op.h), each with some
 * blocks of columns (ops/gang/columns.h): docs/dense.md.
 *
 *     gang.c          the call and its memory
 *     gang_panels.c   panels: factored, handed over, applied to A and to Q
 *     gang_judge.c    what is not finite; residual and orthogonality
 *
 * Of an m x n matrix with q columns of Q, each of D devices holds
 *
 *     m n / D       its columns of A. R replaces them, and the reflections V
 *                   of its own panels what is below the diagonal.
 *     m q / D       its columns of Q
 *     width n / D   T of its own panels
 *     4 m width     V of two panels, which are applied one after the other; the
 *                   panel that is being factored, and Y of its reflections
 *                   (block.h)
 *     m width       a block that is uploaded or downloaded
 *
 * and products V^T C with up to QR_GANG_STRIP columns C, of 2 width elements
 * for each.
 */
#ifndef OPS_QR_GANG_H
#define OPS_QR_GANG_H

#include "device/board.h"
#include "ops/gang/panels.h"
#include "ops/qr/block.h"
#include "ops/qr/judge.h"

enum { QR_GANG_STRIP = 4096 };

/* What a part has for the others before the first panel. */
struct qr_gang_look {
	double bad;			/* is an element not finite? */
	double exponent;		/* ilogb() of its largest element */
};

struct qr_gang {
	struct seq *s;			/* NULL if memory is counted */
	struct need *need;		/* NULL if the call runs */
	const struct args *a;
	struct qr_sizes z;
	size_t each;			/* bytes of an element */
	size_t panels;			/* blocks of columns with reflections */
	bool has_q, has_r;		/* does the answer have them? */
	bool judged;			/* is there a verdict? */
	struct columns c, q;		/* of A, of Q */
	struct board x;
	struct buf exponents;		/* int32_t for each column of c: the
					 * powers of 2 that scale them */
	struct buf t_own;		/* T of all panels of this part */
	struct qr_block b;		/* factors a panel */
	struct buf gram, tau;		/* of that panel: V^T V, tau */
	/* Of two successive panels, of which one is factored or handed over
	 * while the one before it is applied: */
	struct buf panel[2];		/* V */
	struct buf t[2];		/* T, in rows of `width` elements */
	/* For each lane: */
	struct buf product[2][2];
	struct blas_tensor tensor[2][2];
	struct judge j;
	struct vectors probes;		/* elements of the part's columns of
					 * A */
};

/* The operation's gang(); run() of one part; the memory that it takes. */
void qr_gang_plan(const struct args *a, int parts, struct gang_plan *p);
int qr_gang(struct seq *s, struct args *a);
void qr_gang_need(const struct args *a, const struct sheet *d, struct need *n);

#define QR_GANG_KERNELS                                                       \
	"qr_gang_scale qr_gang_t qr_gang_keep qr_gang_v qr_gang_r "           \
	"qr_gang_identity " COLUMNS_KERNELS " "

/* The most columns that are multiplied in that lane at a time. */
size_t qr_gang_strip(const struct qr_gang *g, int lane);

/* gang_panels.c. A slot of the board has T and V of a panel, in bytes. The
 * functions factor the part's columns of A, and compute its columns of Q. */
size_t qr_gang_slot(const struct qr_gang *g);
void qr_gang_factor(struct qr_gang *g);
void qr_gang_make_q(struct qr_gang *g);

/* gang_judge.c. The bytes that each part gives the others. */
size_t qr_gang_own(const struct qr_gang *g);

/* Finds the exponents of the part's columns of A. Returns 1 if all elements of
 * A are finite, 0 if one is not, and -1 if the call has ended. */
int qr_gang_look(struct qr_gang *g);

/* The verdict: to be called before the columns of A are scaled; for each block
 * of R, as `r` has it; after that; and at the end, where the first part sets
 * a->verdict. Without a verdict they do nothing. qr_gang_judge_sum() returns
 * false if the call has ended. */
void qr_gang_judge_a(struct qr_gang *g);
void qr_gang_judge_r(struct qr_gang *g, size_t block, struct buf r);
bool qr_gang_judge_q(struct qr_gang *g);
void qr_gang_judge_end(struct qr_gang *g, struct args *a);

/* Adds the scratch memory of the verdict to g->need. */
void qr_gang_judge_need(const struct qr_gang *g, const struct sheet *d);

#endif
