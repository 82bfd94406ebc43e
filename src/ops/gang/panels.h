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
 * so that a part factors the next panel, and the others wait for it, while all
 * of them update their columns by the present one. What belongs to even panels
 * must therefore not be what belongs to odd ones.
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
};

void gang_panels_run(struct seq *s, const struct columns *c,
                     const struct gang_panels *p);

/* Returns how many work-groups a product may take on tensor cores that runs in
 * that lane. In lane 1 a quarter of the device is left to the panel that is
 * factored in lane 0 meanwhile, and whose work-groups may wait for each
 * other. */
size_t gang_panels_groups(const struct seq *s, int lane);

/* Returns a product that none of a lane exceeds when panels are applied. */
struct blas_gemm gang_panels_most(const struct columns *c, int lane);

#endif
