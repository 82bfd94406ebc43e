/* deferred.h - updates of the trailing matrix that wait for a block of panels:
 * interchanges and U12 (kernels/lu/nvidia/block.cl), and one deep product
 * A22 -= L21 U12 on tensor cores (ops/matmul/submatrix.h).
 *
 *     lane 0   panels of block i | next: columns of block i + 1 | panels of ...
 *     lane 1   later: columns beyond block i, by block i - 1    | by block i
 */
#ifndef OPS_LU_DEFERRED_H
#define OPS_LU_DEFERRED_H

#include "ops/lu/factor.h"
#include "ops/matmul/submatrix.h"

/* Scratch memory of all deferred updates of a factorization. */
struct lu_deferred {
	struct buf moves;		/* all panels': stack x panels x 2 NB
					 * int32_t, see kernels/lu/lu.cl */
	struct tensor_room room[2];	/* of each lane (seq.h) */
};

/* A block of panels, in columns begin to end, and the columns `from` to `to`
 * that it is applied to, all of them left of the block or all right of it. */
struct lu_block {
	size_t begin, end, from, to;
};

/* Returns the number of columns of a block of panels. */
size_t lu_deferred_block(enum dtype t);

/* Are the matrices large enough for deferred updates? Does the device compute
 * these right? The first call of the second function launches a probe. */
bool lu_deferred_suits(const struct factors *f, enum dtype t);
bool lu_deferred_works(struct seq *s);

void lu_deferred_need(struct need *n, const struct sheet *d, enum dtype t,
                  const struct factors *f);
struct lu_deferred lu_deferred_of(struct seq *s, const struct factors *f);

/* Applies the block's panels from column `first` on to the block's rows in
 * columns `from` to `to`: interchanges, and right of the block U12. Earlier
 * panels have been applied already. */
void lu_deferred_rows(struct seq *s, const struct factors *f,
                  const struct lu_deferred *d, const struct lu_block *x,
                  size_t first);

/* Computes A22 -= L21 U12 in columns `from` to `to` by at most `groups`
 * persistent work-groups, each of which occupies a compute unit. */
void lu_deferred_update(struct seq *s, const struct factors *f,
                    const struct tensor_room *room, const struct lu_block *x,
                    size_t groups);

#endif
