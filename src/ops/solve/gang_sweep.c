/* gang_sweep.c - solves with the factors of several devices; see gang.h.
 *
 * L x = b, block by block: the owner of block k solves for x_k, and subtracts
 * L_ik x_k from all rows i below, in its own copy of b. Of what the other parts
 * have subtracted from rows k it needs the sum. So with every step a segment of
 * rows, those of the next parts - 1 blocks, goes from the owner of a block to
 * the owner of the next one, which adds its own sums to it: when block k is
 * reached, each part has added all of its products with the blocks before it
 * (G. Li and T. Coleman, A parallel triangular solver for a distributed-memory
 * multiprocessor, 1988). U x = y is solved in the same way from the last block
 * to the first.
 *
 *     rows of block    k       k + 1 … k + parts - 1     all others
 *     step k           solve   subtract, send            subtract
 *
 * For U^T x = b the owner of block k needs only its own columns and all blocks
 * of x before x_k: every x_k goes to all parts, and each subtracts its columns'
 * products. */
#include "ops/blas/trsm.h"
#include "ops/solve/gang.h"

enum { ITEMS = 64 };

/* One solve, whose steps take the blocks from the first to the last one or
 * back. */
struct sweep {
	struct solve_gang *g;
	const struct columns *c;
	struct buf x;
	size_t cols, blocks;
	bool backward;
};

static struct sweep sweep_of(struct solve_gang *g, struct buf x, size_t cols,
                             bool backward)
{
	return (struct sweep){ .g = g, .c = &g->lu.c, .x = x, .cols = cols,
	                       .blocks = columns_blocks(&g->lu.c),
	                       .backward = backward };
}

static size_t block_of(const struct sweep *w, size_t step)
{
	return w->backward ? w->blocks - 1 - step : step;
}

/* Some rows of the matrix. */
struct rows { size_t at, count; };

/* Returns the rows of the blocks of steps t0 to t1 - 1. */
static struct rows rows_of(const struct sweep *w, size_t t0, size_t t1)
{
	const size_t end = size_min(t1, w->blocks);
	const size_t low = w->backward ? w->blocks - end : t0;
	const size_t high = w->backward ? w->blocks - t0 : end;
	const size_t at = low * w->c->width;

	return t0 >= end ? (struct rows){ 0, 0 } : (struct rows){
		at, size_min(high * w->c->width, w->c->n) - at };
}

static size_t row_bytes(const struct sweep *w)
{
	return w->cols * w->g->lu.each;
}

/* x_k = T_kk^-1 x_k, where row `at` of the buffer is the block's first one. */
static void solve_block(const struct sweep *w, size_t k, size_t at,
                        bool transposed)
{
	const size_t j = k * w->c->width;
	const struct blas_part t = {
		.b = w->c->b, .at = j * w->c->own + columns_at(w->c, k),
		.ld = w->c->own, .transposed = transposed,
	};
	const struct blas_part x = { .b = w->x, .at = at * w->cols,
	                             .ld = w->cols };

	blas_trsm(w->g->h.s, &(struct blas_trsm){ .stack = 1,
	          .n = columns_width(w->c, k), .sides = w->cols,
	          .upper = w->backward, .unit = w->backward == transposed },
	          &t, &x);
}

/* Subtracts from these rows of x their products with block k. */
static void subtract(const struct sweep *w, size_t k, struct rows rows)
{
	const size_t j = k * w->c->width;
	const struct blas_part t = {
		.b = w->c->b, .at = rows.at * w->c->own + columns_at(w->c, k),
		.ld = w->c->own,
	};
	const struct blas_part xk = { .b = w->x, .at = j * w->cols,
	                              .ld = w->cols };
	const struct blas_part x = { .b = w->x, .at = rows.at * w->cols,
	                             .ld = w->cols };

	if (rows.count == 0)
		return;
	blas_gemm(w->g->h.s, &(struct blas_gemm){ .stack = 1, .m = rows.count,
	          .n = w->cols, .k = columns_width(w->c, k), .alpha = -1,
	          .beta = 1 }, &t, &xk, &x);
}

/* Adds the segment that the owner of the block before has sent. */
static void receive(const struct sweep *w, size_t step)
{
	struct solve_gang *const g = w->g;
	const size_t slot = g->slot + step - 1;
	const struct rows rows = rows_of(w, step, step + w->c->parts - 1);
	const void *from = board_take(&g->lu.x, slot);

	if (!from)
		return;
	board_write(&g->lu.x, g->more, 0, from, rows.count * row_bytes(w));
	board_release(&g->lu.x, slot);
	seq_launch(g->h.s, "solve_gang_add",
	           GRID1(rows.count * w->cols, ITEMS), ARG_BUF(w->x),
	           ARG_LONG(rows.at * w->cols), ARG_BUF(g->more),
	           ARG_INT(rows.count * w->cols));
}

static void send(const struct sweep *w, size_t step, struct rows rows)
{
	struct board *const x = &w->g->lu.x;
	void *to = board_slot(x, w->g->slot + step);

	if (!to)
		return;
	board_read(x, w->x, rows.at * row_bytes(w), to,
	           rows.count * row_bytes(w));
	board_post(x, w->g->slot + step);
}

/* Releases all slots before that of step `step` - 1, which is the next one that
 * the part reads: the others are meant for other parts. */
