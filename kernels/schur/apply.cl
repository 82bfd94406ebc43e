/* apply.cl - applies the transforms Q of schur_chase to the elements of T
 * outside of the windows (window.h), and to Z:
 *
 *     schur_left     T(lo..hi, hi + 1..) = Q^T T(lo..hi, hi + 1..), and
 *                    Z^T(lo..hi, :) = Q^T Z^T(lo..hi, :)
 *     schur_right    T(..lo - 1, lo..hi) = T(..lo - 1, lo..hi) Q
 *
 * for the window lo..hi of each chain. Arguments of the same names are those of
 * schur_chase; Z^T is n x n and row-major. A work-group updates a tile of
 * SCHUR_TILE columns (schur_left) or rows (schur_right) for one chain, by
 * SCHUR_TEAMS teams of SCHUR_TILE work-items.
 */
#include "lib/real.h"
#include "schur/window.h"

#define SIZE SCHUR_WINDOW
#define TILE SCHUR_TILE
#define TEAMS SCHUR_TEAMS
#define ITEMS (TILE * TEAMS)
/* A work-item computes EACH elements in schur_left, ROWS x COLS in
 * schur_right. */
#define EACH ((SIZE + TEAMS - 1) / TEAMS)
#define ROWS (TILE / TEAMS)
#define COLS ((SIZE + TILE - 1) / TILE)

static void load_q(global const real *u, int chain, local real *q)
{
	u += (size_t)chain * SIZE * SIZE;
	for (int e = get_local_id(0); e < SIZE * SIZE; e += ITEMS)
		q[e] = u[e];
}

/* x = Q^T x for a `rows` x `cols` matrix at x, with n elements between rows. */
static void from_left(global real *x, int n, int rows, int cols,
                      local const real *q, local real *part)
{
	const int lane = get_local_id(0) % TILE, team = get_local_id(0) / TILE;
	real sum[EACH];

	for (int i = team; i < rows; i += TEAMS)
		part[i * TILE + lane] = lane < cols ?
		                        x[(size_t)i * n + lane] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int a = 0; a < EACH; a++)
		sum[a] = 0;
	for (int k = 0; k < rows; k++) {
		const real xk = part[k * TILE + lane];

		for (int a = 0; a < EACH; a++)
			sum[a] += q[k * SIZE + min(team + a * TEAMS,
			                           SIZE - 1)] * xk;
	}
	for (int a = 0; a < EACH; a++)
		if (team + a * TEAMS < rows && lane < cols)
			x[(size_t)(team + a * TEAMS) * n + lane] = sum[a];
}

/* Of T, the columns before column `right` are changed. `all` work-groups take
 * the tiles of one chain: the first `tiles` those of T, the others those of
 * Z^T. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void schur_left(global real *t, global real *z, int n, int top, int bottom,
                int front, int right, int tiles, int all,
                global const real *u)
{
	local real q[SIZE * SIZE], part[SIZE * TILE];
	const int chain = get_group_id(0) / all, tile = get_group_id(0) % all;
	struct window w;
	int from, end;

	if (!window_of(top, bottom, front - chain * SCHUR_GAP, &w))
		return;
	from = tile < tiles ? w.hi + 1 + tile * TILE : (tile - tiles) * TILE;
	end = tile < tiles ? right : n;
	if (from >= end)
		return;
	load_q(u, chain, q);
	from_left((tile < tiles ? t : z) + (size_t)w.lo * n + from, n,
	          w.hi - w.lo + 1, min(TILE, end - from), q, part);
}

/* x = x Q for a `rows` x `cols` matrix at x, with n elements between rows. */
static void from_right(global real *x, int n, int rows, int cols,
                       local const real *q, local real *part)
{
	const int id = get_local_id(0), lane = id % TILE, team = id / TILE;
	real sum[ROWS][COLS];

	for (int e = id; e < TILE * SIZE; e += ITEMS)
		part[e] = e / SIZE < rows && e % SIZE < cols ?
		          x[(size_t)(e / SIZE) * n + e % SIZE] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int a = 0; a < ROWS; a++)
		for (int b = 0; b < COLS; b++)
			sum[a][b] = 0;
	for (int k = 0; k < cols; k++)
		for (int b = 0; b < COLS; b++) {
			const real qk = q[k * SIZE + min(lane + b * TILE,
			                                 SIZE - 1)];

			for (int a = 0; a < ROWS; a++)
				sum[a][b] += part[(team + a * TEAMS) * SIZE +
				                  k] * qk;
		}
	for (int a = 0; a < ROWS; a++)
		for (int b = 0; b < COLS; b++)
			if (team + a * TEAMS < rows && lane + b * TILE < cols)
				x[(size_t)(team + a * TEAMS) * n + lane +
				  b * TILE] = sum[a][b];
}

/* The rows from row `above` on are changed. `tiles` work-groups take the tiles
 * of one chain. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void schur_right(global real *t, int n, int top, int bottom, int front,
                 int above, int tiles, global const real *u)
{
	local real q[SIZE * SIZE], part[SIZE * TILE];
	const int chain = get_group_id(0) / tiles;
	const int row = above + (int)(get_group_id(0) % tiles) * TILE;
	struct window w;

	if (!window_of(top, bottom, front - chain * SCHUR_GAP, &w) ||
	    row >= w.lo)
		return;
	load_q(u, chain, q);
	from_right(t + (size_t)row * n + w.lo, n, min(TILE, w.lo - row),
	           w.hi - w.lo + 1, q, part);
}
