/* lu.cl - A = L U without pivoting, as "Improving Parallel LU
 * Decomposition by ~20x" (2021) has it, for a stack of m x n matrices.
 *
 * L is m x k, k = min(m, n), U and A are m x n. Column i of k:
 *
 *     v0   L_ri = A_ri / A_ii           items for all of A, most of which
 *          U_rc = A_rc - L_ri A_ic      do nothing; then all of U is copied
 *                                       back to A
 *     v1   U_rc -= U_ri / U_ii U_ic     items for r, c > i alone, in place,
 *          L_ri = U_ri / U_ii           then for the column below U_ii
 *          U_ri = 0
 *
 * A zero pivot counts as 1, so that its column is left as it is, as LAPACK's
 * getrf does. A work-group takes neighbouring elements of a row (place.h).
 */
#include "lib/real.h"
#include "seeds/place.h"

static inline real multiplier(real x, real pivot)
{
	return pivot != 0 ? x / pivot : x;
}

/* L = I, in v0: an item per element of the stack. */
SEED_KERNEL(SEED_LU_GROUP)
kernel void seed_lu_identity(global real *l, int m, int k)
{
	const size_t row = seed_row(k);
	const int r = row % m, c = seed_column(k);

	if (c < k && r == c)
		l[row * k + c] = 1;
}

/* L = I, in v1: an item per diagonal element of the stack. */
SEED_KERNEL(SEED_LU_GROUP)
kernel void seed_lu_diagonal(global real *l, int m, int k)
{
	const size_t matrix = seed_row(k);
	const long c = seed_column(k);

	if (c < k)
		l[(matrix * m + c) * k + c] = 1;
}

SEED_KERNEL(SEED_LU_GROUP)
kernel void seed_lu_step(global const real *a, global real *l, global real *u,
                         int m, int n, int i)
{
	const size_t row = seed_row(n);
	const int r = row % m, c = seed_column(n), k = min(m, n);
	global const real *top = a + (row - r + i) * n;

	if (c >= n || !(r > i && c >= i))
		return;
	const real x = multiplier(a[row * n + i], top[i]);
	if (c == i)
		l[row * k + i] = x;
	u[row * n + c] = c == i ? 0 : a[row * n + c] - x * top[c];
}

/* The item's row in the stack, and its column, among the rows and columns from
 * `first` on of every matrix. */
static inline size_t row_from(int first_row, int m, int columns)
{
	const size_t row = seed_row(columns), rows = max(m - first_row, 1);

	return row / rows * m + first_row + row % rows;
}

SEED_KERNEL(SEED_LU_GROUP)
kernel void seed_lu_submatrix(global real *u, int m, int n, int i)
{
	local real pivot;
	const size_t row = row_from(i + 1, m, n - i - 1);
	const long c = i + 1 + seed_column(n - i - 1);
	const global real *top = u + (row / m * m + i) * n;

	if (get_local_id(0) == 0)
		pivot = top[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (c < n)
		u[row * n + c] -= multiplier(u[row * n + i], pivot) * top[c];
}

/* An item per row below the pivot. */
SEED_KERNEL(SEED_LU_GROUP)
kernel void seed_lu_column(global real *l, global real *u, int m, int n,
                           int i)
{
	local real pivot;
	const int k = min(m, n);
	const size_t matrix = seed_row(m - i - 1);
	const long r = i + 1 + seed_column(m - i - 1);
	const size_t row = matrix * m + r;

	if (get_local_id(0) == 0)
		pivot = u[(matrix * m + i) * n + i];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (r >= m)
		return;		/* no barrier follows */
	l[row * k + i] = multiplier(u[row * n + i], pivot);
	u[row * n + i] = 0;
}

/* Writes L from below U's diagonal; no rows were interchanged. An item per
 * element of L. */
SEED_KERNEL(SEED_LU_GROUP)
kernel void seed_lu_pack(global const real *l, global real *lu,
                         global int *swaps, int m, int n)
{
	const int k = min(m, n);
	const size_t row = seed_row(k);
	const int r = row % m, c = seed_column(k);

	if (c >= k)
		return;
	if (c < r)
		lu[row * n + c] = l[row * k + c];
	else if (c == r)
		swaps[row / m * k + c] = c;
}
