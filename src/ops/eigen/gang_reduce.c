/* gang_reduce.c - T = Q^T A Q by the parts of a gang; see gang.h and
 * kernels/tridiagonal/gang.cl.
 *
 * Every part holds V and W of a panel as a whole, and makes the same
 * reflections from them. Only the products with A are shared out: for each
 * column p, a part multiplies its own rows of A by v, and gets the other
 * elements of y = A v from the other parts. So there is one exchange for a
 * column, besides one for a panel: sytrd_column reads row p + 1 of A, as it was
 * before the panel, which one of the parts has.
 *
 * Panel k is made of rows 32 k to 32 k + 31, which belong to one part because
 * blocks have a multiple of 32 rows, and so of columns 32 k - 1 to 32 k + 30.
 *
 * A reflection of rounding errors alone has an arbitrary direction, so devices
 * that round differently would make different ones. Each part therefore sends
 * the subdiagonal element of T to the others, too, and all stop unless they
 * agree in all bits. */
#include <string.h>

#include "ops/eigen/gang.h"

enum { NB = SYTRD_MOST, TEAMS = SYTRD_ITEMS / SYTRD_TEAM };

static size_t at_least_one(size_t blocks)
{
	return size_max(blocks, 1);
}

/* Computes the part's own elements of y for column p, from own row `from` on,
 * where `count` rows of P and Q exist. */
static void multiply(const struct eigen_gang *g, size_t p, size_t from,
                     size_t count)
{
	const struct sytrd *r = &g->r;
	const struct tridiagonal_form *f = &r->f;
	const size_t rows = g->c.own - from;
	const double work = (double)rows * (double)(g->n - p - 1);

	seq_work(g->s, 2 * work, work * (double)g->each);
	seq_launch(g->s, "sytrd_own_times",
	           GRID1(at_least_one(size_blocks(rows + count, TEAMS)) *
	                 SYTRD_ITEMS, SYTRD_ITEMS),
	           ARG_BUF(g->c.b), ARG_INT(g->c.own), ARG_INT(from),
	           ARG_INT(g->n), ARG_INT(g->ld), ARG_INT(p), ARG_INT(count),
	           ARG_BUF(r->x), ARG_BUF(r->q), ARG_BUF(r->s),
	           ARG_BUF(f->t), ARG_BUF(g->y_parts),
	           ARG_LONG(g->c.part * g->step));
}

/* Do the two parts have the same subdiagonal element? */
static bool agree(struct eigen_gang *g, const char *own, const char *other)
{
	if (memcmp(own, other, g->each) == 0)
		return true;
	err_set_at(seq_err(g->s), ERR_PARAMETER, "/devices", "eigen: the "
	           "devices do not round alike, and so cannot reduce one "
	           "matrix together: ask for devices=1");
	return false;
}

/* Takes the elements of y from another part. */
static bool take(struct eigen_gang *g, size_t p, size_t part)
{
	const struct columns c = columns_part(&g->c, part);
	const size_t from = columns_from(&c, p + 1);
	const char *own = eigen_gang_own_of(g, (int)g->c.part).y[p % 2];
	const char *y = eigen_gang_own_of(g, (int)part).y[p % 2];

	board_write(&g->x, g->y_parts, (part * g->step + from) * g->each,
	            y + from * g->each, (c.own - from) * g->each);
	return agree(g, own + g->c.own * g->each, y + c.own * g->each);
}

/* Sends the part's own elements of y to the others, and takes theirs. False:
 * the call has ended. */
static bool exchange(struct eigen_gang *g, size_t p, size_t from)
{
	char *y = eigen_gang_own_of(g, (int)g->c.part).y[p % 2];

	board_read(&g->x, g->y_parts, (g->c.part * g->step + from) * g->each,
	           y + from * g->each, (g->c.own + 1 - from) * g->each);
	if (!board_meet(&g->x))
		return false;
	for (size_t i = 0; i < g->c.parts; i++)
		if (i != g->c.part && !take(g, p, i))
			return false;
	return !seq_failed(g->s);
}

