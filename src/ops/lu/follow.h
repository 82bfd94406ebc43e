/* follow.h - what a panel means for the other columns of its block: swaps,
 * U12, and the update of what is right of it. */
#ifndef OPS_LU_FOLLOW_H
#define OPS_LU_FOLLOW_H

#include "ops/lu/factor.h"

struct lu_moves {
	struct buf now;			/* of the panel: stack x 2 NB int32_t */
	struct buf kept;		/* of all panels (deep.h), or none */
	struct buf ready;		/* stack x strips words, if one launch
					 * does all (lu/nvidia/follow.cl) */
};

/* Where work-groups can wait for others: the words' bytes, 0 where nothing is
 * updated; and these words. */
size_t lu_follow_words(const struct factors *f, enum dtype t);
struct buf lu_follow_ready(struct seq *s, const struct factors *f);

/* Of the panel at column j, in the columns begin to end. */
void lu_follow(struct seq *s, const struct factors *f,
               const struct lu_moves *moves, size_t j, size_t begin,
               size_t end);

#endif
