/* follow.c - see follow.h. */
#include "ops/lu/follow.h"

#include "shared/lu_tile.h"

enum { NB = LU_NB, TILE = LU_TILE, SIDE = LU_TILE_SIDE,
       STRIPS = LU_ROWS_ITEMS };

static size_t strip(const struct seq *s)
{
	return LU_STRIP(dtype_bytes(seq_dtype(s)));
}

/* In a stack the update of one matrix fills the time while another one's rows
 * are solved: two launches do as well. */
size_t lu_follow_words(const struct factors *f, enum dtype t)
{
	return f->stack == 1 && f->m > NB && f->n > NB ?
	       size_blocks(f->n, LU_STRIP(dtype_bytes(t))) *
	       sizeof(uint32_t) : 0;
}

struct buf lu_follow_ready(struct seq *s, const struct factors *f)
{
	const size_t bytes = lu_follow_words(f, seq_dtype(s));
	struct buf b = { 0 };

	if (bytes > 0) {
		b = seq_scratch(s, bytes);
		seq_fill(s, b, 0, bytes, &(uint32_t){ 0 }, sizeof(uint32_t));
	}
	return b;
}

/* Interchanges in the other columns; U12 = L11^-1 A12 */
static void rows(struct seq *s, const struct factors *f,
                 const struct lu_moves *moves, size_t j, size_t begin,
                 size_t end)
{
	const size_t columns = end - begin - size_min(NB, f->n - j);

	seq_launch(s, "lu_tile_rows",
	           GRID2(size_blocks(columns, strip(s)) * STRIPS, f->stack,
	                 STRIPS, 1),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(begin), ARG_INT(end), ARG_BUF(moves->now),
	           ARG_BUF(moves->kept));
}

/* A22 -= L21 U12, columns up to end. */
static void update(struct seq *s, const struct factors *f, size_t j,
                   size_t end)
{
	const size_t rows = f->m - j - NB, columns = end - j - NB;

	seq_work(s, 2.0 * rows * columns * NB * f->stack, 0);
	seq_launch(s, "lu_tile_update",
	           GRID3(size_blocks(columns, TILE) * SIDE,
	                 size_blocks(rows, TILE) * SIDE, f->stack, SIDE, SIDE,
	                 1),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(end));
}

/* Both in one launch. */
static void rows_and_update(struct seq *s, const struct factors *f,
                            const struct lu_moves *moves, size_t j,
                            size_t begin, size_t end)
{
	const size_t rows = f->m - j - NB, columns = end - j - NB;
	const size_t tall = LU_FOLLOW_ROWS(dtype_bytes(seq_dtype(s)));
	const size_t groups = size_blocks(end - begin - NB, strip(s)) +
	                      size_blocks(columns, TILE) *
	                      size_blocks(rows, tall);

	seq_work(s, (2.0 * rows + NB) * columns * NB, 0);
	seq_launch(s, "lu_follow", GRID1(groups * STRIPS, STRIPS),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(begin), ARG_INT(end), ARG_BUF(moves->now),
	           ARG_BUF(moves->kept), ARG_BUF(moves->ready));
}

void lu_follow(struct seq *s, const struct factors *f,
               const struct lu_moves *moves, size_t j, size_t begin,
               size_t end)
{
	const bool updates = j + NB < f->m && j + NB < end;

	if (updates && moves->ready.id) {
		rows_and_update(s, f, moves, j, begin, end);
		return;
	}
	rows(s, f, moves, j, begin, end);
	if (updates)
		update(s, f, j, end);
}
