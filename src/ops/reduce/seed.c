/* seed.c - the twelve reductions of the chapter "Reduction" of the
 * oneAPI GPU Optimization Guide, in the chapter's own order of merging, for
 * every operation, element type, length and axis.
 *
 *     first stage      a line's elements    -> its parts
 *     further stages   parts                -> fewer parts    (trees)
 *     finish           parts, one by one    -> the answer
 *
 * Sums are uncompensated, so their rounding errors grow with the depth of the
 * order; the canonical variants avoid that. Along an axis each line is reduced
 * in this way; where a variant fixes the number of work-items, the lines share
 * them. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "ops/need.h"
#include "ops/reduce/run.h"
#include "shared/seed_reduce_shape.h"

enum {
	WORD_BYTES = 8, PAIR_BYTES = 16,
	VECTOR = 16,		/* int32s of the widest vector registers */
	THREADS = 256,		/* contexts per vector, to hide latency */
	FINISH_ITEMS = 16,
	MOST_GROUPS = 1 << 20,
};

struct seed;

/* A reduction by one variant. */
struct pass {
	struct seq *s;
	const struct seed *v;
	const struct reduction *r;
	const struct reduction_bufs *b;
	size_t lines, bytes;		/* bytes: of a cell */
};

/* One stage: reduces n elements of each line, `inner` apart, to `parts`
 * parts. */
struct stage {
	struct buf x, part;
	size_t n, inner, parts;
};

struct seed {
	const char *variant, *kernel;
	void (*first)(const struct pass *p, struct stage *g);
	size_t items;		/* of a work-group, at most */
	size_t each;		/* elements that an item of a group takes */
	size_t per_unit;	/* items of a compute unit; 0: one in all */
	const char *fold;	/* the further stages' kernel */
	int stages;		/* at most */
	size_t cells;		/* numbers that make up a part */
};

static const struct {
	const char *elements, *parts;
} rows[REDUCE_OPS] = {
#define X(op, row, fold) [op] = { "seed_reduce_" row, "seed_reduce_" fold },
	REDUCE_ROWS(X)
#undef X
};

/* The largest work-group that the device can hold, with its cells in local
 * memory. */
static size_t group_size(const struct sheet *d, const struct seed *v,
                         size_t cell)
{
	size_t n = v->items, bytes = cell * v->cells;

	while (n > 1 && (n > d->max_work_group_size ||
	                 n * bytes > d->local_memory_bytes))
		n /= 2;
	return n;
}

static struct grid grid_of(size_t tasks, size_t items)
{
	return GRID1(size_min(tasks, MOST_GROUPS) * items, items);
}

/* local: the bytes of local memory of a work-group, 0 for kernels that have no
 * groups. */
static void launch(const struct pass *p, const char *row, const char *kernel,
                   const struct stage *g, struct grid grid, size_t local)
{
	const struct arg args[] = {
		ARG_BUF(g->x), ARG_BUF(g->part), ARG_BUF(p->b->out),
		ARG_BUF(p->b->peak), ARG_LONG(p->lines), ARG_LONG(g->n),
		ARG_LONG(g->inner), ARG_LONG(g->parts), ARG_LONG(p->r->n),
		ARG_INT(p->r->op), ARG_INT(p->b->scaled), ARG_LOCAL(local),
	};
	bool first = g->x.id == p->b->x.id;
	double n = (double)p->lines * (double)g->n;
	char name[TIMING_NAME];

	snprintf(name, sizeof name, "%s_%s", row, kernel);
	seq_work(p->s, n, n * (double)(first ? dtype_bytes(seq_dtype(p->s)) :
	                               p->bytes));
	seq_launch_args(p->s, name, grid, args, COUNT(args) - (local == 0));
}

static struct buf parts_buf(const struct pass *p, size_t parts)
{
	return seq_scratch(p->s, p->lines * parts * p->v->cells * p->bytes);
}

/* The parts are the next stage's elements. */
static void advance(const struct pass *p, struct stage *g)
{
	*g = (struct stage){
		.x = g->part, .n = g->parts * p->v->cells, .inner = 1,
	};
}

/* The number of parts of a line of n elements. */
static size_t parts_by_items(const struct sheet *d, const struct seed *v,
                             size_t lines, size_t n)
{
	const size_t all = v->per_unit * d->compute_units;

	return size_max(size_min(all / lines, n), 1);
}

static void by_items(const struct pass *p, struct stage *g)
{
	size_t items = group_size(seq_sheet(p->s), p->v, p->bytes);

	g->parts = parts_by_items(seq_sheet(p->s), p->v, p->lines, g->n);
	g->part = parts_buf(p, g->parts);
	launch(p, rows[p->r->op].elements, p->v->kernel, g,
	       grid_of(size_blocks(p->lines * g->parts, items), items), 0);
	advance(p, g);
}

/* The atomics start from the neutral element, which the kernel `chunk` writes
 * for no elements. */
static void by_atomics(const struct pass *p, struct stage *g)
{
	const char *row = rows[p->r->op].elements;
	size_t items = group_size(seq_sheet(p->s), p->v, p->bytes);
	size_t n = g->n;
	struct grid grid = grid_of(size_blocks(p->lines * n, items), items);

	g->parts = 1;
	g->part = parts_buf(p, 1);
	g->n = 0;
	launch(p, row, "chunk", g, grid_of(p->lines, 1), 0);
	g->n = n;
	launch(p, row, "atomic", g, grid, 0);
	if (p->r->op == REDUCE_ARGMIN || p->r->op == REDUCE_ARGMAX)
		launch(p, row, "atomic_index", g, grid, 0);
	if (p->r->op == REDUCE_PROD && dtype_is_integer(seq_dtype(p->s)))
		launch(p, row, "atomic_sign", g, grid_of(p->lines, 1), 0);
	advance(p, g);
}

