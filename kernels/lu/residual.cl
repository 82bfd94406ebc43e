/* residual.cl - how well do the factors hold? L, U and p of P A = L U: l m x k
 * with row length ldl (strictly lower part used), u k x n with ldu (upper part
 * used), p of int64. A stack lies in the grid's last dimension.
 *
 * Estimated, in O(mn), by a fixed vector x:
 *
 *     lu_times_a    y = A x,  norm_i = sum_j |a_ij|   (work-group, matrix):
 *     lu_times_u    w = U x                           a row each, any size
 *     lu_times_l    defect = |P y - L w|
 *
 * Exact: lu_defect, an item per VW columns; defect_j = sum_i |PA - LU|_ij and
 * norm_j = sum_i |a_ij|. Then lu_ratio: max defect / max norm, by matrix.
 */
#include "lu/lu.h"

/* This item's share of the sum of |row[c]|. */
static wide row_norm(global const real *row, int n)
{
	const int id = get_local_id(0), items = get_local_size(0);
	const int tail = n / VW * VW;
	widev sum = 0;
	wide rest = 0;

	for (int c = id * VW; c < tail; c += items * VW)
		sum += WIDE(fabs(VLOAD(row + c)));
	for (int c = tail + id; c < n; c += items)
		rest += fabs((wide)row[c]);
	return lanes_sum(sum) + rest;
}

kernel void lu_times_a(global const real *restrict a, int n,
                       global const wide *restrict x,
                       global wide *restrict y, global wide *restrict norm,
                       local wide *part)
{
	const size_t row = get_group_id(1) * get_num_groups(0) +
	                   get_group_id(0);
	const wide sum = group_sum(row_dot(a + row * n, 0, n, x), part);
	const wide size = group_sum(row_norm(a + row * n, n), part);

	if (get_local_id(0) == 0) {
		y[row] = sum;
		norm[row] = size;
	}
}

kernel void lu_times_u(global const real *restrict u, long u_step, int ldu,
                       int n, global const wide *restrict x,
                       global wide *restrict w, local wide *part)
{
	const size_t i = get_group_id(0), k = get_num_groups(0);
	const size_t matrix = get_group_id(1);
	const wide sum = group_sum(row_dot(u + matrix * u_step + i * ldu, i,
	                                   n, x), part);

	if (get_local_id(0) == 0)
		w[matrix * k + i] = sum;
}

kernel void lu_times_l(global const real *restrict l, long l_step, int ldl,
                       int k, global const wide *restrict w,
                       global const wide *restrict y,
                       global const long *restrict p,
                       global wide *restrict defect, local wide *part)
{
	const size_t i = get_group_id(0), m = get_num_groups(0);
	const size_t matrix = get_group_id(1);
	const wide sum = group_sum(row_dot(l + matrix * l_step + i * ldl, 0,
	                                   min((int)i, k), w + matrix * k),
	                           part);

	if (get_local_id(0) == 0)
		defect[matrix * m + i] =
			fabs(y[matrix * m + p[matrix * m + i]] - sum -
			     (i < k ? w[matrix * k + i] : 0));
}

/* Elements c0 to n of a row, as many as a vector has, wide. */
static widev row_part(global const real *row, int c0, int n)
{
	real part[VW];

	if (c0 + VW <= n)
		return WIDE(VLOAD(row + c0));
	for (int i = 0; i < VW; i++)
		part[i] = c0 + i < n ? row[c0 + i] : 0;
	return WIDE(VLOAD(part));
}

/* The same of row r of U: zeros left of the diagonal. */
static widev upper_part(global const real *row, int r, int c0, int n)
{
	real part[VW];

	if (r <= c0)
		return row_part(row, c0, n);
	for (int i = 0; i < VW; i++)
		part[i] = c0 + i < n && c0 + i >= r ? row[c0 + i] : 0;
	return WIDE(VLOAD(part));
}

static void wide_store(widev v, global wide *to, int n)
{
	wide part[VW];

	WSTORE(v, part);
	for (int i = 0; i < min(n, VW); i++)
		to[i] = part[i];
}

/* Four rows at a time, so that U's row is read once for them. Terms are
 * subtracted from the last to the first: in the elimination's own order, its
 * rounding errors would be repeated, and cancel. */
kernel void lu_defect(global const real *restrict a, int m, int n,
                      global const real *restrict l, long l_step, int ldl,
                      global const real *restrict u, long u_step, int ldu,
                      global const long *restrict p,
                      global wide *restrict defect,
                      global wide *restrict norm)
{
	const int c0 = get_global_id(0) * VW, k = min(m, n);
	const size_t matrix = get_global_id(1);
	widev defects = 0, norms = 0;

	a += matrix * m * n;
	l += matrix * l_step;
	u += matrix * u_step;
	p += matrix * m;
	for (int i = 0; i < m; i += 4) {
		const int rows = min(4, m - i);
		const int depth = min(min(i + 4, k), c0 + VW);
		widev sum[4];

		for (int r = 0; r < 4; r++)
			sum[r] = r < rows ? row_part(a + p[i + r] * n, c0, n)
			                  : (widev)0;
		for (int q = depth; q-- > 0;) {
			const widev y = upper_part(u + (size_t)q * ldu, q, c0,
			                           n);

			for (int r = 0; r < rows; r++)
				if (q < i + r)
					sum[r] -= (wide)l[(size_t)(i + r) *
					                  ldl + q] * y;
				else if (q == i + r)
					sum[r] -= y;
		}
		for (int r = 0; r < rows; r++) {
			defects += fabs(sum[r]);
			norms += fabs(row_part(a + (size_t)(i + r) * n, c0,
			                       n));
		}
	}
	wide_store(defects, defect + matrix * n + c0, n - c0);
	wide_store(norms, norm + matrix * n + c0, n - c0);
}

/* The largest of n, by a group. */
static wide group_largest(global const wide *x, int n, local wide *part)
{
	const int id = get_local_id(0), items = get_local_size(0);
	wide most = 0;

	for (int i = id; i < n; i += items)
		most = larger(most, x[i]);
	part[id] = most;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < items; i++)
		most = larger(most, part[i]);
	barrier(CLK_LOCAL_MEM_FENCE);
	return most;
}

/* ratio[matrix] = max defect / max norm; of no defect 0. A group a matrix. */
kernel void lu_ratio(global const wide *restrict defect,
                     global const wide *restrict norm, int n,
                     global wide *restrict ratio, local wide *part)
{
	const size_t matrix = get_group_id(0);
	const wide above = group_largest(defect + matrix * n, n, part);
	const wide below = group_largest(norm + matrix * n, n, part);

	if (get_local_id(0) == 0)
		ratio[matrix] = above == 0 ? 0 : above / below;
}
