/* gang.cl - sums over the columns of a lower triangle that a device holds, as a
 * part of a gang (ops/gang/columns.h) or one strip after the other, for the
 * estimated residual. */
#include "lib/sign.h"
#include "lu/lu.h"

/* Column c of a (n x own) is column g of the matrix's columns from column
 * `first` on, of which a has the rows from row `first` on. sums[chunk][c] =
 * a_gg x_g + below sum_i>g a_ig x_i, over the rows of a chunk, for the vector x
 * of signs. Item (column, chunk). */
kernel void cholesky_gang_columns(global const real *restrict a, int n,
                                  int own, int width, int part, int parts,
                                  int first, int below, int chunk,
                                  global wide *restrict sums)
{
	const int c = get_global_id(0), from = get_global_id(1) * chunk;
	const int g = (c / width * parts + part) * width + c % width;
	wide sum = 0;

	if (c >= own)
		return;
	for (int i = max(from, g); i < min(from + chunk, n); i++)
		sum += (i == g ? 1 : below) * sign_of(first + i) *
		       (wide)a[(size_t)i * own + c];
	sums[(size_t)get_global_id(1) * own + c] = sum;
}
