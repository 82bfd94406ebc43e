/* tall.c - see tall.h. */
#include "ops/lu/tall.h"

#include "shared/lu_tile.h"

static size_t panel_size(const struct factors *f, size_t each)
{
	return f->stack * f->m * LU_NB * each;
}

/* A work-group's candidate is a modulus and a row, each padded to an
 * element. */
static size_t candidates_size(const struct factors *f, size_t each)
{
	return f->stack * size_blocks(f->m, LU_TALL_ROWS) * 2 * each;
}

void lu_tall_need(struct need *n, const struct factors *f, enum dtype t)
{
	for (int i = 0; i < 2; i++) {
		need_buffer(n, panel_size(f, dtype_bytes(t)));
		need_buffer(n, candidates_size(f, dtype_bytes(t)));
	}
}

static void alloc(struct seq *s, const struct factors *f, struct lu_tall *t)
{
	const size_t each = dtype_bytes(seq_dtype(s));

	for (int i = 0; i < 2; i++) {
		t->panel[i] = seq_scratch(s, panel_size(f, each));
		t->candidates[i] = seq_scratch(s, candidates_size(f, each));
	}
}

static struct grid grid_of(const struct factors *f, size_t rows)
{
	return GRID2(size_blocks(rows, LU_TALL_ROWS) * LU_TALL_ITEMS,
	             f->stack, LU_TALL_ITEMS, 1);
}

static void column(struct seq *s, const struct factors *f,
                   const struct lu_tall *t, size_t j, size_t k)
{
	const int from = k % 2;

	seq_launch(s, "lu_tall_column", grid_of(f, f->m - j),
	           ARG_BUF(t->panel[from]), ARG_BUF(t->panel[!from]),
	           ARG_INT(f->m - j), ARG_INT(j), ARG_INT(k),
	           ARG_INT(f->pivoting), ARG_INT(factors_pivots(f)),
	           ARG_BUF(t->candidates[from]), ARG_BUF(t->candidates[!from]),
	           ARG_BUF(f->swaps));
}

void lu_tall_panel(struct seq *s, const struct factors *f, struct lu_tall *t,
                   size_t j, struct buf moves)
{
	const size_t pivots = factors_pivots(f), rows = f->m - j;
	const size_t columns = size_min(LU_NB, pivots - j);

	if (!t->panel[0].id)
		alloc(s, f, t);
	seq_launch(s, "lu_tall_load", grid_of(f, rows), ARG_BUF(f->lu),
	           ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_BUF(t->panel[0]), ARG_BUF(t->candidates[0]));
	for (size_t k = 0; k < columns; k++)
		column(s, f, t, j, k);
	seq_launch(s, "lu_tall_store", grid_of(f, rows),
	           ARG_BUF(t->panel[columns % 2]), ARG_INT(f->m),
	           ARG_INT(f->n), ARG_INT(j), ARG_INT(pivots),
	           ARG_BUF(f->swaps), ARG_BUF(f->lu), ARG_BUF(moves));
}