static bool column(struct eigen_gang *g, size_t p, size_t count)
{
	const size_t from = columns_from(&g->c, p + 1);
	const struct sytrd *r = &g->r;

	multiply(g, p, from, count);
	if (!exchange(g, p, from))
		return false;
	seq_launch(g->s, "sytrd_gather",
	           GRID1(size_round_up(g->n - p - 1, SYTRD_ITEMS),
	                 SYTRD_ITEMS),
	           ARG_BUF(g->y_parts), ARG_LONG(g->step), ARG_INT(g->c.width),
	           ARG_INT(g->c.parts), ARG_INT(g->n), ARG_INT(p),
	           ARG_BUF(r->x), ARG_BUF(r->f.t), ARG_BUF(r->y),
	           ARG_BUF(r->products));
	sytrd_column(r, p, count);
	return true;
}

/* Copies `rows` rows of A, from row `first` on, to the same rows of the
 * reflections' matrix, which no reflection has reached yet. */
static bool share_rows(struct eigen_gang *g, size_t first, size_t rows)
{
	const bool mine = columns_has(&g->c, first / g->c.width);
	const size_t own = columns_from(&g->c, first) * g->ld * g->each;
	const size_t at = first * g->ld * g->each;
	const size_t bytes = rows * g->ld * g->each, slot = g->slot++;
	const void *from;

	if (mine) {
		board_read(&g->x, g->c.b, own, board_slot(&g->x, slot), bytes);
		board_post(&g->x, slot);
	}
	from = board_take(&g->x, slot);
	if (!from)
		return false;
	if (mine)
		seq_copy(g->s, g->c.b, own, g->r.f.v, at, bytes);
	else
		board_write(&g->x, g->r.f.v, at, from, bytes);
	board_release(&g->x, slot);
	return !seq_failed(g->s);
}

/* A -= P^T Q for the part's own rows that follow row `next` - 1, with `count`
 * rows of P and Q. */
static void update(const struct eigen_gang *g, size_t next, size_t count)
{
	const struct sytrd *r = &g->r;
	const size_t from = columns_from(&g->c, next);
	const size_t rows = g->c.own - from, ld = sytrd_ld(g->c.own);
	const struct blas_part p = { g->own_p, from, ld, 0, true };
	const struct blas_part q = { r->q, next, g->ld, 0, false };
	const struct blas_part a = { g->c.b, from * g->ld + next, g->ld, 0,
	                             false };

	if (rows == 0)
		return;
	seq_launch(g->s, "sytrd_own_rows",
	           GRID2(size_round_up(g->c.own, NB), count, NB, 1),
	           ARG_BUF(r->p), ARG_INT(g->ld), ARG_INT(g->c.own),
	           ARG_INT(g->c.width), ARG_INT(g->c.part),
	           ARG_INT(g->c.parts), ARG_INT(count), ARG_INT(ld),
	           ARG_BUF(g->own_p));
	blas_gemm(g->s, &(struct blas_gemm){ .stack = 1, .m = rows,
	                                     .n = g->n - next, .k = count,
	                                     .alpha = -1, .beta = 1,
	                                     .tensor = &r->f.tensor },
	          &p, &q, &a);
}

/* Makes the panel of these rows. */
static bool panel(struct eigen_gang *g, size_t first, size_t rows)
{
	const size_t p0 = first > 0 ? first - 1 : 0, end = first + rows;
	size_t p = p0;

	if (!share_rows(g, first, rows))
		return false;
	if (first == 0)
		sytrd_start(&g->r);
	for (; p + 1 < end; p++)
		if (!column(g, p, 2 * (p - p0)))
			return false;
	if (end < g->n)
		update(g, end, 2 * (p - p0));
	return true;
}

void eigen_gang_reduce(struct eigen_gang *g)
{
	for (size_t i = 0; i < g->n; i += NB) {
		if (!panel(g, i, size_min(NB, g->n - i)))
			return;
		seq_progress(g->s, (double)i / (double)g->n * 0.75);
	}
	sytrd_clean(&g->r);
}
