/* gang_judge.c - the estimated residual of factors that several devices hold;
 * see gang.h and sums.h. Each part computes its columns' shares of A x, of the
 * sums of |a_ij|, of U x and of L w, and the first part adds them up. */
#include <stdlib.h>

#include "ops/lapack/stack.h"
#include "ops/lu/gang.h"
#include "ops/lu/residual.h"
#include "ops/lu/sums.h"

size_t lu_gang_judge_bytes(size_t m, size_t k)
{
	return lu_sums_count(m, k) * sizeof(double);
}

/* A part's numbers for the others. */
static struct lu_sums shares_of(const struct lu_gang *g, int part)
{
	return lu_sums_at(board_own(&g->x, part), g->m);
}

static size_t wide(const struct lu_gang *g)
{
	return lu_wide_bytes(seq_sheet(g->s));
}

/* Makes a buffer of the device's type from host[0] to host[n - 1], which it
 * overwrites. */
static struct buf write_sums(struct lu_gang *g, double *host, size_t n)
{
	const struct buf b = seq_scratch(g->s, n * wide(g));

	lu_sums_write(g->s, b, host, n);
	return b;
}

void lu_gang_judge_a(struct lu_gang *g)
{
	const size_t items = lu_row_items(g->s);
	const struct lu_sums own = shares_of(g, g->x.part);
	double *x = lu_sums_room(g->s, g->c.own);

	if (!x)
		return;
	for (size_t i = 0; i < g->c.own; i++)
		x[i] = lapack_sign(columns_global(&g->c, i));
	g->x_own = write_sums(g, x, g->c.own);
	free(x);
	g->ax = seq_scratch(g->s, g->m * wide(g));
	g->norm = seq_scratch(g->s, g->m * wide(g));
	seq_launch(g->s, "lu_times_a", GRID2(g->m * items, 1, items, 1),
	           ARG_BUF(g->c.b), ARG_INT(g->c.own), ARG_BUF(g->x_own),
	           ARG_BUF(g->ax), ARG_BUF(g->norm),
	           ARG_LOCAL(items * wide(g)));
	lu_sums_read(g->s, g->ax, own.ax, g->m);
	lu_sums_read(g->s, g->norm, own.norm, g->m);
}

/* Returns the sum of all parts' numbers, from malloc(); `at` is where they
 * begin among a part's. */
static double *sum_of(struct lu_gang *g, size_t at, size_t n)
{
	double *const sum = lu_sums_room(g->s, n);

	for (int p = 0; sum && p < g->x.parts; p++)
		for (size_t i = 0; i < n; i++)
			sum[i] += shares_of(g, p).ax[at + i];
	return sum;
}

void lu_gang_judge_u(struct lu_gang *g)
{
	const size_t items = lu_row_items(g->s);
	const struct buf share = seq_scratch(g->s, g->k * wide(g));
	double *ux;

	seq_launch(g->s, "lu_blocks_times_u", GRID1(g->k * items, items),
	           ARG_BUF(g->c.b), ARG_INT(g->c.own), ARG_INT(g->c.width),
	           ARG_INT(g->c.part), ARG_INT(g->c.parts), ARG_BUF(g->x_own),
	           ARG_BUF(share), ARG_LOCAL(items * wide(g)));
	lu_sums_read(g->s, share, shares_of(g, g->x.part).ux, g->k);
	if (!board_meet(&g->x))
		return;
	ux = sum_of(g, 3 * g->m, g->k);
	if (ux)
		g->ux = write_sums(g, ux, g->k);
	free(ux);
	g->lw = seq_scratch(g->s, g->m * wide(g));
	seq_fill(g->s, g->lw, 0, g->m * wide(g), &(float){ 0 }, sizeof(float));
}

void lu_gang_judge_block(struct lu_gang *g, size_t block, struct buf lu)
{
	const size_t items = lu_row_items(g->s), j = block * g->c.width;
	const size_t cols = columns_width(&g->c, block);

	if (j >= g->k)
		return;
	seq_launch(g->s, "lu_blocks_times_l", GRID1(g->m * items, items),
	           ARG_BUF(lu), ARG_INT(0), ARG_INT(j), ARG_INT(cols),
	           ARG_INT(size_min(cols, g->k - j)), ARG_BUF(g->ux),
	           ARG_BUF(g->lw), ARG_LOCAL(items * wide(g)));
}

void lu_gang_judge_end(struct lu_gang *g, struct args *a)
{
	double *all;

	lu_sums_read(g->s, g->lw, shares_of(g, g->x.part).lw, g->m);
	if (!board_meet(&g->x) || g->x.part > 0)
		return;
	all = sum_of(g, 0, lu_sums_count(g->m, g->k));
	if (all) {
		const struct lu_sums x = lu_sums_at(all, g->m);

		a->verdict.residual = lu_sums_ratio(g->s, &x, g->m, g->n,
		    g->k, lu_pivots_after(&g->p, 0));
	}
	free(all);
}
