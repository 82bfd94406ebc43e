/* lu.cl - P A = L U by work-groups and local memory, for any device.
 *
 *          j   NB     end         in place, row-major, a stack at once:
 *      +---+----+-----+---+
 *      |   |    | U12 |   |   lu_tile_panel    the panel, a work-group each
 *      |   | A1 +-----+   |   lu_tile_rows     its swaps elsewhere, and
 *      |   |    | A22 |   |                    U12 = L11^-1 A12: lu_beside.cl
 *      +---+----+-----+---+   lu_tile_update   A22 -= L21 U12
 *
 * What lies beyond `end` waits for a block of panels to be done
 * (lu_deep.h), or is nothing.
 *
 * A panel says where rows move to: row k of its top NB comes from row
 * moves[k] of it, and what row k held goes to row moves[NB + k].
 *
 * All items of a work-group pass the same barriers: bounds are checked
 * between them, never around them.
 */
#include "lu_pivot.h"
#include "lu_tile.h"

#define NB LU_NB
#define ITEMS 256		/* of a panel's work-group */
#define SPAN 8			/* of them along a row */
#define TILE LU_TILE
#define SIDE LU_TILE_SIDE
#define EACH (TILE / SIDE)	/* elements an item, both ways */
#define DEPTH (128 / (int)sizeof(real))	/* of local tiles; divides NB */
#define SECTOR (32 / (int)sizeof(real))	/* elements read side by side */

/* The first row of the largest modulus among all items' (modulus, row): a
 * butterfly, in which every item reads, waits and writes. */
static int group_best(real modulus, int row, local real *moduli,
                      local int *rows)
{
	const int id = get_local_id(0);

	moduli[id] = modulus;
	rows[id] = row;
	/* Also: the column has been read, before the caller swaps rows. */
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	for (int bit = ITEMS / 2; bit > 0; bit /= 2) {
		const real m0 = moduli[id], m1 = moduli[id ^ bit];
		const int r0 = rows[id], r1 = rows[id ^ bit];
		const int better = m1 > m0 || (m1 == m0 && r1 < r0);

		barrier(CLK_LOCAL_MEM_FENCE);
		moduli[id] = better ? m1 : m0;
		rows[id] = better ? r1 : r0;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	return rows[0];
}

/* The first row of the largest modulus in a column from its diagonal k on;
 * k itself when all are NaN or nothing is to be searched. */
static int column_pivot(global const real *a, int m, int n, int k,
                        int pivoting, local real *moduli, local int *rows)
{
	real modulus = -1;
	int row = k;

	for (int i = k + get_local_id(0); pivoting && i < m; i += ITEMS) {
		const real x = fabs(a[(size_t)i * n + k]);

		row = x > modulus ? i : row;
		modulus = x > modulus ? x : modulus;
	}
	return group_best(modulus, row, moduli, rows);
}

/* Rows below the diagonal k lose their multiplier times the pivot's row u in
 * the panel's columns right of k; SPAN items go along a row. */
static void column_update(global real *a, int m, int n, int k, int width,
                          struct scale s, local const real *u)
{
	const int id = get_local_id(0);

	for (int i = k + 1 + id / SPAN; i < m; i += ITEMS / SPAN) {
		global real *row = a + (size_t)i * n + k;
		const real l = row[0] * s.up * s.inverse;

		for (int c = 1 + id % SPAN; c < width; c += SPAN)
			row[c] -= l * u[c];
	}
}

static void column_scale(global real *a, int m, int n, int k, struct scale s)
{
	for (int i = k + 1 + get_local_id(0); i < m; i += ITEMS)
		a[(size_t)i * n + k] = a[(size_t)i * n + k] * s.up *
		                       s.inverse;
}

/* Where each row of the panel came from, told as moves. */
static void moves_tell(global const int *origin, int rows, global int *moves)
{
	for (int r = get_local_id(0); r < rows; r += ITEMS) {
		if (r < NB)
			moves[r] = origin[r];
		if (origin[r] < NB)
			moves[NB + origin[r]] = r;
	}
}

/* origin: m numbers of scratch a matrix. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_tile_panel(global real *restrict lu, int m, int n, int j,
                          int pivoting, global int *restrict swaps,
                          global int *restrict moves,
                          global int *restrict origin)
{
	local real moduli[ITEMS], u[NB];
	local int rows[ITEMS];
	const int id = get_local_id(0), pivots = min(m, n);
	const int last = min(j + NB, pivots), right = min(j + NB, n);
	const size_t matrix = get_group_id(0);
	global real *a = lu + matrix * m * n;

	swaps += matrix * pivots;
	moves += matrix * 2 * NB;
	origin += matrix * m;
	for (int r = id; r < m - j; r += ITEMS)
		origin[r] = r;
	for (int k = j; k < last; k++) {
		const int p = column_pivot(a, m, n, k, pivoting, moduli,
		                           rows);
		struct scale s;

		for (int c = j + id; c < right; c += ITEMS) {
			const real x = a[(size_t)p * n + c];

			a[(size_t)p * n + c] = a[(size_t)k * n + c];
			a[(size_t)k * n + c] = x;
			if (c >= k)
				u[c - k] = x;
		}
		if (id == 0) {
			const int from = origin[p - j];

			swaps[k] = p;
			origin[p - j] = origin[k - j];
			origin[k - j] = from;
		}
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		s = pivot_scale(u[0]);
		column_update(a, m, n, k, right - k, s, u);
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		/* Meanwhile others search the next column already. */
		column_scale(a, m, n, k, s);
	}
	moves_tell(origin, m - j, moves);
}

