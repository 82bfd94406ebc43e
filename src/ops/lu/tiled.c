/* tiled.c - the launches of kernels/lu/lu.cl, in place, for all matrices of the
 * stack at once: each panel is factored and applied to the columns of its block
 * (follow.h), each block of panels to the columns beyond (deferred.h). A panel
 * is factored in the registers of one work-group where it fits, or of several
 * co-resident ones where the device lets them exchange messages. docs/lu.md
 * draws it all. */
#include "ops/lu/deferred.h"
#include "ops/lu/follow.h"
#include "ops/lu/panels.h"
#include "ops/lu/resident.h"
#include "ops/lu/tall.h"
#include "shared/lu_tile.h"

enum { NB = LU_NB };

/* Measured on an H200, for estimates: how many floating-point operations of an
 * update a compute unit does in a nanosecond, for elements of 4 and of 8 bytes,
 * and the time of a tall panel until it has been applied to its block. */
static const double UNIT_FLOPS_32 = 1400, UNIT_FLOPS_64 = 450, PANEL_NS = 3e5;

struct tiled {
	struct seq *s;
	struct lu_panels p;		/* its `defers` says that updates wait
					 * for a block */
	struct lu_deferred deferred;	/* if they do */
	size_t applied;			/* the block's panels left of it are
					 * applied to rows beyond the block */
	struct lu_moves moves;
	struct lu_tall tall;		/* of panels in memory */
	struct buf stash;		/* multipliers of panels in registers */
	struct buf messages;		/* of spread panels */
	const struct lu_panel_kernel *previous;	/* panel's kernel, if spread */
	size_t previous_groups;			/* and its work-groups */
};

static struct tiled tiled_of(const struct factors *f, const struct sheet *d,
                             enum dtype t, bool spread)
{
	return (struct tiled){ .p = { .f = f, .d = d, .each = dtype_bytes(t),
	                              .spread = spread } };
}

/* A receiver recognises a message by its tag, so a stale message of an earlier
 * panel must never carry a tag that this panel will use. The buffer is
 * therefore cleared, except where the previous panel ran the same kernel with
 * as many work-groups: then every slot has been overwritten since its tag was
 * last used. lu_columns_* have words without tags instead, and each panel
 * clears the words of the one before, whichever of these kernels that ran. */
static void messages_clear(struct tiled *t, const struct lu_panel_kernel *s,
                           size_t groups)
{
	const struct lu_panel_kernel *q = t->previous;
	const bool same = q && (s->height == 1 ? q->height == 1 :
	                        q == s && t->previous_groups == groups);

	if (!same)
		seq_fill(t->s, t->messages, 0, lu_panels_messages(&t->p),
		         &(uint64_t){ s->height == 1 ? UINT64_MAX : 0 },
		         sizeof(uint64_t));
	t->previous = s;
	t->previous_groups = groups;
}

static void panel_spread(struct tiled *t, const struct lu_panel_kernel *s,
                         size_t j)
{
	const struct factors *f = t->p.f;
	const size_t groups = lu_panel_groups(&t->p, s, j);

	messages_clear(t, s, groups);
	seq_launch(t->s, s->name,
	           GRID1(f->stack * groups * LU_SPREAD_ITEMS,
	                 LU_SPREAD_ITEMS),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(f->pivoting), ARG_BUF(f->swaps),
	           ARG_BUF(t->moves.now), ARG_BUF(t->stash),
	           ARG_INT(s->height == 1 ? lu_panels_tallest(&t->p) : groups),
	           ARG_BUF(t->messages));
}

static const struct lu_resident *resident_of(const struct tiled *t, size_t j)
{
	return lu_resident_for(t->p.f->m - j, t->p.f->n, t->p.each);
}

/* Bytes for the multipliers of the stack's panels in registers, whole
 * work-groups of rows. The first panel is the largest. */
