/* lines.c - see lines.h. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/reduce/lines.h"

enum { GROUPS_PER_UNIT = 64, COMMON = 13, MORE = 3, BULK_LEAST = 4096,
       WHOLE_SHARE = 8, PROBE_LINES = 2 * WHOLE_SHARE };

size_t reduce_groups;

size_t reduction_groups(const struct seq *s, size_t tasks)
{
	size_t most = seq_sheet(s)->compute_units * (size_t)GROUPS_PER_UNIT;

	return reduce_groups ? reduce_groups : size_min(tasks, most);
}

void reduction_launch(struct seq *s, const char *kernel, struct grid g,
                      const struct reduction *r,
                      const struct reduction_bufs *b,
                      const struct reduction_level *v,
                      const struct arg *more, size_t n_more)
{
	const double n = (double)size_min(v->n, v->some * REDUCE_BLOCK);
	const double elements = (double)r->outer * (double)r->inner * n;
	const size_t bytes = v->n == r->n ? dtype_bytes(seq_dtype(s)) :
	                     REDUCE_PART_BYTES;
	const int dim = g.global[0] == g.local[0];
	struct arg args[COMMON + MORE] = {
		ARG_BUF(v->x), ARG_BUF(v->part), ARG_BUF(b->out),
		ARG_BUF(b->peak), ARG_LONG(r->outer), ARG_LONG(v->n),
		ARG_LONG(r->inner), ARG_LONG(r->n), ARG_INT(r->op),
		ARG_INT(b->scaled), ARG_DOUBLE(1), ARG_FIRST(dim),
		ARG_INT(g.global[dim] / g.local[dim]),
	};

	for (size_t i = 0; i < n_more; i++)
		args[COMMON + i] = more[i];
	seq_work(s, elements, elements * (double)bytes);
	seq_launch_args(s, kernel, g, args, COMMON + n_more);
}

static const char *const line_kernels[] = {
#define X(op, row, fold) [op] = "reduce_" row "_line",
	REDUCE_ROWS(X)
#undef X
};

/* The number of blocks of all lines in levels 2 and above. */
static size_t upper_blocks(const struct reduction *r)
{
	const size_t second = reduction_blocks(reduction_blocks(r->n));

	return r->outer * (second + (second > 1));
}

static const char *const bulk_kernels[] = {
#define X(op, row, fold) [op] = "reduce_" row "_bulk",
	REDUCE_ROWS(X)
#undef X
};

/* Returns how many blocks a work-group takes side by side: as many as leave
 * work for all compute units. */
static size_t slots_of(const struct seq *s, size_t blocks)
{
	const size_t units = seq_sheet(s)->compute_units;
	size_t slots = 1;

	while (seq_sheet(s)->type != DEVICE_CPU &&
	       slots < REDUCE_LINE_SLOTS && blocks / slots >= 4 * units)
		slots *= 2;
	return slots;
}

/* A work-group has a slot for each of several blocks; the slot that makes a
 * line's last part reduces the levels above. */
static void run_slots(struct seq *s, const struct reduction *r,
                      const struct reduction_bufs *b,
                      const struct reduction_level *all, struct buf done)
{
	const size_t blocks = r->outer * all->blocks;
	const size_t slots = slots_of(s, blocks);
	const struct grid g = GRID2(REDUCE_LANES, slots * reduction_groups(s,
	    size_blocks(blocks, slots)), REDUCE_LANES, slots);
	const struct arg more[] = {
		ARG_BUF(done), ARG_LOCAL(slots * REDUCE_LANES *
		                         REDUCE_LINE_PARTS * REDUCE_PART_BYTES),
	};

	reduction_launch(s, line_kernels[r->op], g, r, b, all, more,
	                 COUNT(more));
}

/* Does one warp reduce each line alone? It does if there are lines for all
 * compute units, or if the lines are so short that the levels above would take
 * longer. */
static bool is_whole(const struct seq *s, const struct reduction *r,
                     size_t blocks)
{
	return blocks <= REDUCE_BLOCK &&
	       (r->outer >= seq_sheet(s)->compute_units || blocks == 1 ||
	        WHOLE_SHARE * blocks <= r->outer);
}

/* Reduces by warps. A compute unit holds one work-group, for its local memory
 * has no room for a second. */
static void run_bulk(struct seq *s, const struct reduction *r,
                     const struct reduction_bufs *b,
                     const struct reduction_level *all, struct buf done)
{
	const size_t items = REDUCE_LANES * REDUCE_BULK_WARPS;
	const bool whole = is_whole(s, r, all->blocks);
	const size_t tasks = whole ? r->outer : r->outer * all->blocks;
	const size_t groups = reduce_groups ? reduce_groups :
	    size_min(tasks, seq_sheet(s)->compute_units);
	const struct arg more[] = { ARG_BUF(done), ARG_INT(whole) };

	reduction_launch(s, bulk_kernels[r->op], GRID1(groups * items, items),
	                 r, b, all, more, COUNT(more));
}

/* Are the lines read by bulk copies? Only if they are whole words of 16 bytes
 * and long enough for a copy each; where warps share a line, there must not be
 * more lines than warps that fold parts side by side. */
