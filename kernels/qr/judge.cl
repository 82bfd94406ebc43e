/* judge.cl - residual and orthogonality of a factorization: products of stacks
 * of matrices with a few vectors, summed in `wide`. src/ops/qr/judge.h has the
 * mathematics, and the host puts the measures together.
 *
 * Every vector is contiguous. Vector c of matrix s begins at (s count + c)
 * length, or at c length if all matrices share the vectors.
 *
 *     judge_largest   most_i = max_j |a_ij|                a group for each row
 *     judge_unit      unit = 1 / max_i most_i, rounded
 *                     to a power of 2                      a group
 *     judge_times     y_c = unit M diag(d) x_c, and if
 *                     `squares` square_i = sum_j (unit m_ij)^2
 *                                                          a group for each row
 *     judge_turned    y_c = unit M^T x_c         an item for every VW columns
 *     judge_place     y_c[p_i] = x_c[i]                    an item for each i
 *     judge_gram      sum_d (y_c y_d - x_c x_d)^2          a group for each c
 *     judge_defect    sum |t - w|^2 and sum_i square_i     a group
 *
 * The right column gives the work-items of one matrix of the stack. A
 * work-group may have any size; `part` holds a number for each of its items.
 * Launches have one dimension, because on NVIDIA's devices the other two allow
 * only 65,535 work-groups: the groups of one matrix follow those of the matrix
 * before.
 */
#include "lu/lu.h"

kernel void judge_largest(global const real *restrict a, int n,
                          global wide *restrict most, local wide *part)
{
	const size_t row = get_group_id(0);
	const int id = get_local_id(0), items = get_local_size(0);
	const int tail = n / VW * VW;
	realv m = 0;
	wide own = 0;

	a += row * n;
	for (int c = id * VW; c < tail; c += items * VW)
		m = fmax(m, fabs(VLOAD(a + c)));
	for (int c = tail + id; c < n; c += items)
		own = fmax(own, (wide)fabs(a[c]));
#if VW == 16
	m.lo = fmax(m.lo, m.hi);
#endif
	m.lo.lo = fmax(m.lo.lo, m.lo.hi);
	own = fmax(own, (wide)fmax(fmax(m.s0, m.s1), fmax(m.s2, m.s3)));
	part[id] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < items && id == 0; i++)
		own = fmax(own, part[i]);
	if (id == 0)
		most[row] = own;
}

/* The exponent is bounded so that neither the unit nor its inverse
 * overflows. */
kernel void judge_unit(global const wide *restrict most, int m,
                       global wide *restrict unit, local wide *part)
{
	const size_t matrix = get_group_id(0);
	const int id = get_local_id(0), items = get_local_size(0);
	const int bound = sizeof(wide) == 8 ? 1000 : 120;
	wide own = 0;

	for (int i = id; i < m; i += items)
		own = fmax(own, most[matrix * m + i]);
	part[id] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < items && id == 0; i++)
		own = fmax(own, part[i]);
	if (id == 0)
		unit[matrix] = own > 0 && !isinf(own) ?
		    ldexp((wide)1, clamp(-ilogb(own), -bound, bound)) : 1;
}

/* This item's share of the sum of (by row[c])^2. */
static wide row_square(global const real *row, int n, wide by)
{
	const int id = get_local_id(0), items = get_local_size(0);
	const int tail = n / VW * VW;
	widev sum = 0;
	wide rest = 0;

	for (int c = id * VW; c < tail; c += items * VW) {
		const widev x = WIDE(VLOAD(row + c)) * by;

		sum += x * x;
	}
	for (int c = tail + id; c < n; c += items)
		rest += (row[c] * by) * (row[c] * by);
	return lanes_sum(sum) + rest;
}

/* The m x n matrices have rows of ld elements and begin `step` elements apart.
 * The product has the factor unit only if `scaled`, and diag(d), n numbers for
 * each matrix, only if `weighted`; otherwise d is not read. The vectors of a
 * matrix begin x_step elements after those of the matrix before, 0 if all share
 * them. */
