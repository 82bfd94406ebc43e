/* tiled.c - the launches of kernels/lu/lu.cl, in place, for all matrices of the
 * stack at once: each panel is factored and applied to the columns of its block
 * (follow.h), each block of panels to the columns beyond (deferred.h). A panel
 * is factored in the registers of one work-group where it fits, or of several
 * co-resident ones where the device lets them exchange messages. docs/lu.md
 * draws it all. */
#include "ops/lu/deferred.h"
#include "ops/lu/follow.h"
#include "ops/lu/resident.h"
#include "ops/lu/tall.h"
#include "shared/lu_tile.h"

enum {
	NB = LU_NB,
	GRID_WIDTH = NB / LU_COLUMNS,	/* work-groups in a row of a grid */
	MESSAGES = 16 << 10,		/* bytes: see struct panel_kernel */
	BESIDE_SHARE = 4		/* see fits() */
};

struct tiled {
	struct seq *s;
	const struct factors *f;
	const struct sheet *d;
	size_t each;			/* bytes of an element */
	bool spread;			/* work-groups exchange messages */
	bool defers;			/* updates wait for a block */
	struct lu_deferred deferred;	/* if they do */
	size_t applied;			/* the block's panels left of it are
					 * applied to rows beyond the block */
	struct lu_moves moves;
	struct lu_tall tall;		/* of panels in memory */
	struct buf stash;		/* multipliers of panels in registers */
	struct buf messages;		/* of spread panels */
	const struct panel_kernel *previous;	/* panel's kernel, if spread */
	size_t previous_groups;			/* and its work-groups */
};

static struct tiled tiled_of(const struct factors *f, const struct sheet *d,
                             enum dtype t, bool spread)
{
	return (struct tiled){ .f = f, .d = d, .each = dtype_bytes(t),
	                       .spread = spread };
}

/* Kernels of a panel that is spread over work-groups; the first that fits is
 * taken. In a grid each work-group keeps LU_COLUMNS columns of `rows` rows, at
 * most `height` groups one below the other, and those of the whole stack are
 * co-resident. The others (height 0) keep all columns of some rows, those of
 * lu_spread_panel divided by `share`. Fewer work-groups make the pivot search
 * cheaper; fewer rows for each make the update cheaper. Such a kernel is taken
 * only if its work-groups exchange at most `most` bytes a column and those of a
 * matrix are co-resident, because they wait for each other. */
static const struct panel_kernel {
	const char *kernel;
	size_t rows, height, share, most;
} panel_kernels[] = {
	{ "lu_columns_256", .rows = 256, .height = 1 },
	{ "lu_columns_512", .rows = 512, .height = 1 },
	{ "lu_columns_1024", .rows = 1024, .height = 1 },
	{ "lu_columns_1536", .rows = 1536, .height = 1 },
	{ "lu_columns_2048", .rows = 2048, .height = 1 },
	{ "lu_grid_4096", .rows = 1024, .height = 4 },
	{ "lu_grid_8192", .rows = 1024, .height = LU_GRID_HEIGHT },
	{ "lu_spread_quarter", .share = 4, .most = 4 << 10 },
	{ "lu_spread_half", .share = 2, .most = MESSAGES },
	{ "lu_spread_panel", .share = 1, .most = SIZE_MAX },
};

/* Work-groups of one matrix that keep the panel at column j. */
static size_t groups_of(const struct tiled *t, const struct panel_kernel *s,
                        size_t j)
{
	return s->height ? GRID_WIDTH * size_blocks(t->f->m - j, s->rows) :
	       size_blocks(t->f->m - j, LU_RESIDENT_ROWS(LU_SPREAD_ITEMS,
	                   t->each) / s->share);
}

/* Bytes of the messages of so many groups: of one column's; of a grid, whose
 * messages keep their places, of the whole panel's. */
static size_t message_bytes(const struct tiled *t,
                            const struct panel_kernel *s, size_t groups)
{
	return s->height ? LU_MESSAGE(t->each) * groups / GRID_WIDTH *
	                 s->rows + LU_GRID_BYTES(t->each) :
	                 groups * LU_MESSAGE(t->each);
}

