/* lu_tiled.c - the launches of kernels/lu.cl: a panel, its swaps elsewhere
 * and U12, and the trailing update, in place, for all matrices of the stack
 * at once. Panels are factored in registers where they fit: of one
 * work-group, or of as many as run at once where these can talk. */
#include "lu_tile.h"
#include "ops/lu_factor.h"

enum {
	NB = LU_NB, TILE = LU_TILE, SIDE = LU_TILE_SIDE, ITEMS = 256
};

struct tiled {
	struct seq *s;
	const struct factors *f;
	const struct sheet *d;
	size_t each;			/* bytes of an element */
	bool spread;			/* groups can talk */
	struct buf moves;		/* stack x 2 NB int32_t */
	struct buf origin;		/* stack x m int32_t, once needed */
	struct buf stash;		/* of panels in registers */
	struct buf post;		/* where they do */
};

static struct tiled tiled_of(const struct factors *f, const struct sheet *d,
                             enum dtype t, bool spread)
{
	return (struct tiled){ .f = f, .d = d, .each = dtype_bytes(t),
	                       .spread = spread };
}

/* Work-groups that keep a panel of the rows below j in registers. */
static size_t groups_of(const struct tiled *t, size_t j, size_t items)
{
	return size_blocks(t->f->m - j,
	                   LU_RESIDENT_ROWS(items, t->each));
}

static bool may_spread(const struct tiled *t, size_t j)
{
	return t->spread && groups_of(t, j, LU_SPREAD_ITEMS) <=
	       t->d->compute_units;
}

static void panel_spread(struct tiled *t, size_t j)
{
	const struct factors *f = t->f;
	const size_t groups = groups_of(t, j, LU_SPREAD_ITEMS);

	seq_launch(t->s, "lu_spread_panel",
	           GRID1(f->stack * groups * LU_SPREAD_ITEMS,
	                 LU_SPREAD_ITEMS),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(f->pivoting), ARG_BUF(f->swaps),
	           ARG_BUF(t->moves), ARG_BUF(t->stash), ARG_INT(groups),
	           ARG_BUF(t->post));
}

/* Kernels that keep a panel in one work-group's registers, the smallest
 * first: up to so many rows, and columns if the matrix has no more. */
static const struct resident {
	const char *kernel;
	int items, rows[2], columns;	/* rows of float32 and float64 */
} residents[] = {
	{ "lu_small_panel", LU_WARP_ITEMS, { LU_SMALL, LU_SMALL }, LU_SMALL },
	{ "lu_warp_panel", LU_WARP_ITEMS,
	  { LU_RESIDENT_ROWS(LU_WARP_ITEMS, 4),
	    LU_RESIDENT_ROWS(LU_WARP_ITEMS, 8) }, LU_MAX },
	{ "lu_resident_panel", LU_RESIDENT_ITEMS,
	  { LU_RESIDENT_ROWS(LU_RESIDENT_ITEMS, 4),
	    LU_RESIDENT_ROWS(LU_RESIDENT_ITEMS, 8) }, LU_MAX },
};

static const struct resident *resident_of(const struct tiled *t, size_t j)
{
	const size_t rows = t->f->m - j;

	for (size_t i = 0; i < COUNT(residents); i++)
		if (rows <= (size_t)residents[i].rows[t->each == 8] &&
		    t->f->n <= (size_t)residents[i].columns)
			return &residents[i];
	return NULL;
}

/* For the multipliers of the stack's panels in registers, of which the first
 * is the largest: whole work-groups of rows. */
static size_t stash_size(const struct tiled *t)
{
	const struct resident *r = resident_of(t, 0);
	const size_t rows = r ? (size_t)r->rows[t->each == 8] :
	    t->spread ? groups_of(t, 0, LU_SPREAD_ITEMS) *
	                LU_RESIDENT_ROWS(LU_SPREAD_ITEMS, t->each) :
	    LU_RESIDENT_ROWS(LU_RESIDENT_ITEMS, t->each);

	return t->f->stack * rows * t->each *
	       size_min(NB, r ? (size_t)r->columns : NB);
}

static size_t post_size(const struct tiled *t)
{
	return t->f->stack * 2 * groups_of(t, 0, LU_SPREAD_ITEMS) *
	       LU_MESSAGE(t->each);
}

static size_t moves_size(const struct tiled *t)
{
	return t->f->stack * 2 * NB * sizeof(int32_t);
}

static size_t origin_size(const struct tiled *t)
{
	return t->f->stack * t->f->m * sizeof(int32_t);
}

