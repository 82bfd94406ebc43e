/* solve_blocked.c - the launches of kernels/cpu/solve_strip.cl: B is factored
 * beside A, which makes it L^-1 P B, and the rest goes by strips of it. */
#include "ops/lu_blocked.h"
#include "ops/solve.h"

enum { ROWS = 24, REMAINDER_ROWS = 48 };

/* The systems of one matrix on their way. */
struct task {
	const struct systems *y;
	struct blocked b;
	size_t columns;			/* of its right-hand sides */
	size_t x_at;			/* their first element in T */
	struct buf r, x;		/* remainders; the answer */
};

static size_t row_items(const struct task *t)
{
	return size_blocks(t->y->n, ROWS);
}

static size_t members_at(const struct task *t)
{
	return t->b.which * (t->y->stack / t->y->a_stack);
}

static void take(const struct task *t)
{
	const struct systems *y = t->y;

	seq_launch(t->b.s, "solve_take", GRID1(row_items(t), 1),
	           ARG_BUF(y->b), ARG_INT(y->n), ARG_INT(y->sides),
	           ARG_BUF(y->members), ARG_LONG(members_at(t)),
	           ARG_BUF(y->from), ARG_INT(t->columns), ARG_BUF(t->b.t),
	           ARG_LONG(t->x_at), ARG_INT(t->b.ld), ARG_INT(t->b.added));
}

/* x = U^-1 x, or x = U^-1 L^-1 P x */
static void strips(const struct task *t, bool forward, struct buf x,
                   size_t x_at)
{
	const struct blocked *b = &t->b;
	const double n = t->y->n;

	seq_work(b->s, (forward ? 2 : 1) * n * n * t->columns, 0);
	seq_launch(b->s, "solve_strips", GRID1(b->added / 2, 1),
	           ARG_BUF(b->t), ARG_INT(b->ld), ARG_INT(t->y->n),
	           ARG_INT(b->nb), ARG_INT(forward), ARG_BUF(b->f->swaps),
	           ARG_LONG(b->which * b->pivots), ARG_INT(t->columns),
	           ARG_BUF(x), ARG_LONG(x_at));
}

/* r = b - A x */
static void remainders(const struct task *t)
{
	const struct systems *y = t->y;
	const struct blocked *b = &t->b;

	seq_work(b->s, 2.0 * y->n * y->n * t->columns, 0);
	seq_launch(b->s, "solve_remainder",
	           GRID2(size_blocks(y->n, REMAINDER_ROWS), b->added / 2, 1, 1),
	           ARG_BUF(y->a),
	           ARG_LONG(b->which * y->n * y->n), ARG_INT(y->n),
	           ARG_BUF(y->b), ARG_INT(y->sides), ARG_BUF(y->members),
	           ARG_LONG(members_at(t)), ARG_BUF(y->from),
	           ARG_INT(t->columns), ARG_BUF(b->t), ARG_LONG(t->x_at),
	           ARG_INT(b->ld), ARG_BUF(t->r));
}

static void give(const struct task *t)
{
	const struct systems *y = t->y;

	seq_launch(t->b.s, "solve_give", GRID1(row_items(t), 1),
	           ARG_BUF(t->b.t), ARG_LONG(t->x_at), ARG_BUF(t->r),
	           ARG_INT(t->b.ld), ARG_INT(y->n), ARG_INT(y->sides),
	           ARG_BUF(y->members), ARG_LONG(members_at(t)),
	           ARG_INT(t->columns), ARG_BUF(t->x));
}

static void solve_one(struct task *t, struct buf zero_pivot)
{
	struct blocked *b = &t->b;

	blocked_load(b);
	take(t);
	blocked_factor(b);
	seq_launch(b->s, "solve_pivots", GRID1(1, 1), ARG_BUF(b->t),
	           ARG_INT(b->ld), ARG_INT(t->y->n), ARG_BUF(zero_pivot),
	           ARG_LONG(b->which));
	strips(t, false, b->t, t->x_at);
	remainders(t);
	strips(t, true, t->r, 0);
	give(t);
}

/* Of the remainders. */
static size_t rest_size(const struct blocked *b)
{
	return b->added * b->ld * 64;
}

static size_t columns_of(const struct systems *y)
{
	return y->stack / y->a_stack * y->sides;
}

void solve_blocked_need(struct need *n, enum dtype t, const struct systems *y)
{
	const struct factors f = { .stack = y->a_stack, .m = y->n,
	                           .n = y->n };
	struct blocked b;

	if (y->n == 0 || y->stack == 0)
		return;
	need_buffer(n, factors_swaps(&f));
	b = blocked_need(n, &f, size_max(columns_of(y), 1), t);
	need_buffer(n, rest_size(&b));
	need_buffer(n, y->a_stack * sizeof(int32_t));
}

int solve_blocked(struct seq *s, struct args *a)
{
	const struct systems y = systems_of(s, a);
	const struct buf found = solve_scan(s, &y);
	struct factors f = { .stack = y.a_stack, .m = y.n, .n = y.n,
	                     .pivoting = true, .a = y.a };
	struct task t = { .y = &y, .x = seq_output(s, &a->out[0]) };
	struct buf zero_pivot;

	if (y.n == 0 || y.stack == 0)
		return seq_finish(s);
	f.swaps = seq_scratch(s, factors_swaps(&f));
	t.columns = columns_of(&y);
	t.b = blocked_of(s, &f, size_max(t.columns, 1));
	t.x_at = t.b.own * t.b.ld * t.b.vw;
	t.r = seq_scratch(s, rest_size(&t.b));
	zero_pivot = seq_scratch(s, y.a_stack * sizeof(int32_t));
	for (; t.b.which < y.a_stack; t.b.which++)
		solve_one(&t, zero_pivot);
	if (solve_judge(s, y.a_stack, found, zero_pivot) < 0)
		return -1;
	return seq_finish(s);
}
