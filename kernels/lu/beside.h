/* beside.h - applies panels of an LU factorization (lu.cl) to the rows of other
 * columns: interchanges (laswp), and right of a panel U12 = L11^-1 A12 (trsm).
 *
 * A work-group has a strip of columns; TEAM items share a column, each has
 * every TEAM-th of NB rows. A strip lies left or right of a panel, never on
 * both sides. */
#ifndef KERNELS_LU_BESIDE_H
#define KERNELS_LU_BESIDE_H

#include "lu/pivot.h"
#include "shared/lu_tile.h"

#define NB LU_NB
#define ITEMS LU_ROWS_ITEMS
#define STRIP LU_STRIP(sizeof(real))
#define TEAM (ITEMS / STRIP)
#define SHARE (NB / TEAM)
#define STEP 8			/* rows that are solved at a time */
#define ROWS_ON (ITEMS / NB)	/* divides STEP */

/* Where element (r, k) of NB x NB of L is in local memory, aligned where k is a
 * multiple of STEP: a full square, or, where only L11 is wanted, its blocks up
 * to the diagonal, so that the 32 KiB which every device has are enough. */
#ifdef BELOW_DIAGONAL
#define L_LENGTH (NB * (NB + STEP) / 2)
#define L_HAS(r, k) ((k) / STEP <= (r) / STEP)
#define L_ROW(r) (((r) / STEP + 1) * STEP)	/* from row to row */
#define L_AT(r, k) (((r) / STEP * STEP / 2 + (r) % STEP) * L_ROW(r) + (k))
#else
#define L_LENGTH (NB * (NB + 4))
#define L_HAS(r, k) true
#define L_ROW(r) (NB + 4)
#define L_AT(r, k) ((r) * L_ROW(r) + (k))
#endif

/* In local memory. */
struct shared {
	real l[L_LENGTH];
	real b[NB][STRIP];
	int to[2 * NB];
};

/* Loads NB x NB of L at a; zeros beyond the edges and, for L11, from the
 * diagonal on. */
INLINE void l_load(local real *l, global const real *a, int n, int rows,
                   int columns, bool is_l11)
{
	const uint k = get_local_id(0) % NB, r0 = get_local_id(0) / NB;
	const int first = is_l11 ? k + 1 : 0, last = k < columns ? rows : 0;
	real x[NB / ROWS_ON];

	a += (long)r0 * n + k;
	_Pragma("unroll")
	for (int r = 0; r < NB; r += ROWS_ON, a += (long)ROWS_ON * n) {
		const int at = r + r0;

		x[r / ROWS_ON] = at >= first && at < last ? *a : 0;
	}
	_Pragma("unroll")
	for (int r = 0; r < NB; r += ROWS_ON)
		if (L_HAS(r, k))
			l[L_AT(r, k) + r0 * L_ROW(r)] = x[r / ROWS_ON];
}

INLINE int panels(int m, int n)
{
	return (min(m, n) + NB - 1) / NB;
}

INLINE void moves_load(local int *to, global const int *moves)
{
	for (int k = get_local_id(0); k < 2 * NB; k += ITEMS)
		to[k] = moves[k];
}

/* Keeps the moves of the panel at j: kept[matrix][panel][2 NB]. */
INLINE void moves_keep(global int *kept, size_t matrix, int m, int n, int j,
                       local const struct shared *s)
{
	kept += (matrix * panels(m, n) + j / NB) * 2 * NB;
	for (int k = get_local_id(0); k < 2 * NB; k += ITEMS)
		kept[k] = s->to[k];
}

/* Gathers into x the item's share of the rows that come to the panel's top, in
 * a column that begins at these rows; and into `old` what they held, if it
 * moves below the top. */
INLINE void rows_gather(real x[SHARE], real old[SHARE],
                       global const real *column, int n, int top,
                       bool is_column, local const int *to)
{
	const int end = is_column ? top : 0;

	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++) {
		const int k = get_local_id(0) / STRIP + i * TEAM;

		x[i] = k < end ? column[(long)to[k] * n] : 0;
		old[i] = k < end && to[NB + k] >= top ?
		         column[(long)k * n] : 0;
	}
}

/* Scatters what the top rows held, after everything has been read. */
INLINE void rows_scatter(const real old[SHARE], global real *column, int n,
                      int top, bool is_column, local const int *to)
{
	const int end = is_column ? top : 0;

	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++) {
		const int k = get_local_id(0) / STRIP + i * TEAM;

		if (k < end && to[NB + k] >= top)
			column[(long)to[NB + k] * n] = old[i];
	}
}

