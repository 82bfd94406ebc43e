/* lines.h - launches of the canonical reductions, among them those that reduce
 * contiguous lines in one launch for all levels, on devices where the last
 * work-group to finish may go on with the others' parts (last.h). They read
 * lines by bulk copies where the device has these and a probe of them gave the
 * right bits. */
#ifndef OPS_REDUCE_LINES_H
#define OPS_REDUCE_LINES_H

#include "ops/need.h"
#include "ops/reduce/run.h"

enum { REDUCE_PART_BYTES = 16 };

/* The reduction of n elements or parts in x by one level, or by all. */
struct reduction_level {
	struct buf x, part;
	size_t n, blocks, columns;	/* columns: those that a task takes */
	size_t first, some;		/* blocks of each line that x has */
};

/* Returns the number of work-groups for that many tasks. */
size_t reduction_groups(const struct seq *s, size_t tasks);

/* Launches a kernel of a canonical reduction. `more` holds the n_more arguments
 * that follow those that all kernels have. */
void reduction_launch(struct seq *s, const char *kernel, struct grid g,
                      const struct reduction *r,
                      const struct reduction_bufs *b,
                      const struct reduction_level *v,
                      const struct arg *more, size_t n_more);

/* Returns n counters that are 0 and that is_last() (kernels/lib/last.h) sets to
 * 0 again. */
struct buf reduction_counters(struct seq *s, size_t n);

/* Adds to n the memory for `all` counters in pieces of `each`. */
void reduction_counters_need(struct need *n, size_t all, size_t each);

/* May that operation read lines by bulk copies? The first call for an operation
 * probes the device. */
bool reduction_bulk(struct seq *s, enum reduce_op op);

void reduction_lines(struct seq *s, const struct reduction *r,
                     const struct reduction_bufs *b, bool bulk);

/* Adds to n the scratch memory for all lines, if `outer` lines are reduced at a
 * time. */
void reduction_lines_need(struct need *n, const struct reduction *r,
                          size_t outer);

#endif