static void release_before(const struct sweep *w, size_t step)
{
	const size_t end = size_min(step, w->blocks + 1);

	if (end > 1)
		board_release(&w->g->lu.x, w->g->slot + end - 2);
}

static void one_step(const struct sweep *w, size_t step)
{
	const size_t k = block_of(w, step), next = step + w->c->parts;
	const struct rows near = rows_of(w, step + 1, next);

	if (step > 0)
		receive(w, step);
	solve_block(w, k, k * w->c->width, false);
	subtract(w, k, near);
	send(w, step, near);
	subtract(w, k, rows_of(w, next, w->blocks));
}

static void run(const struct sweep *w)
{
	for (size_t step = 0; step < w->blocks && !seq_failed(w->g->h.s);
	     step++) {
		if (!columns_has(w->c, block_of(w, step)))
			continue;
		release_before(w, step);
		one_step(w, step);
	}
	board_release(&w->g->lu.x, w->g->slot + w->blocks - 1);
	w->g->slot += w->blocks;
}

/* --- with the transpose */

/* Solves for block k of x, and posts it for the other parts. */
static void give(const struct sweep *w, size_t k, size_t slot)
{
	struct board *const x = &w->g->lu.x;
	const size_t at = columns_at(w->c, k);
	void *to;

	solve_block(w, k, at, true);
	to = board_slot(x, slot);
	if (!to)
		return;
	board_read(x, w->x, at * row_bytes(w), to,
	           columns_width(w->c, k) * row_bytes(w));
	board_post(x, slot);
}

/* Subtracts T_k^T x_k from x, where T_k are the rows of block k in the part's
 * columns c0 to c1 - 1. */
static void subtract_transposed(const struct sweep *w, size_t k, size_t c0,
                                size_t c1)
{
	const struct blas_part t = {
		.b = w->c->b, .at = k * w->c->width * w->c->own + c0,
		.ld = w->c->own, .transposed = true,
	};
	const struct blas_part xk = { .b = w->g->more, .ld = w->cols };
	const struct blas_part x = { .b = w->x, .at = c0 * w->cols,
	                             .ld = w->cols };

	if (c0 == c1)
		return;
	blas_gemm(w->g->h.s, &(struct blas_gemm){ .stack = 1, .m = c1 - c0,
	          .n = w->cols, .k = columns_width(w->c, k), .alpha = -1,
	          .beta = 1 }, &t, &xk, &x);
}

static void run_transposed(const struct sweep *w)
{
	struct board *const x = &w->g->lu.x;

	for (size_t step = 0; step < w->blocks; step++) {
		const size_t k = block_of(w, step), slot = w->g->slot + step;
		const void *from;

		if (columns_has(w->c, k))
			give(w, k, slot);
		from = board_take(x, slot);
		if (!from)
			return;
		board_write(x, w->g->more, 0, from, columns_width(w->c, k) *
		            row_bytes(w));
		board_release(x, slot);
		if (w->backward)
			subtract_transposed(w, k, 0, columns_at(w->c, k));
		else
			subtract_transposed(w, k, columns_at(w->c, k + 1),
			                    w->c->own);
	}
	w->g->slot += w->blocks;
}

/* --- vectors to the device and back */

/* Collects all parts' rows in x. */
static void collect(struct solve_gang *g, struct buf from, bool packed,
                    double *x, size_t cols)
{
	const struct columns *c = &g->lu.c;
	const size_t n = g->h.n;

	solve_hosted_read(&g->h, c, packed, from, solve_gang_own(g), cols);
	if (!solve_gang_exchange(g))
		return;
	for (size_t i = 0; i < n; i++) {
		const double *theirs = solve_gang_theirs(g, (int)(i / c->width %
		                                         c->parts));

		for (size_t q = 0; q < cols; q++)
			x[q * n + i] = theirs[q * n + i];
	}
}

void solve_gang_substitute(void *gang, double *x, size_t cols)
{
	struct solve_gang *const g = gang;
	const size_t row = cols * g->lu.each, width = g->lu.c.width;
	const struct sweep lower = sweep_of(g, g->x[0], cols, false);
	const struct sweep upper = sweep_of(g, g->x[1], cols, true);

	if (cols == 0)
		return;
	solve_hosted_write(&g->h, &g->lu.c, false, x, cols, lower.x);
	run(&lower);
	/* The solution of L becomes the right-hand side of U: the owner of a
	 * block has that block, and the other parts have zeros. */
	seq_fill(g->h.s, upper.x, 0, g->h.n * row, &(float){ 0 },
	         sizeof(float));
	for (size_t k = g->lu.c.part; k < lower.blocks; k += g->lu.c.parts)
		seq_copy(g->h.s, lower.x, k * width * row, upper.x,
		         k * width * row, columns_width(&g->lu.c, k) * row);
	run(&upper);
	collect(g, upper.x, false, x, cols);
}

void solve_gang_substitute_transposed(void *gang, double *x, size_t cols)
{
	struct solve_gang *const g = gang;
	const struct sweep upper = sweep_of(g, g->x[0], cols, false);
	const struct sweep lower = sweep_of(g, g->x[0], cols, true);

	solve_hosted_write(&g->h, &g->lu.c, true, x, cols, g->x[0]);
	run_transposed(&upper);
	run_transposed(&lower);
	collect(g, g->x[0], true, x, cols);
}
