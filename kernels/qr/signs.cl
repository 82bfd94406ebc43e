/* signs.cl - the signs S of R's diagonal (src/ops/qr/signs.c), for a stack of
 * matrices in the tiles of normal.cl.
 *
 *     qr_normal_top      copies Q's first ld rows
 *     qr_normal_signs    the signs, from a diagonal tile of Q's upper part
 *     qr_normal_r        R = S U
 */
#include "lib/real.h"
#include "lib/unroll.h"
#include "lib/wide.h"
#include "shared/qr_normal.h"

#define TILE QR_NORMAL_TILE
#define ITEMS QR_NORMAL_ITEMS
#define SIDE 16
#define EACH (TILE / SIDE)

/* Computes the signs that R's diagonal would have if Householder's reflections
 * had factored A; in A = Q R it is positive. Sign p is -sign(x_pp) after
 * Gaussian elimination of the columns of X - S before it, where X is the upper
 * n x n part of Q. Where |x_pp| is 1 but for roundoff, the reflection has
 * nothing to eliminate, and LAPACK makes none: the sign is then sign(x_pp).
 * This kernel eliminates tile k by the method of Gauss and Jordan; the host's
 * loop (src/ops/qr/signs.c) updates the other tiles. `inverse` receives the
 * inverse of tile k of X - S, with zeros in the rows and columns that were not
 * eliminated. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_normal_signs(global const wide *restrict x, int ld, int k,
                     global wide *restrict inverse, global int *restrict signs)
{
	local wide row[2][TILE], column[2][TILE];
	const size_t matrix = get_group_id(0), at = (size_t)k * TILE * (ld + 1);
	const int item = get_local_id(0), across = item % SIDE;
	const int down = item / SIDE;
	wide e[EACH][EACH];

	x += matrix * ld * ld + at;
	signs += matrix * ld + k * TILE;
	inverse += matrix * TILE * TILE;
	for (int r = 0; r < EACH; r++)
		for (int c = 0; c < EACH; c++)
			e[r][c] = x[(size_t)(r * SIDE + down) * ld +
			            c * SIDE + across];
	UNROLL
	for (int q = 0; q < EACH; q++)
		for (int s = 0; s < SIDE; s++) {
			const int p = q * SIDE + s, here = p % 2;

			for (int c = 0; c < EACH && down == s; c++)
				row[here][c * SIDE + across] = e[q][c];
			for (int r = 0; r < EACH && across == s; r++)
				column[here][r * SIDE + down] = e[r][q];
			barrier(CLK_LOCAL_MEM_FENCE);
			const wide d = row[here][p];
			const bool none = fabs(d) > 1 - 4 * REAL_EPSILON;
			const int sign = (d < 0) == none ? -1 : 1;
			const wide by = none ? 0 : 1 / (d - sign);

			wide own[EACH];

			if (item == 0)
				signs[p] = sign;
			for (int c = 0; c < EACH; c++) {
				own[c] = c * SIDE + across == p ? 1 :
				         row[here][c * SIDE + across];
				e[q][c] = down == s ? 0 : e[q][c];
			}
			for (int r = 0; r < EACH; r++) {
				const int i = r * SIDE + down;
				const wide f = i == p ? -by :
				               by * column[here][i];

				e[r][q] = across == s ? 0 : e[r][q];
				for (int c = 0; c < EACH; c++)
					e[r][c] -= f * own[c];
			}
		}
	for (int r = 0; r < EACH; r++)
		for (int c = 0; c < EACH; c++)
			inverse[(r * SIDE + down) * TILE + c * SIDE + across] =
			    e[r][c];
}

/* X = the first ld rows of the stack's m x n matrices Q, where m >= ld, with
 * zeros in the columns from n on. There is an item for each of the `count`
 * elements. */
kernel void qr_normal_top(global const real *restrict q, int m, int n, int ld,
                          long count, global wide *restrict x)
{
	const size_t at = get_global_id(0), matrix = at / ((size_t)ld * ld);
	const int i = at / ld % ld, j = at % ld;

	if (at < count)
		x[at] = j < n ? q[(matrix * m + i) * n + j] : 0;
}

/* R = S U, an item for each of the `count` elements of all n x n matrices R. */
kernel void qr_normal_r(global const wide *restrict u, int n, int ld,
                        global const int *restrict signs, long count,
                        global real *restrict r)
{
	const size_t at = get_global_id(0), matrix = at / ((size_t)n * n);
	const int i = at / n % n, j = at % n;

	if (at < count)
		r[at] = i > j ? 0 : (real)(signs[matrix * ld + i] *
		                           u[(matrix * ld + i) * ld + j]);
}