/* Does kernel s hold the panel at column j, all its work-groups co-resident? A
 * grid beside a deferred update gets 1 / BESIDE_SHARE of the device. */
static bool fits(const struct tiled *t, const struct panel_kernel *s, size_t j)
{
	const size_t groups = groups_of(t, s, j);
	const bool beside = t->defers && s->height;
	const size_t most = t->d->compute_units / (beside ? BESIDE_SHARE : 1);

	return s->height ? t->f->m - j <= s->height * s->rows &&
	                 t->f->stack * groups <= most :
	                 message_bytes(t, s, groups) <= s->most &&
	                 groups <= most;
}

/* May kernel s factor a panel that is so low? lu_columns_* need as many rows as
 * columns, the others more. The smallest matrices have kernels of their own. */
static bool is_high_enough(const struct tiled *t, const struct panel_kernel *s,
                           size_t j)
{
	const size_t rows = t->f->m - j;

	return rows > NB || (s->height == 1 && t->f->m > LU_SMALL &&
	                     rows >= size_min(NB, t->f->n - j));
}

/* The kernel that spreads the panel at column j, or NULL. */
static const struct panel_kernel *panel_kernel_of(const struct tiled *t,
                                                  size_t j)
{
	for (size_t i = 0; t->spread && i < COUNT(panel_kernels); i++)
		if (is_high_enough(t, &panel_kernels[i], j) &&
		    fits(t, &panel_kernels[i], j))
			return &panel_kernels[i];
	return NULL;
}

/* Bytes for the messages of whichever kernels the stack's panels will take. */
static size_t messages_size(const struct tiled *t)
{
	const struct panel_kernel *last = panel_kernels +
	                                  COUNT(panel_kernels) - 1;
	const size_t rows = message_bytes(t, last, groups_of(t, last, 0));
	size_t most = 2 * size_max(rows, MESSAGES);

	for (const struct panel_kernel *s = panel_kernels; s->height; s++) {
		const size_t fit = t->d->compute_units /
		                   size_max(t->f->stack, 1);
		const size_t groups = size_min(fit, GRID_WIDTH * size_min(
		    s->height, size_blocks(t->f->m, s->rows)));

		if (groups >= GRID_WIDTH)
			most = size_max(most, message_bytes(t, s, groups));
	}
	return t->f->stack * most;
}

/* Rows that the kernel keeps of the highest panel that lu_columns_* factors, or
 * 0. */
static size_t tallest(const struct tiled *t)
{
	size_t rows = 0;

	for (size_t j = 0; !rows && j < factors_pivots(t->f); j += NB) {
		const struct panel_kernel *s = panel_kernel_of(t, j);

		rows = s && s->height == 1 ? s->rows : 0;
	}
	return rows;
}

/* A receiver recognises a message by its tag, so a stale message of an earlier
 * panel must never carry a tag that this panel will use. The buffer is
 * therefore cleared, except where the previous panel ran the same kernel with
 * as many work-groups: then every slot has been overwritten since its tag was
 * last used. lu_columns_* have words without tags instead, and each panel
 * clears the words of the one before, whichever of these kernels that ran. */
static void messages_clear(struct tiled *t, const struct panel_kernel *s,
                           size_t groups)
{
	const struct panel_kernel *q = t->previous;
	const bool same = q && (s->height == 1 ? q->height == 1 :
	                        q == s && t->previous_groups == groups);

	if (!same)
		seq_fill(t->s, t->messages, 0, messages_size(t),
		         &(uint64_t){ s->height == 1 ? UINT64_MAX : 0 },
		         sizeof(uint64_t));
	t->previous = s;
	t->previous_groups = groups;
}

static void panel_spread(struct tiled *t, const struct panel_kernel *s,
                         size_t j)
{
	const struct factors *f = t->f;
	const size_t groups = groups_of(t, s, j);

	messages_clear(t, s, groups);
	seq_launch(t->s, s->kernel,
	           GRID1(f->stack * groups * LU_SPREAD_ITEMS,
	                 LU_SPREAD_ITEMS),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(f->pivoting), ARG_BUF(f->swaps),
	           ARG_BUF(t->moves.now), ARG_BUF(t->stash),
	           ARG_INT(s->height == 1 ? tallest(t) : groups),
	           ARG_BUF(t->messages));
}

