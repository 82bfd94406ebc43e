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
			    (s->l + L_AT(member + i * TEAM, k));

			x[i] -= l.x * u[0];
			x[i] -= l.y * u[1];
			x[i] -= l.z * u[2];
			x[i] -= l.w * u[3];
		}
	}
}

/* Of all panels of the block from begin to end, in the columns beside it.
 * Work-group (strip of these, matrix). */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_block_rows(global real *restrict lu, int m, int n, int begin,
                          int end, global const int *restrict kept)
{
	local struct shared s __attribute__((aligned(32)));
	const int member = get_local_id(0) / STRIP;
	const int strip = get_group_id(0) * STRIP;
	const int in = get_local_id(0) % STRIP, c = strip + in;
	const int column = c < begin ? c : c + end - begin;
	const bool is_column = column < n;
	global real *a = lu + get_group_id(1) * (size_t)m * n;

	PTX_ENTRY(".minnctapersm 2");
	kept += get_group_id(1) * LU_BLOCK * 2;
	for (int j = begin; j < end; j += NB) {
		global real *top = a + (size_t)j * n;
		real x[SHARE], old[SHARE], y[STEP];

		/* What other items wrote, too, is read from here on. */
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		moves_load(s.to, kept + (j - begin) * 2);
		barrier(CLK_LOCAL_MEM_FENCE);
		rows_fetch(x, old, top + column, n, NB, is_column, s.to);
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		rows_give(old, top + column, n, NB, is_column, s.to);
		/* A12 -= L1 U12 of the block's panels so far */
		for (int k = begin; k < j && strip >= begin; k += NB) {
			l_load(s.l, top + k, n, NB, NB, false);
			_Pragma("unroll")
			for (int i = 0; i < SHARE; i++) {
				const int r = member + i * TEAM;

				s.b[r][in] = is_column ?
				    a[(size_t)(k + r) * n + column] : 0;
			}
			barrier(CLK_LOCAL_MEM_FENCE);
			rows_lose(x, &s);
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		if (strip >= begin) {
			l_load(s.l, top + j, n, NB, NB, true);
			barrier(CLK_LOCAL_MEM_FENCE);
			if (get_local_id(0) < NB)
				block_invert(y, s.l);
			barrier(CLK_LOCAL_MEM_FENCE);
			if (get_local_id(0) < NB)
				block_store(y, s.l);
			rows_solve(x, &s);
		}
		rows_store(x, top + column, n, NB, is_column);
	}
}
