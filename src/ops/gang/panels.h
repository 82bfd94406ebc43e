/* panels.h - the order in which a part of a gang factors panels and applies
 * them (right-looking, with look-ahead). For panel k, whose columns are block
 * k:
 *
 *     factor   by the part that has the block: factors it, and posts it on the
 *              board (device/board.h)
 *     take     by every part: takes it from the board
 *     apply    by every part, to its columns to the right: in lane 0 to panel
 *              k + 1 if it has that, in lane 1 to all others
 *
 * The owner of panel k + 1 therefore factors it while all parts, itself
 * included, still apply panel k to their other columns in lane 1. Because two
 * successive panels are in use at the same time, their buffers alternate: even
 * panels must not share a buffer with odd ones.
 */
#ifndef OPS_GANG_PANELS_H
#define OPS_GANG_PANELS_H

#include "ops/gang/columns.h"

struct gang_panels {
	size_t n;			/* their number */
	void (*factor)(void *arg, size_t k);
	bool (*take)(void *arg, size_t k);	/* false: the call has ended */
	/* Applies panel k to the part's columns c0 to c1 - 1. */
	void (*apply)(void *arg, size_t k, int lane, size_t c0, size_t c1);
	void *arg;
	double before, share;		/* of the call's work: the part that is
					 * done before these panels, and that of
					 * these panels; 0 to 1 */
};

void gang_panels_run(struct seq *s, const struct columns *c,
                     const struct gang_panels *p);

/* Returns blas_gemm.groups for products in that lane. In lane 1 they leave a
 * quarter of the compute units to the panel that is factored in lane 0 at the
 * same time, because the work-groups of its kernels may wait for each other. */
size_t gang_panels_groups(const struct seq *s, int lane);

/* Returns the largest product that applies a panel in that lane. */
struct blas_gemm gang_panels_most(const struct columns *c, int lane);

#endif
