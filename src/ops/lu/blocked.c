/* blocked.c - the launches of kernels/lu/cpu/lu.cl: the matrix is copied to T,
 * factored by work-items that draw tasks, and copied to the result. */
#include "ops/chunk.h"
#include "ops/lu/blocked.h"

enum { MR = 12, SETS = 64, SPARE = 16, ROWS_AN_ITEM = 16,
       SMALL_ITEMS = 256 };

/* Floating-point operations after which a launch ends, 50 to 100 ms on two
 * cores: a call can be cancelled between launches. */
#define SPAN_FLOPS 1e10

/* The first elements of blocks are ld vectors, of a cache line each, apart:
 * 12 more than a multiple of 64 keeps them out of each other's cache sets.
 * SPARE rows at least follow the last one. */
size_t blocked_rows(size_t rows)
{
	return size_round_up(rows + SPARE - MR, SETS) + MR;
}

/* Bytes of the state: a counter for each panel and strip, and two more. */
static size_t state_size(const struct blocked *b)
{
	const size_t strips = (b->own + b->added) / 2;

	return (b->panels + strips + 2) * sizeof(int32_t);
}

static size_t t_size(const struct blocked *b)
{
	return b->ld * (b->own + b->added) * 64;
}

/* Without its buffers. */
static struct blocked shape_of(const struct factors *f, size_t sides,
                               size_t vw)
{
	const size_t pivots = factors_pivots(f);
	/* Narrow panels for a small matrix, where the other cores have too
	 * little to do while one is factored. */
	const size_t nb = (pivots <= 32 * vw ? 4 : 8) * vw;

	return (struct blocked){
		.f = f, .vw = vw, .nb = nb, .pivots = pivots,
		.panels = size_blocks(pivots, nb), .ld = blocked_rows(f->m),
		.own = size_round_up(f->n, 2 * vw) / vw,
		.added = size_round_up(sides, 2 * vw) / vw,
	};
}

struct blocked blocked_of(struct seq *s, const struct factors *f,
                          size_t sides)
{
	struct blocked b = shape_of(f, sides,
	                            64 / dtype_bytes(seq_dtype(s)));

	b.s = s;
	b.t = seq_scratch(s, t_size(&b));
	b.state = seq_scratch(s, state_size(&b));
	return b;
}

struct blocked blocked_need(struct need *n, const struct factors *f,
                            size_t sides, enum dtype t)
{
	const struct blocked b = shape_of(f, sides, 64 / dtype_bytes(t));

	need_buffer(n, t_size(&b));
	need_buffer(n, state_size(&b));
	return b;
}

void blocked_begin(struct blocked *b)
{
	seq_fill(b->s, b->state, 0, state_size(b), &(int32_t){ 0 },
	         sizeof(int32_t));
}

/* T = A[which] */
static void load(struct blocked *b)
{
	const struct factors *f = b->f;

	seq_work(b->s, 0, 2.0 * f->m * f->n * 64 / b->vw);
	seq_launch(b->s, "lu_load",
	           GRID1(size_blocks(f->m, ROWS_AN_ITEM), 1), ARG_BUF(f->a),
	           ARG_LONG(b->which * f->m * f->n), ARG_INT(f->m),
	           ARG_INT(f->n), ARG_BUF(b->t), ARG_INT(b->ld),
	           ARG_INT(b->own), ARG_FIRST(0));
}

/* Of step g: applying panel g to the columns right of it, factoring panel
 * g + 1. */
static double step_flops(const struct blocked *b, size_t g)
{
	const struct factors *f = b->f;
	const double m = f->m - g * b->nb, n = f->n - g * b->nb;
	const double nb = b->nb, sides = b->added * b->vw;

	return lu_flops(m, n) - (m > nb && n > nb ?
	                         lu_flops(m - nb, n - nb) : 0) +
	       2 * m * nb * sides;
}

/* Steps first to last. */
static void factor_span(struct blocked *b, size_t first, size_t last,
                        double flops)
{
	const struct factors *f = b->f;
	const size_t cores = seq_sheet(b->s)->compute_units;

	seq_work(b->s, flops, 0);
	seq_launch(b->s, "lu_factor", GRID1(cores, 1), ARG_BUF(b->t),
	           ARG_INT(b->ld), ARG_INT(f->m), ARG_INT(f->n),
	           ARG_INT((b->own + b->added) / 2), ARG_INT(b->nb),
	           ARG_INT(f->pivoting), ARG_BUF(f->swaps),
	           ARG_LONG(b->which * b->pivots), ARG_BUF(b->state),
	           ARG_INT(first), ARG_INT(last));
}

