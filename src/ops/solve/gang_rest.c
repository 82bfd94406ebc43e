/* gang_rest.c - the norm of A and the residual b - A x, of which every device
 * computes its columns' share; see gang.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/lu/residual.h"
#include "ops/lu/sums.h"
#include "ops/solve/gang.h"

enum {
	CHUNK = 1024,			/* rows that one item sums */
	ITEMS = 64,
	LANES = 32, TEAMS = 8,		/* kernels/solve/lanes.h */
	ROW = 3				/* wide numbers in its struct row */
};

/* The largest of the part's sums of |a| down its columns. */
static double largest_sum(struct solve_gang *g, struct buf bad)
{
	const size_t own = g->lu.c.own, chunks = size_blocks(g->n, CHUNK);
	const int mark = seq_mark(g->s);
	const struct buf sums = seq_scratch(g->s, chunks * own *
	                                    lu_wide_bytes(seq_sheet(g->s)));
	double most = 0, *host;

	seq_work(g->s, 0, (double)g->n * own * g->lu.each);
	seq_launch(g->s, "solve_gang_look", GRID2(own, chunks, ITEMS, 1),
	           ARG_BUF(g->a), ARG_INT(g->n), ARG_INT(own), ARG_INT(CHUNK),
	           ARG_BUF(sums), ARG_BUF(bad));
	host = lu_wide_read(g->s, sums, chunks * own);
	seq_drop(g->s, mark);
	for (size_t c = 0; host && c < own; c++) {
		double sum = 0;

		for (size_t k = 0; k < chunks; k++)
			sum += host[k * own + c];
		most = lu_larger(most, sum);
	}
	free(host);
	return most;
}

bool solve_gang_look(struct solve_gang *g)
{
	const struct buf bad = seq_scratch(g->s, sizeof(int32_t));
	double *const own = solve_gang_own(g);
	int32_t is_bad = 0;
	bool finite = true;

	seq_write(g->s, bad, 0, &is_bad, sizeof is_bad);
	own[0] = largest_sum(g, bad);
	seq_read(g->s, bad, 0, &is_bad, sizeof is_bad);
	own[1] = is_bad;
	if (!solve_gang_exchange(g))
		return true;
	for (int p = 0; p < g->lu.x.parts; p++) {
		g->norm = lu_larger(g->norm, solve_gang_theirs(g, p)[0]);
		finite &= solve_gang_theirs(g, p)[1] == 0;
	}
	return finite;
}

/* Writes the part's elements of x to the device, [column][own]. */
static void put(struct solve_gang *g, size_t cols)
{
	const size_t own = g->lu.c.own;

	for (size_t q = 0; q < cols; q++)
		for (size_t c = 0; c < own; c++) {
			const double x = g->x_now[q * g->n +
			                          columns_global(&g->lu.c, c)];

			if (g->lu.each == sizeof(float))
				((float *)g->room)[q * own + c] = (float)x;
			else
				((double *)g->room)[q * own + c] = x;
		}
	seq_write(g->s, g->own, 0, g->room, cols * own * g->lu.each);
}

/* Gives the others the part's share of A X and of |A| |X|. */
static void share(struct solve_gang *g, size_t cols)
{
	const size_t wide = lu_wide_bytes(seq_sheet(g->s)), own = g->lu.c.own;
	double *host;

	seq_work(g->s, 2.0 * g->n * own * cols,
	         (double)g->n * own * g->lu.each);
	seq_launch(g->s, "solve_gang_rest",
	           GRID3(LANES, g->n, cols, LANES, TEAMS, 1), ARG_BUF(g->a),
	           ARG_INT(g->n), ARG_INT(own), ARG_BUF(g->own),
	           ARG_BUF(g->share), ARG_LOCAL(LANES * TEAMS * ROW * wide));
	host = lu_wide_read(g->s, g->share, 3 * g->n * cols);
	if (host)
		memcpy(solve_gang_own(g), host, 3 * g->n * cols *
		                                sizeof *host);
	free(host);
}

/* A sum of two numbers that are not added (Ogita, Rump and Oishi 2005). */
struct sum { double high, low; };

static struct sum add(struct sum a, double high, double low)
{
	const double s = a.high + high, b = s - a.high;
	const double error = (a.high - (s - b)) + (high - b);

	return (struct sum){ s, error + (a.low + low) };
}

void solve_gang_rest(struct solve_gang *g, size_t cols)
{
	const size_t n = g->n;

	if (cols == 0)
		return;
	put(g, cols);
	share(g, cols);
	if (!solve_gang_exchange(g))
		return;
	for (size_t q = 0; q < cols; q++)
		for (size_t i = 0; i < n; i++) {
			const double b = g->b[q * n + i];
			struct sum sum = { -b, 0 };
			double size = fabs(b);

			for (int p = 0; p < g->lu.x.parts; p++) {
				const double *at = solve_gang_theirs(g, p) +
				                   q * 3 * n + i;

				sum = add(sum, at[0], at[n]);
				size += at[2 * n];
			}
			g->r[q * n + i] = -(sum.high + sum.low);
			g->size[q * n + i] = size;
		}
}
