/* tall.h - panels of an LU factorization that are too high for registers, on
 * any device: a launch a column (kernels/lu/tall.cl). */
#ifndef OPS_LU_TALL_H
#define OPS_LU_TALL_H

#include "ops/lu/factor.h"

/* { 0 } before the first panel, which is the tallest. */
struct lu_tall {
	struct buf panel[2];		/* two copies of it */
	struct buf candidates[2];	/* each work-group's pivot candidate */
};

/* The panel at column j of all matrices; moves: stack x 2 NB int32_t, as
 * kernels/lu/lu.cl says. */
void lu_tall_panel(struct seq *s, const struct factors *f, struct lu_tall *t,
                   size_t j, struct buf moves);
void lu_tall_need(struct need *n, const struct factors *f, enum dtype t);

#endif
