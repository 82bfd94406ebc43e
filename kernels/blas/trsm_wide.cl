/* trsm_wide.cl - X = T^-1 X for many right-hand sides. trsm.cl explains T, X
 * and the argument `unit`. A work-group solves for all rows of SIDES right-hand
 * sides, so that one launch suffices where trsm.cl needs one for each tile of
 * rows; it takes many right-hand sides to occupy the device in this way.
 *
 * The rows are cut into tiles of NB. The work-items of a group form a square of
 * SIDE x SIDE; each has EACH rows and FEW right-hand sides of a tile in its
 * registers. Tile i becomes
 *
 *     Xi = Tii^-1 (Xi - sum of Tik Xk over all k < i)
 *
 * The sum is computed from DEPTH columns of T at a time in local memory, while
 * the next DEPTH columns are loaded. The system with Tii is solved for EACH
 * rows at a time. If NB does not divide n, T is extended by the identity
 * matrix, and X by zeros.
 *
 * Launch: ITEMS items for each chunk of SIDES right-hand sides, and for each
 * matrix of the stack.
 */
#include "blas/four.h"
#include "lib/unroll.h"
#include "shared/blas_tile.h"

#define NB BLAS_NB
#define ITEMS BLAS_WIDE_ITEMS
#define SIDES BLAS_WIDE_SIDES
#define SIDE 16
#define EACH (NB / SIDE)
#define FEW (SIDES / SIDE)
#define DEPTH BLAS_WIDE_DEPTH
#define PARTS (NB / DEPTH)
/* Elements between rows in local memory: of DEPTH columns of T, of Tii. */
#define PITCH (DEPTH + 4)
#define TILE_PITCH BLAS_PITCH
#define T_LOADS (NB * DEPTH / ITEMS)
#define X_LOADS (SIDES * DEPTH / ITEMS)

struct system {
	global const real *t;
	global real *x;
	long t_row, t_col, x_row;
	int n, sides;			/* rows; right-hand sides from the
					 * group's first one on */
	bool unit;
	int first;			/* first row of the first tile of X that
					 * may not be zero */
};

/* Returns the row and column, within `columns` columns of a tile of T, of the
 * element that is loaded as number e: successive numbers are successive
 * addresses, whether T is row-major or column-major. */
INLINE int2 place_of(const struct system *s, int e, int columns)
{
	return s->t_col == 1 || s->t_col == -1 ?
	       (int2)(e / columns, e % columns) : (int2)(e % NB, e / NB);
}

/* Loads columns k to k + DEPTH - 1 of the tile of T that begins at row i. */
INLINE void t_load(const struct system *s, int i, int k, real to[T_LOADS])
{
	UNROLL
	for (int q = 0; q < T_LOADS; q++) {
		const int2 at = place_of(s, get_local_id(0) + q * ITEMS, DEPTH);
		const int row = i + at.x;

		to[q] = row < s->n ? s->t[row * s->t_row +
		                          (k + at.y) * s->t_col] : 0;
	}
}

/* Loads rows k to k + DEPTH - 1 of X, which must not exceed n. */
INLINE void x_load(const struct system *s, int k, real to[X_LOADS])
{
	UNROLL
	for (int q = 0; q < X_LOADS; q++) {
		const int e = get_local_id(0) + q * ITEMS;
		const int row = k + e / SIDES, c = e % SIDES;

		to[q] = c < s->sides ? s->x[row * s->x_row + c] : 0;
	}
}

INLINE void keep(const struct system *s, const real t[T_LOADS],
                 const real x[X_LOADS], local real *room)
{
	UNROLL
	for (int q = 0; q < T_LOADS; q++) {
		const int2 at = place_of(s, get_local_id(0) + q * ITEMS, DEPTH);

		room[at.x * PITCH + at.y] = t[q];
	}
	UNROLL
	for (int q = 0; q < X_LOADS; q++)
		room[NB * PITCH + get_local_id(0) + q * ITEMS] = x[q];
}

/* own -= the product of 4 columns of T, with `pitch` elements between rows, and
 * 4 rows of X, both in local memory. */
INLINE void multiply(local const real *t, int pitch, local const real *x,
                     real own[EACH][FEW])
{
	const int across = get_local_id(0) % SIDE * FEW;
	const int down = get_local_id(0) / SIDE * EACH;
	real right[4][FEW];

	UNROLL
	for (int d = 0; d < 4; d++)
		UNROLL
		for (int c = 0; c < FEW; c++)
			right[d][c] = x[d * SIDES + across + c];
	UNROLL
	for (int r = 0; r < EACH; r++) {
		const real4 v = *(local const real4 *)(t + (down + r) * pitch);

		UNROLL
		for (int c = 0; c < FEW; c++) {
			own[r][c] -= v.s0 * right[0][c];
			own[r][c] -= v.s1 * right[1][c];
			own[r][c] -= v.s2 * right[2][c];
			own[r][c] -= v.s3 * right[3][c];
		}
	}
}

