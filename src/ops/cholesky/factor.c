/* factor.c - the launches of kernels/cholesky/step.cl, for all matrices of a
 * stack at once. Large matrices are factored in blocks of columns: a step
 * updates the other columns of its block, and the trailing matrix beyond the
 * block is updated once for the whole block, by a product whose inner dimension
 * is so large that tensor cores are fast. */
#include <math.h>

#include "base/size.h"
#include "ops/blas/pieces.h"
#include "ops/cholesky/cholesky.h"
#include "ops/cholesky/tiles.h"
#include "shared/cholesky_tile.h"

enum {
	NB = CHOLESKY_NB,
	/* The columns of tiles in a block; and up to how many tiles across the
	 * whole matrix is a single block. */
	BLOCK = 1024 / NB, SINGLE = 2 * BLOCK,
};

static size_t block_of(size_t n, bool waits)
{
	const size_t tiles = size_blocks(n, NB);

	return waits ? cholesky_tiles_block(n) :
	       tiles <= SINGLE ? tiles : BLOCK;
}

/* Factors tile (k, k), the first one of a block of columns, and copies column k
 * of the tiles below it to row k, where step() reads them. */
static void first(const struct cholesky_task *t, size_t k, size_t tiles)
{
	const size_t rows = tiles - k, stack = t->stack;

	seq_work(t->s, (double)stack * NB * NB * NB / 3, 0);
	seq_launch(t->s, "cholesky_first",
	           GRID1(stack * rows * CHOLESKY_ITEMS, CHOLESKY_ITEMS),
	           ARG_BUF(t->l), ARG_INT(t->n), ARG_INT(k), ARG_INT(rows),
	           ARG_BUF(t->state), ARG_INT(t->state_at),
	           ARG_LOCAL(BLAS_ROOM * dtype_bytes(seq_dtype(t->s))));
}

/* Computes column k of L, updates the columns of tiles up to `end`, and factors
 * tile (k + 1, k + 1). */
static void step(const struct cholesky_task *t, size_t k, size_t end,
                 size_t tiles)
{
	const size_t rows = tiles - k - 1, stack = t->stack;
	const size_t columns = size_max(end - k - 1, 1);
	const double below = (double)(t->n - (k + 1) * NB);
	const double across = fmin((double)(end - k - 1) * NB, below);

	seq_work(t->s, stack * NB * (below * NB + across *
	                             (2 * below - across)), 0);
	seq_launch(t->s, "cholesky_step",
	           GRID1(stack * rows * columns * CHOLESKY_ITEMS,
	                 CHOLESKY_ITEMS),
	           ARG_BUF(t->l), ARG_INT(t->n), ARG_INT(k), ARG_INT(end),
	           ARG_INT(rows), ARG_INT(columns), ARG_BUF(t->state),
	           ARG_INT(t->state_at),
	           ARG_LOCAL(BLAS_ROOM * dtype_bytes(seq_dtype(t->s))));
}

/* Computes A22 -= L21 L21^T. L21 has the columns begin to end, A22 those from
 * `end` on; both have all rows from `end` on. Tensor cores compute rectangles
 * only. A22 is therefore cut into strips of columns, each of which begins with
 * the row of its first column's diagonal element. What they compute above the
 * diagonal is not used. */
static void update(const struct cholesky_task *t, size_t begin, size_t end)
{
	const size_t n = t->n, size = n * n;

	for (size_t j = end; j < n; j += BLAS_LOWER_COLS) {
		const struct blas_part rows = { t->l, j * n + begin, n, size,
		                                false };
		const struct blas_part columns = { t->l, j * n + begin, n,
		                                   size, true };
		const struct blas_part a22 = { t->l, j * n + j, n, size,
		                               false };
		struct blas_gemm g = {
			.stack = t->stack, .m = n - j,
			.n = size_min(n - j, BLAS_LOWER_COLS),
			.k = end - begin, .alpha = -1, .beta = 1,
			.tensor = t->tensor,
		};

		g.lower = !blas_on_tensor(&g);
		blas_gemm(t->s, &g, &rows, &columns, &a22);
	}
}

/* Sets what is above the diagonal to zero in rows b to end - 1 of tiles. */
static void clear(const struct cholesky_task *t, size_t b, size_t end)
{
	const size_t first = b * NB, last = size_min(end * NB, t->n);
	const size_t blocks = size_blocks(last - first, CHOLESKY_CLEAR);

	seq_launch(t->s, "cholesky_clear",
	           GRID1(t->stack * blocks * CHOLESKY_LANES, CHOLESKY_LANES),
	           ARG_BUF(t->l), ARG_INT(t->n), ARG_INT(first), ARG_INT(last),
	           ARG_INT(blocks));
}

struct blas_gemm cholesky_largest_update(size_t n, bool waits)
{
	const size_t k = block_of(n, waits) * NB;
	const size_t rest = n - size_min(n, k);

	return (struct blas_gemm){
		.stack = 1, .m = rest, .n = rest, .k = k, .alpha = -1,
		.beta = 1, .lower = true,
	};
}

/* Factors the columns of tiles from b to end - 1, each by one launch. */
static void by_steps(const struct cholesky_task *t, size_t b, size_t end,
                     size_t tiles)
{
	first(t, b, tiles);
	for (size_t k = b; k < end && k + 1 < tiles; k++) {
		step(t, k, end, tiles);
		seq_progress(t->s, (double)k / (double)tiles);
	}
}

void cholesky_factor(const struct cholesky_task *t)
{
	const size_t n = t->n, tiles = size_blocks(n, NB);
	const size_t block = block_of(n, t->tiles);
	const bool clears = tiles > 1 && !(t->tiles && t->tiles->whole);

	for (size_t b = 0, end; b < tiles; b = end) {
		end = size_min(b + block, tiles);
		if (t->tiles)
			cholesky_tiles_run(t, t->tiles, b, end);
		else
			by_steps(t, b, end, tiles);
		seq_progress(t->s, (double)end / (double)tiles);
		if (clears)
			clear(t, b, end);
		cholesky_rows_done(t, size_min(end * NB, n));
		if (end < tiles)
			update(t, b * NB, end * NB);
	}
}

void cholesky_rows_done(const struct cholesky_task *t, size_t rows)
{
	if (t->stack == 1)
		seq_output_done(t->s, t->l, 0, rows * t->n *
		                dtype_bytes(seq_dtype(t->s)));
}

void cholesky_in_place(struct seq *s, size_t n, size_t stack, struct buf l,
                       struct buf state)
{
	cholesky_factor(&(struct cholesky_task){
		.s = s, .n = n, .stack = stack, .l = l, .state = state });
}
