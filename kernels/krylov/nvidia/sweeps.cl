/* sweeps.cl - the sweeps with incomplete factors (factors.cl) over the levels
 * `from` up to before `to` in one launch, whose work-groups meet after each
 * level. */
#include "krylov/sweep.h"
#include "krylov/nvidia/meet.h"

#define LEVELS global const int *order, global const int *level, int from, \
	int to, int rows, volatile global int *met

#define EACH_LEVEL(l) for (int l = from; l < to; meet(met, ++l - from))
#define EACH_ROW(at, l) for (int at = level[l] + (int)get_global_id(0); \
	at < level[(l) + 1]; at += (int)get_global_size(0))

/* L z = r. */
kernel void krylov_lower_resident(STATE, global const long *starts, LEVELS,
                                  global const int *corner,
                                  global const real *lu,
                                  global const real *r, global real *z)
{
	global const int *columns = COLUMNS(starts, rows);

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH_LEVEL(l)
		EACH_ROW(at, l) {
			const int i = order[at];

			z[i] = lower_row(i, starts, columns, corner, lu, r, z);
		}
	part_for_good(met);
}

/* U z = z. */
kernel void krylov_upper_resident(STATE, global const long *starts, LEVELS,
                                  global const int *corner,
                                  global const real *lu,
                                  global const real *pivot, global real *z)
{
	global const int *columns = COLUMNS(starts, rows);

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH_LEVEL(l)
		EACH_ROW(at, l) {
			const int i = order[at];

			z[i] = upper_row(i, starts, columns, corner, lu, pivot,
			                 z);
		}
	part_for_good(met);
}