static const struct lu_resident *resident_of(const struct tiled *t, size_t j)
{
	return lu_resident_for(t->f->m - j, t->f->n, t->each);
}

/* Bytes for the multipliers of the stack's panels in registers, whole
 * work-groups of rows. The first panel is the largest. */
static size_t stash_size(const struct tiled *t)
{
	const struct lu_resident *r = resident_of(t, 0);
	const size_t group = LU_RESIDENT_ROWS(LU_SPREAD_ITEMS, t->each);
	const size_t rows = r ? (size_t)r->rows[t->each == 8] :
	    t->spread ? size_blocks(t->f->m, group) * group :
	    (size_t)LU_RESIDENT_ROWS(LU_RESIDENT_ITEMS, t->each);

	return t->f->stack * rows * t->each *
	       size_min(NB, r ? (size_t)r->columns : NB);
}

static size_t moves_size(const struct tiled *t)
{
	return t->f->stack * 2 * NB * sizeof(int32_t);
}

static void need_tiled(struct need *n, const struct tiled *t, enum dtype type)
{
	const size_t words = lu_follow_words(t->f, type);

	need_buffer(n, stash_size(t));
	need_buffer(n, moves_size(t));
	if (factors_pivots(t->f) > 0 && !resident_of(t, 0) &&
	    !panel_kernel_of(t, 0))
		lu_tall_need(n, t->f, type);
	if (t->spread)
		need_buffer(n, messages_size(t));
	if (t->spread && words > 0)
		need_buffer(n, words);
}

void lu_need_tiled(struct need *n, const struct sheet *d, enum dtype type,
                   const struct factors *f)
{
	const struct tiled t = tiled_of(f, d, type, false);

	need_tiled(n, &t, type);
}

void lu_need_spread(struct need *n, const struct sheet *d, enum dtype type,
                    const struct factors *f)
{
	const struct tiled t = tiled_of(f, d, type, true);

	need_tiled(n, &t, type);
	if (lu_deferred_suits(f, type))
		lu_deferred_need(n, d, type, f);
}

static void panel_resident(struct tiled *t, const struct lu_resident *r,
                           size_t j)
{
	const struct factors *f = t->f;
	const int items = r->items[t->each == 8];

	seq_launch(t->s, r->kernel, GRID1(f->stack * items, items),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(f->pivoting), ARG_BUF(f->swaps),
	           ARG_BUF(t->moves.now), ARG_BUF(t->stash));
}

static void panel(struct tiled *t, size_t j)
{
	const struct factors *f = t->f;
	const struct lu_resident *r = resident_of(t, j);
	const struct panel_kernel *s = panel_kernel_of(t, j);

	seq_work(t->s, f->stack * lu_flops(f->m - j, size_min(NB, f->n - j)),
	         0);
	if (s && (s->height || !r))
		panel_spread(t, s, j);
	else if (r)
		panel_resident(t, r, j);
	else
		lu_tall_panel(t->s, t->f, &t->tall, j, t->moves.now);
}

/* The end of the block of panels that begins at column b: n where updates are
 * not deferred, or not any more. */
static size_t block_end(const struct tiled *t, size_t b)
{
	const size_t end = b + lu_deferred_block(seq_dtype(t->s));

	return t->defers && end + LU_REST <= factors_pivots(t->f) ? end :
	       t->f->n;
}

/* Work-groups for a deferred update beside the panels from column j to end. It
 * leaves room for all work-groups of the largest panel: the first ones to start
 * would otherwise idle until the others start, too. */
static size_t groups_beside(const struct tiled *t, size_t j, size_t end)
{
	size_t most = 1;

	for (; j < end; j += NB)
		if (j < factors_pivots(t->f) && panel_kernel_of(t, j))
			most = size_max(most, groups_of(t,
			                panel_kernel_of(t, j), j));
	return size_max(t->d->compute_units - most, 1);
}

