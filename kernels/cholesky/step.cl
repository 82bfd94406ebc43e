/* step.cl - A = L L^T of large matrices in tiles of NB rows and columns, by
 * work-groups and local memory, for any device.
 *
 *      k   j      end       in place in L, row-major, a stack at once:
 *    +---+----------+----+
 *    |Lkk| (L^T)    |    |  cholesky_first  factors tile (k, k), and copies
 *    +---+---+      |    |                  column k to row k
 *    |   |Ajj|      |    |  cholesky_step   Lik = Aik Lkk^-T for all i > k,
 *    |   +---+---+  |    |                  Aij -= Lik Ljk^T for j < end, and
 *  i |Lik|Aij|   |  |    |                  factors the next tile (j, j)
 *    +---+---+---+--+----+  blas_gemm       updates the columns from `end` on
 *    |   |   |   |  |    |  cholesky_clear  sets what is above the diagonal to
 *    +---+---+---+--+----+                  zero
 *
 * The groups of a step do not wait for each other. Each group computes the two
 * tiles of L that its product needs, Lik and Ljk, from column k as it was
 * before the step; the group of j = k + 1 writes Lik. So that no group reads
 * what another one writes, the tiles of column k are read from row k, above the
 * diagonal, where the step before has put their transposes. The transpose of
 * Lkk is there as well.
 *
 * The tiles at the end have fewer rows and columns if NB does not divide n; the
 * missing ones are taken to be those of the identity matrix on the diagonal,
 * and zeros elsewhere.
 */
#define ROWS CHOLESKY_NB
#define TEAMS CHOLESKY_TEAMS
#include "blas/tile.h"
#include "lib/wide.h"
#include "cholesky/factor.h"

#define HALF (NB / 2)
#define LANES CHOLESKY_LANES
#define CLEAR CHOLESKY_CLEAR

/* An n x n matrix in global memory. */
struct matrix {
	global real *l;
	int n;
};

/* Returns how many rows the tile that begins at row `at` has. */
static int rows_of(const struct matrix *m, int at)
{
	return min(NB, m->n - at);
}

static real element(const struct matrix *m, int row, int column)
{
	return row < m->n && column < m->n ?
	       m->l[(size_t)row * m->n + column] : 0;
}

