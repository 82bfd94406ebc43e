/* tiled.c - the launches of kernels/lu/lu.cl, in place, for all matrices of the
 * stack at once: panels, and what they mean for other columns (follow.h,
 * deep.h). Panels are factored in registers where they fit: of one
 * work-group, or of as many as run at once where these can talk. */
#include "ops/lu/deep.h"
#include "ops/lu/follow.h"
#include "ops/lu/resident.h"
#include "ops/lu/tall.h"
#include "shared/lu_tile.h"

enum {
	NB = LU_NB,
	MESSAGES = 16 << 10		/* bytes: see struct spread */
};

struct tiled {
	struct seq *s;
	const struct factors *f;
	const struct sheet *d;
	size_t each;			/* bytes of an element */
	bool spread;			/* groups can talk */
	bool is_deep;			/* deep.h is for it */
	struct lu_deep deep;		/* if so */
	size_t followed;		/* columns beyond know panels before */
	struct lu_moves moves;
	struct lu_tall tall;		/* of panels in memory */
	struct buf stash;		/* of panels in registers */
	struct buf post;		/* where they do */
	const struct spread *last;	/* who did */
	size_t groups;			/* of them */
};

static struct tiled tiled_of(const struct factors *f, const struct sheet *d,
                             enum dtype t, bool spread)
{
	return (struct tiled){ .f = f, .d = d, .each = dtype_bytes(t),
	                       .spread = spread };
}

/* Kernels of panels spread over work-groups. First those whose groups keep few
 * columns of so many rows, at most `deep` of them below each other, where all
 * groups of the stack run at once. Then those whose groups keep all columns of
 * few rows, the shortest first: of the last one's rows divided by `share`. Few
 * groups agree fast, few rows follow fast: one is chosen while what groups tell
 * each other in a step is at most so many bytes, and all of them run at
 * once. */
static const struct spread {
	const char *kernel;
	size_t rows, deep, share, most;
} spreads[] = {
	{ "lu_columns_256", .rows = 256, .deep = 1 },
	{ "lu_columns_512", .rows = 512, .deep = 1 },
	{ "lu_columns_1024", .rows = 1024, .deep = 1 },
	{ "lu_columns_1536", .rows = 1536, .deep = 1 },
	{ "lu_columns_2048", .rows = 2048, .deep = 1 },
	{ "lu_grid_4096", .rows = 1024, .deep = 4 },
	{ "lu_grid_8192", .rows = 1024, .deep = LU_GRID_DEEP },
	{ "lu_spread_quarter", .share = 4, .most = 4 << 10 },
	{ "lu_spread_half", .share = 2, .most = MESSAGES },
	{ "lu_spread_panel", .share = 1, .most = SIZE_MAX },
};

/* Work-groups that keep the rows from j on. */
static size_t groups_of(const struct tiled *t, const struct spread *s,
                        size_t j)
{
	return s->deep ? NB / LU_COLUMNS * size_blocks(t->f->m - j, s->rows) :
	       size_blocks(t->f->m - j, LU_RESIDENT_ROWS(LU_SPREAD_ITEMS,
	                   t->each) / s->share);
}

/* The messages of so many groups, in bytes: of a step; of all, where they
 * stay. */
static size_t messages(const struct tiled *t, const struct spread *s,
                       size_t groups)
{
	return s->deep ? LU_MESSAGE(t->each) * groups / (NB / LU_COLUMNS) *
	                 s->rows + LU_GRID_ROWS(t->each) :
	                 groups * LU_MESSAGE(t->each);
}

/* Beside an update, a panel takes a quarter of the device at most. */
static bool fits(const struct tiled *t, const struct spread *s, size_t j)
{
	const size_t groups = groups_of(t, s, j);
	const bool beside = t->is_deep && s->deep;
	const size_t most = t->d->compute_units / (beside ? 4 : 1);

	return s->deep ? t->f->m - j <= s->deep * s->rows &&
	                 t->f->stack * groups <= most :
	                 messages(t, s, groups) <= s->most && groups <= most;
}

/* Who factors the panel at j, or NULL. */
static const struct spread *spread_of(const struct tiled *t, size_t j)
{
	for (size_t i = 0; t->spread && t->f->m - j > NB &&
	     i < COUNT(spreads); i++)
		if (fits(t, &spreads[i], j))
			return &spreads[i];
	return NULL;
}

/* Room for what any of them tells. */
static size_t post_size(const struct tiled *t)
{
	const struct spread *last = spreads + COUNT(spreads) - 1;
	size_t most = 2 * size_max(messages(t, last, groups_of(t, last, 0)),
	                           MESSAGES);

	for (const struct spread *s = spreads; s->deep; s++) {
		const size_t fit = t->d->compute_units /
		                   size_max(t->f->stack, 1);
		const size_t groups = size_min(fit, NB / LU_COLUMNS * size_min(
		    s->deep, size_blocks(t->f->m, s->rows)));

		if (groups >= NB / LU_COLUMNS)
			most = size_max(most, messages(t, s, groups));
	}
	return t->f->stack * most;
}

/* The most rows of a panel whose columns are spread over groups that keep all
 * of them, or 0. */
static size_t tallest(const struct tiled *t)
{
	size_t rows = 0;

	for (size_t j = 0; !rows && j < factors_pivots(t->f); j += NB) {
		const struct spread *s = spread_of(t, j);

		rows = s && s->deep == 1 ? s->rows : 0;
	}
	return rows;
}

/* No message may look like one of this panel before it is posted: only those
 * of the same kernel and as many groups have been overwritten since their
 * step's number came round. Those that keep all rows of their columns follow
 * each other, and set what has been read to what it was. */
