/* normal.cl - QR of tall m x n matrices by Cholesky's factorization of the
 * normal matrix G = A^T A in `wide`, for a stack of matrices at once
 * (src/ops/qr/normal.c).
 *
 *     qr_normal_parts    A_c^T A_c for chunks A_c of A's rows
 *     qr_normal_sum      X = G, the sum of these products, and G's diagonal
 *     qr_normal_block    a diagonal tile of G = U^T U, and its inverse
 *     qr_normal_upper    copies the tiles of U above its diagonal tiles
 *     qr_normal_judge    norms of G and of L^-1 = U^-T, which bound A's
 *                        condition number, and how far L^-1 is from I
 *     qr_normal_apply    Q = A L^-T S
 *
 * Matrices of `wide` consist of TILE x TILE tiles: they have ld = tiles TILE
 * rows and columns, of which the first n belong to the matrix. Beyond them, X
 * has ones on its diagonal and zeros elsewhere. A work-group computes a tile by
 * SIDE x SIDE items, of which each has EACH x EACH elements in registers: in
 * products those at PLACE(), pairs of neighbours that are read together, in
 * eliminations those that are SIDE rows and SIDE columns apart.
 *
 * Launches have one dimension: the groups of a matrix follow those of the
 * matrix before.
 */
#include "lib/real.h"
#include "lib/unroll.h"
#include "lib/wide.h"
#include "shared/qr_normal.h"

#define TILE QR_NORMAL_TILE
#define ITEMS QR_NORMAL_ITEMS
#define SIDE 16
#define EACH (TILE / SIDE)
#define DEPTH 16
#define LOADS (TILE * DEPTH / ITEMS)
#define PLACE(own, e) ((e) / 2 * 2 * SIDE + 2 * (own) + (e) % 2)
#define LANES QR_NORMAL_LANES
#define TEAMS (ITEMS / LANES)

/* Adds the outer product of a column and a row of TILE numbers, both in local
 * memory, to the work-item's elements `sum` of a tile. */
#define MULTIPLY(sum, column, down, row, across)                             \
	for (int r = 0; r < EACH; r += 2)                                    \
		for (int c = 0; c < EACH; c += 2) {                          \
			const wide2 a = *(local const wide2 *)               \
			    &(column)[PLACE(down, r)];                       \
			const wide2 b = *(local const wide2 *)               \
			    &(row)[PLACE(across, c)];                        \
                                                                             \
			(sum)[r][c] += a.x * b.x;                            \
			(sum)[r][c + 1] += a.x * b.y;                        \
			(sum)[r + 1][c] += a.y * b.x;                        \
			(sum)[r + 1][c + 1] += a.y * b.y;                    \
		}

