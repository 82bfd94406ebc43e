/* run.h - what every reduction does around its launches: its buffers,
 * and a 2-norm whose squares overflowed or vanished once more, scaled. */
#ifndef OPS_REDUCE_RUN_H
#define OPS_REDUCE_RUN_H

#include "device/seq.h"
#include "ops/reduce/reduce.h"

struct reduction_bufs {
	const struct matrix *m;	/* the operand, and where x is in it */
	size_t at, blocks;	/* blocks: of a line, at a time */
	struct buf x, out;	/* x { 0 }: too large for one */
	struct buf peak;	/* norminf of every line, for scaling */
	bool scaled;
};

/* Launches r from b->x to b->out; way is the caller's. */
typedef void reduce_launch(struct seq *s, const void *way,
                           const struct reduction *r,
                           const struct reduction_bufs *b);

int reduce_run(struct seq *s, struct args *a, reduce_launch *launch,
               const void *way, bool may_cut);

#endif
