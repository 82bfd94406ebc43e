/* blocked.c - solve on CPUs: the launches of kernels/solve/cpu/strip.cl, one
 * matrix after the other. B is factored as further columns of A, which turns it
 * into L^-1 P B; the rest works on strips of those columns. Small matrices are
 * each solved by one work-item (kernels/solve/cpu/narrow.cl). */
#include <stdlib.h>

#include "ops/chunk.h"
#include "ops/lu/blocked.h"
#include "ops/lu/residual.h"
#include "ops/solve/solve.h"
#include "shared/solve_room.h"

enum { LOAD_ROWS = 32, ITEMS = 256 };

/* The systems of one matrix, and their buffers. */
struct task {
	struct seq *s;
	const struct systems *y;
	struct solve_tale *tale;
	struct blocked b;
	int probe;			/* the probes' first column, or -1 */
	struct buf room, sums, x;	/* workspace; column sums; the answer */
};

static int probe_of(const struct args *a, const struct systems *y)
{
	const size_t vw = 64 / dtype_bytes(a->dtype);

	return a->quality == QUALITY_NONE ? -1 :
	       solve_probe_column((int)y->columns, (int)vw);
}

static size_t strips_of(const struct systems *y, int probe, enum dtype t)
{
	return (size_t)solve_blocks((int)y->columns, probe,
	                            64 / (int)dtype_bytes(t));
}

static size_t room_size(const struct systems *y, int probe, size_t ld,
                        enum dtype t, const struct sheet *d)
{
	return solve_room((int)y->n, (int)ld, (int)y->columns, probe,
	                  (int)dtype_bytes(t), (int)lu_wide_bytes(d)).end;
}

/* --- one matrix, by all cores */

/* The kernels' first arguments (WORK_PARAMETERS in kernels/solve/cpu.h). */
#define WORK(t)                                                              \
	ARG_BUF((t)->y->a),                                                  \
	ARG_LONG((t)->b.which * (t)->y->n * (t)->y->n), ARG_INT((t)->y->n),  \
	ARG_BUF((t)->y->b), ARG_INT((t)->y->sides),                          \
	ARG_BUF((t)->y->members), ARG_LONG(members_at(t)),                   \
	ARG_BUF((t)->y->from), ARG_INT((t)->y->columns), ARG_INT((t)->probe), \
	ARG_BUF((t)->b.t), ARG_INT((t)->b.ld), ARG_INT((t)->b.own),          \
	ARG_INT((t)->b.nb), ARG_BUF((t)->b.f->swaps),                        \
	ARG_LONG((t)->b.which * (t)->b.pivots), ARG_BUF((t)->room)

static size_t members_at(const struct task *t)
{
	return t->b.which * (t->y->stack / t->y->a_stack);
}

static struct grid by_rows(const struct task *t)
{
	return GRID1(size_blocks(t->y->n, SOLVE_ROWS), 1);
}

static bool has_few(const struct task *t)
{
	return t->y->columns <= t->b.vw / 2;
}

/* T = A, and L^-1 P B */
static void factor(struct task *t)
{
	const struct systems *y = t->y;
	struct blocked *b = &t->b;
	const size_t chunks = size_blocks(y->n, LOAD_ROWS);

	blocked_begin(b);
	seq_work(t->s, 0, 2.0 * y->n * y->n * 64 / b->vw);
	seq_launch(t->s, "solve_load", GRID1(chunks, 1), ARG_BUF(y->a),
	           ARG_LONG(b->which * y->n * y->n), ARG_INT(y->n),
	           ARG_BUF(b->t), ARG_INT(b->ld), ARG_INT(b->own),
	           ARG_BUF(t->sums), ARG_BUF(t->tale->bad),
	           ARG_INT(b->which));
	if (t->probe >= 0)
		seq_launch(t->s, "solve_norm", GRID1(1, 1), ARG_BUF(y->a),
		           ARG_LONG(b->which * y->n * y->n), ARG_BUF(t->sums),
		           ARG_INT(chunks), ARG_INT(b->own), ARG_INT(y->n),
		           ARG_BUF(t->tale->told), ARG_INT(b->which));
	seq_launch(t->s, "solve_take", by_rows(t), WORK(t),
	           ARG_INT(b->which), ARG_INT(y->a_stack),
	           ARG_BUF(t->tale->bad), ARG_BUF(t->tale->told));
	blocked_factor(b);
}

