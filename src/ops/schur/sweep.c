/* sweep.c - a sweep on the device; see schur.h. Three launches of the kernels
 * in kernels/schur/chase.cl and apply.cl move all chains of bulges SCHUR_STEPS
 * rows down; a sweep repeats them. The host waits for none of the launches. */
#include "base/size.h"
#include "ops/schur/schur.h"
#include "shared/schur_tile.h"

enum { APPLIERS = SCHUR_TILE * SCHUR_TEAMS };

/* Moves all chains SCHUR_STEPS rows down. */
static void move(struct schur *c)
{
	const size_t n = c->n, chains = size_blocks(c->bulges, SCHUR_BULGES);
	const size_t above = c->form ? 0 : c->top;
	const size_t right = c->form ? n : c->bottom;
	const size_t tiles = size_blocks(right - c->top, SCHUR_TILE);
	const size_t all = tiles + (c->form ? size_blocks(n, SCHUR_TILE) : 0);
	const size_t down = size_blocks(c->bottom - above, SCHUR_TILE);

	seq_launch(c->s, "schur_chase",
	           GRID1(chains * SCHUR_GROUP, SCHUR_GROUP), ARG_BUF(c->t),
	           ARG_INT(n), ARG_INT(c->top), ARG_INT(c->bottom - 1),
	           ARG_INT(c->front), ARG_INT(c->bulges), ARG_BUF(c->given),
	           ARG_BUF(c->u));
	seq_launch(c->s, "schur_left", GRID1(chains * all * APPLIERS, APPLIERS),
	           ARG_BUF(c->t), ARG_BUF(c->form ? c->z : c->t), ARG_INT(n),
	           ARG_INT(c->top), ARG_INT(c->bottom - 1), ARG_INT(c->front),
	           ARG_INT(right), ARG_INT(tiles), ARG_INT(all),
	           ARG_BUF(c->u));
	seq_launch(c->s, "schur_right",
	           GRID1(chains * down * APPLIERS, APPLIERS), ARG_BUF(c->t),
	           ARG_INT(n), ARG_INT(c->top), ARG_INT(c->bottom - 1),
	           ARG_INT(c->front), ARG_INT(above), ARG_INT(down),
	           ARG_BUF(c->u));
	c->front += SCHUR_STEPS;
}

/* Writes the shifts to the device. The first bulge uses the last shifts. */
static void give(const struct schur *c, size_t first, size_t count)
{
	double x[SCHUR_SHIFTS * SCHUR_SHIFT / 2];

	for (size_t i = 0; i < count; i++) {
		const size_t from = first + count - 2 - i / 2 * 2 + i % 2;

		x[2 * i] = c->shift_re[from];
		x[2 * i + 1] = c->shift_im[from];
	}
	seq_write(c->s, c->given, 0, x, 2 * count * sizeof *x);
}

void schur_sweep_begin(struct schur *c, size_t first, size_t count)
{
	give(c, first, count);
	c->bulges = count / 2;
	c->front = (long)c->top - 1;
}

void schur_sweep_until(struct schur *c, size_t end)
{
	while (c->front + SCHUR_STEPS + 3 < (long)end)
		move(c);
}

void schur_sweep_end(struct schur *c)
{
	const long chains = (long)size_blocks(c->bulges, SCHUR_BULGES);
	const long behind = (chains - 1) * SCHUR_GAP + 3 * (SCHUR_BULGES - 1);

	while (c->front - behind <= (long)c->bottom - 3)
		move(c);
}
