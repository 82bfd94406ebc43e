/* follow.h - applies a factored panel to the other columns of its block: row
 * interchanges (laswp), the triangular solve for U12 (trsm), and the update of
 * the columns right of it (gemm). */
#ifndef OPS_LU_FOLLOW_H
#define OPS_LU_FOLLOW_H

#include "ops/lu/factor.h"

struct lu_moves {
	struct buf now;			/* this panel's: stack x 2 NB int32_t,
					 * as kernels/lu/lu.cl says */
	struct buf kept;		/* all panels' (deferred.h), or none */
	struct buf ready;		/* a word a strip, if one launch does
					 * it all (lu/nvidia/follow.cl) */
};

/* For devices whose work-groups may wait for others: bytes of the words in
 * which strips of columns tell that they are ready, or 0 where one launch
 * cannot do it all; and these words, zeros. */
size_t lu_follow_words(const struct factors *f, enum dtype t);
struct buf lu_follow_ready(struct seq *s, const struct factors *f);

/* Applies the panel at column j to the columns begin to end. */
void lu_follow(struct seq *s, const struct factors *f,
               const struct lu_moves *moves, size_t j, size_t begin,
               size_t end);

#endif
