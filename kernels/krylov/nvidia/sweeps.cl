/* sweeps.cl - the sweeps with incomplete factors (factors.cl) in one launch for
 * the levels from `from` to `to` - 1, after each of which the work-groups wait
 * for each other. met: two counters, 0 before and after. */
#include "krylov/sweep.h"
#include "lib/meet.h"

/* `with` is the argument that is called so in the value of z_i. */
#define SWEEP(name, with, value)                                              \
kernel void name(STATE, global const long *starts, global const int *order,   \
                 global const int *level, int from, int to, int rows,         \
                 volatile global int *met, global const int *corner,          \
                 global const real *lu, global const real *with,              \
                 global real *z)                                              \
{                                                                             \
	global const int *columns = COLUMNS(starts, rows);                    \
                                                                              \
	if (state[K_DONE] != K_GOES_ON)                                       \
		return;                                                       \
	for (int l = from; l < to; l++) {                                     \
		for (int at = level[l] + (int)get_global_id(0);               \
		     at < level[l + 1]; at += (int)get_global_size(0)) {      \
			const int i = order[at];                              \
                                                                              \
			z[i] = value;                                         \
		}                                                             \
		meet(met, l + 1 - from);                                      \
	}                                                                     \
	meet_no_more(met, met + 1);                                           \
}

/* L z = r. */
SWEEP(krylov_lower_resident, r,
      lower_row(i, starts, columns, corner, lu, r, z))

/* U z = z. */
SWEEP(krylov_upper_resident, pivot,
      upper_row(i, starts, columns, corner, lu, pivot, z))