/* X = U^-1 L^-1 P B, or later X += A^-1 R */
static void strips(const struct task *t, bool later)
{
	const struct blocked *b = &t->b;
	const double n = t->y->n;

	seq_work(t->s, (later ? 2 : 1) * n * n * t->y->columns, 0);
	seq_launch(t->s, "solve_strips", GRID1(b->added / 2, 1), WORK(t),
	           ARG_INT(later));
}

/* R = B - A X */
static void rest(const struct task *t, bool later)
{
	seq_work(t->s, 2.0 * t->y->n * t->y->n * t->y->columns, 0);
	seq_launch(t->s, has_few(t) ? "solve_rest" : "solve_remainder",
	           by_rows(t), WORK(t), ARG_INT(later), ARG_INT(t->b.which),
	           ARG_BUF(t->tale->told));
}

/* X += A^-1 R, and the backward error of the result. */
static void refine(const struct task *t, int step)
{
	strips(t, true);
	rest(t, true);
	seq_launch(t->s, "solve_tell", GRID1(1, 1), WORK(t), ARG_INT(step),
	           ARG_INT(t->b.which), ARG_INT(t->y->a_stack),
	           ARG_BUF(t->tale->bad), ARG_BUF(t->tale->told));
}

static void give(const struct task *t)
{
	seq_launch(t->s, "solve_give", by_rows(t), WORK(t), ARG_BUF(t->x));
}

static void solve_first(struct task *t)
{
	factor(t);
	strips(t, false);
	rest(t, false);
	if (t->probe >= 0) {
		seq_work(t->s, 2.0 * SOLVE_TURNED * t->y->n * t->y->n, 0);
		seq_launch(t->s, "solve_probe", GRID1(1, 1), WORK(t),
		           ARG_INT(t->b.which), ARG_BUF(t->tale->told));
	}
	refine(t, 1);
	give(t);
}

/* Further steps of a matrix whose factors are in T. */
static int solve_further(struct task *t)
{
	for (int step = 2; solve_goes_on(t->tale, t->b.which); step++) {
		refine(t, step);
		if (solve_tale_read(t->tale, t->s) < 0)
			return -1;
	}
	give(t);
	return 0;
}

/* All matrices are solved with one step of refinement, which is nearly always
 * enough, before the first verdict is read. */
static int solve_each(struct task *t)
{
	const size_t last = t->y->a_stack - 1;

	for (t->b.which = 0; t->b.which <= last; t->b.which++)
		solve_first(t);
	if (solve_tale_read(t->tale, t->s) < 0)
		return -1;
	for (size_t m = last + 1; m-- > 0; ) {
		if (!solve_goes_on(t->tale, m))
			continue;
		t->b.which = m;
		if (m < last)
			solve_first(t);
		if (solve_further(t) < 0)
			return -1;
	}
	return 0;
}

/* --- small matrices, one work-item each */

/* A single such matrix occupies two cores only if it has many right-hand
 * sides. */
static bool is_narrow(const struct systems *y, enum dtype t)
{
	const size_t vw = 64 / dtype_bytes(t);

	return y->n <= 8 * vw && (y->a_stack > 1 ||
	       (y->n <= 64 && y->columns <= 2 * vw));
}

static size_t narrow_items(const struct systems *y)
{
	return size_min(y->a_stack, ITEMS);
}

static size_t narrow_blocks(const struct systems *y, size_t vw)
{
	return size_round_up(y->n, 2 * vw) / vw;
}

static void solve_narrow(struct task *t, size_t vw)
{
	const struct systems *y = t->y;
	const size_t ld = blocked_rows(y->n), items = narrow_items(y);
	const size_t own = narrow_blocks(y, vw);
	const enum dtype type = seq_dtype(t->s);
	const size_t each = strips_of(y, t->probe, type);
	const size_t room = room_size(y, t->probe, ld, type,
	                              seq_sheet(t->s));

	const double flops = lu_flops(y->n, y->n) +
	                     4.0 * y->n * y->n * (double)y->columns;
	const size_t some = chunk_of(seq_sheet(t->s), flops, items);
	const struct buf work = seq_scratch(t->s, items * (own + each) * ld *
	                                          64);
	const struct buf swaps = seq_scratch(t->s, items * y->n *
	                                           sizeof(int32_t));
	const struct buf rooms = seq_scratch(t->s, items * room);

	for (size_t i = 0; i < y->a_stack; i += some) {
		const size_t end = size_min(y->a_stack, i + some);

		seq_work(t->s, flops * (end - i), 0);
		seq_launch(t->s, "solve_narrow", GRID1(items, 1),
		           ARG_BUF(y->a), ARG_INT(y->n), ARG_BUF(y->b),
		           ARG_INT(y->sides), ARG_BUF(y->members),
		           ARG_BUF(y->from), ARG_INT(y->columns),
		           ARG_INT(t->probe), ARG_BUF(work), ARG_INT(ld),
		           ARG_INT(own), ARG_INT(each), ARG_BUF(swaps),
		           ARG_BUF(rooms), ARG_INT(y->a_stack),
		           ARG_BUF(t->tale->bad), ARG_BUF(t->tale->told),
		           ARG_BUF(t->x), ARG_INT(i), ARG_INT(end));
	}
}