/* Subtracts Tik Xk from `own`, the tile of X that begins at row i, for all
 * tiles k < i for which Xk may not be zero. */
INLINE void subtract(const struct system *s, int i, real own[EACH][FEW],
                     local real *room)
{
	real t[T_LOADS], x[X_LOADS];

	if (i > s->first) {
		t_load(s, i, s->first, t);
		x_load(s, s->first, x);
	}
	for (int k = s->first; k < i; k += DEPTH) {
		barrier(CLK_LOCAL_MEM_FENCE);
		keep(s, t, x, room);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (k + DEPTH < i) {
			t_load(s, i, k + DEPTH, t);
			x_load(s, k + DEPTH, x);
		}
#ifdef cl_nv_pragma_unroll
		_Pragma("unroll 2")
#endif
		for (int d = 0; d < DEPTH; d += 4)
			multiply(room + d, PITCH, room + NB * PITCH + d * SIDES,
			         own);
	}
}

/* Copies Tii, which begins at row i, to local memory, with ones on its diagonal
 * if `unit` is set, and stores the reciprocals of its diagonal after it. */
INLINE void triangle_put(const struct system *s, int i, local real *room)
{
	const int item = get_local_id(0);

	barrier(CLK_LOCAL_MEM_FENCE);
	for (int q = 0; q < NB * NB; q += ITEMS) {
		const int2 at = place_of(s, q + item, NB);
		const int row = i + at.x, k = i + at.y;

		room[at.x * TILE_PITCH + at.y] = row >= s->n || k > row ||
		    (s->unit && k == row) ? k == row :
		    s->t[row * s->t_row + k * s->t_col];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (item < NB)
		room[NB * TILE_PITCH + item] =
		    1 / room[item * (TILE_PITCH + 1)];
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Solves the system of a diagonal block of EACH rows of Tii for the elements in
 * `own`, and copies the solution to `panel`. The reciprocal of a tiny diagonal
 * element may be infinite; the element is then divided by. */
INLINE void corner_solve(local const real *t, local const real *inverses,
                         real own[EACH][FEW], local real *panel)
{
	UNROLL
	for (int r = 0; r < EACH; r++) {
		const real d = t[r * TILE_PITCH + r];

		UNROLL
		for (int c = 0; c < FEW; c++) {
			UNROLL
			for (int k = 0; k < EACH; k++)
				if (k < r)
					own[r][c] -= t[r * TILE_PITCH + k] *
					             own[k][c];
			own[r][c] = isinf(inverses[r]) ? own[r][c] / d :
			            quotient(own[r][c], d, inverses[r]);
			panel[r * SIDES + c] = own[r][c];
		}
	}
}

/* Solves the system with Tii, which begins at row i. */
INLINE void solve(const struct system *s, int i, real own[EACH][FEW],
                  local real *room)
{
	const int x = get_local_id(0) % SIDE, y = get_local_id(0) / SIDE;
	local const real *inverses = room + NB * TILE_PITCH;
	local real *panels = room + NB * TILE_PITCH + NB;

	triangle_put(s, i, room);
	for (int b = 0; b < SIDE; b++) {
		/* Two panels alternate, because other work-items may still
		 * read the previous one. */
		local real *panel = panels + b % 2 * (EACH * SIDES);
		local const real *columns = room + b * EACH;

		if (y == b)
			corner_solve(columns + b * EACH * TILE_PITCH,
			             inverses + b * EACH, own,
			             panel + x * FEW);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (y > b)
			multiply(columns, TILE_PITCH, panel, own);
	}
}

/* T begins at element t_at of t, X at element x_at of x; both have n rows. The
 * elements of right-hand side c above row c - zeros are zero. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void blas_trsm_wide(global const real *t, long t_at, long t_step, long t_row,
                    long t_col, global real *x, long x_at, long x_step,
                    long x_row, int n, int sides, int unit, int zeros,
                    local real4 *room, int first_group)
{
	const int side = (first_group + get_group_id(0)) * SIDES;
	const int across = get_local_id(0) % SIDE * FEW;
	const int down = get_local_id(0) / SIDE * EACH;
	const struct system s = {
		t + t_at + get_group_id(1) * t_step,
		x + x_at + get_group_id(1) * x_step + side,
		t_row, t_col, x_row, n, sides - side, unit,
		max(side - zeros, 0) / NB * NB
	};
	real own[EACH][FEW];

	for (int i = s.first; i < n; i += NB) {
		UNROLL
		for (int e = 0; e < EACH * FEW; e++) {
			const int row = i + down + e / FEW;
			const int c = across + e % FEW;

			own[e / FEW][e % FEW] = row < n && c < s.sides ?
			                        s.x[row * x_row + c] : 0;
		}
		subtract(&s, i, own, (local real *)room);
		solve(&s, i, own, (local real *)room);
		UNROLL
		for (int e = 0; e < EACH * FEW; e++) {
			const int row = i + down + e / FEW;
			const int c = across + e % FEW;

			if (row < n && c < s.sides)
				s.x[row * x_row + c] = own[e / FEW][e % FEW];
		}
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	}
}
