/* block.cl - applies a whole block of panels to the rows of the columns beside
 * it: interchanges, and U12 on the right (lu/beside.h). */
#include "lu/beside.h"
#include "lib/ptx.h"

/* x -= l b */
INLINE void rows_update(real x[SHARE], local const struct shared *s)
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

/* Applies the panel at j to a column of each item. */
INLINE void panel_apply(global real *a, int m, int n, int begin, int j,
                         int column, bool is_column,
                         global const int *moves, local struct shared *s)
{
	const int member = get_local_id(0) / STRIP;
	const int in = get_local_id(0) % STRIP;
	const int height = min(NB, m - j);
	const bool right = column - in >= begin;
	global real *top = a + (size_t)j * n;
	real x[SHARE], old[SHARE], y[STEP];

	/* From here on items read what others wrote. */
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	moves_load(s->to, moves);
	barrier(CLK_LOCAL_MEM_FENCE);
	rows_gather(x, old, top + column, n, height, is_column, s->to);
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	rows_scatter(old, top + column, n, height, is_column, s->to);
	/* A12 -= L1 U12 of the block's panels so far */
	for (int k = begin; k < j && right; k += NB) {
		l_load(s->l, top + k, n, NB, NB, false);
		_Pragma("unroll")
		for (int i = 0; i < SHARE; i++) {
			const int r = member + i * TEAM;

			s->b[r][in] = is_column ?
			    a[(size_t)(k + r) * n + column] : 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		rows_update(x, s);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (right) {
		l_load(s->l, top + j, n, NB, NB, true);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (get_local_id(0) < NB)
			block_invert(y, s->l);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (get_local_id(0) < NB)
			block_store(y, s->l);
		rows_solve(x, s);
	}
	rows_store(x, top + column, n, height, is_column);
}

/* Applies the panels `first` to `last` of the block that begins at column
 * `begin` to the columns `from` to `to`, all left of the block or all right of
 * it. Panels before `first` have been applied. Work-group (strip of these
 * columns, matrix); if there are more strips, a work-group does several. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void lu_block_rows(global real *lu, int m, int n, int begin,
                          int first, int last, int from, int to,
                          global const int *restrict kept)
{
	local struct shared s __attribute__((aligned(32)));
	const int in = get_local_id(0) % STRIP, groups = get_num_groups(0);
	global real *a = lu + get_group_id(1) * (size_t)m * n;

	PTX_ENTRY(".minnctapersm 2");
	kept += get_group_id(1) * panels(m, n) * 2 * NB;
	for (int strip = from + get_group_id(0) * STRIP; strip < to;
	     strip += groups * STRIP)
		for (int j = first; j < last; j += NB)
			panel_apply(a, m, n, begin, j, strip + in,
			             strip + in < to, kept + j * 2, &s);
}
