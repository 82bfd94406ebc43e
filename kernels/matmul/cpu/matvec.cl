/* matvec.cl - y = A x and y = A' x on CPUs, A rows x cols and dense, for a
 * stack of products.
 *
 * The product is bound by memory, so A is read once and in order. If y has too
 * few elements for all work-groups, the sums are split: each work-group adds
 * one range of products, and a second launch, with ones for x, adds the splits.
 * Every work-group is one work-item; place[s] is as in matmul.cl. */
#include "lib/real.h"
#include "shared/matmul_tile.h"

#define SHORT (8192 / (int)sizeof(real))	/* elements of a short row */

static int2 place_of(global const int2 *place, size_t s, int stack)
{
	return stack > 1 ? place[s] : (int2)(0, 0);
}

static real sum_of(realv v)
{
	real part[VW];

	VSTORE(v, part);
	for (int n = VW / 2; n > 0; n /= 2)
		for (int i = 0; i < n; i++)
			part[i] += part[i + n];
	return part[0];
}

/* y[i k_splits] = a[i] . x for MATVEC_ROWS rows of n elements, `step` apart;
 * rows beyond the last are computed as the last one. */
static void dot_rows(global const real *a, global const real *x, long step,
                     int n, int rows, global real *y, int k_splits)
{
	global const real *a0 = a, *a1 = a + min(1, rows - 1) * step;
	global const real *a2 = a + min(2, rows - 1) * step;
	global const real *a3 = a + min(3, rows - 1) * step;
	realv s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	real sum[MATVEC_ROWS];
	int j = 0;

	for (; j + VW <= n; j += VW) {
		realv v = VLOAD(x + j);

		s0 += VLOAD(a0 + j) * v;
		s1 += VLOAD(a1 + j) * v;
		s2 += VLOAD(a2 + j) * v;
		s3 += VLOAD(a3 + j) * v;
	}
	sum[0] = sum_of(s0);
	sum[1] = sum_of(s1);
	sum[2] = sum_of(s2);
	sum[3] = sum_of(s3);
	for (; j < n; j++) {
		sum[0] += a0[j] * x[j];
		sum[1] += a1[j] * x[j];
		sum[2] += a2[j] * x[j];
		sum[3] += a3[j] * x[j];
	}
	for (int i = 0; i < min(rows, MATVEC_ROWS); i++)
		y[(long)i * k_splits] = sum[i];
}

/* Returns the product of one row with x. Short rows are read faster one by one.
 * Long rows are taken several at a time (dot_rows), so that they share the
 * reads of x, which the first-level cache does not keep. */
static real dot(global const real *a, global const real *x, int n)
{
	realv s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	real sum;
	int j = 0;

	for (; j + 4 * VW <= n; j += 4 * VW) {
		s0 += VLOAD(a + j) * VLOAD(x + j);
		s1 += VLOAD(a + j + VW) * VLOAD(x + j + VW);
		s2 += VLOAD(a + j + 2 * VW) * VLOAD(x + j + 2 * VW);
		s3 += VLOAD(a + j + 3 * VW) * VLOAD(x + j + 3 * VW);
	}
	for (; j + VW <= n; j += VW)
		s0 += VLOAD(a + j) * VLOAD(x + j);
	sum = sum_of((s0 + s1) + (s2 + s3));
	for (; j < n; j++)
		sum += a[j] * x[j];
	return sum;
}

/* y = A x. A work-group computes `height` rows' sums over `width` columns,
 * part q of row i at y[i k_splits + q]. */
SINGLE_ITEM kernel void matvec_rows(
	global const real *a, global const real *x, global real *y,
	global const int2 *place, int stack, int rows, int cols, int height,
	int width, int first_group)
{
	int down = (rows + height - 1) / height;
	int k_splits = (cols + width - 1) / width;
	size_t g = first_group + get_global_id(0), s = g / down / k_splits;
	int q = g % k_splits, i0 = g / k_splits % down * height;
	int i1 = min(i0 + height, rows), j0 = q * width;
	int n = min(width, cols - j0);
	int2 at = place_of(place, s, stack);

	a += (size_t)at.x * rows * cols + j0;
	x += (size_t)at.y * cols + j0;
	y += s * rows * k_splits + q;
	if (n <= SHORT)
		for (int i = i0; i < i1; i++)
			y[(long)i * k_splits] = dot(a + (long)i * cols, x, n);
	else
		for (int i = i0; i < i1; i += MATVEC_ROWS)
			dot_rows(a + (long)i * cols, x, cols, n, i1 - i,
			    y + (long)i * k_splits, k_splits);
}

/* sum += x[0..3] times four rows of n elements, `step` apart. */
static void add_four_rows(local real *sum, global const real *a,
                          long step, global const real *x, int n)
{
	global const real *a0 = a, *a1 = a + step;
	global const real *a2 = a + 2 * step, *a3 = a + 3 * step;
	real x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
	int j = 0;

	for (; j + VW <= n; j += VW) {
		FETCH_AHEAD(a0 + j + 4 * step);
		FETCH_AHEAD(a1 + j + 4 * step);
		FETCH_AHEAD(a2 + j + 4 * step);
		FETCH_AHEAD(a3 + j + 4 * step);
		VSTORE(VLOAD(sum + j) + x0 * VLOAD(a0 + j) +
		    x1 * VLOAD(a1 + j) + x2 * VLOAD(a2 + j) +
		    x3 * VLOAD(a3 + j), sum + j);
	}
	for (; j < n; j++)
		sum[j] += x0 * a0[j] + x1 * a1[j] + x2 * a2[j] + x3 * a3[j];
}

/* y = A' x. A work-group sums `height` rows of at most MATVEC_CHUNK columns,
 * part q of column j at y[q cols + j]; sum holds a chunk's columns. */
SINGLE_ITEM kernel void matvec_columns(
	global const real *a, global const real *x, global real *y,
	global const int2 *place, int stack, int rows, int cols, int height,
	local real *sum, int first_group)
{
	int across = (cols + MATVEC_CHUNK - 1) / MATVEC_CHUNK;
	int k_splits = (rows + height - 1) / height;
	size_t g = first_group + get_global_id(0), s = g / across / k_splits;
	int j0 = g % across * MATVEC_CHUNK, q = g / across % k_splits;
	int i = q * height, i1 = min(i + height, rows);
	int n = min(MATVEC_CHUNK, cols - j0);
	int2 at = place_of(place, s, stack);

	a += (size_t)at.x * rows * cols + j0;
	x += (size_t)at.y * rows;
	y += (s * k_splits + q) * cols + j0;
	for (int j = 0; j < n; j++)
		sum[j] = 0;
	for (; i + 4 <= i1; i += 4)
		add_four_rows(sum, a + (long)i * cols, cols, x + i, n);
	for (; i < i1; i++)
		for (int j = 0; j < n; j++)
			sum[j] += x[i] * a[(long)i * cols + j];
	for (int j = 0; j < n; j++)
		y[j] = sum[j];
}