/* Applies the block's panels left of column `now` to the rows of the columns
 * from `end` on, in lane 1: after half of the panels, and before the last one,
 * so that little is left to do after it. */
static void block_apply_early(struct tiled *t, size_t begin, size_t now,
                              size_t end)
{
	const struct lu_block x = { begin, now, end, t->f->n };

	if (end == t->f->n || (now != (begin + end) / 2 && now != end - NB))
		return;
	seq_lane(t->s, 1);
	seq_follow(t->s, 0);
	lu_deferred_rows(t->s, t->f, &t->deferred, &x, t->applied);
	seq_lane(t->s, 0);
	t->applied = now;
}

/* Factors the panels from column begin to end and applies each inside the
 * block. */
static void block_panels(struct tiled *t, size_t begin, size_t end)
{
	const size_t pivots = factors_pivots(t->f);

	t->applied = begin;
	for (size_t j = begin; j < size_min(end, pivots); j += NB) {
		panel(t, j);
		lu_follow(t->s, t->f, &t->moves, j, t->defers ? begin : 0,
		          end);
		block_apply_early(t, begin, j + NB, end);
		seq_progress(t->s, (double)size_min(j + NB, pivots) /
		                   (double)pivots);
	}
}

/* Applies a block to the columns beside it: at once to the next block's, and to
 * all others in lane 1, beside the next block's panels. */
static void block_beside(struct tiled *t, size_t begin, size_t end)
{
	const struct factors *f = t->f;
	const size_t next = end < f->n ? block_end(t, end) : end;
	const size_t last = size_min(end, factors_pivots(f));
	const struct lu_deferred *d = &t->deferred;
	const struct lu_block left = { begin, last, 0, begin };
	const struct lu_block next_block = { begin, end, end, next };
	const struct lu_block later = { begin, end, next, f->n };

	seq_follow(t->s, 1);
	seq_lane(t->s, 1);
	seq_follow(t->s, 0);
	if (next < f->n)
		lu_deferred_rows(t->s, f, d, &later, t->applied);
	seq_lane(t->s, 0);
	if (end < next) {
		lu_deferred_rows(t->s, f, d, &next_block, t->applied);
		lu_deferred_update(t->s, f, &d->room[0], &next_block,
		                   t->d->compute_units);
	}
	seq_lane(t->s, 1);
	seq_follow(t->s, 0);
	if (next < f->n)
		lu_deferred_update(t->s, f, &d->room[1], &later,
		                   groups_beside(t, end, next));
	if (begin > 0)
		lu_deferred_rows(t->s, f, d, &left, begin);
	seq_lane(t->s, 0);
}

static void factor(struct tiled *t)
{
	const struct factors *f = t->f;
	const size_t elements = f->stack * f->m * f->n;

	t->stash = seq_scratch(t->s, stash_size(t));
	t->moves.now = seq_scratch(t->s, moves_size(t));
	if (t->spread)
		t->moves.ready = lu_follow_ready(t->s, f);
	seq_copy(t->s, f->a, 0, f->lu, 0, elements * t->each);
	for (size_t begin = 0, end; begin < factors_pivots(f); begin = end) {
		end = block_end(t, begin);
		block_panels(t, begin, end);
		if (t->defers)
			block_beside(t, begin, end);
	}
	seq_follow(t->s, 1);
}

void lu_factor_tiled(struct seq *s, const struct factors *f)
{
	struct tiled t = tiled_of(f, seq_sheet(s), seq_dtype(s), false);

	t.s = s;
	factor(&t);
}

void lu_factor_spread(struct seq *s, const struct factors *f)
{
	struct tiled t = tiled_of(f, seq_sheet(s), seq_dtype(s), true);

	t.s = s;
	t.defers = lu_deferred_suits(f, seq_dtype(s)) && lu_deferred_works(s);
	t.messages = seq_scratch(s, messages_size(&t));
	if (t.defers) {
		t.deferred = lu_deferred_of(s, f);
		t.moves.kept = t.deferred.moves;
	}
	factor(&t);
}
