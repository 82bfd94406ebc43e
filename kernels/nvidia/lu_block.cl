/* lu_block.cl - the rows of the columns beside a block of panels, after all of
 * these: see lu_beside.h. */
#include "lu_beside.h"
#include "nvidia/ptx.h"

/* x -= l b */
INLINE void rows_lose(real x[SHARE], local const struct shared *s)
{
	const int c = get_local_id(0) % STRIP, member = get_local_id(0) / STRIP;

	_Pragma("unroll 1")
	for (int k = 0; k < NB; k += 4) {
		real u[4];

		_Pragma("unroll")
		for (int e = 0; e < 4; e++)
			u[e] = s->b[k + e][c];
		_Pragma("unroll")
		for (int i = 0; i < SHARE; i++) {
			const real4 l = *(local const real4 *)
			    &s->l[member + i * TEAM][k];

			x[i] -= l.x * u[0];
			x[i] -= l.y * u[1];
			x[i] -= l.z * u[2];
			x[i] -= l.w * u[3];
		}
	}
}

/* The item's part of NB rows of U, in a column from these on. */
INLINE void u_load(real u[SHARE], global const real *column, int n,
                   bool is_column)
{
	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++) {
		const int r = get_local_id(0) / STRIP + i * TEAM;

		u[i] = is_column ? column[(size_t)r * n] : 0;
	}
}

INLINE void u_put(local real (*to)[STRIP], const real u[SHARE])
{
	_Pragma("unroll")
	for (int i = 0; i < SHARE; i++)
		to[get_local_id(0) / STRIP + i * TEAM]
		  [get_local_id(0) % STRIP] = u[i];
}

/* Of all panels of the block from begin to end, in the columns beside it.
 * Work-group (strip of these, matrix). What is multiplied next is on its way
 * meanwhile. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_block_rows(global real *restrict lu, int m, int n, int begin,
                          int end, global const int *restrict kept)
{
	local struct shared s __attribute__((aligned(32)));
	local int to[2 * LU_BLOCK];
	const int strip = get_group_id(0) * STRIP;
	const int c = strip + get_local_id(0) % STRIP;
	const int column = c < begin ? c : c + end - begin;
	const bool is_column = column < n, right = strip >= begin;
	global real *a = lu + get_group_id(1) * (size_t)m * n;
	global real *first = a + (size_t)begin * n + column;

	PTX_ENTRY(".minnctapersm 2");
	kept += get_group_id(1) * LU_BLOCK * 2;
	for (int k = get_local_id(0); k < 2 * (end - begin); k += ITEMS)
		to[k] = kept[k];
	for (int j = begin; j < end; j += NB) {
		global real *top = a + (size_t)j * n;
		real x[SHARE], l[L_SHARE], u[SHARE];

		/* What other items wrote, too, is read from here on. */
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		if (right) {
			l_load(l, top + begin, n, NB, NB);
			u_load(u, first, n, is_column);
		}
		rows_swap(x, top + column, n, NB, is_column,
		          to + 2 * (j - begin));
		/* A12 -= L1 U12 of the block's panels so far */
		for (int k = begin; k < j && right; k += NB) {
			l_put(s.l, l);
			u_put(s.b, u);
			barrier(CLK_LOCAL_MEM_FENCE);
			l_load(l, top + k + NB, n, NB, NB);
			u_load(u, first + (size_t)(k + NB - begin) * n, n,
			       is_column);
			rows_lose(x, &s);
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		if (right) {
			l_put(s.l, l);
			rows_solve(x, &s);
		}
		rows_store(x, top + column, n, NB, is_column);
	}
}