/* Computes A_c^T A_c for chunks c of `each` rows. Work-group (matrix, chunk,
 * pair) writes tile (i, j) of the product to its own tile of `parts`. The pairs
 * (i, j), i <= j, are numbered row by row. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_normal_parts(global const real *restrict a, int m, int n, int each,
                     int chunks, int pairs, global wide *restrict parts)
{
	local wide left[DEPTH][TILE] __attribute__((aligned(16)));
	local wide right[DEPTH][TILE] __attribute__((aligned(16)));
	const size_t group = get_group_id(0), matrix = group / pairs / chunks;
	const int first = group / pairs % chunks * each;
	const int end = min(first + each, m), item = get_local_id(0);
	const int x = item % SIDE, y = item / SIDE;
	int i = 0, j = group % pairs, tiles = (n + TILE - 1) / TILE;
	real next_i[LOADS], next_j[LOADS];
	wide sum[EACH][EACH] = { { 0 } };

	for (; j >= tiles - i; i++)
		j -= tiles - i;
	j = (i + j) * TILE + item % TILE;
	i = i * TILE + item % TILE;
	a += matrix * m * n;
	for (int p0 = first - DEPTH; p0 < end; p0 += DEPTH) {
		if (p0 >= first)
			for (int q = 0; q < LOADS; q++) {
				const int p = (item + q * ITEMS) / TILE;

				left[p][item % TILE] = next_i[q];
				right[p][item % TILE] = next_j[q];
			}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int q = 0; q < LOADS; q++) {
			const int row = p0 + DEPTH + (item + q * ITEMS) / TILE;
			const size_t at = (size_t)row * n;

			next_i[q] = row < end && i < n ? a[at + i] : 0;
			next_j[q] = row < end && j < n ? a[at + j] : 0;
		}
		for (int p = 0; p < DEPTH && p0 >= first; p++)
			MULTIPLY(sum, left[p], y, right[p], x);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	parts += group * TILE * TILE;
	for (int r = 0; r < EACH; r++)
		for (int c = 0; c < EACH; c++)
			parts[PLACE(y, r) * TILE + PLACE(x, c)] = sum[r][c];
}

/* Work-group (matrix, tile, piece) computes LANES elements of a tile of X;
 * TEAMS items sum each. Tiles below the diagonal become 0. squares[group]
 * receives what the work-group's elements and their mirror images add to
 * |G|^2. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_normal_sum(global const wide *restrict parts, int n, int chunks,
                   int pairs, global wide *restrict x,
                   global wide *restrict diagonal,
                   global wide *restrict squares)
{
	local wide sums[ITEMS], own[LANES];
	const int item = get_local_id(0), team = item / LANES;
	const int tiles = (n + TILE - 1) / TILE, pieces = TILE * TILE / LANES;
	const size_t group = get_group_id(0);
	const size_t matrix = group / pieces / tiles / tiles, ld = tiles * TILE;
	const int ti = group / pieces / tiles % tiles;
	const int tj = group / pieces % tiles;
	const int e = group % pieces * LANES + item % LANES;
	const int i = ti * TILE + e / TILE, j = tj * TILE + e % TILE;
	const int pair = ti * tiles - ti * (ti - 1) / 2 + tj - ti;
	wide sum = 0;

	parts += (matrix * chunks * pairs + pair) * TILE * TILE + e;
	for (int c = team; c < chunks && ti <= tj; c += TEAMS)
		sum += parts[(size_t)c * pairs * TILE * TILE];
	sums[item] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (team == 0) {
		for (int t = 1; t < TEAMS; t++)
			sum += sums[t * LANES + item];
		own[item] = (ti < tj ? 2 : 1) * sum * sum;
		if (i >= n || j >= n)
			sum = i == j;
		x[(matrix * ld + i) * ld + j] = sum;
		if (i == j)
			diagonal[matrix * ld + i] = sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = 0;
	for (int e = 0; e < LANES && item == 0; e++)
		sum += own[e];
	if (item == 0)
		squares[group] = sum;
}

/* Eliminates diagonal tile k of X by row operations without pivoting, and
 * applies them to I, of which only the lower triangle fills up: the rows of
 * U_kk and of L_kk^-1, L_kk = U_kk^T, lie beside each other in one tile, but
 * for both diagonals. `inverse`, a tile for each matrix, receives L_kk^-1. In
 * X, the tile becomes I and the tiles below it 0, so that the products of the
 * host's loop (src/ops/qr/normal.c) put L^-1 into the lower triangle of y. A
 * pivot that is not positive makes elements of L_kk^-1 infinite or NaN. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_normal_block(global wide *restrict x, int ld, int k,
                     global wide *restrict inverse, global wide *restrict u)
{
	local wide row[2][TILE], pivots[TILE];
	const size_t matrix = get_group_id(0), at = (size_t)k * TILE * (ld + 1);
	const int item = get_local_id(0), across = item % SIDE;
	const int down = item / SIDE;
	wide e[EACH][EACH];

	x += matrix * ld * ld + at;
	u += matrix * ld * ld + at;
	inverse += matrix * TILE * TILE;
	for (int r = 0; r < EACH; r++)
		for (int c = 0; c < EACH; c++)
			e[r][c] = x[(size_t)(r * SIDE + down) * ld +
			            c * SIDE + across];
	UNROLL
	for (int q = 0; q < EACH; q++)
		for (int s = 0; s < SIDE; s++) {
			const int p = q * SIDE + s;
			wide by, own[EACH];

			for (int c = 0; c < EACH && down == s; c++)
				row[p % 2][c * SIDE + across] = e[q][c];
			barrier(CLK_LOCAL_MEM_FENCE);
			by = 1 / row[p % 2][p];
			if (item == 0)
				pivots[p] = row[p % 2][p];
			for (int c = 0; c < EACH; c++)
				own[c] = c * SIDE + across == p ? 1 :
				         row[p % 2][c * SIDE + across];
			for (int r = 0; r < EACH; r++) {
				const int i = r * SIDE + down;
				const wide f = i > p ? by * row[p % 2][i] : 0;

				e[r][q] = across == s && i > p ? 0 : e[r][q];
				for (int c = 0; c < EACH; c++)
					e[r][c] -= f * own[c];
			}
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int r = 0; r < EACH; r++) {
		const int i = r * SIDE + down;
		const wide root = sqrt(pivots[i]), by = 1 / root;

		for (int c = 0; c < EACH; c++) {
			const int j = c * SIDE + across;
			const wide v = e[r][c] * by;

			inverse[i * TILE + j] = i == j ? by : i > j ? v : 0;
			u[(size_t)i * ld + j] = i == j ? root : i < j ? v : 0;
		}
	}
	for (int i = item / TILE; i < ld - k * TILE; i += ITEMS / TILE)
		x[(size_t)i * ld + item % TILE] = i == item % TILE;
}

/* Copies the tiles above U's diagonal tiles from y, and sets the tiles below
 * them to 0. There is an item for each of the `count` elements. */
