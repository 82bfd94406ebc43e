/* substitute.c - see substitute.h, kernels/solve/tile.cl and
 * kernels/solve/nvidia/spread.cl. */
#include "ops/lu/substitute.h"

#include "shared/lu_tile.h"
#include "shared/solve_told.h"

_Static_assert((int)LU_TURNED == SOLVE_TURNED, "as kernels have it");

enum {
	BLOCK = 64,			/* rows of kernels/solve/tile.cl */
	LAUNCHES = 6,			/* that post, before messages are
					 * cleared again */
};

/* --- on any device, block by block */

/* One of the triangles, or its transpose. */
struct triangle {
	const char *block, *update;
	bool backward;			/* the last block is the first */
};

static const struct triangle lower = { "solve_tile_lower",
                                       "solve_tile_update", false };
static const struct triangle upper = { "solve_tile_upper",
                                       "solve_tile_update", true };
static const struct triangle upper_t = { "solve_tile_upper_t",
                                         "solve_tile_update_t", false };
static const struct triangle lower_t = { "solve_tile_lower_t",
                                         "solve_tile_update_t", true };

/* Solves for block j of x, and subtracts it from the rows row0 to row1. */
static void block(const struct substitution *x, const struct triangle *t,
                  struct buf b, size_t columns, size_t j, size_t row0,
                  size_t row1)
{
	const struct factors *f = x->f;
	const size_t nb = size_min(BLOCK, f->n - j);
	const double work = (double)f->stack * columns * nb;

	seq_work(x->s, work * nb, 0);
	seq_launch(x->s, t->block,
	           GRID3(columns * BLOCK, 1, f->stack, BLOCK, 1, 1),
	           ARG_BUF(f->lu), ARG_INT(f->n), ARG_BUF(b), ARG_INT(j),
	           ARG_INT(nb));
	if (row0 == row1)
		return;
	seq_work(x->s, 2 * work * (row1 - row0), 0);
	seq_launch(x->s, t->update,
	           GRID3(columns, row1 - row0, f->stack, 1, BLOCK, 1),
	           ARG_BUF(f->lu), ARG_INT(f->n), ARG_BUF(b), ARG_INT(j),
	           ARG_INT(nb), ARG_INT(row0), ARG_INT(row1));
}

static void solve_tiled(const struct substitution *x,
                        const struct triangle *t, struct buf b, size_t columns)
{
	const size_t n = x->f->n, blocks = size_blocks(n, BLOCK);

	for (size_t k = 0; k < blocks; k++) {
		const size_t j = (t->backward ? blocks - 1 - k : k) * BLOCK;

		if (t->backward)
			block(x, t, b, columns, j, 0, j);
		else
			block(x, t, b, columns, j, size_min(j + BLOCK, n), n);
	}
}

/* --- on NVIDIA, all blocks in one launch */

/* Elements that one launch posts. */
static size_t message_size(const struct substitution *x)
{
	return x->f->stack * x->columns * x->f->n;
}

/* Which part of the messages the next launch uses; all bits of it are set,
 * which means that nothing has been posted. */
static size_t messages_next(struct substitution *x)
{
	const size_t each = dtype_bytes(seq_dtype(x->s));
	const int32_t ones = -1;

	if (x->used % LAUNCHES == 0) {
		seq_fill(x->s, x->messages, 0,
		         LAUNCHES * message_size(x) * each, &ones, sizeof ones);
		seq_fill(x->s, x->tickets, 0, LAUNCHES * sizeof ones, &ones,
		         sizeof ones);
	}
	return x->used++ % LAUNCHES;
}

static size_t inverse_size(const struct factors *f, size_t each)
{
	return f->stack * 2 * size_blocks(f->n, LU_SPREAD_ROWS) *
	       LU_SPREAD_ROWS * LU_SPREAD_ROWS * each;
}

static void invert(struct substitution *x)
{
	const struct factors *f = x->f;
	const size_t each = dtype_bytes(seq_dtype(x->s));

	if (x->inverted)
		return;
	if (!x->inverse.id)
		x->inverse = seq_scratch(x->s, inverse_size(f, each));
	x->inverted = true;
	seq_launch(x->s, "solve_spread_invert",
	           GRID3(size_blocks(f->n, LU_SPREAD_ROWS) * LU_SPREAD_ROWS, 2,
	                 f->stack, LU_SPREAD_ROWS, 1, 1),
	           ARG_BUF(f->lu), ARG_INT(f->n), ARG_BUF(x->inverse));
}

