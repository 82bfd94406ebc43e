/* tiles.c - the launches of kernels/cholesky/tiles.h, each of which factors a
 * block of columns of tiles. */
#include "base/size.h"
#include "ops/cholesky/tiles.h"
#include "ops/lu/residual.h"
#include "shared/cholesky_tile.h"

enum { NB = CHOLESKY_NB, ITEMS = CHOLESKY_TILE_ITEMS,
	/* One launch factors the whole of a matrix of at most SINGLE columns
	 * of tiles, or a block of BLOCK columns of tiles of a larger one. */
	SINGLE = 4096 / NB, BLOCK = 1024 / NB,
	/* Up to TIMES times it pays to halve what is left of L, if that is so
	 * many bytes: by halves(). */
	HALVED = 8 << 20, TIMES = 2,
};

size_t cholesky_tiles_block(size_t n)
{
	const size_t tiles = size_blocks(n, NB);

	return tiles <= SINGLE ? tiles : BLOCK;
}

bool cholesky_tiles_whole(size_t n)
{
	return size_blocks(n, NB) <= SINGLE;
}

/* Returns the number of tiles in `columns` columns of L from column `first`
 * on. */
static size_t tiles_in(size_t n, size_t first, size_t columns)
{
	const size_t rows = size_blocks(n, NB) - first;

	return columns * rows - columns * (columns - 1) / 2;
}

static size_t most_tiles(size_t n, size_t stack)
{
	return stack * tiles_in(n, 0, cholesky_tiles_block(n));
}

static size_t work_size(size_t n, size_t stack, size_t each)
{
	return most_tiles(n, stack) * NB * NB * each;
}

static size_t sums_size(size_t n, size_t stack, size_t wide)
{
	return most_tiles(n, stack) * 2 * NB * wide;
}

static size_t terms_size(size_t n, size_t stack, size_t wide)
{
	return stack * size_blocks(n, NB) * CHOLESKY_TERMS * wide;
}

size_t cholesky_tiles_counters(size_t n, size_t stack)
{
	const size_t tiles = size_blocks(n, NB);
	const size_t block = cholesky_tiles_block(n);
	size_t counters = stack;

	for (size_t b = 0; b < tiles; b += block)
		counters += 1 + stack * (tiles - b);
	return counters;
}

void cholesky_tiles_need(struct need *need, const struct sheet *d, size_t n,
                         size_t stack, enum dtype t, bool judged)
{
	const size_t wide = lu_wide_bytes(d);

	need_buffer(need, work_size(n, stack, dtype_bytes(t)));
	if (!judged || !cholesky_tiles_whole(n))
		return;
	need_buffer(need, sums_size(n, stack, wide));
	need_buffer(need, terms_size(n, stack, wide));
}

struct cholesky_tiles cholesky_tiles_begin(const struct cholesky_task *t,
                                           struct buf a, bool judged,
                                           bool on_tensor)
{
	const size_t wide = lu_wide_bytes(seq_sheet(t->s));
	struct cholesky_tiles x = {
		.a = a,
		.work = seq_scratch(t->s, work_size(t->n, t->stack,
		                    dtype_bytes(seq_dtype(t->s)))),
		.at = t->state_at + 2 * t->stack + t->stack,
		.whole = cholesky_tiles_whole(t->n), .judged = judged,
		.kernel = on_tensor && seq_dtype(t->s) == FLOAT64 ?
		          "cholesky_tensor_tiles" : "cholesky_tiles",
	};

	if (x.whole && judged)
		x.sums = seq_scratch(t->s, sums_size(t->n, t->stack, wide));
	return x;
}

/* Launches work-groups for `tiles` more tiles of the block that has `columns`
 * columns of tiles from column `begin` on. */
static void launch(const struct cholesky_task *t,
                   const struct cholesky_tiles *x, size_t begin,
                   size_t columns, size_t tiles)
{
	const size_t each = dtype_bytes(seq_dtype(t->s));

	seq_work(t->s, 2.0 * NB * NB * NB * (double)tiles *
	         (double)columns / 3, 0);
	seq_launch(t->s, x->kernel, GRID1(tiles * ITEMS, ITEMS),
	           ARG_BUF(x->a), ARG_BUF(t->l), ARG_INT(t->n), ARG_INT(begin),
	           ARG_INT(columns), ARG_INT(t->stack), ARG_BUF(x->work),
	           ARG_BUF(t->state), ARG_INT(t->state_at), ARG_INT(x->at),
	           ARG_INT(x->whole), ARG_INT(x->judged), ARG_BUF(x->sums),
	           ARG_LOCAL(CHOLESKY_TILE_ROOM * each));
}

/* Factors a whole matrix in several launches, each of half of the columns that
 * are left, and has the rows that they complete downloaded meanwhile. The
 * work-groups of a launch take the tiles that follow those of the launch
 * before. They begin after it, and so cannot sum up what is to the left of
 * their tiles while it runs: on an H200 that costs some 4 us for each column
 * to the left. Returns the number of columns that it leaves, to be factored in
 * one launch. */
static size_t by_halves(const struct cholesky_task *t,
                        const struct cholesky_tiles *x, size_t columns)
{
	const size_t row = t->n * dtype_bytes(seq_dtype(t->s));
	size_t left = columns;

	for (int i = 0; i < TIMES && left * NB * row >= HALVED; i++) {
		const size_t half = left / 2;

		launch(t, x, 0, columns, tiles_in(t->n, columns - left, half));
		left -= half;
		cholesky_rows_done(t, (columns - left) * NB);
	}
	return left;
}

void cholesky_tiles_run(const struct cholesky_task *t, struct cholesky_tiles *x,
                        size_t begin, size_t end)
{
	const size_t columns = end - begin;
	const size_t rows = size_blocks(t->n, NB) - begin;
	const bool halves = x->whole && t->stack == 1 &&
	                    seq_downloads_beside(t->s, t->l);
	const size_t left = halves ? by_halves(t, x, columns) : columns;

	launch(t, x, begin, columns,
	       t->stack * tiles_in(t->n, end - left, left));
	x->at += 1 + t->stack * rows;
}

void cholesky_tiles_judge(const struct cholesky_task *t,
                          const struct cholesky_tiles *x)
{
	const size_t wide = lu_wide_bytes(seq_sheet(t->s));
	const size_t tiles = size_blocks(t->n, NB);
	const struct buf terms = seq_scratch(t->s, terms_size(t->n, t->stack,
	                                                      wide));

	seq_launch(t->s, "cholesky_fold",
	           GRID1(t->stack * tiles * CHOLESKY_LANES, CHOLESKY_LANES),
	           ARG_BUF(x->a), ARG_INT(t->n), ARG_INT(tiles),
	           ARG_BUF(x->sums), ARG_BUF(terms), ARG_BUF(t->state),
	           ARG_INT(t->stack), ARG_INT(t->state_at + 2 * t->stack));
}
