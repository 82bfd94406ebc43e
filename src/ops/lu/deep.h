/* deep.h - what a block of panels means for the columns beside it: swaps and
 * U12 (kernels/lu/nvidia/block.cl), and the update of the trailing matrix on
 * tensor cores by matmul's products (ops/matmul/tf32.h, ops/matmul/f64.h).
 *
 *     lane 0   panels of block i | soon: columns of block i + 1 | panels of ...
 *     lane 1   later: all columns beyond, by block i - 1        | by block i
 */
#ifndef OPS_LU_DEEP_H
#define OPS_LU_DEEP_H

#include "ops/lu/factor.h"
#include "ops/matmul/tf32.h"

/* Scratch of all such updates. */
struct lu_deep {
	struct buf moves;		/* stack x panels x 2 NB int32_t */
	struct tf32_room room[2];	/* of each lane (seq.h) */
};

/* Panels of a block, from column begin to end, and the columns beside it that
 * are meant: from `from` to `to`, all left of it or all right. */
struct lu_beside {
	size_t begin, end, from, to;
};

/* Columns of a block of panels. */
size_t lu_deep_block(enum dtype t);

/* Are the matrices large enough, and does the device have it? */
bool lu_deep_suits(const struct factors *f, enum dtype t);
bool lu_deep_works(struct seq *s);

void lu_deep_need(struct need *n, const struct sheet *d, enum dtype t,
                  const struct factors *f);
struct lu_deep lu_deep_of(struct seq *s, const struct factors *f);

/* Swaps, and U12 on the right, of the block's panels from column `first` on;
 * earlier ones have been there. */
void lu_deep_rows(struct seq *s, const struct factors *f,
                  const struct lu_deep *d, const struct lu_beside *x,
                  size_t first);

/* A22 -= L21 U12, by so many work-groups at most, each of which keeps a
 * compute unit to itself. */
void lu_deep_update(struct seq *s, const struct factors *f,
                    const struct tf32_room *room, const struct lu_beside *x,
                    size_t groups);

#endif
