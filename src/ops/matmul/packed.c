/* packed.c - matmul on CPUs: packed panels, and one fused launch where
 * the product is small. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/panels.h"
#include "shared/matmul_tile.h"

/* Up to this many operations one launch that packs as it goes is faster
 * than two. */
#define SMALL_FLOPS (2.0 * 384 * 384 * 384)

enum {
	/* As many strips, or panels, as one launch serves at any size: few
	 * strips leave a packed B no second use, few panels a packed A. */
	FEW_STRIPS = 8,
	FEW_PANELS = 2,
	/* Strips of a block below which reading B once more costs more than
	 * sharing the work out evenly gains. */
	MIN_STRIPS = 8,
};

/* A device and an element type. */
struct on {
	const struct sheet *d;
	enum dtype t;
};

static size_t panel_cols(const struct on *o)
{
	return MATMUL_PANEL_BYTES / dtype_bytes(o->t);
}

static size_t strips_of(const struct product *p)
{
	return size_blocks(p->m, MATMUL_STRIP);
}

static size_t panels_of(const struct on *o, const struct product *p)
{
	return size_blocks(p->n, panel_cols(o));
}

/* Shares of a product's strips, of its panels, and of its depth; rows of B
 * that are packed at a time. */
struct shares {
	size_t down, across, parts, reach;
};

static size_t at_least_one(size_t x)
{
	return size_max(x, 1);
}

/* Several panels a group, if they are many; where they are too few, rows are
 * shared out as long as that leaves strips enough for a packed panel, then
 * the depth, then the rows after all. */
static struct shares share_small(const struct on *o, const struct product *p)
{
	size_t room = size_min(o->d->local_memory_bytes /
	                       MATMUL_PANEL_BYTES, MATMUL_ROOM);
	size_t wanted = product_groups(o->d, p);
	size_t strips = strips_of(p), panels = panels_of(o, p);
	size_t wide = size_min(MATMUL_WIDE, at_least_one(panels / wanted));
	struct shares of = { 0 };
	size_t rest;

	of.across = size_blocks(panels, wide);
	rest = size_blocks(wanted, of.across);
	of.down = size_min(rest, at_least_one(strips / MIN_STRIPS));
	of.parts = size_min(size_blocks(rest, of.down),
	                    at_least_one(p->k / MATMUL_REACH));
	of.down = size_max(of.down, size_min(strips,
	                   size_blocks(rest, 2 * of.parts)));
	of.reach = size_min(size_blocks(p->k, of.parts),
	                    size_min(at_least_one(room / wide),
	                             MATMUL_REACH));
	return of;
}

/* The way of all panels of a product: parts and reach are the whole's, so
 * that every sum has its order. */
struct way {
	struct on on;
	struct shares of;
	struct cuts cuts;
	struct buf from, packed;	/* columns of B that are packed */
};

static struct way way_small(const struct on *o, const struct product *p)
{
	const struct shares of = share_small(o, p);

	return (struct way){ *o, of, product_cuts(p, need_most(o->d, o->t),
	                                          of.parts, 1), { 0 }, { 0 } };
}

static void launch_sum(struct seq *s, const struct panel *x,
                       struct buf parts, size_t n_parts)
{
	size_t size = x->p.m * x->p.n;

	seq_launch(s, "matmul_sum",
	           GRID1(x->p.stack * size_blocks(size, MATMUL_SUM), 1),
	           ARG_BUF(parts), ARG_BUF(x->c),
	           ARG_INT(n_parts), ARG_LONG(size));
}

static void launch_small(struct seq *s, const struct panel *x, void *way)
{
	const struct way *w = way;
	const struct product *p = &x->p;
	struct shares of = share_small(&w->on, p);
	size_t wide = size_blocks(panels_of(&w->on, p), of.across);
	struct buf c = x->c;

	of.parts = w->of.parts;
	of.reach = w->of.reach;
	if (of.parts > 1)
		c = seq_scratch(s, of.parts * p->stack * p->m * p->n *
		                   dtype_bytes(w->on.t));

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, w->on.t));
	seq_launch(s, "matmul_small",
	           GRID1(p->stack * of.down * of.across * of.parts, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(c),
	           ARG_BUF(x->places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col), ARG_LONG(p->b_row),
	           ARG_LONG(p->b_col), ARG_INT(of.down), ARG_INT(of.across),
	           ARG_INT(of.parts), ARG_INT(of.reach),
	           ARG_LOCAL(wide * of.reach * MATMUL_PANEL_BYTES));
	if (of.parts > 1)
		launch_sum(s, x, c, of.parts);
}

/* Blocks as tall as the cache holds packed A, but so many, by cutting first
 * rows and then columns, that all units have an equal share. */
