/* eigen.cl - the five kernels of "Optimizing Parallel Similarity
 * Transformation" (2021), every version of each, for any n.
 *
 *     row sums    s_i = sum of a_ij over j      item (i, j) of the n x n
 *     maximum     m = max s_i                   item i of n, as below
 *     vector      v_i *= s_i / m
 *     matrix      a_ij *= s_j / s_i             item (i, j)
 *     stop        |s_i - s_(i+1 mod n)| <= tol m for all i
 *
 * v0 has an atomic operation per item, v1 one per sub-group, v2 one per
 * work-group. Items beyond the end repeat the last element or use a neutral
 * one, because all items must take part in sub-group operations.
 */
#include "lib/real.h"
#include "lib/atomic.h"
#include "seeds/place.h"
#include "lib/subgroup.h"

SG_NUMBER(real)
SG_NUMBER(int)

/* --- row sums */

SEED_KERNEL(SEED_GROUP)
kernel void seed_row_sums_v0(global const real *a, global real *sums, long n)
{
	const long i = seed_row(n), j = seed_column(n);

	if (j < n)
		atomic_add_global(&sums[i], a[i * n + j]);
}

SEED_KERNEL(SEED_GROUP) SG_KERNEL
kernel void seed_row_sums_v1(global const real *a, global real *sums, long n)
{
	local real lanes[SEED_GROUP];
	const long i = seed_row(n), j = seed_column(n);
	const real sum = sg_add_real(j < n ? a[i * n + j] : 0, lanes);

	if (sg_lane() == 0)
		atomic_add_global(&sums[i], sum);
}

SEED_KERNEL(SEED_WIDE) SG_KERNEL
kernel void seed_row_sums_v2(global const real *a, global real *sums, long n)
{
	local real lanes[SEED_WIDE];
	local real total;
	const long i = seed_row(n), j = seed_column(n);

	if (get_local_id(0) == 0)
		total = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	const real sum = sg_add_real(j < n ? a[i * n + j] : 0, lanes);
	if (sg_lane() == 0)
		atomic_add_local(&total, sum);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		atomic_add_global(&sums[i], total);
}

/* --- the maximum of x; *peak must hold x[0] at first */

SEED_KERNEL(SEED_GROUP)
kernel void seed_max_v0(global const real *x, global real *peak, long n)
{
	const long i = get_global_id(0);

	if (i < n)
		atomic_raise_global(peak, x[i]);
}

SEED_KERNEL(SEED_GROUP) SG_KERNEL
kernel void seed_max_v1(global const real *x, global real *peak, long n)
{
	local real lanes[SEED_GROUP];
	const long i = get_global_id(0);
	const real most = sg_max_real(x[min(i, n - 1)], lanes);

	if (sg_lane() == 0)
		atomic_raise_global(peak, most);
}

SEED_KERNEL(SEED_WIDE) SG_KERNEL
kernel void seed_max_v2(global const real *x, global real *peak, long n)
{
	local real lanes[SEED_WIDE];
	local real all;
	const long i = get_global_id(0);

	if (get_local_id(0) == 0)
		all = x[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	const real most = sg_max_real(x[min(i, n - 1)], lanes);
	if (sg_lane() == 0)
		atomic_raise_local(&all, most);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		atomic_raise_global(peak, all);
}

/* --- the vector */

SEED_KERNEL(SEED_GROUP)
kernel void seed_update_v0(global real *v, global const real *sums,
                           global const real *peak, long n)
{
	const long i = get_global_id(0);

	if (i < n)
		v[i] *= sums[i] / *peak;
}

SEED_KERNEL(SEED_GROUP) SG_KERNEL
kernel void seed_update_v1(global real *v, global const real *sums,
                           global const real *peak, long n)
{
	local real lanes[SEED_GROUP];
	const long i = get_global_id(0);
	const real all = sg_broadcast_real(sg_lane() == 0 ? *peak : 0, 0,
	                                   lanes);

	if (i < n)
		v[i] *= sums[i] / all;
}

/* --- the next matrix; local memory holds the row's sum and the columns'
 * sums */

SEED_KERNEL(SEED_GROUP)
kernel void seed_next(global real *a, global const real *sums, long n)
{
	local real row, columns[SEED_GROUP];
	const long i = seed_row(n), j = seed_column(n);
	const int item = get_local_id(0);

	if (item == 0)
		row = sums[i];
	columns[item] = sums[min(j, n - 1)];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (j < n)
		a[i * n + j] *= columns[item] / row;
}

/* --- may the rounds stop? *stop must be 1 at first */

SEED_KERNEL(SEED_GROUP)
kernel void seed_stop_v0(global const real *sums, global const real *peak,
                         float tol, volatile global int *stop, long n)
{
	local int all;
	const long i = get_global_id(0);
	const real here = sums[min(i, n - 1)], next = sums[(i + 1) % n];

	if (get_local_id(0) == 0)
		all = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (i < n && !(fabs(here - next) <= tol * *peak))
		atomic_min(&all, 0);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		atomic_min(stop, all);
}

/* Each item reads its own sum. The neighbour of the last lane belongs to
 * another sub-group; that of the last element is the first. */
SEED_KERNEL(SEED_WIDE) SG_KERNEL
kernel void seed_stop_shuffle(global const real *sums,
                              global const real *peak, float tol,
                              volatile global int *stop, long n)
{
	local real lanes[SEED_WIDE];
	local int flags[SEED_WIDE];
	local int all;
	const long i = get_global_id(0);
	const real here = sums[min(i, n - 1)];
	real next = sg_down_real(here, 1, lanes);

	if (sg_lane() + 1 == sg_size() || i + 1 >= n)
		next = sums[(i + 1) % n];
	if (get_local_id(0) == 0)
		all = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	const int near = sg_min_int(i >= n || fabs(here - next) <=
	                            tol * *peak, flags);
	if (sg_lane() == 0)
		atomic_min(&all, near);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		atomic_min(stop, all);
}

/* Makes the copy of the matrix that the article's rounds overwrite. */
SEED_KERNEL(SEED_GROUP)
kernel void seed_scale(global const real *from, long at, global real *to,
                       int exponent, long n)
{
	const long i = get_global_id(0);

	if (i < n)
		to[i] = ldexp(from[at + i], exponent);
}
