/* finish.cl - what a client sees of P A = L U: pivots, the determinant's
 * sign, the permutation, the factors apart. */
#include "lib/real.h"

/* The bits of the float64 1, -1, 0 and NaN: no arithmetic in it is needed. */
#define ONE 0x3ff0000000000000L
#define MINUS_ONE (ONE | (1L << 63))
#define NOT_A_NUMBER 0x7ff8000000000000L

/* Stores the interchanges as int64; whether U's diagonal has a zero; the sign
 * of the determinant of a square A, as the bits of a float64. A work-group of
 * any size for each matrix. */
kernel void lu_finish(global const real *restrict lu, int m, int n,
                      global const int *restrict swaps,
                      global long *restrict pivots,
                      global uchar *restrict singular,
                      global long *restrict sign)
{
	local int zeros, nans, negatives;
	const size_t matrix = get_group_id(0);
	const int k = min(m, n), id = get_local_id(0);
	int zero = 0, nan = 0, negative = 0;

	if (id == 0)
		zeros = nans = negatives = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	lu += matrix * m * n;
	swaps += matrix * k;
	for (int i = id; i < k; i += get_local_size(0)) {
		const real u = lu[(size_t)i * n + i];
		const int r = swaps[i];

		pivots[matrix * k + i] = r;
		zero |= u == 0;
		nan |= u != u;
		negative ^= (r != i) ^ (u < 0);
	}
	if (zero)
		atomic_or(&zeros, 1);
	if (nan)
		atomic_or(&nans, 1);
	if (negative)
		atomic_xor(&negatives, 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id != 0)
		return;
	singular[matrix] = zeros;
	sign[matrix] = nans ? NOT_A_NUMBER : zeros ? 0 :
	               negatives ? MINUS_ONE : ONE;
}

/* For factors made without interchanges: each matrix's first zero pivot, and
 * its first zero pivot with an element below it that is not zero, so that L U
 * is not A. Both are large at first. Item (column, matrix). */
kernel void lu_zero_pivots(global const real *restrict lu, int m, int n,
                           volatile global int *zero,
                           volatile global int *broken)
{
	const size_t matrix = get_global_id(1);
	const int i = get_global_id(0);

	lu += matrix * m * n;
	if (i >= min(m, n) || lu[(size_t)i * n + i] != 0)
		return;
	atomic_min(zero + matrix, i);
	for (int r = i + 1; r < m; r++) {
		const real x = lu[(size_t)r * n + i];

		if (x != 0 && x == x) {
			atomic_min(broken + matrix, i);
			return;
		}
	}
}

/* By one item: the interchanges in their order. */
static void permute_all(global const long *pivots, int m, int k,
                        global long *p)
{
	for (int i = 0; i < m; i++)
		p[i] = i;
	for (int i = 0; i < k; i++) {
		const long r = pivots[i], t = p[i];

		p[i] = p[r];
		p[r] = t;
	}
}

/* p, with A[p] = L U, from the k pivots of m rows. Either one item a matrix, or
 * an item a row, which follows the interchanges back from the row's last place
 * to its first. */
kernel void lu_permutation(global const long *restrict pivots, int m, int k,
                           global long *restrict p)
{
	const size_t matrix = get_global_id(1);
	const int row = get_global_id(0);
	int from = row;

	pivots += matrix * k;
	p += matrix * m;
	if (get_local_size(0) == 1) {
		permute_all(pivots, m, k, p);
		return;
	}
	for (int i = k; i-- > 0;) {
		const int r = pivots[i];

		from = from == i ? r : from == r ? i : from;
	}
	if (row < m)
		p[row] = from;
}

/* l: m x k, item (column, row of the stack). */
kernel void lu_lower(global const real *restrict lu, int m, int n,
                     global real *restrict l)
{
	const int c = get_global_id(0), k = min(m, n);
	const size_t row = get_global_id(1);
	const int r = row % m;

	if (c < k)
		l[row * k + c] = c < r ? lu[row * n + c] : c == r;
}

/* u: k x n, item (column, row of the stack). */
kernel void lu_upper(global const real *restrict lu, int m, int n,
                     global real *restrict u)
{
	const int c = get_global_id(0), k = min(m, n);
	const size_t row = get_global_id(1), matrix = row / k;
	const int r = row % k;

	if (c < n)
		u[row * n + c] = c < r ? 0 : lu[(matrix * m + r) * n + c];
}
