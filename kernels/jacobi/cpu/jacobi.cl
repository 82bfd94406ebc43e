/* jacobi.cl - one round of Jacobi's method, on a CPU:
 *
 *     r = b - A x,   y = x + omega r / d,
 *
 * in one pass over A; jacobi.h describes the system. A work-item takes a block
 * of rows.
 * Launch: an item per block, one per group; jacobi_rows_fold: a single item.
 */
#include "jacobi/jacobi.h"

/* This kernel computes float64 and mixed rounds. */
kernel SINGLE_ITEM void jacobi_rows(ROUND_MIXED)
{
	const int g = get_global_id(0);
	double square = 0;

	if (state[STATE_DONE] != DONE_NOT)
		return;
	for (int i = block[g]; i < block[g + 1]; i++) {
		const double sum = row_mixed(start, split, column, value,
		                             single, x64, x32, i, 0, 1);

		square += update_mixed(sum, b[i], diagonal[i], omega,
		                       place ? place[i] : i, x64, y64, y32);
	}
	part[g] = square;
}

kernel SINGLE_ITEM void jacobi_rows_float32(ROUND_FLOAT32)
{
	const int g = get_global_id(0);

	if (state[STATE_DONE] != DONE_NOT)
		return;
	for (int i = block[g]; i < block[g + 1]; i++)
		update_float32(dot_float32(single, x, column, start[i],
		                           start[i + 1], 1),
		               b[i], diagonal[i], omega,
		               place ? place[i] : i, x, y);
}

/* Updates the state after a round from the blocks' parts. */
kernel SINGLE_ITEM void jacobi_rows_fold(global const double *restrict part,
                                         int parts,
                                         global double *restrict state,
                                         double rounds)
{
	double sum = 0;

	if (state[STATE_DONE] != DONE_NOT)
		return;
	for (int i = 0; i < parts; i++)
		sum += part[i];
	settle(state, sum, rounds);
}
