/* solve.cl - L U x = b by substitution on a CPU, in place, block by block:
 *
 *     solve_lower    x_j = L_jj^-1 x_j        item (right-hand side, matrix)
 *     solve_upper    x_j = U_jj^-1 x_j
 *     solve_update   x_i -= (LU)_ij x_j       item (right-hand side, rows,
 *                                             matrix)
 *
 * Right-hand sides lie one after the other, x[matrix][side][n], so that all
 * is sums along rows of LU, which is read once a side. Matrix i is solved
 * with factors which[i].
 */
#include "real.h"

#define ROWS_AN_ITEM 16
#define AT_ONCE 4

static real lanes_sum(realv v)
{
#if VW == 16
	const float8 a = v.lo + v.hi;
#else
	const double8 a = v;
#endif
	const real s = a.s0 + a.s4, t = a.s1 + a.s5;
	const real y = a.s2 + a.s6, z = a.s3 + a.s7;

	return (s + y) + (t + z);
}

static real dot(global const real *a, global const real *x, int n)
{
	const int tail = n / VW * VW;
	realv sum = 0;
	real rest = 0;

	for (int i = 0; i < tail; i += VW)
		sum += VLOAD(a + i) * VLOAD(x + i);
	for (int i = tail; i < n; i++)
		rest += a[i] * x[i];
	return lanes_sum(sum) + rest;
}

static global real *side_of(global real *x, int n)
{
	return x + (get_group_id(2) * get_num_groups(0) + get_group_id(0)) * n;
}

static global const real *factors_of(global const real *lu, int n,
                                     global const int *which)
{
	return lu + which[get_group_id(2)] * (size_t)n * n;
}

SINGLE_ITEM kernel void solve_lower(global const real *restrict lu, int n,
                                    global const int *restrict which,
                                    global real *restrict x, int j, int nb)
{
	lu = factors_of(lu, n, which) + j;
	x = side_of(x, n) + j;
	for (int i = 0; i < nb; i++)
		x[i] -= dot(lu + (size_t)(j + i) * n, x, i);
}

SINGLE_ITEM kernel void solve_upper(global const real *restrict lu, int n,
                                    global const int *restrict which,
                                    global real *restrict x, int j, int nb)
{
	lu = factors_of(lu, n, which) + j;
	x = side_of(x, n) + j;
	for (int i = nb - 1; i >= 0; i--) {
		global const real *row = lu + (size_t)(j + i) * n + i;

		x[i] = (x[i] - dot(row + 1, x + i + 1, nb - 1 - i)) / row[0];
	}
}

/* Rows row0 to row1 lose columns j to j + nb. */
SINGLE_ITEM kernel void solve_update(global const real *restrict lu, int n,
                                     global const int *restrict which,
                                     global real *restrict x, int j, int nb,
                                     int row0, int row1)
{
	const int first = row0 + get_group_id(1) * ROWS_AN_ITEM;
	const int last = min(first + ROWS_AN_ITEM, row1);
	global real *to = side_of(x, n);
	global const real *y = to + j;
	int i = first;

	lu = factors_of(lu, n, which) + j;
	for (; i + AT_ONCE <= last && nb % VW == 0; i += AT_ONCE) {
		global const real *row = lu + (size_t)i * n;
		realv s0 = 0, s1 = 0, s2 = 0, s3 = 0;

		for (int k = 0; k < nb; k += VW) {
			const realv v = VLOAD(y + k);

			s0 += VLOAD(row + k) * v;
			s1 += VLOAD(row + n + k) * v;
			s2 += VLOAD(row + 2 * (size_t)n + k) * v;
			s3 += VLOAD(row + 3 * (size_t)n + k) * v;
		}
		to[i] -= lanes_sum(s0);
		to[i + 1] -= lanes_sum(s1);
		to[i + 2] -= lanes_sum(s2);
		to[i + 3] -= lanes_sum(s3);
	}
	for (; i < last; i++)
		to[i] -= dot(lu + (size_t)i * n, y, nb);
}