static size_t stash_size(const struct tiled *t)
{
	const struct lu_resident *r = resident_of(t, 0);
	const size_t group = LU_RESIDENT_ROWS(LU_SPREAD_ITEMS, t->p.each);
	const size_t rows = r ? (size_t)r->rows[t->p.each == 8] :
	    t->p.spread ? size_blocks(t->p.f->m, group) * group :
	    (size_t)LU_RESIDENT_ROWS(LU_RESIDENT_ITEMS, t->p.each);

	return t->p.f->stack * rows * t->p.each *
	       size_min(NB, r ? (size_t)r->columns : NB);
}

static size_t moves_size(const struct tiled *t)
{
	return t->p.f->stack * 2 * NB * sizeof(int32_t);
}

static void need_tiled(struct need *n, const struct tiled *t, enum dtype type)
{
	const size_t words = lu_follow_words(t->p.f, type);

	need_buffer(n, stash_size(t));
	need_buffer(n, moves_size(t));
	if (factors_pivots(t->p.f) > 0 && !resident_of(t, 0) &&
	    !lu_panel_kernel_of(&t->p, 0))
		lu_tall_need(n, t->p.f, type);
	if (t->p.spread)
		need_buffer(n, lu_panels_messages(&t->p));
	if (t->p.spread && words > 0)
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
	const struct factors *f = t->p.f;
	const int items = r->items[t->p.each == 8];

	seq_launch(t->s, r->kernel, GRID1(f->stack * items, items),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(j),
	           ARG_INT(f->pivoting), ARG_BUF(f->swaps),
	           ARG_BUF(t->moves.now), ARG_BUF(t->stash));
}

static void panel(struct tiled *t, size_t j)
{
	const struct factors *f = t->p.f;
	const struct lu_resident *r = resident_of(t, j);
	const struct lu_panel_kernel *s = lu_panel_kernel_of(&t->p, j);

	seq_work(t->s, f->stack * lu_flops(f->m - j, size_min(NB, f->n - j)),
	         0);
	if (s && (s->height || !r))
		panel_spread(t, s, j);
	else if (r)
		panel_resident(t, r, j);
	else
		lu_tall_panel(t->s, t->p.f, &t->tall, j, t->moves.now);
}

/* The end of the block of panels that begins at column b: n where updates are
 * not deferred, or not any more. */
static size_t block_end(const struct tiled *t, size_t b)
{
	const size_t end = b + lu_deferred_block(seq_dtype(t->s));

	return t->p.defers && end + LU_REST <= factors_pivots(t->p.f) ? end :
	       t->p.f->n;
}

/* Estimates the time of a deferred update by all compute units. */
static double update_ns(const struct tiled *t, const struct lu_block *x)
{
	const struct factors *f = t->p.f;
	const double rate = t->p.each == 8 ? UNIT_FLOPS_64 : UNIT_FLOPS_32;
	const double columns = (double)(x->to - x->from) * f->stack;

	return 2 * columns * (f->m - x->end) * (x->end - x->begin) /
	       (rate * t->p.d->compute_units);
}

/* Work-groups for a deferred update beside the panels from its last column to
 * `end`. It leaves room for all work-groups of the largest panel, as long as
 * that delays the update by less than the panels take: the first ones to start
 * would otherwise idle until the others start, too. */
static size_t groups_beside(const struct tiled *t, const struct lu_block *x,
                            size_t end)
{
	const size_t all = t->p.d->compute_units;
	size_t most = 1, panels = 0;

	for (size_t j = x->end; j < size_min(end, factors_pivots(t->p.f));
	     j += NB, panels++) {
		const struct lu_panel_kernel *k = lu_panel_kernel_of(&t->p, j);

		if (k)
			most = size_max(most, lu_panel_groups(&t->p, k, j));
	}
	return most < all && update_ns(t, x) * most / (all - most) <=
	                     (double)panels * PANEL_NS ? all - most : all;
}

/* Applies the block's panels left of column `now` to the rows of the columns
 * from `end` on, in lane 1: after half of the panels, and before the last one,
 * so that little is left to do after it. */