static bool comes_in_bulk(const struct seq *s, const struct reduction *r)
{
	const size_t bytes = r->n * dtype_bytes(seq_dtype(s));

	return r->inner == 1 && bytes % 16 == 0 && bytes >= BULK_LEAST &&
	       (is_whole(s, r, reduction_blocks(r->n)) ||
	        r->outer <= REDUCE_BULK_WARPS);
}

struct buf reduction_counters(struct seq *s, size_t n)
{
	struct buf b;

	if (n <= SEQ_COUNTERS)
		return seq_counters(s);
	b = seq_scratch(s, n * sizeof(int32_t));
	seq_fill(s, b, 0, n * sizeof(int32_t), &(int32_t){ 0 },
	         sizeof(int32_t));
	return b;
}

void reduction_counters_need(struct need *n, size_t all, size_t each)
{
	if (each > SEQ_COUNTERS)
		need_scratch(n, all * sizeof(int32_t), each * sizeof(int32_t));
}

/* Reduces all levels in one launch. */
void reduction_lines(struct seq *s, const struct reduction *r,
                     const struct reduction_bufs *b, bool bulk)
{
	const size_t upper = upper_blocks(r);
	struct reduction_level all = {
		.x = b->x, .part = b->out, .n = r->n,
		.blocks = reduction_blocks(r->n),
		.some = reduction_blocks(r->n), .columns = 1,
	};
	struct buf done = b->out;

	if (all.blocks > 1) {
		all.part = seq_scratch(s, (r->outer * all.blocks + upper) *
		                          REDUCE_PART_BYTES);
		done = reduction_counters(s, upper);
	}
	(bulk && comes_in_bulk(s, r) ? run_bulk : run_slots)(s, r, b, &all,
	                                                     done);
}

/* Writes element i of the sample: odd integers in no order (for reals,
 * fractions of them). They are odd so that no product of them becomes zero in
 * int32 or int64. */
static void put_sample(void *x, enum dtype t, size_t i)
{
	const int value = 2 * (int)(i * 37 % 101) - 101;

	if (t == FLOAT32)
		((float *)x)[i] = (float)value / 64;
	else if (t == FLOAT64)
		((double *)x)[i] = value / 64.0;
	else if (t == INT64)
		((int64_t *)x)[i] = value;
	else
		((int32_t *)x)[i] = value;
}

static struct buf sample(struct seq *s, size_t n)
{
	const enum dtype t = seq_dtype(s);
	void *x = malloc(n * dtype_bytes(t));
	struct buf b = { 0 };

	for (size_t i = 0; x && i < n; i++)
		put_sample(x, t, i);
	if (x)
		b = seq_constant(s, x, n * dtype_bytes(t));
	else
		err_set(seq_err(s), ERR_MEMORY, "reduce: no memory to probe");
	free(x);
	return b;
}

static enum reduce_op op_of(const char *bulk_kernel)
{
	int op = 0;

	while (op + 1 < REDUCE_OPS && strcmp(bulk_kernels[op], bulk_kernel))
		op++;
	return (enum reduce_op)op;
}

/* Does the kernel give the portable kernel's bits for that many lines of two
 * blocks? */
static bool agrees(struct seq *s, enum reduce_op op, struct buf x, size_t n,
                   size_t lines)
{
	const struct reduction r = {
		.op = op, .outer = lines, .inner = 1, .n = n,
	};
	struct reduction_bufs b = { .x = x };
	int64_t bits[2][PROBE_LINES] = { { 0 } };

	b.peak = seq_constant(s, bits[0], sizeof bits[0]);
	for (int bulk = 0; bulk < 2; bulk++) {
		b.out = seq_constant(s, bits[bulk], sizeof bits[bulk]);
		reduction_lines(s, &r, &b, bulk);
		seq_read(s, b.out, 0, bits[bulk], sizeof bits[bulk]);
	}
	return !seq_failed(s) && !memcmp(bits[0], bits[1], sizeof bits[0]);
}

/* Probes single blocks, and lines that one warp reduces alone. */
static bool is_right(struct seq *s, const char *kernel)
{
	const size_t n = REDUCE_BLOCK + 804;
	const enum reduce_op op = op_of(kernel);
	const struct buf x = sample(s, PROBE_LINES * n);

	return agrees(s, op, x, n, 1) && agrees(s, op, x, n, PROBE_LINES);
}

/* A scaled 2-norm also needs the kernel of norminf, which finds the largest
 * elements. */
bool reduction_bulk(struct seq *s, enum reduce_op op)
{
	return seq_trusts(s, bulk_kernels[op], is_right) &&
	       (op != REDUCE_NORM2 ||
	        seq_trusts(s, bulk_kernels[REDUCE_NORMINF], is_right));
}

void reduction_lines_need(struct need *n, const struct reduction *r,
                          size_t outer)
{
	struct reduction some = *r;
	const size_t blocks = reduction_blocks(r->n);

	some.outer = outer;
	if (blocks == 1)
		return;
	need_scratch(n,
	    (r->outer * blocks + upper_blocks(r)) * REDUCE_PART_BYTES,
	    (outer * blocks + upper_blocks(&some)) * REDUCE_PART_BYTES);
	reduction_counters_need(n, upper_blocks(r), upper_blocks(&some));
}
