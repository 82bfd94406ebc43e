/* matmul_tile.c - matmul on any device: tiles in local memory, or an element a
 * work-group. */
#include "base/size.h"
#include "device/seq.h"
#include "matmul_tile.h"
#include "ops/matmul_panels.h"

struct way {
	const char *kernel;
	struct grid (*grid)(const struct product *p);
};

static void launch(struct seq *s, const struct panel *x, void *way)
{
	const struct product *p = &x->p;
	const struct way *w = way;

	/* C = A B */
	seq_work(s, product_flops(p), product_bytes(p, seq_dtype(s)));
	seq_launch(s, w->kernel, w->grid(p), ARG_BUF(x->a), ARG_BUF(x->b),
	           ARG_BUF(x->c), ARG_BUF(x->places), ARG_INT(p->stack),
	           ARG_INT(p->m), ARG_INT(p->n), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col), ARG_LONG(p->b_row),
	           ARG_LONG(p->b_col));
}

int matmul_launch(struct seq *s, const struct args *args, const char *kernel,
                  struct grid (*grid)(const struct product *p))
{
	const struct product p = product_of(args);
	const size_t most = need_most(seq_sheet(s), seq_dtype(s));
	struct way w = { kernel, grid };
	struct cuts c;

	if (product_is_void(s, &p))
		return seq_finish(s);
	c = product_cuts(&p, most, 1, 1);
	product_panels(s, &p, &c, launch, &w);
	return seq_finish(s);
}

static struct grid tile_grid(const struct product *p)
{
	size_t tiles = size_blocks(p->m, MATMUL_TILE) *
	               size_blocks(p->n, MATMUL_TILE);
	size_t group = MATMUL_TILE_SIDE * MATMUL_TILE_SIDE;

	return GRID1(p->stack * tiles * group, group);
}

static struct grid dot_grid(const struct product *p)
{
	return GRID1(p->stack * p->m * p->n * MATMUL_DOT_GROUP,
	             MATMUL_DOT_GROUP);
}

/* Rows of A in one piece, and few or no columns of B beside each other: a
 * tile would be empty but for its edge. */
static bool suits_dots(const struct product *p)
{
	const bool few = p->n <= MATMUL_TILE_SIDE * 2;

	return p->a_col == 1 && p->k >= 2 * MATMUL_DOT_GROUP &&
	       (few || (p->b_row == 1 && p->m <= MATMUL_TILE_SIDE * 2));
}

int matmul_tile_run(struct seq *s, struct args *args)
{
	const struct product p = product_of(args);

	if (suits_dots(&p))
		return matmul_launch(s, args, "matmul_dot", dot_grid);
	return matmul_launch(s, args, "matmul_tile", tile_grid);
}