/* Returns the grid of a launch with `chunks` work-groups for each block of
 * rows, and records its operations. */
static struct grid spread_begin(struct substitution *x, size_t chunks,
                                size_t columns)
{
	const struct factors *f = x->f;
	const size_t groups = f->stack * size_blocks(f->n, LU_SPREAD_ROWS) *
	                      chunks;

	seq_work(x->s, (double)f->stack * columns * f->n * f->n, 0);
	return GRID1(groups * LU_SPREAD_ITEMS, LU_SPREAD_ITEMS);
}

/* The last arguments of the kernels of kernels/solve/nvidia. */
#define MESSAGES(x, at)                                                      \
	ARG_BUF((x)->messages), ARG_LONG((at) * message_size(x)),            \
	ARG_BUF((x)->tickets), ARG_INT(at)

static void solve_spread(struct substitution *x, bool backward, struct buf b,
                         size_t columns)
{
	static const char *const exact[] = { "solve_spread_lower",
	                                     "solve_spread_upper" };
	static const char *const inverse[] = { "solve_inverse_lower",
	                                       "solve_inverse_upper" };
	const struct factors *f = x->f;
	const size_t at = messages_next(x);
	const struct grid g = spread_begin(x, size_blocks(columns,
	                                   LU_SPREAD_COLUMNS), columns);

	if (x->inverts)
		seq_launch(x->s, inverse[backward], g, ARG_BUF(f->lu),
		           ARG_BUF(x->inverse), ARG_INT(f->n),
		           ARG_INT(columns), ARG_BUF(b), MESSAGES(x, at));
	else
		seq_launch(x->s, exact[backward], g, ARG_BUF(f->lu),
		           ARG_INT(f->n), ARG_INT(columns), ARG_BUF(b),
		           MESSAGES(x, at));
}

static void solve_spread_t(struct substitution *x, const char *kernel,
                           struct buf b)
{
	const size_t at = messages_next(x);

	seq_launch(x->s, kernel, spread_begin(x, 1, LU_TURNED),
	           ARG_BUF(x->f->lu), ARG_BUF(x->inverse), ARG_INT(x->f->n),
	           ARG_BUF(b), MESSAGES(x, at));
}

/* --- either way */

struct substitution lu_substitution(struct seq *s, const struct factors *f,
                                    bool spread, size_t columns)
{
	const size_t each = dtype_bytes(seq_dtype(s));
	struct substitution x = { .s = s, .f = f, .spread = spread,
	                          .inverts = spread,
	                          .columns = size_max(columns, LU_TURNED) };

	if (spread) {
		x.messages = seq_scratch(s, LAUNCHES * message_size(&x) * each);
		x.tickets = seq_scratch(s, LAUNCHES * sizeof(int32_t));
	}
	return x;
}

void lu_substitution_need(struct need *need, const struct factors *f,
                          enum dtype t, bool spread, size_t columns)
{
	const size_t each = dtype_bytes(t);
	const struct substitution x = {
		.f = f, .columns = size_max(columns, LU_TURNED),
	};

	if (!spread)
		return;
	need_buffer(need, LAUNCHES * message_size(&x) * each);
	need_buffer(need, LAUNCHES * sizeof(int32_t));
	need_buffer(need, inverse_size(f, each));
}

void lu_substitute(struct substitution *x, struct buf b, size_t columns)
{
	if (columns == 0)
		return;
	if (x->spread) {
		if (x->inverts)
			invert(x);
		solve_spread(x, false, b, columns);
		solve_spread(x, true, b, columns);
	} else {
		solve_tiled(x, &lower, b, columns);
		solve_tiled(x, &upper, b, columns);
	}
}

void lu_substitute_transposed(struct substitution *x, struct buf b)
{
	if (x->spread) {
		invert(x);
		solve_spread_t(x, "solve_spread_upper_t", b);
		solve_spread_t(x, "solve_spread_lower_t", b);
	} else {
		solve_tiled(x, &upper_t, b, LU_TURNED);
		solve_tiled(x, &lower_t, b, LU_TURNED);
	}
}
