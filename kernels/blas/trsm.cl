/* trsm.cl - X = T^-1 X for a lower triangular matrix T and many right-hand
 * sides, for a stack, on any device.
 *
 *     T  n x n:      element (i, k) at t_at + i t_row + k t_col
 *     X  n x sides:  element (i, c) at x_at + i x_row + c x_col
 *
 * These are the positions in the first matrix of the stack; the next matrix
 * begins t_step or x_step elements later. For an upper triangular T, the host
 * counts rows and columns from the last one, with negative t_row, t_col and
 * x_row. If `unit` is set, T has ones on its diagonal, which is not read.
 *
 *        k
 *     +------+          The rows are cut into tiles of NB. Step k computes Xk =
 *     |Tkk   |   |Xk|   Tkk^-1 Xk and Xi -= Tik Xk for the next `tiles` tiles
 *     |   \  |   |  |   i. Every work-group of the step computes the Xk that it
 *     |Tik   |   |Xi|   needs in registers. Only step k + 1, in additional
 *     +------+          work-groups, writes it, because the others read Xk.
 *
 * Launch: NB x TEAMS items for each chunk of NB right-hand sides, each of the
 * step's tiles i and, after the first step, the Xk of the step before, and for
 * each matrix of the stack. A work-item of team 0 has a right-hand side in its
 * registers, one of team 1 a row of Tik. If NB does not divide n, T is extended
 * by the identity matrix, and X by zeros.
 */
#include "blas/tile.h"

#define TEAMS (ITEMS / NB)

/* A block of X: NB rows and NB right-hand sides, of which `rows` and `sides`
 * lie within X. */
struct part {
	global real *x;
	long row, col;			/* elements between rows, columns */
	int rows, sides;
};

/* Loads Tkk into local memory. Returns whether the inverses of its diagonal are
 * finite. */
static bool load_triangle(global const real *t, long row, long col, int n,
                          bool unit, local real *room)
{
	const int item = get_local_id(0);
	const bool by_row = col == 1 || col == -1;
	real own[NB / TEAMS];

	UNROLL
	for (int e = 0; e < NB / TEAMS; e++) {
		const int at = e * ITEMS + item;
		const int i = by_row ? at / NB : at % NB;
		const int k = by_row ? at % NB : at / NB;

		own[e] = i >= n || k > i || (unit && i == k) ? i == k :
		         t[i * row + k * col];
	}
	UNROLL
	for (int e = 0; e < NB / TEAMS; e++) {
		const int at = e * ITEMS + item;
		const int i = by_row ? at / NB : at % NB;
		const int k = by_row ? at % NB : at / NB;

		triangle_put(room, i, k, own[e]);
	}
	return triangle_invert(room);
}

/* Returns the block of X that begins `rows` rows below p. */
static struct part later(struct part p, int rows)
{
	p.x += rows * p.row;
	p.rows -= rows;
	return p;
}

/* Solves for Xk, one slice of rows after another, and adds Tik Xk or, if
 * `turned` is set, its transpose to `sum`. In team 0 `own` is a column of Xk,
 * on entry of the right-hand sides; in team 1 it is a row of Tik. */
INLINE void combine(real own[NB], bool turned, bool exact, local real4 *room,
                    real sum[DOWN][ACROSS])
{
	const int r = get_local_id(0) % NB, team = get_local_id(0) / NB;
	local real4 *left = room + BLAS_SLICES / 4;
	local real4 *right = left + SLICE * PITCH / 4;
	local real *mine = (local real *)((team == 0) == turned ? left :
	                                                          right);

	for (int q = 0; q < NB; q += SLICE) {
		if (team == 0)
			triangle_solve(room, q, own, exact);
		barrier(CLK_LOCAL_MEM_FENCE);
		UNROLL
		for (int c = 0; c < SLICE; c++)
			mine[c * PITCH + r] = own[c];
		barrier(CLK_LOCAL_MEM_FENCE);
		triangle_shift(own);
		multiply(left, right, sum);
	}
}

/* Solves for Xk and writes it. */
INLINE void finish(const struct part *p, bool exact, local const real4 *room,
                   real own[NB])
{
	const int r = get_local_id(0);

	for (int q = 0; q < NB && r < NB; q += SLICE) {
		triangle_solve(room, q, own, exact);
		UNROLL
		for (int c = 0; c < SLICE; c++)
			if (r < p->sides && q + c < p->rows)
				p->x[(q + c) * p->row + r * p->col] = own[c];
		triangle_shift(own);
	}
}

/* Computes Xi -= Tik Xk, given `sum` from combine(). */
INLINE void update(const struct part *p, bool turned, real sum[DOWN][ACROSS])
{
	const int x = get_local_id(0) % (NB / ACROSS) * ACROSS;
	const int y = get_local_id(0) / (NB / ACROSS) * DOWN;

	UNROLL
	for (int d = 0; d < DOWN; d++)
		UNROLL
		for (int c = 0; c < ACROSS; c++) {
			const int row = turned ? x + c : y + d;
			const int side = turned ? y + d : x + c;

			if (row < p->rows && side < p->sides)
				p->x[row * p->row + side * p->col] -=
				    sum[d][c];
		}
}

/* Loads the item's right-hand side, or, in team 1, its row of Tik at t. */
INLINE void load(const struct part *p, global const real *t, long row,
                 long col, int rows, real own[NB])
{
	const int r = get_local_id(0) % NB;
	const bool of_x = get_local_id(0) < NB;
	global const real *from = of_x ? p->x + r * p->col : t + r * row;
	const long step = of_x ? p->row : col;
	const int count = of_x ? r < p->sides ? p->rows : 0 :
	                  r < rows ? NB : 0;

	UNROLL
	for (int c = 0; c < NB; c++)
		own[c] = c < count ? from[c * step] : 0;
}

/* Step k, whose tile Tkk begins at row `at`. n and sides are the sizes of the
 * whole problem. The work-groups after those of the `tiles` tiles write Xk of
 * the previous step. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void blas_trsm(global const real *t, long t_at, long t_step, long t_row,
               long t_col, global real *x, long x_at, long x_step, long x_row,
               long x_col, int n, int sides, int unit, int at, int tiles,
               local real4 *room, int first_group)
{
	const int chunks = (sides + NB - 1) / NB;
	const int tile = (first_group + get_group_id(0)) / chunks;
	const int chunk = (first_group + get_group_id(0)) % chunks * NB;
	const int k = tile < tiles ? at : at - NB, i = at + (tile + 1) * NB;
	struct part p = { x + x_at + get_group_id(1) * x_step + k * x_row +
	                  chunk * x_col, x_row, x_col, n - k, sides - chunk };
	const bool turned = x_row == 1 || x_row == -1;
	real own[NB], sum[DOWN][ACROSS] = { { 0 } };
	bool exact;

	t += t_at + get_group_id(1) * t_step + k * t_col;
	load(&p, t + i * t_row, t_row, t_col, tile < tiles ? n - i : 0, own);
	exact = load_triangle(t + k * t_row, t_row, t_col, n - k, unit,
	                      (local real *)room);
	if (tile < tiles) {
		combine(own, turned, exact, room, sum);
		p = later(p, i - k);
		update(&p, turned, sum);
	} else {
		finish(&p, exact, room, own);
	}
}
