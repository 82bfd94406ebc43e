/* lines.h - the canonical reductions' launches, and of these the ones
 * of lines that lie in one piece: all levels at once, where work-groups know
 * which of them is the last (last.h). Such lines come in bulk where the device
 * can do that and has shown it. */
#ifndef OPS_REDUCE_LINES_H
#define OPS_REDUCE_LINES_H

#include "ops/need.h"
#include "ops/reduce/run.h"

enum { REDUCE_PART_BYTES = 16 };

/* One level, or all: from n elements or parts in x. */
struct reduction_level {
	struct buf x, part;
	size_t n, blocks, columns;	/* columns: that a task takes */
	size_t first, some;		/* blocks of each line that x has */
};

/* Work-groups for so many tasks. */
size_t reduction_groups(const struct seq *s, size_t tasks);

/* more: the kernel's arguments behind those that all kernels have. */
void reduction_launch(struct seq *s, const char *kernel, struct grid g,
                      const struct reduction *r,
                      const struct reduction_bufs *b,
                      const struct reduction_level *v,
                      const struct arg *more, size_t n_more);

/* May lines come in bulk, for that operation? The first call asks the
 * device. */
bool reduction_bulk(struct seq *s, enum reduce_op op);

void reduction_lines(struct seq *s, const struct reduction *r,
                     const struct reduction_bufs *b, bool bulk);

/* Scratch of all lines, and of as many as are reduced at a time. */
void reduction_lines_need(struct need *n, const struct reduction *r,
                          size_t outer);

#endif