/* Waits for the device, and reports the progress. */
static void report(struct blocked *b)
{
	const size_t at = (b->panels + 1) * sizeof(int32_t);
	int32_t ready = 0;

	seq_read(b->s, b->state, at, &ready, sizeof ready);
	seq_progress(b->s, (b->which + (double)ready / b->panels) /
	                   b->f->stack);
}

void blocked_factor(struct blocked *b)
{
	const size_t beside = b->added ? b->panels :
	                      (b->f->n - 1) / b->nb;
	const size_t steps = size_min(b->panels, beside);
	size_t first = 0;
	double flops = 0;

	for (size_t g = 0; g < steps; g++) {
		flops += step_flops(b, g);
		if (flops < SPAN_FLOPS && g + 1 < steps)
			continue;
		factor_span(b, first, g + 1, flops);
		first = g + 1;
		flops = 0;
		if (first < steps)
			report(b);
	}
}

/* The result, whose L has the interchanges of all later panels applied. */
static void store(struct blocked *b, struct buf order)
{
	const struct factors *f = b->f;

	seq_launch(b->s, "lu_order", GRID1(b->panels, 1), ARG_BUF(f->swaps),
	           ARG_LONG(b->which * b->pivots),
	           ARG_INT(f->m), ARG_INT(b->pivots), ARG_INT(b->nb),
	           ARG_BUF(order));
	seq_work(b->s, 0, 2.0 * f->m * f->n * 64 / b->vw);
	seq_launch(b->s, "lu_store",
	           GRID1(size_blocks(f->m, ROWS_AN_ITEM), 1), ARG_BUF(b->t),
	           ARG_INT(b->ld), ARG_INT(f->m), ARG_INT(f->n),
	           ARG_INT(b->pivots), ARG_INT(b->nb), ARG_BUF(order),
	           ARG_BUF(f->lu), ARG_LONG(b->which * f->m * f->n),
	           ARG_FIRST(0));
}

static bool is_narrow(const struct factors *f, size_t vw)
{
	return f->n <= 8 * vw;
}

static size_t narrow_size(const struct factors *f, size_t vw)
{
	return size_min(f->stack, SMALL_ITEMS) * blocked_rows(f->m) *
	       size_blocks(f->n, vw) * 64;
}

static size_t order_size(const struct blocked *b)
{
	return b->panels * b->f->m * sizeof(int32_t);
}

void lu_need_blocked(struct need *n, const struct sheet *d, enum dtype t,
                     const struct factors *f)
{
	const size_t vw = 64 / dtype_bytes(t);
	struct blocked b;

	(void)d;
	if (factors_pivots(f) == 0 || f->stack == 0)
		return;
	if (is_narrow(f, vw)) {
		need_buffer(n, narrow_size(f, vw));
		return;
	}
	b = blocked_need(n, f, 0, t);
	need_buffer(n, order_size(&b));
}

/* Matrices no wider than a panel: a work-item for each. */
static void factor_narrow(struct seq *s, const struct factors *f, size_t vw)
{
	const size_t items = size_min(f->stack, SMALL_ITEMS);
	const double flops = lu_flops(f->m, f->n);
	const size_t each = chunk_of(seq_sheet(s), flops, items);
	const struct buf t = seq_scratch(s, narrow_size(f, vw));

	for (size_t i = 0; i < f->stack; i += each) {
		const size_t end = size_min(f->stack, i + each);

		seq_work(s, flops * (end - i),
		         2.0 * (end - i) * f->m * f->n * 64 / vw);
		seq_launch(s, "lu_narrow", GRID1(items, 1), ARG_BUF(f->a),
		           ARG_INT(f->m), ARG_INT(f->n), ARG_INT(f->pivoting),
		           ARG_INT(end), ARG_BUF(t),
		           ARG_INT(blocked_rows(f->m)), ARG_BUF(f->swaps),
		           ARG_BUF(f->lu), ARG_INT(i));
	}
}

void lu_factor_blocked(struct seq *s, const struct factors *f)
{
	const size_t vw = 64 / dtype_bytes(seq_dtype(s));
	struct blocked b;
	struct buf order;

	if (factors_pivots(f) == 0 || f->stack == 0)
		return;
	if (is_narrow(f, vw)) {
		factor_narrow(s, f, vw);
		return;
	}
	b = blocked_of(s, f, 0);
	order = seq_scratch(s, order_size(&b));
	for (; b.which < f->stack; b.which++) {
		blocked_begin(&b);
		load(&b);
		blocked_factor(&b);
		store(&b, order);
	}
}