INLINE void rows_store(const real x[SHARE], global real *column, int n,
                       int top, bool is_column)
{
	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++) {
		const int k = get_local_id(0) / STRIP + i * TEAM;

		if (is_column && k < top)
			column[(long)k * n] = x[i];
	}
}

/* A column of the inverse of a STEP x STEP block on the diagonal of L11: item
 * id < NB has column id % STEP of block id / STEP. */
INLINE void block_invert(real y[STEP], local const real *l)
{
	const uint column = get_local_id(0) % STEP;
	const uint k0 = get_local_id(0) - column;

	l += L_AT(k0, k0);
	_Pragma("unroll")
	for (uint r = 0; r < STEP; r++)
		y[r] = r == column;
	_Pragma("unroll")
	for (uint k = 0; k < STEP; k++)
		_Pragma("unroll")
		for (uint r = 0; r < STEP; r++)
			if (r > k && k >= column)
				y[r] -= l[r * L_ROW(k0) + k] * y[k];
}

/* Stores the inverse in the place of its block, after all have read that. */
INLINE void block_store(const real y[STEP], local real *l)
{
	const uint column = get_local_id(0) % STEP;
	const uint k0 = get_local_id(0) - column;

	l += L_AT(k0, k0) + column;
	_Pragma("unroll")
	for (uint r = 1; r < STEP; r++)
		if (r > column)
			l[r * L_ROW(k0)] = y[r];
}

/* The product of STEP elements of a row of L and u. */
INLINE real step_dot(local const real *l, const real u[STEP])
{
	const real4 v = *(local const real4 *)l;
	const real4 w = *(local const real4 *)(l + 4);

	return v.x * u[0] + v.y * u[1] + v.z * u[2] + v.w * u[3] +
	       (w.x * u[4] + w.y * u[5] + w.z * u[6] + w.w * u[7]);
}

INLINE void column_read(real u[STEP], local const real b[][STRIP], int c)
{
	_Pragma("unroll")
	for (int k = 0; k < STEP; k++)
		u[k] = b[k][c];
}

/* x = L11^-1 x, STEP rows at a time: these are multiplied by the inverse of
 * their diagonal block, which is stored in its place, and then subtracted from
 * those below. Every item must call it. Loops are not unrolled: fetching so
 * many instructions would take longer than executing them. */
INLINE void rows_solve(real x[SHARE], local struct shared *s)
{
	const uint c = get_local_id(0) % STRIP;
	const uint member = get_local_id(0) / STRIP;

	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++)
		s->b[member + i * TEAM][c] = x[i];
	_Pragma("unroll 1")
	for (uint k = 0; k < NB; k += STEP) {
		real u[STEP], y = 0;

		barrier(CLK_LOCAL_MEM_FENCE);
		column_read(u, s->b + k, c);
		if (member < STEP)
			y = s->b[k + member][c] +
			    step_dot(s->l + L_AT(k + member, k), u);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (member < STEP)
			s->b[k + member][c] = y;
		barrier(CLK_LOCAL_MEM_FENCE);
		column_read(u, s->b + k, c);
		_Pragma("unroll 1")
		for (uint r = k + STEP + member; r < NB; r += TEAM)
			s->b[r][c] -= step_dot(s->l + L_AT(r, k), u);
	}
	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++)
		x[i] = s->b[member + i * TEAM][c];
}

#ifdef BELOW_DIAGONAL

/* Applies the panel at j to the rows of a strip of columns, the first of which
 * is `strip`; s->to has its moves. Every item must call it. */
INLINE void strip_apply_panel(global real *a, int m, int n, int j, int strip,
                        int end, local struct shared *s)
{
	const int top = min(NB, m - j);
	const int column = strip + get_local_id(0) % STRIP;
	const bool right = strip > j, is_column = column < end;
	const bool inverts = right && get_local_id(0) < NB;
	real x[SHARE], old[SHARE], y[STEP];

	a += (size_t)j * n;
	if (right)
		l_load(s->l, a + j, n, top, min(NB, n - j), true);
	barrier(CLK_LOCAL_MEM_FENCE);
	rows_gather(x, old, a + column, n, top, is_column, s->to);
	if (inverts)
		block_invert(y, s->l);
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	rows_scatter(old, a + column, n, top, is_column, s->to);
	if (inverts)
		block_store(y, s->l);
	if (right)
		rows_solve(x, s);
	rows_store(x, a + column, n, top, is_column);
}

#endif
#endif
