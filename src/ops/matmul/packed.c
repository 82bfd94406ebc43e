/* packed.c - matmul on CPUs: B packed into panels by a launch of its own
 * (Goto and van de Geijn, 2008), or one launch that packs as it goes where the
 * product is small, low or narrow. docs/matmul.md tells how one is chosen. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/panels.h"
#include "shared/matmul_tile.h"

/* Floating-point operations of one product up to which a single launch, which
 * packs as it goes, was measured to be faster than packing B by another. */
#define SMALL_FLOPS (2.0 * 384 * 384 * 384)

enum {
	/* Up to so many strips of C, or panels, a single launch is taken at
	 * any size: with few strips a packed B is hardly used twice, with few
	 * panels a packed A. */
	FEW_STRIPS = 8,
	FEW_PANELS = 2,
	/* Least strips of a block of C: with fewer, reading B once more costs
	 * more time than an even share of the work saves. */
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

/* C is cut into m_blocks x n_blocks blocks, one a work-group, and k into
 * k_splits ranges; a work-group packs kc rows of B at a time. */
struct blocking {
	size_t m_blocks, n_blocks, k_splits, kc;
};

static size_t at_least_one(size_t x)
{
	return size_max(x, 1);
}

/* If there are more panels than work-groups wanted, a work-group gets several.
 * If there are too few, m is cut, but only into blocks of MIN_STRIPS strips so
 * that a packed panel is used often enough; then k is split; and m is cut
 * further if even that is not enough. */
static struct blocking blocking_small(const struct on *o,
                                      const struct product *p)
{
	size_t room = size_min(o->d->local_memory_bytes /
	                       MATMUL_PANEL_BYTES, MATMUL_ROOM);
	size_t wanted = product_groups(o->d, p);
	size_t strips = strips_of(p), panels = panels_of(o, p);
	size_t wide = size_min(MATMUL_WIDE, at_least_one(panels / wanted));
	struct blocking of = { 0 };
	size_t rest;

	of.n_blocks = size_blocks(panels, wide);
	rest = size_blocks(wanted, of.n_blocks);
	of.m_blocks = size_min(rest, at_least_one(strips / MIN_STRIPS));
	of.k_splits = size_min(size_blocks(rest, of.m_blocks),
	                    at_least_one(p->k / MATMUL_SMALL_KC));
	of.m_blocks = size_max(of.m_blocks, size_min(strips,
	                   size_blocks(rest, 2 * of.k_splits)));
	of.kc = size_min(size_blocks(p->k, of.k_splits),
	                    size_min(at_least_one(room / wide),
	                             MATMUL_SMALL_KC));
	return of;
}

/* How all panels (panels.h) of a product are computed. They take k_splits and
 * kc from the whole product, so that every sum is added in the same order as
 * without cuts. */
struct plan {
	struct on on;
	struct blocking of;
	struct cuts cuts;
	struct buf from, packed;	/* what of B is packed, and where */
};

static struct plan plan_small(const struct on *o, const struct product *p)
{
	const struct blocking of = blocking_small(o, p);

	return (struct plan){
		.on = *o, .of = of,
		.cuts = product_cuts(p, need_most(o->d, o->t), of.k_splits, 1)
	};
}

static void launch_sum(struct seq *s, const struct panel *x,
                       struct buf splits, size_t k_splits)
{
	size_t size = x->p.m * x->p.n;

	seq_launch(s, "matmul_sum",
	           GRID1(x->p.stack * size_blocks(size, MATMUL_SUM), 1),
	           ARG_BUF(splits), ARG_BUF(x->c),
	           ARG_INT(k_splits), ARG_LONG(size));
}

static void launch_small(struct seq *s, const struct panel *x, void *plan)
{
	const struct plan *w = plan;
	const struct product *p = &x->p;
	struct blocking of = blocking_small(&w->on, p);
	size_t wide = size_blocks(panels_of(&w->on, p), of.n_blocks);
	struct buf c = x->c;

	of.k_splits = w->of.k_splits;
	of.kc = w->of.kc;
	if (of.k_splits > 1)
		c = seq_scratch(s, of.k_splits * p->stack * p->m * p->n *
		                   dtype_bytes(w->on.t));

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, w->on.t));
	seq_launch(s, "matmul_small",
	           GRID1(p->stack * of.m_blocks * of.n_blocks * of.k_splits, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(c),
	           ARG_BUF(x->places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col), ARG_LONG(p->b_row),
	           ARG_LONG(p->b_col), ARG_INT(of.m_blocks),
	           ARG_INT(of.n_blocks), ARG_INT(of.k_splits), ARG_INT(of.kc),
	           ARG_LOCAL(wide * of.kc * MATMUL_PANEL_BYTES));
	if (of.k_splits > 1)
		launch_sum(s, x, c, of.k_splits);
}

