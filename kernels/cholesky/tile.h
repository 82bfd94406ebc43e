/* tile.h - functions for tiles.h: a tile of A = L L^T in the registers of a
 * work-group, whose work-items form a square, and the data that work-groups
 * exchange. Included by kernels only. */
#include "blas/four.h"
#include "cholesky/root.h"
#include "lib/last.h"
#include "lib/sign.h"
#include "lib/unroll.h"
#include "lib/wait.h"
#include "lib/wide.h"
#include "shared/cholesky_tile.h"

#define NB CHOLESKY_NB
#define ITEMS CHOLESKY_TILE_ITEMS
#define SIDE 16				/* items along a tile's side */
#define EACH (NB / SIDE)		/* rows and columns of an item */
#define DEPTH CHOLESKY_DEPTH
#define LOADS (DEPTH * SIDE / ITEMS)	/* real4 that an item loads */
#define TILE4 (NB * SIDE)		/* real4 in a tile */

/* A tile's columns are announced to other work-groups in quarters at the
 * earliest. */
#define QUARTERS 4
#define QUARTER (SIDE / QUARTERS)	/* columns of items in a quarter */

/* The work-item's column and row in the square. It has the rows of the tile
 * from EACH Y on, and the columns from EACH X on. */
#define X ((int)get_local_id(0) % SIDE)
#define Y ((int)get_local_id(0) / SIDE)

/* Tile (i, j) of a block of columns of tiles of one matrix. i, j and rows count
 * tiles from the block's first diagonal tile on. */
struct tile {
	global const real *a;		/* first element of A */
	global real *l;			/* first element of L */
	int n, row, column;		/* order of A; the tile's first row and
					 * column */
	int i, j, rows;			/* rows: those of the block */
	global real4 *work;
	volatile global int *progress;
};

/* Returns the place of tile (i, k) in work. */
INLINE global real4 *work_of(const struct tile *t, int i, int k)
{
	return t->work + (size_t)(k * t->rows - k * (k - 1) / 2 + i - k) *
	                 TILE4;
}

/* Waits until the counters *p and *q are at least k. Returns the smaller one.
 * The data that were written before the counters were incremented can then be
 * read; lib/last.h explains the fences. */
