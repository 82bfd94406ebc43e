/* det.cl - copies the diagonals of the factors U, whose products are the
 * determinants, to diagonal[matrix][n]. Launch: item (row, matrix). */
#include "lib/real.h"

kernel void det_diagonal(global const real *restrict lu, int n,
                         global real *restrict diagonal)
{
	const size_t i = get_global_id(0), matrix = get_global_id(1);

	if (i < (size_t)n)
		diagonal[matrix * n + i] = lu[(matrix * n + i) * n + i];
}
