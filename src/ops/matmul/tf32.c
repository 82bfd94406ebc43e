/* tf32.c - see tf32.h. */
#include "base/size.h"
#include "ops/matmul/tf32.h"
#include "shared/matmul_tensor.h"

/* Packed elements of A, or of B, at a time: 4 GiB each. */
#define MOST ((size_t)1 << 30)

const struct tf32_scheme tf32_schemes[] = {
	[MATMUL_FULL] = { "matmul_tensor_3xtf32", "matmul_pack_3xtf32",
	                  TENSOR_3XTF32_COLS, 2 },
	[MATMUL_TF32] = { "matmul_tensor_tf32", "matmul_pack_tf32",
	                  TENSOR_TF32_COLS, 1 },
};

/* What is packed at a time: several whole products, or some rows and columns of
 * one. */
struct chunk {
	size_t products, rows, cols;
};

static size_t deep(const struct product *p)
{
	return size_round_up(p->k, TENSOR_DEPTH);
}

static size_t most(const struct sheet *d)
{
	return size_min(MOST, need_most(d, FLOAT32));
}

/* All of the lines if the limit allows, else as many whole tiles as it
 * allows. */
static size_t lines(size_t all, size_t limit, size_t tile)
{
	return all <= limit ? all : limit - limit % tile;
}

static size_t packed_a(const struct product *p, const struct chunk *c)
{
	return c->products * size_round_up(c->rows, TENSOR_ROWS) * deep(p);
}

static size_t packed_b(const struct tf32_scheme *w, const struct product *p,
                       const struct chunk *c)
{
	return c->products * size_round_up(c->cols, w->cols) * w->terms *
	       deep(p);
}

static struct chunk chunk_of(const struct sheet *d, const struct tf32_scheme *w,
                             const struct product *p)
{
	const size_t limit = most(d) / deep(p);
	struct chunk c = {
		1, lines(p->m, limit - limit % TENSOR_ROWS, TENSOR_ROWS),
		lines(p->n, limit / w->terms / w->cols * w->cols, w->cols)
	};

	if (c.rows == p->m && c.cols == p->n)
		c.products = size_max(1, size_min(p->stack, most(d) /
		    size_max(packed_a(p, &c), packed_b(w, p, &c))));
	return c;
}

bool tf32_suits(const struct sheet *d, const struct tf32_scheme *w,
                const struct product *p)
{
	return p->k + TENSOR_DEPTH <= most(d) / (w->cols * w->terms);
}

void tf32_need(struct need *n, const struct sheet *d,
               const struct tf32_scheme *w, const struct product *p)
{
	const struct chunk c = chunk_of(d, w, p);

	need_buffer(n, packed_a(p, &c) * sizeof(float));
	need_buffer(n, packed_b(w, p, &c) * sizeof(float));
}

struct tf32_room tf32_room_of(struct seq *s, const struct tf32_scheme *w,
                              const struct product *p)
{
	const struct chunk c = chunk_of(seq_sheet(s), w, p);

	return (struct tf32_room){
		seq_scratch(s, packed_a(p, &c) * sizeof(float)),
		seq_scratch(s, packed_b(w, p, &c) * sizeof(float))
	};
}

/* Packs the products from `first` on, rows from i, columns from j. */
static void pack(struct seq *s, const struct tf32_scheme *w,
                 const struct tf32_product *x, struct tf32_room room,
                 const struct chunk *c, size_t first, size_t i, size_t j)
{
	const struct product *p = &x->p;
	const size_t units = size_blocks(c->rows, TENSOR_PACK_LINES) +
	    size_blocks(c->cols, w->cols) * (w->cols / TENSOR_PACK_LINES);

	seq_launch(s, w->pack, GRID2(c->products * units * TENSOR_PACK_ITEMS,
	           deep(p) / TENSOR_DEPTH, TENSOR_PACK_ITEMS, 1),
	           ARG_BUF(x->a), ARG_BUF(x->b), ARG_BUF(room.a),
	           ARG_BUF(room.b), ARG_BUF(x->places), ARG_INT(first),
	           ARG_INT(p->stack), ARG_LONG(x->a_at + i * (size_t)p->a_row),
	           ARG_LONG(x->b_at + j * (size_t)p->b_col),
	           ARG_LONG(p->m * p->k), ARG_LONG(p->k * p->n),
	           ARG_INT(c->rows), ARG_INT(c->cols), ARG_INT(p->k),
	           ARG_LONG(p->a_row), ARG_LONG(p->a_col), ARG_LONG(p->b_row),
	           ARG_LONG(p->b_col));
}

static void multiply(struct seq *s, const struct tf32_scheme *w,
                     const struct tf32_product *x, struct tf32_room room,
                     const struct chunk *c, size_t first, size_t i, size_t j)
{
	const struct product *p = &x->p;
	const size_t step = p->m * x->c_row;
	const size_t tiles = c->products * size_blocks(c->rows, TENSOR_ROWS) *
	    size_blocks(c->cols, w->cols) * size_blocks(p->k, x->depth);
	const size_t groups = size_min(tiles, x->groups ? x->groups :
	                               seq_sheet(s)->compute_units);

	seq_work(s, 2.0 * (double)(c->products * c->rows * c->cols) *
	            (double)p->k,
	         (double)(packed_a(p, c) + packed_b(w, p, c) +
	                  c->products * c->rows * c->cols) * sizeof(float));
	seq_launch(s, w->kernel, GRID1(groups * TENSOR_TF32_ITEMS,
	           TENSOR_TF32_ITEMS), ARG_BUF(room.a), ARG_BUF(room.b),
	           ARG_BUF(x->c), ARG_INT(tiles), ARG_INT(c->products),
	           ARG_INT(c->rows), ARG_INT(c->cols),
	           ARG_INT(deep(p) / TENSOR_SLAB),
	           ARG_INT(x->depth / TENSOR_SLAB),
	           ARG_LONG(x->c_at + first * step + i * x->c_row + j),
	           ARG_INT(x->c_row), ARG_LONG(step),
	           ARG_LONG(p->stack * step), ARG_INT(x->minus));
}

void tf32_multiply(struct seq *s, const struct tf32_scheme *w,
                   const struct tf32_product *x, struct tf32_room room)
{
	const struct chunk all = chunk_of(seq_sheet(s), w, &x->p);
	const struct product *p = &x->p;

	for (size_t q = 0; q < p->stack; q += all.products)
		for (size_t i = 0; i < p->m; i += all.rows)
			for (size_t j = 0; j < p->n; j += all.cols) {
				const struct chunk c = {
					size_min(all.products, p->stack - q),
					size_min(all.rows, p->m - i),
					size_min(all.cols, p->n - j)
				};

				pack(s, w, x, room, &c, q, i, j);
				multiply(s, w, x, room, &c, q, i, j);
			}
}