INLINE int await(volatile global int *p, volatile global int *q, int k,
                 local int *word)
{
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (get_local_id(0) == 0) {
		int have = min(peek(p), peek(q));

		for (int tries = 0; have < k; tries++) {
			have = min(peek(p), peek(q));
			if (tries == PATIENCE) {
				give_up();
				break;
			}
		}
		fence_device();
		*word = have;
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	return *word;
}

/* Adds to the number of complete quarters in row i. A barrier must be between
 * what has written them and this call. */
INLINE void announce(const struct tile *t, int quarters)
{
	if (get_local_id(0) == 0) {
		fence_device();
		atomic_add(t->progress + t->i, quarters);
	}
}

/* Loads DEPTH rows of a tile in work. */
INLINE void load(global const real4 *from, real4 to[LOADS])
{
	UNROLL
	for (int q = 0; q < LOADS; q++)
		to[q] = from[get_local_id(0) + q * ITEMS];
}

/* Rows of NB elements in local memory. put() stores elements 4 i to 4 i + 3 of
 * a row, pick() returns them. In float64 the first two of every four elements
 * come before the last two of every four, so that the 16 bytes that
 * neighbouring work-items load at a time are neighbours. */
INLINE void put(local real4 *rows, int row, int i, real4 v)
{
#if defined(DTYPE_float64)
	local double2 *to = (local double2 *)(rows + row * SIDE);

	to[i] = v.s01;
	to[SIDE + i] = v.s23;
#else
	rows[row * SIDE + i] = v;
#endif
}

INLINE real4 pick(local const real4 *rows, int row, int i)
{
#if defined(DTYPE_float64)
	local const double2 *from = (local const double2 *)(rows + row * SIDE);

	return (real4)(from[i], from[SIDE + i]);
#else
	return rows[row * SIDE + i];
#endif
}

/* Stores DEPTH rows for multiply(). */
INLINE void keep(const real4 from[LOADS], local real4 *to)
{
	const int item = get_local_id(0);

	UNROLL
	for (int q = 0; q < LOADS; q++)
		put(to, item / SIDE + q * (ITEMS / SIDE), item % SIDE, from[q]);
}

/* Adds the work-item's elements of P^T Q to sum. P and Q have `depth` rows. */
INLINE void multiply(local const real4 *p, local const real4 *q, int depth,
                     real sum[EACH][EACH])
{
	const int x = X, y = Y;

#ifdef cl_nv_pragma_unroll
	_Pragma("unroll 4")
#endif
	for (int d = 0; d < depth; d++) {
		const real4 u = pick(p, d, y), v = pick(q, d, x);
		real left[EACH];

		PUT4(left, 0, u);
		UNROLL
		for (int r = 0; r < EACH; r++) {
			sum[r][0] += left[r] * v.s0;
			sum[r][1] += left[r] * v.s1;
			sum[r][2] += left[r] * v.s2;
			sum[r][3] += left[r] * v.s3;
		}
	}
}

/* Returns how many of the work-item's EACH elements in row r of the tile are in
 * the lower triangle of the matrix; the result may be negative or exceed
 * EACH. */
INLINE int lower_in(const struct tile *t, int r)
{
	return t->row + r < t->n ? t->row + r - t->column - X * EACH + 1 : 0;
}

/* Returns the index in the matrix of the first of the work-item's elements in
 * row r of the tile. */
INLINE size_t place_of(const struct tile *t, int r)
{
	return (size_t)(t->row + r) * t->n + t->column + X * EACH;
}

/* Reads the work-item's elements of a tile of the lower triangle of `from`. The
 * matrix is extended by the identity matrix if NB does not divide n. */
INLINE void tile_read(const struct tile *t, global const real *from,
                      real a[EACH][EACH])
{
	UNROLL
	for (int i = 0; i < EACH; i++) {
		const int r = Y * EACH + i, count = lower_in(t, r);
		global const real *row = from + place_of(t, r);

		UNROLL
		for (int c = 0; c < EACH; c++)
			a[i][c] = c < count ? row[c] :
			          t->i == t->j && r == X * EACH + c;
	}
}

/* Writes the work-item's elements of the tile to L. */
INLINE void tile_write(const struct tile *t, real a[EACH][EACH])
{
	UNROLL
	for (int i = 0; i < EACH; i++) {
		const int r = Y * EACH + i, count = lower_in(t, r);
		global real *row = t->l + place_of(t, r);

		UNROLL
		for (int c = 0; c < EACH; c++)
			if (c < count)
				row[c] = a[i][c];
	}
}

/* Sets the elements of tile (j, i) of L that are above the diagonal to zero. */
INLINE void tile_clear(const struct tile *t)
{
	UNROLL
	for (int e = 0; e < EACH * EACH; e++) {
		const int r = t->column + Y * EACH + e / EACH;
		const int c = t->row + X * EACH + e % EACH;

		if (c < t->n && c > r)
			t->l[(size_t)r * t->n + c] = 0;
	}
}

/* Returns column c of the work-item's elements. */
INLINE real4 column_of(real a[EACH][EACH], int c)
{
	return (real4)(a[0][c], a[1][c], a[2][c], a[3][c]);
}

/* Writes the tile's columns that items `first` to `end` - 1 of a row have to
 * tile (i, j) of work, transposed. */
INLINE void work_write(const struct tile *t, real a[EACH][EACH], int first,
                       int end)
{
	global real4 *to = work_of(t, t->i, t->j);

	UNROLL
	for (int c = 0; c < EACH; c++)
		if (X >= first && X < end)
			to[(X * EACH + c) * SIDE + Y] = column_of(a, c);
}

/* Examines the work-item's elements of A's lower triangle: sets *finite if all
 * of them are finite, and returns their part of x^T A x, the sum of x_r a_rc
 * x_c, in which elements below the diagonal count twice. */
INLINE wide tile_look(const struct tile *t, real a[EACH][EACH], bool *finite)
{
	const int column = t->column + X * EACH;
	wide all = 0;

	*finite = true;
	UNROLL
	for (int i = 0; i < EACH; i++) {
		const int r = Y * EACH + i, count = lower_in(t, r);
		wide sum = 0;

		UNROLL
		for (int c = 0; c < EACH; c++)
			if (c < count) {
				sum += sign_of(column + c) *
				       (column + c < t->row + r ? 2 : 1) *
				       (wide)a[i][c];
				*finite = *finite && isfinite(a[i][c]);
			}
		all += sign_of(t->row + r) * sum;
	}
	return all;
}

/* Stores the tile's terms for the residual: in sums[c], for each column c of
 * the tile of L, the sum of x_r l_rc over the tile's rows r; in sums[NB] to
 * sums[2 NB - 1] numbers whose sum is that of all work-items' `quadratic`. */
INLINE void tile_sum(const struct tile *t, real l[EACH][EACH], wide quadratic,
                     local wide *room, global wide *sums)
{
	local wide *other = room + SIDE * NB;
	const int item = get_local_id(0);

	barrier(CLK_LOCAL_MEM_FENCE);
	UNROLL
	for (int c = 0; c < EACH; c++) {
		wide sum = 0;

		UNROLL
		for (int r = 0; r < EACH; r++)
			if (c < lower_in(t, Y * EACH + r))
				sum += sign_of(t->row + Y * EACH + r) *
				       (wide)l[r][c];
		room[Y * NB + X * EACH + c] = sum;
	}
	other[item] = quadratic;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (item < NB) {
		wide sum = 0;

		for (int y = 0; y < SIDE; y++)
			sum += room[y * NB + item];
		sums[item] = sum;
		sum = 0;
		for (int e = item; e < ITEMS; e += NB)
			sum += other[e];
		sums[NB + item] = sum;
	}
}