kernel void judge_times(global const real *restrict a, long step, int ld,
                        int m, int n,
                        global const wide *restrict unit, int scaled,
                        global const real *restrict d, int weighted,
                        global const wide *restrict x, long x_step, int count,
                        global wide *restrict y, int squares,
                        global wide *restrict square, local wide *part)
{
	const size_t matrix = get_group_id(0) / m;
	const int i = get_group_id(0) % m;
	const int id = get_local_id(0), items = get_local_size(0);
	const wide by = scaled ? unit[matrix] : 1;
	global const real *row = a + matrix * step + (size_t)i * ld;

	x += matrix * x_step;
	for (int c = 0; c < count; c++, x += n) {
		wide sum = 0;

		if (weighted)
			for (int k = id; k < n; k += items)
				sum += (wide)row[k] *
				       (d[matrix * n + k] * by) * x[k];
		else
			sum = row_dot(row, 0, n, x) * by;
		sum = group_sum(sum, part);
		if (id == 0)
			y[(matrix * count + c) * m + i] = sum;
	}
	if (squares) {
		const wide sum = group_sum(row_square(row, n, by), part);

		if (id == 0)
			square[matrix * m + i] = sum;
	}
}

kernel void judge_turned(global const real *restrict a, long step, int ld,
                         int m, int n,
                         global const wide *restrict unit, int scaled,
                         global const wide *restrict x, long x_step,
                         int count, long stack, global wide *restrict y)
{
	const size_t blocks = (n + VW - 1) / VW;
	const size_t matrix = get_global_id(0) / blocks;
	const int first = get_global_id(0) % blocks * VW;
	const wide by = scaled ? unit[matrix] : 1;

	if (matrix >= stack)
		return;
	a += matrix * step;
	x += matrix * x_step;
	y += matrix * count * n;
	for (int c = 0; c < count; c++, x += m, y += n) {
		widev sum = 0;

		if (first + VW <= n) {
			for (int i = 0; i < m; i++)
				sum += WIDE(VLOAD(a + (size_t)i * ld + first)) *
				       x[i];
			WSTORE(sum * by, y + first);
			continue;
		}
		for (int k = first; k < n; k++) {
			wide one = 0;

			for (int i = 0; i < m; i++)
				one += a[(size_t)i * ld + k] * x[i];
			y[k] = one * by;
		}
	}
}

kernel void judge_place(global const long *restrict p, int n,
                        global const wide *restrict x, long x_step,
                        int count, long stack, global wide *restrict y)
{
	const size_t matrix = get_global_id(0) / n;
	const int i = get_global_id(0) % n;

	if (matrix >= stack)
		return;
	/* A matrix that has failed has no permutation, but undefined bytes. */
	if (p[matrix * n + i] < 0 || p[matrix * n + i] >= n)
		return;
	for (int c = 0; c < count; c++)
		y[(matrix * count + c) * n + p[matrix * n + i]] =
			x[matrix * x_step + (size_t)c * n + i];
}

/* If `off`, the sum leaves out d = c. */
kernel void judge_gram(global const wide *restrict y, int m,
                       global const wide *restrict x, int n, int count,
                       int off,
                       global wide *restrict sums, local wide *part)
{
	const size_t matrix = get_group_id(0) / count;
	const int c = get_group_id(0) % count;
	const int id = get_local_id(0), items = get_local_size(0);
	wide all = 0;

	y += matrix * count * m;
	for (int d = 0; d < count; d++) {
		wide sum = 0, own = 0;

		for (int i = id; i < m; i += items)
			sum += y[(size_t)c * m + i] * y[(size_t)d * m + i];
		for (int i = id; i < n; i += items)
			own += x[(size_t)c * n + i] * x[(size_t)d * n + i];
		sum = group_sum(sum - own, part);
		if (d != c || !off)
			all += sum * sum;
	}
	if (id == 0)
		sums[matrix * count + c] = all;
}

kernel void judge_defect(global const wide *restrict t,
                         global const wide *restrict w, long length,
                         global const wide *restrict square, int m,
                         global wide *restrict sums, local wide *part)
{
	const size_t matrix = get_group_id(0);
	const int id = get_local_id(0), items = get_local_size(0);
	wide sum = 0, own = 0;

	t += matrix * length;
	w += matrix * length;
	for (long i = id; i < length; i += items)
		sum += (t[i] - w[i]) * (t[i] - w[i]);
	for (int i = id; i < m; i += items)
		own += square[matrix * m + i];
	sum = group_sum(sum, part);
	own = group_sum(own, part);
	if (id == 0) {
		sums[2 * matrix] = sum;
		sums[2 * matrix + 1] = own;
	}
}
