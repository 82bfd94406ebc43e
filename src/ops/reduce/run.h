/* run.h - what every reduction does around its launches: it makes the buffers,
 * and repeats a 2-norm whose squares overflowed or underflowed with scaled
 * elements. */
#ifndef OPS_REDUCE_RUN_H
#define OPS_REDUCE_RUN_H

#include "device/seq.h"
#include "ops/reduce/reduce.h"

struct reduction_bufs {
	const struct matrix *m;	/* the operand; x begins at element `at` */
	size_t at, blocks;	/* blocks of a line taken at a time */
	struct buf x, out;	/* x { 0 }: too large for one buffer */
	struct buf peak;	/* norminf of every line, for scaling */
	bool scaled;
};

/* Launches r from b->x to b->out; way is the argument that the caller gave. */
typedef void reduce_launch(struct seq *s, const void *way,
                           const struct reduction *r,
                           const struct reduction_bufs *b);

int reduce_run(struct seq *s, struct args *a, reduce_launch *launch,
               const void *way, bool may_cut);

#endif
