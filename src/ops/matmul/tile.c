/* tile.c - matmul on any device: tiles in local memory, or a kernel for thin
 * products. docs/matmul.md tells how one is chosen. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/panels.h"
#include "shared/matmul_tile.h"

/* Rows of C from which matmul_few, with a work-group for every
 * MATMUL_THIN_ROWS of them, keeps a device busy. k up to which C takes longer
 * to write than to compute. */
enum { FEW_LEAST_ROWS = 512, FLAT_MOST_DEPTH = 15 };

struct plan {
	const char *kernel;
	struct grid (*grid)(const struct product *p);
};

static void launch(struct seq *s, const struct panel *x, void *plan)
{
	const struct product *p = &x->p;
	const struct plan *w = plan;

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
	struct plan w = { kernel, grid };
	struct cuts c;

	if (product_is_void(s, &p))
		return seq_finish(s);
	c = product_cuts(&p, most, 1, 1);
	product_panels(s, &p, &c, launch, &w);
	return seq_finish(s);
}

/* Work-groups of so many items; each computes a tile of rows x cols of C. */
static struct grid grid_of(const struct product *p, size_t rows, size_t cols,
                           size_t items)
{
	size_t tiles = size_blocks(p->m, rows) * size_blocks(p->n, cols);

	return GRID1(p->stack * tiles * items, items);
}

static struct grid tile_grid(const struct product *p)
{
	return grid_of(p, MATMUL_TILE, MATMUL_TILE,
	               MATMUL_TILE_SIDE * MATMUL_TILE_SIDE);
}

static struct grid dot_grid(const struct product *p)
{
	return grid_of(p, 1, 1, MATMUL_DOT_GROUP);
}

static struct grid few_grid(const struct product *p)
{
	return grid_of(p, MATMUL_THIN_ROWS, MATMUL_THIN_COLS,
	               MATMUL_FEW_GROUP);
}

static struct grid flat_grid(const struct product *p)
{
	return grid_of(p, MATMUL_FLAT_TALL * MATMUL_THIN_ROWS,
	               MATMUL_FLAT_LANES * MATMUL_THIN_COLS,
	               MATMUL_FLAT_TALL * MATMUL_FLAT_LANES);
}

/* Many contiguous rows of A, a few columns of B. */
static bool suits_few(const struct product *p)
{
	return p->a_col == 1 && p->k >= 2 * MATMUL_FEW_GROUP && p->n > 1 &&
	       p->n <= MATMUL_THIN_COLS && p->m >= FEW_LEAST_ROWS;
}

/* Contiguous rows of A, and either few columns of B, or few rows of A and
 * contiguous columns of B: most of a tile would lie beyond an edge of C. */
static bool suits_dots(const struct product *p)
{
	const bool few = p->n <= MATMUL_TILE_SIDE * 2;

	return p->a_col == 1 && p->k >= 2 * MATMUL_DOT_GROUP &&
	       (few || (p->b_row == 1 && p->m <= MATMUL_TILE_SIDE * 2));
}

/* Little depth: C is written in whole rows of a work-group. */
static bool suits_flat(const struct product *p)
{
	return p->k <= FLAT_MOST_DEPTH && p->b_col == 1 &&
	       p->n >= MATMUL_FLAT_LANES;
}

static bool suits_all(const struct product *p)
{
	(void)p;
	return true;
}

/* The first that suits is taken. */
static const struct {
	bool (*suits)(const struct product *p);
	struct plan plan;
} plans[] = {
	{ suits_few, { "matmul_few", few_grid } },
	{ suits_dots, { "matmul_dot", dot_grid } },
	{ suits_flat, { "matmul_flat", flat_grid } },
	{ suits_all, { "matmul_tile", tile_grid } },
};

int matmul_tile_run(struct seq *s, struct args *args)
{
	const struct product p = product_of(args);
	size_t i = 0;

	while (!plans[i].suits(&p))
		i++;
	return matmul_launch(s, args, plans[i].plan.kernel, plans[i].plan.grid);
}
