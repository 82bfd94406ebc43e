/* lu_beside.h - what panels of an LU factorization (lu.cl) do to the rows of
 * other columns: swaps, and U12 = L11^-1 A12 right of them.
 *
 * A work-group has a strip of columns; TEAM items have a column, each every
 * TEAM-th of NB rows. Strips lie left or right of a panel, never on both
 * sides. */
#ifndef KERNELS_LU_BESIDE_H
#define KERNELS_LU_BESIDE_H

#include "lu_pivot.h"
#include "lu_tile.h"

#define NB LU_NB
#define ITEMS LU_ROWS_ITEMS
#define STRIP LU_STRIP(sizeof(real))
#define TEAM (ITEMS / STRIP)
#define SHARE (NB / TEAM)
#define STEP 16			/* rows that are solved at a time */

/* Element (r, k) of NB x NB of L in local memory: of all, or, where nothing
 * but L11 is wanted, of what it has below its diagonal, so that the 32 KiB
 * which every device has will do. */
#ifdef BELOW_DIAGONAL
#define L_LENGTH (NB * (NB - 1) / 2)
#define L_HAS(r, k) ((k) < (r))
#define L_AT(l, r, k) (l)[(r) * ((r) - 1) / 2 + (k)]
#else
#define L_LENGTH (NB * (NB + 4))
#define L_HAS(r, k) true
#define L_AT(l, r, k) (l)[(r) * (NB + 4) + (k)]
#endif

/* In local memory. */
struct shared {
	real l[L_LENGTH];
	real b[NB][STRIP];
	int to[2 * NB];
};

/* NB x NB of L at a; zeros beyond the edges. */
INLINE void l_load(local real *l, global const real *a, int n, int rows,
                   int columns)
{
	_Pragma("unroll")
	for (int i = 0; i < NB * NB / ITEMS; i++) {
		const int e = get_local_id(0) + i * ITEMS;
		const int r = e / NB, k = e % NB;

		if (L_HAS(r, k))
			L_AT(l, r, k) = r < rows && k < columns ?
			                a[(size_t)r * n + k] : 0;
	}
}

INLINE void moves_load(local int *to, global const int *moves)
{
	for (int k = get_local_id(0); k < 2 * NB; k += ITEMS)
		to[k] = moves[k];
}

/* The item's part x of what a panel's top rows get, in a column from these
 * rows on; what they held goes to where that came from, after all has been
 * read. Every item must call it. */
INLINE void rows_swap(real x[SHARE], global real *column, int n, int top,
                      bool is_column, local const int *to)
{
	const int member = get_local_id(0) / STRIP;
	real old[SHARE];

	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++) {
		const int k = member + i * TEAM;
		const bool here = is_column && k < top;

		x[i] = here ? column[(size_t)to[k] * n] : 0;
		old[i] = here && to[NB + k] >= top ?
		         column[(size_t)k * n] : 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++) {
		const int k = member + i * TEAM;

		if (is_column && k < top && to[NB + k] >= top)
			column[(size_t)to[NB + k] * n] = old[i];
	}
}

INLINE void rows_store(const real x[SHARE], global real *column, int n,
                       int top, bool is_column)
{
	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++) {
		const int k = get_local_id(0) / STRIP + i * TEAM;

		if (is_column && k < top)
			column[(size_t)k * n] = x[i];
	}
}

/* x = L^-1 x, STEP rows at a time: these by one item a column, those below
 * lose them by all. Every item must call it; l is set. */
INLINE void rows_solve(real x[SHARE], local struct shared *s)
{
	const int c = get_local_id(0) % STRIP, member = get_local_id(0) / STRIP;

	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++)
		s->b[member + i * TEAM][c] = x[i];
	for (int k0 = 0; k0 < NB; k0 += STEP) {
		real y[STEP];

		barrier(CLK_LOCAL_MEM_FENCE);
		if (member == 0) {
			_Pragma("unroll")
			for (int r = 0; r < STEP; r++)
				y[r] = s->b[k0 + r][c];
			_Pragma("unroll")
			for (int k = 0; k < STEP; k++)
				_Pragma("unroll")
				for (int r = 0; r < STEP; r++)
					if (r > k)
						y[r] -= L_AT(s->l, k0 + r,
						             k0 + k) * y[k];
			_Pragma("unroll")
			for (int r = 0; r < STEP; r++)
				s->b[k0 + r][c] = y[r];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		_Pragma("unroll")
		for (int k = 0; k < STEP; k++)
			y[k] = s->b[k0 + k][c];
		for (int r = k0 + STEP + member; r < NB; r += TEAM) {
			real z = s->b[r][c];

			_Pragma("unroll")
			for (int k = 0; k < STEP; k++)
				z -= L_AT(s->l, r, k0 + k) * y[k];
			s->b[r][c] = z;
		}
	}
	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++)
		x[i] = s->b[member + i * TEAM][c];
}

#endif
