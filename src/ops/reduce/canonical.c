/* canonical.c - reductions in the canonical order, level by level.
 *
 *     level 1   n elements  -> blocks of 8192 -> a part each
 *     level 2   those parts -> blocks of 8192 -> a part each
 *     ...       until one part is left: the answer
 *
 * docs/reduction-order.md defines the order; the host only decides which
 * work-item or work-group takes which block, which does not change a result.
 * A launch makes one level, or all of them: all on CPUs, and for contiguous
 * lines on devices where the last work-group to finish a line may go on with
 * the others' parts (last.h). Such lines are read by bulk copies where the
 * device has these and a probe of them gave the right bits.
 */
#include "base/size.h"
#include "ops/last.h"
#include "ops/reduce/lines.h"

static size_t columns_of(const struct reduction *r, size_t most)
{
	return r->inner == 1 ? 1 : most;
}

/* The kernels of each operation: for elements, and for parts. */
static const char *const group_kernels[][2] = {
#define X(op, row, fold) [op] = { "reduce_" row "_group", \
                                  "reduce_" fold "_group_fold" },
	REDUCE_ROWS(X)
#undef X
};

/* Launches one level: a work-group per block, a work-item per lane of it. */
static void run_level(struct seq *s, const struct reduction *r,
                      const struct reduction_bufs *b,
                      const struct reduction_level *v, const char *kernel)
{
	size_t tasks = r->outer * v->some * size_blocks(r->inner, v->columns);
	struct grid g = GRID2(reduction_groups(s, tasks) * v->columns,
	                      REDUCE_LANES, v->columns, REDUCE_LANES);

	const struct arg more[] = {
		ARG_LOCAL(v->columns * REDUCE_LANES * REDUCE_PART_BYTES),
		ARG_LONG(v->first), ARG_LONG(v->some),
	};

	reduction_launch(s, kernel, g, r, b, v, more, COUNT(more));
}

/* Launches the first level of a line whose elements are in several buffers. */
static void run_pieces(struct seq *s, const struct reduction *r,
                       const struct reduction_bufs *b,
                       struct reduction_level v, const char *kernel)
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

/* way points to a bool: may contiguous lines be read by bulk copies? */
void reduce_by_groups(struct seq *s, const void *way,
                      const struct reduction *r,
                      const struct reduction_bufs *b)
{
	struct reduction_level v = {
		.x = b->x, .n = r->n,
		.columns = columns_of(r, REDUCE_COLUMNS),
	};
	const char *kernel = group_kernels[r->op][0];

	if (r->inner == 1 && b->x.id && last_is_known(seq_sheet(s))) {
		reduction_lines(s, r, b, *(const bool *)way);
		return;
	}
	for (;;) {
		v.blocks = v.some = reduction_blocks(v.n);
		v.part = v.blocks == 1 ? b->out : seq_scratch(s, r->outer *
		         r->inner * v.blocks * REDUCE_PART_BYTES);
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

/* Launches all levels at once. A work-item takes a run of blocks, and the item
 * that makes a line's last part reduces the levels above it. */
void reduce_by_items(struct seq *s, const void *way,
                     const struct reduction *r,
                     const struct reduction_bufs *b)
{
	struct reduction_level all = {
		.x = b->x, .part = b->out, .n = r->n,
		.blocks = reduction_blocks(r->n),
		.some = reduction_blocks(r->n),
		.columns = columns_of(r, REDUCE_STRIP),
	};
	size_t lines = r->outer * size_blocks(r->inner, all.columns);
	struct buf done = b->out;
	struct grid g = GRID1(reduction_groups(s, lines * all.blocks), 1);

	if (!b->x.id) {
		reduce_by_groups(s, way, r, b);
		return;
	}
	if (all.blocks > 1) {
		all.part = seq_scratch(s, r->outer * r->inner * all.blocks *
		                       REDUCE_PART_BYTES);
		done = reduction_counters(s, lines);
	}
	const struct arg more[] = { ARG_BUF(done) };

	reduction_launch(s, item_kernels[r->op][r->inner > 1], g, r, b, &all,
	                 more, COUNT(more));
}

int reduce_canonical_run(struct seq *s, struct args *a)
{
	return reduce_run(s, a, reduce_by_items, &(bool){ false }, true);
}

int reduce_canonical_group_run(struct seq *s, struct args *a)
{
	return reduce_run(s, a, reduce_by_groups, &(bool){ false }, true);
}

/* Of complex elements, reduce_run() calls this again for reals. */
int reduce_canonical_bulk_run(struct seq *s, struct args *a)
{
	const bool bulk = !dtype_is_complex(a->dtype) &&
	                  reduction_bulk(s, reduction_of(a).op);

	return reduce_run(s, a, reduce_by_groups, &bulk, true);
}

static void need_groups(struct need *n, const struct reduction *r,
                        size_t outer)
{
	const size_t each = r->inner * REDUCE_PART_BYTES;

	for (size_t left = r->n; reduction_blocks(left) > 1; ) {
		left = reduction_blocks(left);
		need_scratch(n, r->outer * left * each, outer * left * each);
	}
}

void reduce_canonical_need(struct need *n, const struct reduction *r,
                           const struct reduction_cut *c,
                           const struct sheet *d, bool groups)
{
	const size_t blocks = reduction_blocks(r->n);
	const size_t columns = columns_of(r, REDUCE_STRIP);
	const size_t lines = size_blocks(r->inner, columns);
	const size_t each = r->inner * blocks * REDUCE_PART_BYTES;

	if (groups && r->inner == 1 && c->blocks == blocks &&
	    last_is_known(d)) {
		reduction_lines_need(n, r, c->outer);
	} else if (groups || c->blocks < blocks) {
		need_groups(n, r, c->outer);
	} else if (blocks > 1) {
		need_scratch(n, r->outer * each, c->outer * each);
		reduction_counters_need(n, r->outer * lines,
		                        c->outer * lines);
	}
}