static void narrow_need(struct need *n, const struct sheet *d, enum dtype t,
                        const struct systems *y, int probe)
{
	const size_t vw = 64 / dtype_bytes(t), ld = blocked_rows(y->n);
	const size_t items = narrow_items(y);

	need_buffer(n, items * (narrow_blocks(y, vw) +
	                        strips_of(y, probe, t)) * ld * 64);
	need_buffer(n, items * y->n * sizeof(int32_t));
	need_buffer(n, items * room_size(y, probe, ld, t, d));
}

/* --- both */

static size_t sums_size(const struct systems *y, const struct blocked *b)
{
	return size_blocks(y->n, LOAD_ROWS) * b->own * 64;
}

static struct factors factors_of(const struct systems *y)
{
	return (struct factors){ .stack = y->a_stack, .m = y->n, .n = y->n,
	                         .pivoting = true, .a = y->a };
}

void solve_blocked_need(struct need *n, const struct sheet *d,
                        const struct args *a, const struct systems *y)
{
	const struct factors f = factors_of(y);
	const int probe = probe_of(a, y);
	const size_t vw = 64 / dtype_bytes(a->dtype);
	struct blocked b;

	if (y->n == 0 || y->stack == 0)
		return;
	solve_tale_need(n, d, y);
	if (is_narrow(y, a->dtype)) {
		narrow_need(n, d, a->dtype, y, probe);
		return;
	}
	need_buffer(n, factors_swaps(&f));
	b = blocked_need(n, &f, strips_of(y, probe, a->dtype) * vw, a->dtype);
	need_buffer(n, room_size(y, probe, b.ld, a->dtype, d));
	need_buffer(n, sums_size(y, &b));
}

static int solve_large(struct task *t, enum dtype type, size_t vw)
{
	const struct systems *y = t->y;
	struct factors f = factors_of(y);

	f.swaps = seq_scratch(t->s, factors_swaps(&f));
	t->b = blocked_of(t->s, &f, strips_of(y, t->probe, type) * vw);
	t->room = seq_scratch(t->s, room_size(y, t->probe, t->b.ld, type,
	                                      seq_sheet(t->s)));
	t->sums = seq_scratch(t->s, sums_size(y, &t->b));
	return solve_each(t);
}

static int solve(struct task *t, enum dtype type)
{
	const size_t vw = 64 / dtype_bytes(type);

	if (!is_narrow(t->y, type))
		return solve_large(t, type, vw);
	solve_narrow(t, vw);
	return solve_tale_read(t->tale, t->s);
}

int solve_blocked(struct seq *s, struct args *a)
{
	struct systems y = systems_of(s, a);
	struct solve_tale tale;
	struct task t = { .s = s, .y = &y, .tale = &tale,
	                  .probe = probe_of(a, &y),
	                  .x = seq_output(s, &a->out[0]) };
	const int mark = seq_mark(s);
	int *again = NULL;
	int rc;

	if (y.n == 0 || y.stack == 0)
		return seq_finish(s);
	if (solve_tale_init(&tale, s, &y) < 0)
		return -1;
	rc = solve(&t, a->dtype);
	if (rc == 0)
		rc = solve_again(s, &y, &tale, mark, &again);
	if (rc == 1)
		rc = solve(&t, a->dtype);
	if (rc == 0)
		rc = solve_conclude(s, a, &tale);
	if (rc == 0)
		rc = solve_again_end(s, a, &y, t.x, again);
	solve_tale_fini(&tale);
	free(again);
	return rc < 0 ? -1 : seq_finish(s);
}