static struct shares share_packed(const struct on *o,
                                  const struct product *p)
{
	const struct sheet *sheet = o->d;
	size_t strips = strips_of(p), panels = panels_of(o, p);
	size_t strip_bytes = MATMUL_STRIP * MATMUL_DEPTH * dtype_bytes(o->t);
	size_t most = at_least_one(size_min(sheet->local_memory_bytes / 2,
	                                    MATMUL_BLOCK_BYTES) / strip_bytes);
	size_t wanted = product_groups(o->d, p);
	struct shares of = { 0 };

	of.down = size_max(size_blocks(strips, most),
	                   size_min(wanted,
	                            at_least_one(strips / MIN_STRIPS)));
	of.across = size_min(panels, size_blocks(wanted, of.down));
	if (of.down > wanted)
		of.down = size_round_up(of.down, sheet->compute_units);
	else
		of.down = size_max(of.down, size_blocks(wanted, of.across));
	of.down = size_min(of.down, strips);
	return of;
}

static struct way way_packed(const struct on *o, const struct product *p)
{
	return (struct way){ *o, { 0 }, product_cuts(p, need_most(o->d, o->t),
	                     1, panel_cols(o)), { 0 }, { 0 } };
}

/* Of B's panels. */
static size_t packed_bytes(const struct on *o, const struct product *p)
{
	return p->b_stack * p->k * panels_of(o, p) * MATMUL_PANEL_BYTES;
}

static void pack(struct seq *s, const struct panel *x, struct way *w)
{
	const struct product *p = &x->p;
	const size_t packed = packed_bytes(&w->on, p);

	w->from = x->b;
	w->packed = seq_scratch(s, packed);
	seq_work(s, 0, 2 * (double)packed);
	seq_launch(s, "matmul_pack",
	           GRID1(p->b_stack * panels_of(&w->on, p) *
	                 size_blocks(p->k, MATMUL_DEPTH), 1),
	           ARG_BUF(x->b), ARG_BUF(w->packed), ARG_INT(p->n),
	           ARG_INT(p->k), ARG_LONG(p->b_row), ARG_LONG(p->b_col));
}

static void launch_packed(struct seq *s, const struct panel *x, void *way)
{
	struct way *w = way;
	const struct product *p = &x->p;
	const struct shares of = share_packed(&w->on, p);

	/* panels of B */
	if (w->from.id != x->b.id)
		pack(s, x, w);

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, w->on.t));
	seq_launch(s, "matmul_packed",
	           GRID1(p->stack * of.down * of.across, 1),
	           ARG_BUF(x->a), ARG_BUF(w->packed), ARG_BUF(x->c),
	           ARG_BUF(x->places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col),
	           ARG_INT(of.down), ARG_INT(of.across),
	           ARG_LOCAL(size_blocks(strips_of(p), of.down) *
	                     MATMUL_STRIP * MATMUL_DEPTH *
	                     dtype_bytes(w->on.t)));
}

/* Which of the two launches, or the two, is the faster one. */
static bool is_small(const struct on *o, const struct product *p)
{
	return product_flops(p) / (double)p->stack <= SMALL_FLOPS ||
	       strips_of(p) <= FEW_STRIPS || panels_of(o, p) <= FEW_PANELS;
}

/* Every slice of the stack and every cut of the columns has its own packed
 * B, unless that is the same for all. */
static void need_packed(struct need *n, const struct way *w,
                        const struct product *p)
{
	const struct cuts *c = &w->cuts;
	struct product part = *p;
	size_t all;

	part.n = c->cols;
	all = packed_bytes(&w->on, &part) * (p->n / c->cols);
	part.n = p->n % c->cols;
	all += packed_bytes(&w->on, &part);
	part.n = c->cols;
	part.b_stack = size_min(p->b_stack, c->stack);
	need_scratch(n, all, packed_bytes(&w->on, &part));
}

void matmul_packed_need(struct need *n, const struct sheet *d, enum dtype t,
                        const struct product *whole)
{
	const bool turned = whole->m == 1 && whole->n > 1;
	const struct product p = turned ? product_transposed(whole) : *whole;
	const struct on on = { d, t };
	const bool small = is_small(&on, &p);
	const struct way w = small ? way_small(&on, &p) : way_packed(&on, &p);
	const size_t parts = w.of.parts * dtype_bytes(t);

	if (p.n == 1) {
		matmul_vector_need(n, d, t, &p);
		return;
	}
	product_need(n, d, t, &p, &w.cuts);
	if (!small)
		need_packed(n, &w, &p);
	else if (w.of.parts > 1)
		need_scratch(n, parts * p.stack * p.m * p.n, parts *
		             w.cuts.stack * w.cuts.rows * w.cuts.cols);
}

int matmul_packed_run(struct seq *s, struct args *args)
{
	const struct on on = { seq_sheet(s), seq_dtype(s) };
	struct product p = product_of(args);
	struct way w;
	bool small;

	if (product_is_void(s, &p))
		return seq_finish(s);
	if (p.m == 1 && p.n > 1)
		p = product_transposed(&p);
	if (p.n == 1)
		return matmul_vector_run(s, &p);
	small = is_small(&on, &p);
	w = small ? way_small(&on, &p) : way_packed(&on, &p);
	product_panels(s, &p, &w.cuts, small ? launch_small : launch_packed,
	               &w);
	return seq_finish(s);
}
