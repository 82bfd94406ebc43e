/* resident.cl - a kernel for any device that factors a panel of P A = L U in
 * the registers of one work-group, from its first column to its last.
 *
 *     lu_small_panel     a whole small matrix, by a sub-group
 *     lu_warp_panel      up to 64 rows, by no more items than these fill, so
 *                        that many matrices of a stack run at once
 *     lu_resident_panel  what 128 items keep
 *
 * Two neighbouring items, the halves, keep ROWS rows of NB elements. QUAD
 * columns are eliminated, then the rest moves to the left by QUAD, so that
 * every index is a constant. A pivot's row is shared through local memory and
 * stored as U's at once. Multipliers go to a stash in global memory, a quad of
 * every row side by side, because the places of rows are final only at the end.
 *
 * Rows are not interchanged: an item knows the place of each of its rows,
 * counted from the panel's top. Its elements in finished rows and columns are
 * undefined. At the end `moves` has the interchanges for the other columns: row
 * k < NB comes from row moves[k], and what it held goes to row moves[NB + k].
 *
 * Macros: KERNEL, its name; NB, the columns of the panel; ITEMS, the items of a
 * work-group; ROWS, if other than in search.h.
 */
/* program KERNEL=lu_small_panel NB=LU_SMALL ITEMS=(2*LU_SMALL) ROWS=1 */
/* program KERNEL=lu_warp_panel NB=LU_NB ITEMS=LU_WARP_ITEMS(sizeof(real)) */
/* program KERNEL=lu_resident_panel NB=LU_NB ITEMS=LU_RESIDENT_ITEMS */
#include "lib/real.h"
#include "shared/lu_tile.h"
#include "lu/search.h"

/* Subtracts the rows' multipliers of column b times u from half of an item's
 * columns, from c0 on. */
INLINE void columns_update(struct rows *rows, int b, int c0,
                         local const real *u)
{
	_Pragma("unroll")
	for (int c = c0; c < c0 + HALF / 2; c += 4) {
		const real4 v = *(local const real4 *)(u + c);

		_Pragma("unroll")
		for (int r = 0; r < ROWS; r++) {
			rows->x[r][c] -= rows->l[r][b] * v.x;
			rows->x[r][c + 1] -= rows->l[r][b] * v.y;
			rows->x[r][c + 2] -= rows->l[r][b] * v.z;
			rows->x[r][c + 3] -= rows->l[r][b] * v.w;
		}
	}
}

/* Does the rest of a step, with the pivot's row u, which was at place p. */
INLINE void rows_step(struct rows *rows, struct step k, uint p,
                      local const real *u, local struct shared *s)
{
	const struct scale scale = pivot_scale(u[k.b]);
	const uint left = sg_lane() & ~1u, now = k.first + k.b;

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];

		rows->l[r][k.b] = sg_from_real(rows->x[r][k.b] * scale.up *
		                               scale.inverse, left,
		                               s->real_lanes);
		rows->place[r] = at == p ? now : at == now ? p : at;
	}
	u += get_local_id(0) % 2 * HALF;
	columns_update(rows, k.b, 0, u);
	if (HALF / 2 < NB - k.first)
		columns_update(rows, k.b, HALF / 2, u);
}

/* Stores the quad's multipliers in the stash, each half every second row; moves
 * the others to the left. */
INLINE void rows_move(struct rows *rows, global real4 *stash,
                      local struct shared *s)
{
	const int id = get_local_id(0);

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const real *l = rows->l[r];
		real in[QUAD];

		if (r % 2 == id % 2)
			stash[r * PAIRS + id / 2] =
			    (real4)(l[0], l[1], l[2], l[3]);
		UNROLL
		for (int i = 0; i < QUAD; i++)
			in[i] = sg_from_real(rows->x[r][i], sg_lane() | 1,
			                     s->real_lanes);
		_Pragma("unroll")
		for (int c = QUAD; c < HALF; c++)
			rows->x[r][c - QUAD] = rows->x[r][c];
		_Pragma("unroll")
		for (int i = 0; i < QUAD; i++)
			rows->x[r][HALF - QUAD + i] = in[i];
	}
}

/* Returns the column of the panel that is column t of the tile, while piece q
 * of both halves goes through it. */
INLINE int piece_column(int t, int q)
{
	return t / PIECE * HALF + q * PIECE + t % PIECE;
}

/* Loads the work-group's rows of the count x width elements at a, n apart;
 * zeros beyond. */
