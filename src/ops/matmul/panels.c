/* panels.c - see panels.h. */
#include "base/size.h"
#include "ops/matmul/panels.h"

/* If a panel is cut to this many lines or more, their number is a multiple of
 * it. Panels then begin at a cache line, and kernels group the lines as they do
 * in a product that is not cut. */
enum { ALIGNED = 16 };

/* The elements of the largest matrix of one product: A, padded B, or all copies
 * of C. */
static size_t largest_of(const struct product *p, size_t copies, size_t pad)
{
	return size_max(size_max(p->m * p->k,
	                         p->k * size_round_up(p->n, pad)),
	                p->m * p->n * copies);
}

static bool fits_whole(const struct product *p, size_t most, size_t copies,
                       size_t pad)
{
	return p->a_stack * p->m * p->k <= most &&
	       p->b_stack * p->k * size_round_up(p->n, pad) <= most &&
	       p->stack * p->m * p->n * copies <= most;
}

/* Is it true of A and of B that either every product has its own matrix, or all
 * products share one? */
static bool is_plain(const struct product *p)
{
	return (p->a_stack == 1 || p->a_stack == p->stack) &&
	       (p->b_stack == 1 || p->b_stack == p->stack);
}

/* Returns as many of `all` lines as the limit allows: a multiple of `step` if
 * the limit is at least `step`. */
static size_t lines(size_t all, size_t limit, size_t step)
{
	if (all <= limit)
		return all;
	return limit >= step ? limit - limit % step : size_max(limit, 1);
}

static size_t half(size_t x)
{
	return x > 2 * ALIGNED ? size_round_up(size_blocks(x, 2), ALIGNED) :
	                         size_blocks(x, 2);
}

struct cuts product_cuts(const struct product *p, size_t most, size_t copies,
                         size_t pad)
{
	const size_t each = largest_of(p, copies, pad);
	struct cuts c = { p->stack, p->m, p->n };

	if (fits_whole(p, most, copies, pad) || !is_plain(p))
		return c;
	c.stack = each <= most ? most / size_max(each, 1) : 1;
	if (each <= most)
		return c;
	c.rows = lines(p->m, most / p->k, ALIGNED);
	c.cols = lines(p->n, most / p->k, size_max(pad, ALIGNED));
	while (c.rows * c.cols > most / copies && c.rows * c.cols > 1)
		if (c.rows > c.cols)
			c.rows = half(c.rows);
		else
			c.cols = half(c.cols);
	return c;
}

/* The first matrix, row and column of a panel (s, i, j), and its numbers of
 * matrices, rows and columns (q, h, w). */
struct place {
	size_t s, i, j, q, h, w;
};

/* Returns the number of matrices that a panel has of an operand with `stack`
 * matrices. */
static size_t matrices_of(const struct product *p, const struct place *x,
                          size_t stack)
{
	return x->q == p->stack ? stack : size_min(stack, x->q);
}

/* Returns the region of h lines of A (or of B', whose lines are the columns of
 * B) from line i on, which lie in matrix s. If h is m, the region is all of the
 * q matrices from matrix s on. */
static struct region lines_of(size_t m, size_t k, int64_t col, size_t s,
                              size_t q, size_t i, size_t h)
{
	const size_t base = s * m * k, all = q * m * k;

	if (h == m)
		return (struct region){ base, 1, all, all };
	return col == 1 ? (struct region){ base + i * k, h, k, k } :
	                  (struct region){ base + i, k, h, m };
}

static struct region region_of_a(const struct product *p,
                                 const struct place *x)
{
	return lines_of(p->m, p->k, p->a_col, p->a_stack == 1 ? 0 : x->s,
	                matrices_of(p, x, p->a_stack), x->i, x->h);
}

static struct region region_of_b(const struct product *p,
                                 const struct place *x)
{
	return lines_of(p->n, p->k, p->b_row, p->b_stack == 1 ? 0 : x->s,
	                matrices_of(p, x, p->b_stack), x->j, x->w);
}

static struct region region_of_c(const struct product *p,
                                 const struct place *x)
{
	return (struct region){ (x->s * p->m + x->i) * p->n + x->j,
	                        x->q * x->h, x->w, p->n };
}

/* Returns the part of a product that a panel computes, with the strides of
 * buffers that have no gaps. */
static struct product part_of(const struct product *p, const struct place *x)
{
	struct product part = *p;

	part.m = x->h;
	part.n = x->w;
	part.stack = x->q;
	part.a_stack = matrices_of(p, x, p->a_stack);
	part.b_stack = matrices_of(p, x, p->b_stack);
	if (x->h < p->m && p->a_col != 1)
		part.a_col = (int64_t)x->h;
	if (x->w < p->n && p->b_row != 1)
		part.b_row = (int64_t)x->w;
	return part;
}

static void launch_at(struct seq *s, const struct product *p,
                      const struct place *at, panel_launch *launch, void *plan)
{
	const struct region a = region_of_a(p, at), b = region_of_b(p, at);
	const struct region c = region_of_c(p, at);
	struct panel x = { .p = part_of(p, at) };

	x.a = x.places = seq_input_region(s, p->a, &a);
	x.b = seq_input_region(s, p->b, &b);
	x.c = seq_output_region(s, p->c, &c);
	product_places(s, &x.p, &x.places);
	launch(s, &x, plan);
}

void product_panels(struct seq *s, const struct product *p,
                    const struct cuts *c, panel_launch *launch, void *plan)
{
	struct place x = { 0 };

	for (x.s = 0; x.s < p->stack; x.s += c->stack)
		for (x.j = 0; x.j < p->n; x.j += c->cols)
			for (x.i = 0; x.i < p->m; x.i += c->rows) {
				x.q = size_min(c->stack, p->stack - x.s);
				x.h = size_min(c->rows, p->m - x.i);
				x.w = size_min(c->cols, p->n - x.j);
				launch_at(s, p, &x, launch, plan);
			}
}

static void need_region(struct need *n, const struct sheet *d, size_t size,
                        size_t all, const struct region *r)
{
	need_pieces(n, d, all * size, r->rows * r->cols * size,
	            r->rows > 1 && r->cols < r->ld);
}

void product_need(struct need *n, const struct sheet *d, enum dtype t,
                  const struct product *p, const struct cuts *c)
{
	const struct place first = { 0, 0, 0, c->stack, c->rows, c->cols };
	const struct region x = region_of_a(p, &first);
	const struct region y = region_of_b(p, &first);
	const struct region z = region_of_c(p, &first);
	const size_t size = dtype_bytes(t);
	const bool same = p->a->memory && p->a->memory == p->b->memory &&
	                  x.cols == y.cols && c->stack == p->stack &&
	                  c->rows == p->m && c->cols == p->n;

	need_region(n, d, size, p->a_stack * p->m * p->k, &x);
	if (!same)
		need_region(n, d, size, p->b_stack * p->k * p->n, &y);
	need_region(n, d, size, p->stack * p->m * p->n, &z);
	if (c->stack > 1)
		need_buffer(n, p->stack * 2 * sizeof(int32_t));
}
