/* reduce_canonical.c - reductions in the canonical order, level by level.
 *
 *     level 1   n elements  -> blocks of 8192 -> a part each
 *     level 2   those parts -> blocks of 8192 -> a part each
 *     ...       until one part is left: the answer
 *
 * docs/reduction-order.md has the order; the host only decides who works on
 * which block, which does not touch it. A launch is a level, or all of them:
 * on CPUs, and of lines in one piece where work-groups may wait for none but
 * know which of them is the last (last.h).
 */
#include <stdlib.h>

#include "base/size.h"
#include "ops/last.h"
#include "ops/need.h"
#include "ops/reduce_run.h"

enum { PART_BYTES = 16, GROUPS_PER_UNIT = 64, COMMON = 11, MORE = 3 };

size_t reduce_groups;

/* One level, or all: from n elements or parts in x. */
struct level {
	struct buf x, part;
	size_t n, blocks, columns;	/* columns: that a task takes */
	size_t first, some;		/* blocks of each line that x has */
};

static size_t columns_of(const struct reduction *r, size_t most)
{
	return r->inner == 1 ? 1 : most;
}

/* Work-groups for so many tasks. */
static size_t groups_of(const struct seq *s, size_t tasks)
{
	size_t most = seq_sheet(s)->compute_units * (size_t)GROUPS_PER_UNIT;

	return reduce_groups ? reduce_groups : size_min(tasks, most);
}

/* more: the kernel's arguments behind those that all kernels have. */
static void launch(struct seq *s, const char *kernel, struct grid g,
                   const struct reduction *r, const struct reduction_bufs *b,
                   const struct level *v, const struct arg *more,
                   size_t n_more)
{
	const double n = (double)size_min(v->n, v->some * REDUCE_BLOCK);
	const double elements = (double)r->outer * (double)r->inner * n;
	const size_t bytes = v->n == r->n ? dtype_bytes(seq_dtype(s)) :
	                     PART_BYTES;
	struct arg args[COMMON + MORE] = {
		ARG_BUF(v->x), ARG_BUF(v->part), ARG_BUF(b->out),
		ARG_BUF(b->peak), ARG_LONG(r->outer), ARG_LONG(v->n),
		ARG_LONG(r->inner), ARG_LONG(r->n), ARG_INT(r->op),
		ARG_INT(b->scaled), ARG_DOUBLE(1),
	};

	for (size_t i = 0; i < n_more; i++)
		args[COMMON + i] = more[i];
	seq_work(s, elements, elements * (double)bytes);
	seq_launch_args(s, kernel, g, args, COMMON + n_more);
}

/* n zeros, which kernels count up from. */
static struct buf counters(struct seq *s, size_t n)
{
	int32_t *zero = calloc(n, sizeof *zero);
	struct buf b = { 0 };

	if (!zero)
		err_set(seq_err(s), ERR_MEMORY, "reduce: no memory for the "
		        "counters of %zu lines", n);
	else
		b = seq_constant(s, zero, n * sizeof *zero);
	free(zero);
	return b;
}

/* Of elements, and of parts. */
static const char *const group_kernels[][2] = {
#define X(op, row, fold) [op] = { "reduce_" row "_group", \
                                  "reduce_" fold "_group_fold" },
	REDUCE_ROWS(X)
#undef X
};

/* A work-group takes a block, an item a lane of it. */
static void run_level(struct seq *s, const struct reduction *r,
                      const struct reduction_bufs *b, const struct level *v,
                      const char *kernel)
{
	size_t tasks = r->outer * v->some * size_blocks(r->inner, v->columns);
	struct grid g = GRID2(groups_of(s, tasks) * v->columns, REDUCE_LANES,
	                      v->columns, REDUCE_LANES);

	const struct arg more[] = {
		ARG_LOCAL(v->columns * REDUCE_LANES * PART_BYTES),
		ARG_LONG(v->first), ARG_LONG(v->some),
	};

	launch(s, kernel, g, r, b, v, more, COUNT(more));
}

/* The first level of a line whose elements are in several buffers. */
static void run_pieces(struct seq *s, const struct reduction *r,
                       const struct reduction_bufs *b, struct level v,
                       const char *kernel)
{
	for (v.first = 0; v.first < v.blocks; v.first += b->blocks) {
		const size_t from = v.first * REDUCE_BLOCK;
		size_t n;

		v.some = size_min(b->blocks, v.blocks - v.first);
		n = size_min(v.some * REDUCE_BLOCK, r->n - from) * r->inner;
		v.x = seq_input_region(s, b->m, &(struct region){
		    b->at + from * r->inner, 1, n, n });
		run_level(s, r, b, &v, kernel);
	}
}

static const char *const line_kernels[] = {
#define X(op, row, fold) [op] = "reduce_" row "_line",
	REDUCE_ROWS(X)
#undef X
};

/* Blocks of the levels from 2 on of all lines. */
static size_t upper_blocks(const struct reduction *r)
{
	const size_t second = reduction_blocks(reduction_blocks(r->n));

	return r->outer * (second + (second > 1));
}

/* As many blocks side by side as leave work for all units. */
static size_t slots_of(const struct seq *s, size_t blocks)
{
	const size_t units = seq_sheet(s)->compute_units;
	size_t slots = 1;

	while (seq_sheet(s)->type != DEVICE_CPU &&
	       slots < REDUCE_LINE_SLOTS && blocks / slots >= 4 * units)
		slots *= 2;
	return slots;
}