static void post_clear(struct tiled *t, const struct spread *s, size_t groups)
{
	const bool same = t->last && (s->deep == 1 ? t->last->deep == 1 :
	                  t->last == s && t->groups == groups);

	if (!same)
		seq_fill(t->s, t->post, 0, post_size(t),
		         &(uint64_t){ s->deep == 1 ? UINT64_MAX : 0 },
		         sizeof(uint64_t));
	t->last = s;
	t->groups = groups;
}

static void panel_spread(struct tiled *t, const struct spread *s, size_t j)
{
	const struct factors *f = t->f;
	const size_t groups = groups_of(t, s, j);

	post_clear(t, s, groups);
	seq_launch(t->s, s->kernel,
	           GRID1(f->stack * groups * LU_SPREAD_ITEMS,
	                 LU_SPREAD_ITEMS),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(f->pivoting), ARG_BUF(f->swaps),
	           ARG_BUF(t->moves.now), ARG_BUF(t->stash),
	           ARG_INT(s->deep == 1 ? tallest(t) : groups),
	           ARG_BUF(t->post));
}

static const struct lu_resident *resident_of(const struct tiled *t, size_t j)
{
	return lu_resident_for(t->f->m - j, t->f->n, t->each);
}

/* For the multipliers of the stack's panels in registers, of which the first
 * is the largest: whole work-groups of rows. */
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
	    !spread_of(t, 0))
		lu_tall_need(n, t->f, type);
	if (t->spread)
		need_buffer(n, post_size(t));
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
	if (lu_deep_suits(f, type))
		lu_deep_need(n, d, type, f);
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
	const struct spread *s = spread_of(t, j);

	seq_work(t->s, f->stack * lu_flops(f->m - j, size_min(NB, f->n - j)),
	         0);
	if (s && (s->deep || !r))
		panel_spread(t, s, j);
	else if (r)
		panel_resident(t, r, j);
	else
		lu_tall_panel(t->s, t->f, &t->tall, j, t->moves.now);
}

/* Where the block of panels ends that begins at b, or all of them. */
static size_t block_end(const struct tiled *t, size_t b)
{
	const size_t end = b + lu_deep_block(seq_dtype(t->s));

	return t->is_deep && end + LU_REST <= factors_pivots(t->f) ? end :
	                                                             t->f->n;
}

/* Work-groups for an update beside the panels from j to end: those of a panel
 * must all find room at once, or the first ones wait for the others. */
static size_t groups_beside(const struct tiled *t, size_t j, size_t end)
{
	size_t most = 1;

	for (; j < end; j += NB)
		if (j < factors_pivots(t->f) && spread_of(t, j))
			most = size_max(most, groups_of(t, spread_of(t, j), j));
	return size_max(t->d->compute_units - most, 1);
}

/* The columns from `end` on follow the block's panels before `now`, in the
 * other lane: after half of them and before the last, so that then little is
 * left. */
static void block_follow(struct tiled *t, size_t begin, size_t now, size_t end)
{
	const struct lu_beside x = { begin, now, end, t->f->n };

	if (end == t->f->n || (now != (begin + end) / 2 && now != end - NB))
		return;
	seq_lane(t->s, 1);
	seq_follow(t->s, 0);
	lu_deep_rows(t->s, t->f, &t->deep, &x, t->followed);
	seq_lane(t->s, 0);
	t->followed = now;
}

/* The panels from begin to end and what they do to each other. */
static void block_panels(struct tiled *t, size_t begin, size_t end)
{
	const size_t pivots = factors_pivots(t->f);

	t->followed = begin;
	for (size_t j = begin; j < size_min(end, pivots); j += NB) {
		panel(t, j);
		lu_follow(t->s, t->f, &t->moves, j, t->is_deep ? begin : 0,
		          end);
		block_follow(t, begin, j + NB, end);
		seq_progress(t->s, (double)size_min(j + NB, pivots) /
		                   (double)pivots);
	}
}

/* The columns beside a block: the next one's now, others beside its panels. */
static void block_beside(struct tiled *t, size_t begin, size_t end)
{
	const struct factors *f = t->f;
	const size_t next = end < f->n ? block_end(t, end) : end;
	const struct lu_beside left = { begin, size_min(end, factors_pivots(f)),
	                                0, begin };
	const struct lu_beside soon = { begin, end, end, next };
	const struct lu_beside later = { begin, end, next, f->n };

	seq_follow(t->s, 1);
	seq_lane(t->s, 1);
	seq_follow(t->s, 0);
	if (next < f->n)
		lu_deep_rows(t->s, f, &t->deep, &later, t->followed);
	seq_lane(t->s, 0);
	if (end < next) {
		lu_deep_rows(t->s, f, &t->deep, &soon, t->followed);
		lu_deep_update(t->s, f, &t->deep.room[0], &soon,
		               t->d->compute_units);
	}
	seq_lane(t->s, 1);
	seq_follow(t->s, 0);
	if (next < f->n)
		lu_deep_update(t->s, f, &t->deep.room[1], &later,
		               groups_beside(t, end, next));
	if (begin > 0)
		lu_deep_rows(t->s, f, &t->deep, &left, begin);
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
		if (t->is_deep)
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
	t.is_deep = lu_deep_suits(f, seq_dtype(s)) && lu_deep_works(s);
	t.post = seq_scratch(s, post_size(&t));
	if (t.is_deep) {
		t.deep = lu_deep_of(s, f);
		t.moves.kept = t.deep.moves;
	}
	factor(&t);
}