static void stage_by_groups(const struct pass *p, struct stage *g,
                            const char *row, const char *kernel, size_t each)
{
	size_t items = group_size(seq_sheet(p->s), p->v, p->bytes);

	g->parts = size_max(size_blocks(g->n, items * each), 1);
	g->part = parts_buf(p, g->parts);
	launch(p, row, kernel, g, grid_of(p->lines * g->parts, items),
	       items * p->v->cells * p->bytes);
	advance(p, g);
}

static void by_groups(const struct pass *p, struct stage *g)
{
	stage_by_groups(p, g, rows[p->r->op].elements, p->v->kernel,
	                p->v->each);
	for (int i = 1; i < p->v->stages && g->n > 1; i++)
		stage_by_groups(p, g, rows[p->r->op].parts, p->v->fold, 1);
}

static void finish(const struct pass *p, struct stage *g)
{
	size_t groups = size_blocks(p->lines, FINISH_ITEMS);

	g->parts = 1;
	launch(p, rows[p->r->op].parts, "finish", g,
	       grid_of(groups, FINISH_ITEMS), 0);
}

/* Returns the bytes of a cell, which kernels/seeds/reduce.h defines. */
static size_t cell_bytes(const struct reduction *r, enum dtype t)
{
	switch (r->op) {
	case REDUCE_ARGMIN:
	case REDUCE_ARGMAX:
		return PAIR_BYTES;
	case REDUCE_PROD:
		return dtype_is_integer(t) ? PAIR_BYTES : WORD_BYTES;
	case REDUCE_SUM:
	case REDUCE_MEAN:
	case REDUCE_NORM1:
		return t == INT64 ? PAIR_BYTES : WORD_BYTES;
	default:
		return WORD_BYTES;
	}
}

static void launch_all(struct seq *s, const void *way,
                       const struct reduction *r,
                       const struct reduction_bufs *b)
{
	const struct pass p = {
		.s = s, .v = way, .r = r, .b = b, .lines = r->outer * r->inner,
		.bytes = cell_bytes(r, seq_dtype(s)),
	};
	struct stage g = { .x = b->x, .n = r->n, .inner = r->inner };

	p.v->first(&p, &g);
	finish(&p, &g);
}

static const struct seed seeds[] = {
	{ "serial", "chunk", by_items, .items = 1, .cells = 1 },
	{ "atomic", "atomic", by_atomics, .items = 256, .cells = 1 },
	{ "chunk", "chunk", by_items, .items = 1, .per_unit = 1, .cells = 1 },
	{ "strided", "strided", by_items, .items = VECTOR, .per_unit = VECTOR,
	  .cells = 1 },
	{ "strided-many", "strided", by_items, .items = THREADS,
	  .per_unit = VECTOR * THREADS, .cells = 1 },
	{ "tree-1", "tree", by_groups, .items = 256, .each = 1, .stages = 1,
	  .cells = 1 },
	{ "tree-2", "tree", by_groups, .items = 256, .each = 1,
	  .fold = "tree_fold", .stages = 2, .cells = 1 },
	{ "builtin", "builtin", by_groups, .items = 256, .each = 1,
	  .fold = "builtin_fold", .stages = INT_MAX, .cells = 1 },
	{ "blocked-serial", "blocked_serial", by_groups, .items = 256,
	  .each = SEED_EACH, .stages = 1, .cells = 1 },
	{ "blocked-tree", "blocked_tree", by_groups, .items = 256,
	  .each = SEED_EACH, .stages = 1, .cells = 1 },
	{ "blocked-builtin", "blocked_builtin", by_groups, .items = 512,
	  .each = SEED_EACH, .fold = "builtin_fold", .stages = INT_MAX,
	  .cells = 1 },
	{ "subgroup-load", "subgroup_load", by_groups, .items = 512,
	  .each = SEED_EACH_LOADED, .stages = 1, .cells = SEED_LOAD },
};

static const struct seed *seed_of(const struct variant *v)
{
	size_t i = 0;

	while (strcmp(seeds[i].variant, v->name) != 0)
		i++;
	return &seeds[i];
}

int reduce_seed_run(struct seq *s, struct args *a)
{
	return reduce_run(s, a, launch_all, seed_of(a->variant), false);
}

/* Adds to n the memory for the parts of every stage, as launch_all() makes
 * them. */
void reduce_seed_need(struct need *n, const struct reduction *r,
                      enum dtype t, const struct variant *variant,
                      const struct sheet *d)
{
	const struct seed *v = seed_of(variant);
	const size_t bytes = cell_bytes(r, t), lines = r->outer * r->inner;
	const size_t items = group_size(d, v, bytes);
	size_t left = r->n, parts = 1, each = v->each;
	int stages = v->first == by_groups ? v->stages : 1;

	do {
		if (v->first == by_items)
			parts = parts_by_items(d, v, lines, left);
		else if (v->first == by_groups)
			parts = size_max(size_blocks(left, items * each), 1);
		need_buffer(n, lines * parts * v->cells * bytes);
		left = parts * v->cells;
		each = 1;
	} while (--stages > 0 && left > 1);
}