static void block_apply_early(struct tiled *t, size_t begin, size_t now,
                              size_t end)
{
	const struct lu_block x = { begin, now, end, t->p.f->n };

	if (end == t->p.f->n || (now != (begin + end) / 2 && now != end - NB))
		return;
	seq_lane(t->s, 1);
	seq_follow(t->s, 0);
	lu_deferred_rows(t->s, t->p.f, &t->deferred, &x, t->applied);
	seq_lane(t->s, 0);
	t->applied = now;
}

/* Factors the panels from column begin to end and applies each inside the
 * block. */
static void block_panels(struct tiled *t, size_t begin, size_t end)
{
	const size_t pivots = factors_pivots(t->p.f);

	t->applied = begin;
	for (size_t j = begin; j < size_min(end, pivots); j += NB) {
		panel(t, j);
		lu_follow(t->s, t->p.f, &t->moves, j, t->p.defers ? begin : 0,
		          end);
		block_apply_early(t, begin, j + NB, end);
		seq_progress(t->s, (double)size_min(j + NB, pivots) /
		                   (double)pivots);
	}
}

/* Says, where there is one matrix, that its first rows are complete: those of a
 * block are when its later columns and those to its left have been done in lane
 * 1. */
static void rows_done(struct tiled *t, size_t rows)
{
	if (t->p.f->stack == 1)
		seq_output_done(t->s, t->p.f->lu, 0,
		                rows * t->p.f->n * t->p.each);
}

/* Applies a block to the columns beside it: at once to the next block's, and to
 * all others in lane 1, beside the next block's panels. */
static void block_beside(struct tiled *t, size_t begin, size_t end)
{
	const struct factors *f = t->p.f;
	const size_t next = end < f->n ? block_end(t, end) : end;
	const size_t last = size_min(end, factors_pivots(f));
	const struct lu_deferred *d = &t->deferred;
	const struct lu_block left = { begin, last, 0, begin };
	const struct lu_block next_block = { begin, end, end, next };
	const struct lu_block later = { begin, end, next, f->n };

	seq_follow(t->s, 1);
	rows_done(t, begin);
	seq_lane(t->s, 1);
	seq_follow(t->s, 0);
	if (next < f->n)
		lu_deferred_rows(t->s, f, d, &later, t->applied);
	seq_lane(t->s, 0);
	if (end < next) {
		lu_deferred_rows(t->s, f, d, &next_block, t->applied);
		lu_deferred_update(t->s, f, &d->room[0], &next_block,
		                   t->p.d->compute_units);
	}
	seq_lane(t->s, 1);
	seq_follow(t->s, 0);
	if (next < f->n)
		lu_deferred_update(t->s, f, &d->room[1], &later,
		                   groups_beside(t, &later, next));
	if (begin > 0)
		lu_deferred_rows(t->s, f, d, &left, begin);
	seq_lane(t->s, 0);
}

static void factor(struct tiled *t)
{
	const struct factors *f = t->p.f;
	const size_t elements = f->stack * f->m * f->n;

	t->stash = seq_scratch(t->s, stash_size(t));
	t->moves.now = seq_scratch(t->s, moves_size(t));
	if (t->p.spread)
		t->moves.ready = lu_follow_ready(t->s, f);
	seq_copy(t->s, f->a, 0, f->lu, 0, elements * t->p.each);
	for (size_t begin = 0, end; begin < factors_pivots(f); begin = end) {
		end = block_end(t, begin);
		block_panels(t, begin, end);
		if (t->p.defers)
			block_beside(t, begin, end);
	}
	if (t->p.defers)
		seq_follow(t->s, 1);
	rows_done(t, f->m);
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
	t.p.defers = lu_deferred_suits(f, seq_dtype(s)) && lu_deferred_works(s);
	t.messages = seq_scratch(s, lu_panels_messages(&t.p));
	if (t.p.defers) {
		t.deferred = lu_deferred_of(s, f);
		t.moves.kept = t.deferred.moves;
	}
	factor(&t);
}
