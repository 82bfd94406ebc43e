/* inverse.cl - X = P, the permutation of P A = L U, on which two triangular
 * solves turn it into A^-1 = U^-1 L^-1 P: element (i, j) is 1 where row i of P
 * A is row j of A. p: int64, stack x n. Item (column, row of the stack). */
#include "lib/real.h"

kernel void inverse_begin(global const long *restrict p, int n,
                          global real *restrict x)
{
	const int j = get_global_id(0);
	const size_t row = get_global_id(1);

	if (j < n)
		x[row * n + j] = p[row] == j;
}
