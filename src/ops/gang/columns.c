/* columns.c - see columns.h. */
#include "ops/gang/columns.h"

enum {
	ITEMS = 64,			/* of blas_rows' work-groups */
	WIDE = 512, STEP = 64,		/* columns of a block: at most, and its
					 * unit */
	BLOCKS = 8,			/* for each device, if possible */
};

size_t columns_width(const struct columns *c, size_t block)
{
	return size_min(c->width, c->n - block * c->width);
}

size_t columns_at(const struct columns *c, size_t block)
{
	const size_t before = (block + c->parts - 1 - c->part) / c->parts;

	return size_min(before * c->width, c->own);
}

size_t columns_global(const struct columns *c, size_t own)
{
	return (own / c->width * c->parts + c->part) * c->width +
	       own % c->width;
}

size_t columns_from(const struct columns *c, size_t j)
{
	const size_t block = j / c->width;

	return columns_at(c, block) +
	       (columns_has(c, block) ? j % c->width : 0);
}

struct columns columns_part(const struct columns *of, size_t part)
{
	struct columns c = *of;

	c.part = part;
	c.own = 0;
	for (size_t b = c.part; b < columns_blocks(&c); b += c.parts)
		c.own += columns_width(&c, b);
	return c;
}

struct columns columns_deal(const struct args *a, size_t m, size_t n)
{
	const struct columns c = {
		.m = m, .n = n, .width = a->gang.width,
		.parts = (size_t)a->gang.parts,
	};

	return columns_part(&c, (size_t)a->gang.part);
}

size_t columns_most(const struct columns *c)
{
	return size_min(size_blocks(columns_blocks(c), c->parts) * c->width,
	                c->n);
}

size_t columns_plan(size_t n, int parts)
{
	const size_t share = n / (BLOCKS * (size_t)parts) / STEP * STEP;
	const size_t width = size_max(size_min(share, WIDE), STEP);

	return size_blocks(n, width) >= (size_t)parts ? width : 0;
}

void columns_copy(struct seq *s, size_t rows, size_t cols,
                  const struct columns_rows *from,
                  const struct columns_rows *to)
{
	seq_launch(s, "blas_rows", GRID2(cols, rows, ITEMS, 1),
	           ARG_BUF(from->b), ARG_LONG(from->at), ARG_LONG(from->ld),
	           ARG_BUF(from->list), ARG_LONG(from->list_at),
	           ARG_BUF(to->b), ARG_LONG(to->at), ARG_LONG(to->ld),
	           ARG_BUF(to->list), ARG_LONG(to->list_at), ARG_INT(rows),
	           ARG_INT(cols));
}

void columns_load(struct seq *s, struct columns *c, const struct matrix *a,
                  bool lower)
{
	c->b = seq_scratch(s, c->m * c->own * dtype_bytes(seq_dtype(s)));
	for (size_t b = c->part; b < columns_blocks(c); b += c->parts) {
		const size_t w = columns_width(c, b), j = b * c->width;
		const size_t top = lower ? j : 0;
		const int mark = seq_mark(s);
		const struct columns_rows from = {
			.b = seq_input_region(s, a, &(struct region){
			    top * c->n + j, c->m - top, w, c->n }), .ld = w,
		};

		columns_copy(s, c->m - top, w, &from, &(struct columns_rows){
			.b = c->b, .at = top * c->own + columns_at(c, b),
			.ld = c->own });
		seq_drop(s, mark);
	}
}