/* Copies tile (i, k) to tile (k, i), transposed. */
static void turn(const struct matrix *m, int i, int k, local real *room)
{
	const int item = get_local_id(0);

	for (int q = 0; q < NB; q += SLICE) {
		for (int e = item; e < NB * SLICE; e += ITEMS)
			room[e % SLICE * PITCH + e / SLICE] =
			    element(m, i + e / SLICE, k + q + e % SLICE);
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int e = item; e < NB * SLICE; e += ITEMS)
			if (i + e % NB < m->n)
				m->l[(size_t)(k + q + e / NB) * m->n + i +
				     e % NB] = room[e / NB * PITCH + e % NB];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* Factors tile (j, j), whose elements are in registers in factor.h's layout,
 * and writes L. Sets *state to the order of the first leading minor that is not
 * positive, unless an earlier tile has set it. */
INLINE void factor_tile(const struct matrix *m, int j, real own[OWN],
                        local real4 *room, global int *state)
{
	const int item = get_local_id(0), nb = rows_of(m, j);
	const struct place at = { item % NB, item / NB, 0 };
	const struct shelf s = shelf_in(room);
	const struct target to = { m->l + (size_t)j * (m->n + 1), 0, m->n, nb,
	                           1, j + NB < m->n };
	local int *orders = (local int *)room;
	wide ignored;
	int bad;

	/* Waits until all work-items have read A, which L overwrites. */
	barrier(CLK_GLOBAL_MEM_FENCE);
	bad = factor(&s, &at, &to, own, &ignored);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (at.row == 0)
		orders[at.team] = bad ? bad : NB + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (item == 0 && *state == 0) {
		int first = orders[0];

		for (int t = 1; t < TEAMS; t++)
			first = min(first, orders[t]);
		if (first <= nb)
			*state = j + first;
	}
}

/* Work-group `row` of a matrix factors tile (k, k), if row is 0, or copies tile
 * (k + row, k) to tile (k, k + row), transposed. k counts tiles. Launch: `rows`
 * groups for each matrix. The order of a matrix's failed minor goes to
 * state[from + matrix]. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void cholesky_first(global real *l, int n, int k, int rows, global int *state,
                    int from, local real4 *room)
{
	const size_t matrix = get_group_id(0) / rows;
	const int row = get_group_id(0) % rows, item = get_local_id(0);
	const struct matrix m = { l + matrix * n * n, n };
	const int at = k * NB, r = at + item % NB;
	real own[OWN];

	if (row == 0) {
		UNROLL
		for (int e = 0; e < OWN; e++) {
			const int c = at + (e / PART * TEAMS + item / NB) *
			              PART + e % PART;

			own[e] = c < r ? element(&m, r, c) : c > r ? 0 :
			         r < n ? element(&m, r, c) : 1;
		}
		factor_tile(&m, at, own, room, state + from + matrix);
	} else {
		turn(&m, at + row * NB, at, (local real *)room);
	}
}

/* Loads Lkk, whose transpose is in global memory, and the reciprocals of its
 * diagonal into t. Loads the work-item's row of the tile in column k that
 * begins at row `from` into x. */
INLINE void load(const struct matrix *m, int k, int from, local real *t,
                 real x[NB])
{
	const int item = get_local_id(0), i = item % NB, team = item / NB;
	global const real *row = m->l + (size_t)k * m->n;
	real triangle[NB / TEAMS];

	UNROLL
	for (int e = 0; e < NB / TEAMS; e++)
		triangle[e] = row[(size_t)(e * TEAMS + team) * m->n + k + i];
	UNROLL
	for (int c = 0; c < NB; c++)
		x[c] = from + i < m->n ? row[(size_t)c * m->n + from + i] : 0;
	UNROLL
	for (int e = 0; e < NB / TEAMS; e++)
		triangle_put(t, i, e * TEAMS + team, triangle[e]);
	triangle_invert(t);
}

/* Writes a slice of Lik, whose columns begin at column k of L. */
static void write_slice(const struct matrix *m, int i, int k,
                        local const real *slice)
{
	for (int e = get_local_id(0); e < NB * SLICE; e += ITEMS)
		if (i + e / SLICE < m->n)
			m->l[(size_t)(i + e / SLICE) * m->n + k + e % SLICE] =
			    slice[e % SLICE * PITCH + e / SLICE];
}

/* Reads the item's elements of tile (i, j). */
INLINE void read(const struct matrix *m, int i, int j, real a[DOWN][ACROSS])
{
	const int x = get_local_id(0) % (NB / ACROSS) * ACROSS;
	const int y = get_local_id(0) / (NB / ACROSS) * DOWN;

	UNROLL
	for (int r = 0; r < DOWN; r++)
		UNROLL
		for (int c = 0; c < ACROSS; c++)
			a[r][c] = element(m, i + y + r, j + x + c);
}

/* Writes tile (i, j) but for what is above the diagonal. */
INLINE void write(const struct matrix *m, int i, int j,
                  real a[DOWN][ACROSS])
{
	const int x = get_local_id(0) % (NB / ACROSS) * ACROSS;
	const int y = get_local_id(0) / (NB / ACROSS) * DOWN;

	UNROLL
	for (int r = 0; r < DOWN; r++)
		UNROLL
		for (int c = 0; c < ACROSS; c++) {
			const int row = i + y + r, column = j + x + c;

			if (row < m->n && column <= row)
				m->l[(size_t)row * m->n + column] = a[r][c];
		}
}

/* Puts half h of a tile's columns into local memory, column after column. */
INLINE void put_half(real a[DOWN][ACROSS], int h, local real *room)
{
	const int x = get_local_id(0) % (NB / ACROSS) * ACROSS;
	const int y = get_local_id(0) / (NB / ACROSS) * DOWN;

	barrier(CLK_LOCAL_MEM_FENCE);
	if (x / HALF == h)
		UNROLL
		for (int c = 0; c < ACROSS; c++)
			UNROLL
			for (int i = 0; i < DOWN; i++)
				room[(x % HALF + c) * PITCH + y + i] = a[i][c];
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Writes the transpose of tile (i, j) to tile (j, i), for i > j. */
INLINE void write_turned(const struct matrix *m, int i, int j,
                         real a[DOWN][ACROSS], local real *room)
{
	for (int h = 0; h < NB / HALF; h++) {
		put_half(a, h, room);
		for (int e = get_local_id(0); e < NB * HALF; e += ITEMS)
			if (i + e % NB < m->n)
				m->l[(size_t)(j + h * HALF + e / NB) * m->n +
				     i + e % NB] =
				    room[e / NB * PITCH + e % NB];
	}
}

/* Moves tile (j, j), of nb rows, from the register layout of multiply()
 * (tile.h) to that of factor.h. */
INLINE void pass(real a[DOWN][ACROSS], int nb, local real *room, real own[OWN])
{
	const int r = get_local_id(0) % NB, team = get_local_id(0) / NB;

	UNROLL
	for (int h = 0; h < NB / HALF; h++) {
		put_half(a, h, room);
		UNROLL
		for (int k = 0; k < OWN / 2; k++) {
			const int e = h * OWN / 2 + k;
			const int c = (e / PART * TEAMS + team) * PART +
			              e % PART;

			own[e] = r < nb && c < nb ?
			         room[c % HALF * PITCH + r] : r == c;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Computes Lik and Ljk from the items' rows in x, a slice at a time, and,
 * unless `last`, a = Aij - Lik Ljk^T. Writes Lik if j is k + 1. */
INLINE void combine(const struct matrix *m, int i, int j, int k, bool last,
                    real x[NB], local real4 *room, real a[DOWN][ACROSS])
{
	const int item = get_local_id(0), r = item % NB, team = item / NB;
	local real4 *of_i = room + BLAS_SLICES / 4;
	local real4 *of_j = i == j ? of_i : of_i + SLICE * PITCH / 4;
	local real *mine = (local real *)(team == 0 ? of_i : of_j);
	real sum[DOWN][ACROSS] = { { 0 } };

	for (int q = 0; q < NB; q += SLICE) {
		triangle_solve(room, q, x, true);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (team == 0 || i != j)
			UNROLL
			for (int c = 0; c < SLICE; c++)
				mine[c * PITCH + r] = x[c];
		barrier(CLK_LOCAL_MEM_FENCE);
		triangle_shift(x);
		if (j == k + NB)
			write_slice(m, i, k + q, (local const real *)of_i);
		if (!last)
			multiply(of_i, of_j, sum);
	}
	if (last)
		return;
	read(m, i, j, a);
	UNROLL
	for (int e = 0; e < DOWN * ACROSS; e++)
		a[e / ACROSS][e % ACROSS] -= sum[e / ACROSS][e % ACROSS];
}

/* Step k, which updates the columns of tiles before column `end`. With end = k
 * + 1 it only computes column k of L. k and end count tiles. Launch: `rows` x
 * `columns` groups for each matrix, one for each tile (i, j) from (k + 1, k +
 * 1) on, of which those above the diagonal do nothing. state and `from` are as
 * in cholesky_first. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void cholesky_step(global real *l, int n, int k, int end, int rows,
                   int columns, global int *state, int from,
                   local real4 *room)
{
	const size_t matrix = get_group_id(0) / (rows * columns);
	const int which = get_group_id(0) % (rows * columns);
	const int at = k * NB, i = at + (1 + which % rows) * NB;
	const int j = at + (1 + which / rows) * NB;
	const struct matrix m = { l + matrix * n * n, n };
	const bool last = end == k + 1, next = j == at + NB;
	real x[NB], own[OWN], a[DOWN][ACROSS];

	if (i < j)
		return;
	load(&m, at, get_local_id(0) < NB ? i : j, (local real *)room, x);
	combine(&m, i, j, at, last, x, room, a);
	if (last)
		return;
	if (!next) {
		write(&m, i, j, a);
	} else if (i > j) {
		write_turned(&m, i, j, a, (local real *)room);
	} else {
		pass(a, rows_of(&m, j), (local real *)room, own);
		factor_tile(&m, j, own, room, state + from + matrix);
	}
}

/* Sets the elements above the diagonal to zero in the rows from `begin` to
 * `end` - 1. Launch: a work-group of LANES items for each of the `blocks`
 * blocks of CLEAR such rows of each matrix. */
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void cholesky_clear(global real *l, int n, int begin, int end, int blocks)
{
	const size_t matrix = get_group_id(0) / blocks;
	const int first = begin + get_group_id(0) % blocks * CLEAR;
	const int last = min(first + CLEAR, end), item = get_local_id(0);

	l += matrix * n * n;
	for (int row = first; row < last; row++)
		for (int c = row + 1 + item; c < n; c += LANES)
			l[(size_t)row * n + c] = 0;
}
