/* inverse.cl - sets X to P, the permutation matrix of P A = L U; two triangular
 * solves then make it A^-1 = U^-1 L^-1 P. Element (i, j) of P is 1 where row i
 * of P A is row j of A. p[stack][n] holds j for each i. Launch: item (column,
 * row of the stack). */
#include "lib/real.h"

kernel void inverse_begin(global const long *restrict p, int n,
                          global real *restrict x)
{
	const int j = get_global_id(0);
	const size_t row = get_global_id(1);

	if (j < n)
		x[row * n + j] = p[row] == j;
}