/* All levels in one launch. */
static void run_lines(struct seq *s, const struct reduction *r,
                      const struct reduction_bufs *b)
{
	const size_t upper = upper_blocks(r);
	struct level all = {
		.x = b->x, .part = b->out, .n = r->n,
		.blocks = reduction_blocks(r->n),
		.some = reduction_blocks(r->n), .columns = 1,
	};
	const size_t blocks = r->outer * all.blocks;
	const size_t slots = slots_of(s, blocks);
	const struct grid g = GRID2(REDUCE_LANES, slots * groups_of(s,
	    size_blocks(blocks, slots)), REDUCE_LANES, slots);
	struct buf done = b->out;

	if (all.blocks > 1) {
		all.part = seq_scratch(s, (blocks + upper) * PART_BYTES);
		done = seq_scratch(s, upper * sizeof(int32_t));
		seq_fill(s, done, 0, upper * sizeof(int32_t), &(int32_t){ 0 },
		         sizeof(int32_t));
	}
	const struct arg more[] = {
		ARG_BUF(done), ARG_LOCAL(slots * REDUCE_LANES *
		                         REDUCE_LINE_PARTS * PART_BYTES),
	};

	launch(s, line_kernels[r->op], g, r, b, &all, more, COUNT(more));
}

static void run_groups(struct seq *s, const void *way,
                       const struct reduction *r,
                       const struct reduction_bufs *b)
{
	struct level v = { .x = b->x, .n = r->n,
	                   .columns = columns_of(r, REDUCE_COLUMNS) };
	const char *kernel = group_kernels[r->op][0];

	(void)way;
	if (r->inner == 1 && b->x.id && last_is_known(seq_sheet(s))) {
		run_lines(s, r, b);
		return;
	}
	for (;;) {
		v.blocks = v.some = reduction_blocks(v.n);
		v.part = v.blocks == 1 ? b->out : seq_scratch(s, r->outer *
		         r->inner * v.blocks * PART_BYTES);
		if (v.x.id)
			run_level(s, r, b, &v, kernel);
		else
			run_pieces(s, r, b, v, kernel);
		if (v.blocks == 1)
			return;
		v.x = v.part;
		v.n = v.blocks;
		kernel = group_kernels[r->op][1];
	}
}

static const char *const item_kernels[][2] = {
#define X(op, row, fold) [op] = { "reduce_" row, "reduce_" row "_axis" },
	REDUCE_ROWS(X)
#undef X
};

/* A work-item takes a run of blocks; whoever makes a line's last part goes on
 * with the levels above. */
static void run_items(struct seq *s, const void *way,
                      const struct reduction *r,
                      const struct reduction_bufs *b)
{
	struct level all = {
		.x = b->x, .part = b->out, .n = r->n,
		.blocks = reduction_blocks(r->n),
		.some = reduction_blocks(r->n),
		.columns = columns_of(r, REDUCE_STRIP),
	};
	size_t lines = r->outer * size_blocks(r->inner, all.columns);
	struct buf done = b->out;
	struct grid g = GRID1(groups_of(s, lines * all.blocks), 1);

	if (!b->x.id) {
		run_groups(s, way, r, b);
		return;
	}
	if (all.blocks > 1) {
		all.part = seq_scratch(s, r->outer * r->inner * all.blocks *
		                       PART_BYTES);
		done = counters(s, lines);
	}
	const struct arg more[] = { ARG_BUF(done) };

	launch(s, item_kernels[r->op][r->inner > 1], g, r, b, &all, more,
	       COUNT(more));
}

int reduce_canonical_run(struct seq *s, struct args *a)
{
	return reduce_run(s, a, run_items, NULL, true);
}

int reduce_canonical_group_run(struct seq *s, struct args *a)
{
	return reduce_run(s, a, run_groups, NULL, true);
}

static void need_groups(struct need *n, const struct reduction *r,
                        size_t outer)
{
	const size_t each = r->inner * PART_BYTES;

	for (size_t left = r->n; reduction_blocks(left) > 1; ) {
		left = reduction_blocks(left);
		need_scratch(n, r->outer * left * each, outer * left * each);
	}
}

/* Of all lines, and of as many as are reduced at a time. */
static void need_lines(struct need *n, const struct reduction *r, size_t outer)
{
	struct reduction some = *r;
	const size_t blocks = reduction_blocks(r->n);

	some.outer = outer;
	if (blocks == 1)
		return;
	need_scratch(n, (r->outer * blocks + upper_blocks(r)) * PART_BYTES,
	             (outer * blocks + upper_blocks(&some)) * PART_BYTES);
	need_scratch(n, upper_blocks(r) * sizeof(int32_t),
	             upper_blocks(&some) * sizeof(int32_t));
}

void reduce_canonical_need(struct need *n, const struct reduction *r,
                           const struct reduction_cut *c,
                           const struct sheet *d, bool groups)
{
	const size_t blocks = reduction_blocks(r->n);
	const size_t columns = columns_of(r, REDUCE_STRIP);
	const size_t lines = size_blocks(r->inner, columns);
	const size_t each = r->inner * blocks * PART_BYTES;

	if (groups && r->inner == 1 && c->blocks == blocks &&
	    last_is_known(d)) {
		need_lines(n, r, c->outer);
	} else if (groups || c->blocks < blocks) {
		need_groups(n, r, c->outer);
	} else if (blocks > 1) {
		need_scratch(n, r->outer * each, c->outer * each);
		need_scratch(n, r->outer * lines * sizeof(int32_t),
		             c->outer * lines * sizeof(int32_t));
	}
}