/* Work-group (tile column, tile row, matrix) of SIDE x SIDE items; an item has
 * EACH neighbouring rows and every SIDE-th column. Rows beyond the matrix and
 * columns from end on count as zeros and are not written. */
__attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
kernel void lu_tile_update(global real *restrict lu, int m, int n, int j,
                           int end)
{
	local real l[DEPTH][TILE + 4] __attribute__((aligned(32)));
	local real u[DEPTH][TILE];
	const int ix = get_local_id(0), iy = get_local_id(1);
	const int id = iy * SIDE + ix;
	const int top = j + NB + get_group_id(1) * TILE;
	const int left = j + NB + get_group_id(0) * TILE;
	const int row = top + EACH * iy, column = left + ix;
	global real *a = lu + get_global_id(2) * (size_t)m * n;
	real x[EACH][EACH];

	_Pragma("unroll")
	for (int r = 0; r < EACH; r++)
		_Pragma("unroll")
		for (int c = 0; c < EACH; c++) {
			const int i = row + r, h = column + c * SIDE;

			x[r][c] = i < m && h < end ? a[(size_t)i * n + h] : 0;
		}
	_Pragma("unroll 1")
	for (int k = j; k < j + NB; k += DEPTH) {
		_Pragma("unroll")
		for (int i = 0; i < DEPTH * TILE / (SIDE * SIDE); i++) {
			const int t = id + i * SIDE * SIDE;
			const int q = t % SECTOR + t / (SECTOR * TILE) * SECTOR;
			const int r = t / SECTOR % TILE, v = t / TILE;
			const int h = left + t % TILE;

			l[q][r] = top + r < m ?
			          a[(size_t)(top + r) * n + k + q] : 0;
			u[v][t % TILE] = h < end ?
			                 a[(size_t)(k + v) * n + h] : 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		_Pragma("unroll 4")
		for (int q = 0; q < DEPTH; q++) {
			const real4 y = *(local const real4 *)&l[q][EACH * iy];

			_Pragma("unroll")
			for (int c = 0; c < EACH; c++) {
				const real z = u[q][ix + c * SIDE];

				x[0][c] -= y.x * z;
				x[1][c] -= y.y * z;
				x[2][c] -= y.z * z;
				x[3][c] -= y.w * z;
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	_Pragma("unroll")
	for (int r = 0; r < EACH; r++)
		_Pragma("unroll")
		for (int c = 0; c < EACH; c++) {
			const int i = row + r, h = column + c * SIDE;

			if (i < m && h < end)
				a[(size_t)i * n + h] = x[r][c];
		}
}