static void need_tiled(struct need *n, const struct tiled *t)
{
	need_buffer(n, stash_size(t));
	need_buffer(n, moves_size(t));
	if (factors_pivots(t->f) > 0 && !resident_of(t, 0) &&
	    !may_spread(t, 0))
		need_buffer(n, origin_size(t));
	if (t->spread)
		need_buffer(n, post_size(t));
}

void lu_need_tiled(struct need *n, const struct sheet *d, enum dtype type,
                   const struct factors *f)
{
	const struct tiled t = tiled_of(f, d, type, false);

	need_tiled(n, &t);
}

void lu_need_spread(struct need *n, const struct sheet *d, enum dtype type,
                    const struct factors *f)
{
	const struct tiled t = tiled_of(f, d, type, true);

	need_tiled(n, &t);
}

static void panel_resident(struct tiled *t, const struct resident *r,
                           size_t j)
{
	const struct factors *f = t->f;

	seq_launch(t->s, r->kernel, GRID1(f->stack * r->items, r->items),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(f->pivoting), ARG_BUF(f->swaps),
	           ARG_BUF(t->moves), ARG_BUF(t->stash));
}

static void panel_in_memory(struct tiled *t, size_t j)
{
	const struct factors *f = t->f;

	if (!t->origin.id)
		t->origin = seq_scratch(t->s, origin_size(t));
	seq_launch(t->s, "lu_tile_panel", GRID1(f->stack * ITEMS, ITEMS),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(f->pivoting), ARG_BUF(f->swaps),
	           ARG_BUF(t->moves), ARG_BUF(t->origin));
}

static void panel(struct tiled *t, size_t j)
{
	const struct factors *f = t->f;
	const struct resident *r = resident_of(t, j);

	seq_work(t->s, f->stack * lu_flops(f->m - j, size_min(NB, f->n - j)),
	         0);
	if (r)
		panel_resident(t, r, j);
	else if (may_spread(t, j))
		panel_spread(t, j);
	else
		panel_in_memory(t, j);
}

/* The rows of the other columns; U12 = L11^-1 A12 */
static void rows(struct tiled *t, size_t j)
{
	const struct factors *f = t->f;

	seq_launch(t->s, "lu_tile_rows",
	           GRID2(f->n - size_min(NB, f->n - j), f->stack, NB, 1),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_BUF(t->moves));
}

/* A22 -= L21 U12; matrix instructions have large tiles and pay when there are
 * enough of them. */
static void update(struct tiled *t, size_t j)
{
	const struct factors *f = t->f;
	const size_t rows = f->m - j - NB, columns = f->n - j - NB;
	const size_t across = size_blocks(columns, LU_MMA_TILE);
	const size_t down = size_blocks(rows, LU_MMA_TILE);
	const bool mma = t->spread && seq_dtype(t->s) == FLOAT64 &&
	                 f->stack * across * down >=
	                 t->d->compute_units / 2;

	seq_work(t->s, 2.0 * rows * columns * NB * f->stack, 0);
	seq_launch(t->s, mma ? "lu_mma_update" : "lu_tile_update",
	           mma ? GRID3(across * LU_MMA_ITEMS, down, f->stack,
	                       LU_MMA_ITEMS, 1, 1)
	               : GRID3(size_blocks(columns, TILE) * SIDE,
	                       size_blocks(rows, TILE) * SIDE, f->stack, SIDE,
	                       SIDE, 1),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j));
}

static void factor(struct tiled *t)
{
	const struct factors *f = t->f;
	const size_t pivots = factors_pivots(f);
	const size_t elements = f->stack * f->m * f->n;

	t->stash = seq_scratch(t->s, stash_size(t));
	t->moves = seq_scratch(t->s, moves_size(t));
	seq_copy(t->s, f->a, 0, f->lu, 0, elements * t->each);
	for (size_t j = 0; j < pivots; j += NB) {
		panel(t, j);
		rows(t, j);
		if (j + NB < f->n && j + NB < f->m)
			update(t, j);
		seq_progress(t->s, (double)(j + NB) / pivots);
	}
}

void lu_factor_tiled(struct seq *s, const struct factors *f)
{
	struct tiled t = tiled_of(f, seq_sheet(s), seq_dtype(s), false);

	t.s = s;
	factor(&t);
}

/* No message may look like one of this call before it is posted. */
void lu_factor_spread(struct seq *s, const struct factors *f)
{
	struct tiled t = tiled_of(f, seq_sheet(s), seq_dtype(s), true);
	const size_t bytes = post_size(&t);

	t.s = s;
	t.post = seq_scratch(s, bytes);
	seq_fill(s, t.post, 0, bytes, &(uint64_t){ 0 }, sizeof(uint64_t));
	factor(&t);
}
