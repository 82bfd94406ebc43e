/* matmul_packed.c - matmul on CPUs: packed panels, and one fused launch where
 * the product is small. */
#include "base/size.h"
#include "device/seq.h"
#include "matmul_tile.h"
#include "ops/matmul_product.h"

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

static size_t panel_cols(const struct seq *s)
{
	return MATMUL_PANEL_BYTES / dtype_bytes(seq_dtype(s));
}

static size_t strips_of(const struct product *p)
{
	return size_blocks(p->m, MATMUL_STRIP);
}

static size_t panels_of(const struct seq *s, const struct product *p)
{
	return size_blocks(p->n, panel_cols(s));
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
static struct shares share_small(const struct seq *s, const struct product *p)
{
	size_t room = size_min(seq_sheet(s)->local_memory_bytes /
	                       MATMUL_PANEL_BYTES, MATMUL_ROOM);
	size_t wanted = product_groups(s, p);
	size_t strips = strips_of(p), panels = panels_of(s, p);
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

static void launch_sum(struct seq *s, const struct product *p,
                       struct buf parts, size_t n_parts)
{
	size_t size = p->m * p->n;

	seq_launch(s, "matmul_sum",
	           GRID1(p->stack * size_blocks(size, MATMUL_SUM), 1),
	           ARG_BUF(parts), ARG_BUF(seq_output(s, p->c)),
	           ARG_INT(n_parts), ARG_LONG(size));
}

static int run_small(struct seq *s, const struct product *p)
{
	struct shares of = share_small(s, p);
	size_t wide = size_blocks(panels_of(s, p), of.across);
	struct buf a = seq_input(s, p->a), b = seq_input(s, p->b);
	struct buf c = seq_output(s, p->c), places = a;

	product_places(s, p, &places);
	if (of.parts > 1)
		c = seq_scratch(s, of.parts * matrix_size(p->c));

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, seq_dtype(s)));
	seq_launch(s, "matmul_small",
	           GRID1(p->stack * of.down * of.across * of.parts, 1),
	           ARG_BUF(a), ARG_BUF(b), ARG_BUF(c),
	           ARG_BUF(places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col), ARG_LONG(p->b_row),
	           ARG_LONG(p->b_col), ARG_INT(of.down), ARG_INT(of.across),
	           ARG_INT(of.parts), ARG_INT(of.reach),
	           ARG_LOCAL(wide * of.reach * MATMUL_PANEL_BYTES));
	if (of.parts > 1)
		launch_sum(s, p, c, of.parts);
	return seq_finish(s);
}

/* Blocks as tall as the cache holds packed A, but so many, by cutting first
 * rows and then columns, that all units have an equal share. */
static struct shares share_packed(const struct seq *s,
                                  const struct product *p)
{
	const struct sheet *sheet = seq_sheet(s);
	size_t strips = strips_of(p), panels = panels_of(s, p);
	size_t strip_bytes = MATMUL_STRIP * MATMUL_DEPTH *
	                     dtype_bytes(seq_dtype(s));
	size_t most = at_least_one(size_min(sheet->local_memory_bytes / 2,
	                                    MATMUL_BLOCK_BYTES) / strip_bytes);
	size_t wanted = product_groups(s, p);
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

static int run_packed(struct seq *s, const struct product *p)
{
	size_t size = dtype_bytes(seq_dtype(s)), panels = panels_of(s, p);
	size_t packed = p->b_stack * p->k * panels * panel_cols(s) * size;
	struct shares of = share_packed(s, p);
	struct buf a = seq_input(s, p->a), b = seq_input(s, p->b);
	struct buf c = seq_output(s, p->c), panel = seq_scratch(s, packed);
	struct buf places = a;

	product_places(s, p, &places);

	/* panels of B */
	seq_work(s, 0, 2 * (double)packed);
	seq_launch(s, "matmul_pack",
	           GRID1(p->b_stack * panels * size_blocks(p->k, MATMUL_DEPTH),
	                 1),
	           ARG_BUF(b), ARG_BUF(panel), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->b_row), ARG_LONG(p->b_col));

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, seq_dtype(s)));
	seq_launch(s, "matmul_packed",
	           GRID1(p->stack * of.down * of.across, 1),
	           ARG_BUF(a), ARG_BUF(panel), ARG_BUF(c),
	           ARG_BUF(places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col),
	           ARG_INT(of.down), ARG_INT(of.across),
	           ARG_LOCAL(size_blocks(strips_of(p), of.down) *
	                     MATMUL_STRIP * MATMUL_DEPTH * size));
	return seq_finish(s);
}

/* Which of the two launches, or the two, is the faster one. */
static bool is_small(const struct seq *s, const struct product *p)
{
	return product_flops(p) / (double)p->stack <= SMALL_FLOPS ||
	       strips_of(p) <= FEW_STRIPS || panels_of(s, p) <= FEW_PANELS;
}

int matmul_packed_run(struct seq *s, struct args *args)
{
	struct product p = product_of(args);

	if (product_is_void(s, &p))
		return seq_finish(s);
	if (p.m == 1 && p.n > 1)
		p = product_transposed(&p);
	if (p.n == 1)
		return matmul_vector_run(s, &p);
	return is_small(s, &p) ? run_small(s, &p) : run_packed(s, &p);
}
