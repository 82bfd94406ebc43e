/* gang_judge.c - the estimated residual of factors that several devices hold;
 * see gang.h and residual.h, whose ratio this is. With w = U x,
 *
 *     |P (A x) - L w| / (n |A| |x| eps)  in the maximum norm
 *
 * where each part computes its columns' shares of A x, of the sums of |a_ij|,
 * of U x and of L w, and the first part adds them up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/lapack/stack.h"
#include "ops/lu/gang.h"
#include "ops/lu/residual.h"

size_t lu_gang_judge_bytes(size_t m, size_t k)
{
	return (3 * m + k) * sizeof(double);
}

/* A part's numbers for the others. */
struct shares {
	double *ax, *norm, *lw, *ux;
};

static struct shares shares_of(const struct lu_gang *g, int part)
{
	double *const x = board_own(&g->x, part);

	return (struct shares){ x, x + g->m, x + 2 * g->m, x + 3 * g->m };
}

static size_t wide(const struct lu_gang *g)
{
	return lu_wide_bytes(seq_sheet(g->s));
}

/* Reads sums of the device's type. Waits. */
static void read_sums(struct lu_gang *g, struct buf b, double *to, size_t n)
{
	double *const x = lu_wide_read(g->s, b, n);

	if (x)
		memcpy(to, x, n * sizeof *x);
	free(x);
}

/* Makes a buffer of the device's type from host[0] to host[n - 1], which it
 * overwrites. */
static struct buf write_sums(struct lu_gang *g, double *host, size_t n)
{
	const struct buf b = seq_scratch(g->s, n * wide(g));

	for (size_t i = 0; i < n && wide(g) == sizeof(float); i++)
		((float *)host)[i] = (float)host[i];
	seq_write(g->s, b, 0, host, n * wide(g));
	return b;
}

static double *room_for(struct lu_gang *g, size_t n)
{
	double *const x = calloc(n + 1, sizeof *x);

	if (!x)
		err_set(seq_err(g->s), ERR_MEMORY, "lu: no memory for %zu "
		        "sums", n);
	return x;
}

void lu_gang_judge_a(struct lu_gang *g)
{
	const size_t items = lu_row_items(g->s);
	const struct shares own = shares_of(g, g->x.part);
	double *x = room_for(g, g->c.own);

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
	read_sums(g, g->ax, own.ax, g->m);
	read_sums(g, g->norm, own.norm, g->m);
}

/* Returns the sum of all parts' numbers, from malloc(); `at` is where they
 * begin among a part's. */
static double *sum_of(struct lu_gang *g, size_t at, size_t n)
{
	double *const sum = room_for(g, n);

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

	seq_launch(g->s, "lu_gang_times_u", GRID1(g->k * items, items),
	           ARG_BUF(g->c.b), ARG_INT(g->c.own), ARG_INT(g->c.width),
	           ARG_INT(g->c.part), ARG_INT(g->c.parts), ARG_BUF(g->x_own),
	           ARG_BUF(share), ARG_LOCAL(items * wide(g)));
	read_sums(g, share, shares_of(g, g->x.part).ux, g->k);
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
	seq_launch(g->s, "lu_gang_times_l", GRID1(g->m * items, items),
	           ARG_BUF(lu), ARG_INT(j), ARG_INT(cols),
	           ARG_INT(size_min(cols, g->k - j)), ARG_BUF(g->ux),
	           ARG_BUF(g->lw), ARG_LOCAL(items * wide(g)));
}

/* sums: A x, |a_ij|, L w without L's diagonal, and w = U x, of all parts; order
 * as in A[order] = L U. */
static double ratio_of(const struct lu_gang *g, const double *sums,
                       const int32_t *order)
{
	const double *ax = sums, *norm = ax + g->m, *lw = norm + g->m;
	const double *ux = lw + g->m;
	double defect = 0, most = 0;

	for (size_t i = 0; i < g->m; i++) {
		defect = lu_gang_larger(defect, fabs(ax[order[i]] - lw[i] -
		                             (i < g->k ? ux[i] : 0)));
		most = lu_gang_larger(most, norm[i]);
	}
	return defect == 0 ? 0 : defect / most;
}

void lu_gang_judge_end(struct lu_gang *g, struct args *a)
{
	const double eps = dtype_epsilon(seq_dtype(g->s)) / 2;
	double *sums;

	read_sums(g, g->lw, shares_of(g, g->x.part).lw, g->m);
	if (!board_meet(&g->x) || g->x.part > 0)
		return;
	sums = sum_of(g, 0, 3 * g->m + g->k);
	if (sums)
		a->verdict.residual = ratio_of(g, sums,
		    lu_gang_pivots_after(&g->p, 0)) / ((double)g->n * eps);
	free(sums);
}
