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

/* Launches r from b->x to b->out; `way` is the argument that the caller of
 * reduce_run() gave. */
typedef void reduce_launch(struct seq *s, const void *way,
                           const struct reduction *r,
                           const struct reduction_bufs *b);

/* canonical.c: the canonical order by work-items, for CPUs (*way is not read),
 * or by work-groups (*way is a bool: may lines be read by bulk copies?). */
reduce_launch reduce_by_items, reduce_by_groups;

/* Do 2-norms of float64 have to be computed again with scaled elements, because
 * the squares of a line may have overflowed or underflowed? */
bool reduction_is_doubtful(const struct matrix *norm);

/* Launches r with the elements of each line scaled by the power of two next to
 * the line's norminf. This scaling is exact and changes only the range. */
void reduction_scaled(struct seq *s, reduce_launch *launch, const void *way,
                      const struct reduction *r,
                      const struct reduction_bufs *b);

/* May answers be wrong though they and all elements are within the type's
 * range, because what the kernels compute on the way is not? (repair.c) */
bool reduction_is_repaired(const struct reduction *r, enum dtype t);

/* Computes such answers of r again, which seq_finish() has downloaded and which
 * were computed in these pieces. */
int reduction_repair(struct seq *s, const struct matrix *in,
                     const struct reduction *r, const struct reduction_cut *c);

int reduce_run(struct seq *s, struct args *a, reduce_launch *launch,
               const void *way, bool may_cut);

#endif