kernel void qr_normal_upper(global const wide *restrict y, int ld, long count,
                            global wide *restrict u)
{
	const size_t at = get_global_id(0);
	const int i = at / ld % ld / TILE, j = at % ld / TILE;

	if (at < count && i != j)
		u[at] = i < j ? y[at] : 0;
}

/* MOST and 1 / MOST are the largest and the smallest square of a column's
 * length for which no product, quotient or square in qr_normal_judge overflows,
 * or loses digits to underflow. */
#define MOST (sizeof(wide) == 8 ? (wide)1e150 : (wide)1e18)

/* Computes told[first + group][enum qr_normal_told] from L^-1, in the lower
 * triangle of y, for the work-groups (matrix, tile). The host sums over the
 * tiles of a matrix, or takes their largest number (src/ops/qr/normal.c):
 *
 *     QR_NORMAL_SIZE        trace(D G^-1 D) = |L^-1 D|^2, D^2 = diag(G)
 *     QR_NORMAL_OFF         |L^-1 - I|^2
 *     QR_NORMAL_INVERSE     |L^-1|^2
 *     QR_NORMAL_SKEW        |L^-1 D - I|^2
 *     QR_NORMAL_SQUARE      |G|^2
 *     QR_NORMAL_SHORTEST    the largest element of D^-2
 *
 * in the Frobenius norm, where L = U^T. QR_NORMAL_SIZE is infinite or NaN if a
 * diagonal element of G is out of range (MOST). Work-group (matrix, tile)
 * computes the contributions of column `tile` of tiles. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_normal_judge(global const wide *restrict y, int n, int ld,
                     global const wide *restrict diagonal,
                     global const wide *restrict squares, int first,
                     global wide *restrict told)
{
	local wide sums[QR_NORMAL_NUMBERS][ITEMS];
	const int tiles = ld / TILE, tile = get_group_id(0) % tiles;
	const size_t matrix = get_group_id(0) / tiles;
	const int item = get_local_id(0), j = tile * TILE + item % TILE;
	const int shares = ld * TILE / LANES;
	const wide square = diagonal[matrix * ld + j], d = sqrt(square);
	wide sum[QR_NORMAL_NUMBERS] = { 0 };

	y += matrix * ld * ld + j;
	told += (first + get_group_id(0)) * QR_NORMAL_NUMBERS;
	squares += get_group_id(0) * shares;
	for (int e = item; e < shares; e += ITEMS)
		sum[QR_NORMAL_SQUARE] += squares[e];
	if (j < n && !(square < MOST && square > 1 / MOST))
		sum[QR_NORMAL_SIZE] = INFINITY;
	sum[QR_NORMAL_SHORTEST] = j < n ? 1 / square : 0;
	for (int i = j + item / TILE; i < n; i += ITEMS / TILE) {
		const wide v = y[(size_t)i * ld], w = v * d, one = i == j;

		sum[QR_NORMAL_SIZE] += w * w;
		sum[QR_NORMAL_OFF] += (v - one) * (v - one);
		sum[QR_NORMAL_INVERSE] += v * v;
		sum[QR_NORMAL_SKEW] += (w - one) * (w - one);
	}
	for (int q = 0; q < QR_NORMAL_NUMBERS; q++)
		sums[q][item] = sum[q];
	for (int rest = ITEMS / 2; rest > 0; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int q = 0; q < QR_NORMAL_NUMBERS && item < rest; q++) {
			const wide a = sums[q][item], b = sums[q][item + rest];

			sums[q][item] = q == QR_NORMAL_SHORTEST ? fmax(a, b) :
			                a + b;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (item < QR_NORMAL_NUMBERS)
		told[item] = sums[item][0];
}

/* Computes A L^-T S, or, if is_signed is 0, A L^-T. The rows of y's lower
 * triangle are those of L^-1. Work-group (matrix, block of TILE rows, block of
 * TILE columns) writes to q, or, if into_x is not 0, to the ld x ld matrices x,
 * for which a launch has only the blocks of the first ld rows. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_normal_apply(global const real *restrict a, int m, int n, int blocks,
                     global const wide *restrict y, int ld,
                     global const int *restrict signs, int is_signed,
                     global real *restrict q, global wide *restrict x,
                     int into_x)
{
	local wide left[DEPTH][TILE + 2] __attribute__((aligned(16)));
	local wide right[DEPTH][TILE + 2] __attribute__((aligned(16)));
	const size_t group = get_group_id(0);
	const int tiles = ld / TILE, j0 = group % tiles * TILE;
	const size_t matrix = group / tiles / blocks;
	const int i0 = group / tiles % blocks * TILE, item = get_local_id(0);
	const int across = item % SIDE, down = item / SIDE;
	const int deep = item % DEPTH, lane = item / DEPTH;
	real next_a[LOADS];
	wide next_y[LOADS], sum[EACH][EACH] = { { 0 } };

	a += matrix * m * n;
	y += matrix * ld * ld;
	for (int p0 = -DEPTH; p0 < j0 + TILE; p0 += DEPTH) {
		if (p0 >= 0)
			for (int e = 0; e < LOADS; e++) {
				const int i = lane + e * (ITEMS / DEPTH);

				left[deep][i] = next_a[e];
				right[deep][i] = next_y[e];
			}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int e = 0; e < LOADS && p0 + DEPTH < j0 + TILE; e++) {
			const int i = lane + e * (ITEMS / DEPTH);
			const int p = p0 + DEPTH + deep;

			next_a[e] = i0 + i < m && p < n ?
			            a[(size_t)(i0 + i) * n + p] : 0;
			next_y[e] = y[(size_t)(j0 + i) * ld + p];
		}
		for (int p = 0; p < DEPTH && p0 >= 0; p++)
			MULTIPLY(sum, left[p], down, right[p], across);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int r = 0; r < EACH; r++)
		for (int c = 0; c < EACH; c++) {
			const int i = i0 + PLACE(down, r);
			const int j = j0 + PLACE(across, c);
			const wide v = is_signed ?
			    sum[r][c] * signs[matrix * ld + j] : sum[r][c];

			if (into_x)
				x[(matrix * ld + i) * ld + j] = v;
			else if (i < m && j < n)
				q[(matrix * m + i) * n + j] = v;
		}
}