/* A block of C is as high as the second-level cache has room for its packed A.
 * m, and then n, is cut further until all compute units have an equal
 * share. */
static struct blocking blocking_packed(const struct on *o,
                                       const struct product *p)
{
	const struct sheet *sheet = o->d;
	size_t strips = strips_of(p), panels = panels_of(o, p);
	size_t strip_bytes = MATMUL_STRIP * MATMUL_DEPTH * dtype_bytes(o->t);
	size_t most = at_least_one(size_min(sheet->local_memory_bytes / 2,
	                                    MATMUL_BLOCK_BYTES) / strip_bytes);
	size_t wanted = product_groups(o->d, p);
	struct blocking of = { 0 };

	of.m_blocks = size_max(size_blocks(strips, most),
	                   size_min(wanted,
	                            at_least_one(strips / MIN_STRIPS)));
	of.n_blocks = size_min(panels, size_blocks(wanted, of.m_blocks));
	if (of.m_blocks > wanted)
		of.m_blocks = size_round_up(of.m_blocks, sheet->compute_units);
	else
		of.m_blocks = size_max(of.m_blocks,
		                       size_blocks(wanted, of.n_blocks));
	of.m_blocks = size_min(of.m_blocks, strips);
	return of;
}

static struct plan plan_packed(const struct on *o, const struct product *p)
{
	return (struct plan){
		.on = *o,
		.cuts = product_cuts(p, need_most(o->d, o->t), 1,
		                     panel_cols(o))
	};
}

/* Bytes of B's packed panels. */
static size_t packed_bytes(const struct on *o, const struct product *p)
{
	return p->b_stack * p->k * panels_of(o, p) * MATMUL_PANEL_BYTES;
}

static void pack(struct seq *s, const struct panel *x, struct plan *w)
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

static void launch_packed(struct seq *s, const struct panel *x, void *plan)
{
	struct plan *w = plan;
	const struct product *p = &x->p;
	const struct blocking of = blocking_packed(&w->on, p);

	/* panels of B */
	if (w->from.id != x->b.id)
		pack(s, x, w);

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, w->on.t));
	seq_launch(s, "matmul_packed",
	           GRID1(p->stack * of.m_blocks * of.n_blocks, 1),
	           ARG_BUF(x->a), ARG_BUF(w->packed), ARG_BUF(x->c),
	           ARG_BUF(x->places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col),
	           ARG_INT(of.m_blocks), ARG_INT(of.n_blocks),
	           ARG_LOCAL(size_blocks(strips_of(p), of.m_blocks) *
	                     MATMUL_STRIP * MATMUL_DEPTH *
	                     dtype_bytes(w->on.t)));
}

/* Is a single launch faster than packing B by another? */
static bool is_small(const struct on *o, const struct product *p)
{
	return product_flops(p) / (double)p->stack <= SMALL_FLOPS ||
	       strips_of(p) <= FEW_STRIPS || panels_of(o, p) <= FEW_PANELS;
}

/* Every slice of the stack and every cut of n packs its own part of B, unless
 * the stack shares one B. */
static void need_packed(struct need *n, const struct plan *w,
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
	const struct plan w = small ? plan_small(&on, &p) :
	                              plan_packed(&on, &p);
	const size_t each = w.of.k_splits * dtype_bytes(t);

	if (p.n == 1) {
		matmul_vector_need(n, d, t, &p);
		return;
	}
	product_need(n, d, t, &p, &w.cuts);
	if (!small)
		need_packed(n, &w, &p);
	else if (w.of.k_splits > 1)
		need_scratch(n, each * p.stack * p.m * p.n, each *
		             w.cuts.stack * w.cuts.rows * w.cuts.cols);
}

int matmul_packed_run(struct seq *s, struct args *args)
{
	const struct on on = { seq_sheet(s), seq_dtype(s) };
	struct product p = product_of(args);
	struct plan w;
	bool small;

	if (product_is_void(s, &p))
		return seq_finish(s);
	if (p.m == 1 && p.n > 1)
		p = product_transposed(&p);
	if (p.n == 1)
		return matmul_vector_run(s, &p);
	small = is_small(&on, &p);
	w = small ? plan_small(&on, &p) : plan_packed(&on, &p);
	product_panels(s, &p, &w.cuts, small ? launch_small : launch_packed,
	               &w);
	return seq_finish(s);
}
