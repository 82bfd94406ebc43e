/* complex.cl - complex matrices, whose elements are a real part followed by an
 * imaginary one, for kernels that compute with reals. `real` is the type of the
 * parts.
 *
 * complex_twist: each element a + b i of op(B), k x n, becomes a 2 x 2 block:
 *
 *     [a + b i]  ──▶  [ a  b]
 *                     [-b  a]
 *
 * The row [x y] of an element x + y i times the block is that of the product,
 * so that C = A B is one product of real matrices, m x 2k and 2k x 2n, in which
 * only B is not as it lies in memory.
 *
 * complex_take: op(A), with transposition, conjugation or both, row-major.
 * complex_conjugate: conjugates n elements in place.
 * complex_moduli: the moduli of n elements, without overflow on the way.
 * Launches: twist and take (n, k, stack) in groups of (16, 16, 1), the others
 * as many items as wanted.
 */
#include "lib/real.h"

#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void complex_twist(global const real *restrict b, global real *restrict to,
                   int k, int n, long row, long column, int conjugate)
{
	const size_t i = get_global_id(1), j = get_global_id(0);
	const size_t matrix = get_global_id(2) * 2 * k * (size_t)n;
	global const real *from = b + matrix + 2 * (i * row + j * column);
	global real *block = to + 2 * matrix + 2 * (i * 2 * n + j);

	if (i >= k || j >= n)		/* the grid is rounded up */
		return;
	const real x = from[0], y = conjugate ? -from[1] : from[1];

	block[0] = x;
	block[1] = y;
	block[2 * (size_t)n] = -y;
	block[2 * (size_t)n + 1] = x;
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void complex_take(global const real *restrict a, global real *restrict to,
                  int m, int n, long row, long column, int conjugate)
{
	const size_t i = get_global_id(1), j = get_global_id(0);
	const size_t matrix = get_global_id(2) * 2 * m * (size_t)n;
	global const real *from = a + matrix + 2 * (i * row + j * column);
	global real *element = to + matrix + 2 * (i * n + j);

	if (i >= m || j >= n)
		return;
	element[0] = from[0];
	element[1] = conjugate ? -from[1] : from[1];
}

kernel void complex_conjugate(global real *x, long n)
{
	for (long i = get_global_id(0); i < n; i += get_global_size(0))
		x[2 * i + 1] = -x[2 * i + 1];
}

kernel void complex_moduli(global const real *restrict x,
                           global real *restrict to, long n)
{
	for (long i = get_global_id(0); i < n; i += get_global_size(0))
		to[i] = hypot(x[2 * i], x[2 * i + 1]);
}
