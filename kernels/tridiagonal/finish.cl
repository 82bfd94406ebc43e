/* finish.cl - selects the eigenvectors that a call answers, and normalizes
 * them.
 *
 *     tridiagonal_gather   column j of the result is column from[j] of the
 *                          n x n matrix z, for j < cols
 *     tridiagonal_signs    scales every column to unit 2-norm, and makes the
 *                          first of its components of largest modulus positive
 *
 * Matrices are row-major. In tridiagonal_signs a work-group takes SIGN_LANES
 * columns, and work-item (lane, team) every SIGN_TEAMS-th row of one of them.
 * tridiagonal_gather has a work-item for each of the `count` elements of the
 * result.
 */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/tridiagonal_tile.h"

kernel void tridiagonal_gather(global const real *restrict z, int n,
                               global const int *restrict from, int cols,
                               long count, global real *restrict to)
{
	const size_t at = get_global_id(0);

	if (at < count)
		to[at] = z[at / cols * n + from[at % cols]];
}

kernel __attribute__((reqd_work_group_size(SYTRD_ITEMS, 1, 1)))
void tridiagonal_signs(global real *z, int n, int cols)
{
	local wide part[SIGN_TEAMS][SIGN_LANES];
	local real most[SIGN_TEAMS][SIGN_LANES];
	local int where[SIGN_TEAMS][SIGN_LANES];
	const int lane = get_local_id(0) % SIGN_LANES;
	const int team = get_local_id(0) / SIGN_LANES;
	const int j = get_group_id(0) * SIGN_LANES + lane;
	const int first = j < cols ? team : n;
	wide sum = 0;
	real scale, best = -1;
	int at = 0;

	for (int i = first; i < n; i += SIGN_TEAMS) {
		const real x = z[(size_t)i * cols + j];

		sum += (wide)x * x;
	}
	part[team][lane] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = 0;
	for (int i = 0; i < SIGN_TEAMS; i++)
		sum += part[i][lane];
	scale = sum > 0 ? 1 / sqrt(sum) : 1;
	for (int i = first; i < n; i += SIGN_TEAMS) {
		const real x = fabs(z[(size_t)i * cols + j] * scale);

		at = x > best ? i : at;
		best = fmax(best, x);
	}
	most[team][lane] = best;
	where[team][lane] = at;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < SIGN_TEAMS; i++) {
		const int before = most[i][lane] == best && where[i][lane] < at;

		at = most[i][lane] > best || before ? where[i][lane] : at;
		best = fmax(best, most[i][lane]);
	}
	if (j < cols && z[(size_t)at * cols + j] < 0)
		scale = -scale;
	barrier(CLK_GLOBAL_MEM_FENCE);
	/* Adding 0 turns -0 into 0. */
	for (int i = first; i < n; i += SIGN_TEAMS)
		z[(size_t)i * cols + j] = z[(size_t)i * cols + j] * scale + 0;
}