INLINE void rows_load(struct rows *rows, global const real *a, int n,
                      int count, int width, local struct shared *s)
{
	const int id = get_local_id(0), pair = id / 2;
	const int left = id % 2 * PIECE;

	_Pragma("unroll")
	for (int q = 0; q < HALF / PIECE; q++) {
		_Pragma("unroll 8")
		for (int e = id; e < GROUP_ROWS * 2 * PIECE; e += ITEMS) {
			const int r = e / (2 * PIECE), t = e % (2 * PIECE);
			const int c = piece_column(t, q);

			s->tile[r][t] = r < count && c < width ?
			                a[(size_t)r * n + c] : 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		_Pragma("unroll")
		for (int r = 0; r < ROWS; r++)
			_Pragma("unroll")
			for (int c = 0; c < PIECE; c++)
				rows->x[r][q * PIECE + c] =
				    s->tile[r * PAIRS + pair][left + c];
		/* The barrier also keeps u_store() from writing what others
		 * have still to read. */
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	}
}

/* Stores the multipliers of the panel's first count columns from the stash at
 * the places of their rows at a. */
INLINE void rows_store(const struct rows *rows, global real *a, int n,
                       int count, global const real4 *stash,
                       local struct shared *s)
{
	const int id = get_local_id(0);

	_Pragma("unroll")
	for (int r = 0; r < ROWS; r++)
		s->place[r * PAIRS + id / 2] = rows->place[r];
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	for (int e = id; e < GROUP_ROWS * NB; e += ITEMS) {
		const uint row = e / NB, c = e % NB, p = s->place[row];

		if (p != NO_PLACE && c < min(p, (uint)count))
			a[(size_t)p * n + c] = ((global const real *)
			    (stash + c / QUAD * GROUP_ROWS + row))[c % QUAD];
	}
}

/* Stores row k of U, of the panel at a. */
INLINE void u_store(global real *a, int n, struct step k, int width,
                    local const real *u)
{
	const int now = k.first + k.b;

	for (int c = get_local_id(0); c < NB; c += ITEMS)
		if (c >= k.b && k.first + c < width)
			a[(size_t)now * n + k.first + c] = u[c];
}

/* Stores where rows have moved. */
INLINE void moves_store(const struct rows *rows, int count, global int *moves)
{
	_Pragma("unroll")
	for (int r = 0; r < ROWS; r++) {
		const int at = r * PAIRS + get_local_id(0) / 2;

		if (rows->place[r] < NB)
			moves[rows->place[r]] = at;
		if (at < min(NB, count))
			moves[NB + at] = rows->place[r];
	}
}

/* Does a step of the panel at a, whose first column is j. */
INLINE void eliminate(struct rows *rows, struct step k, global real *a,
                      int n, int width, int j, int pivoting,
                      global int *swaps, local struct shared *s)
{
	const uint p = pivot_find(rows, k, pivoting, s);

	if (get_local_id(0) == 0)
		swaps[j + k.first + k.b] = j + p;
	u_store(a, n, k, width, s->u);
	rows_step(rows, k, p, s->u, s);
}

/* Factors columns j to j + NB of the m x n matrix lu, from row j on. */
INLINE void panel(global real *lu, int m, int n, int j, int pivoting,
                  global int *swaps, global int *moves, global real4 *stash,
                  local struct shared *s)
{
	const int id = get_local_id(0);
	const int count = m - j, width = min(NB, n - j);
	const int last = min(width, count);
	global real *a = lu + (size_t)j * n + j;
	struct rows rows;

	rows_load(&rows, a, n, count, width, s);
	_Pragma("unroll")
	for (int r = 0; r < ROWS; r++) {
		const int at = r * PAIRS + id / 2;

		rows.place[r] = at < count ? at : NO_PLACE;
	}
	for (int first = 0; first < last; first += QUAD) {
		UNROLL
		for (int b = 0; b < QUAD; b++) {
			const struct step k = { first, b };

			if (first + b < last)
				eliminate(&rows, k, a, n, width, j, pivoting,
				          swaps, s);
		}
		rows_move(&rows, stash + first / QUAD * GROUP_ROWS, s);
	}
	moves_store(&rows, count, moves);
	rows_store(&rows, a, n, last, stash, s);
}

/* Launch: work-group (matrix of the stack). */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void KERNEL(global real *lu, int m, int n, int j, int pivoting,
                   global int *restrict swaps, global int *restrict moves,
                   global real4 *stash)
{
	local struct shared s;
	const size_t matrix = get_group_id(0);

	panel(lu + matrix * m * n, m, n, j, pivoting,
	      swaps + matrix * min(m, n), moves + matrix * 2 * NB,
	      stash + matrix * GROUP_ROWS * (NB / QUAD), &s);
}
