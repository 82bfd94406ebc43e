/* spread.cl - the measures of judge.cl for GPUs: the work on one matrix is
 * spread over as many work-groups as the device has room for, and each element
 * is read once for SPREAD_BESIDE vectors. Vectors are stored as in judge.cl.
 *
 *     judge_peaks      the largest |a_ij| of each piece of A
 *     judge_products   what judge_times computes
 *     judge_short      what judge_times computes, for rows of at most
 *                      SPREAD_SHORT elements
 *     judge_columns    what judge_turned computes
 *     judge_gaps       the sums of judge_defect, for each piece of the vectors
 *     judge_angles     y_c y_d - x_c x_d, c < d, for each piece of the vectors
 *
 * Every work-group has ITEMS items. Launches have one dimension: the groups of
 * a matrix follow those of the matrix before.
 */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/judge_spread.h"

#define ROWS SPREAD_ROWS
#define LANES SPREAD_LANES
#define CHUNK SPREAD_CHUNK
#define BESIDE SPREAD_BESIDE
#define ITEMS (ROWS * LANES)
#define TILE SPREAD_TILE

/* Leaves in SUM[0] the sum of all elements of the local array SUM, which has
 * one for each item. */
#define SUM_UP(sum)                                                          \
	for (int rest = ITEMS / 2; rest > 0; rest /= 2) {                    \
		barrier(CLK_LOCAL_MEM_FENCE);                                \
		if (get_local_id(0) < rest)                                  \
			(sum)[get_local_id(0)] +=                            \
			    (sum)[get_local_id(0) + rest];                   \
	}

/* Finds the largest |a_ij| of each piece. Work-group (matrix, piece) has every
 * `pieces`-th run of ITEMS elements of the matrix, which has `size`
 * elements. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void judge_peaks(global const real *restrict a, long size, int pieces,
                 global wide *restrict most)
{
	local wide largest[ITEMS];
	const size_t group = get_group_id(0);
	const int item = get_local_id(0);
	real own = 0;

	a += group / pieces * size;
	for (long i = group % pieces * ITEMS + item; i < size;
	     i += (long)pieces * ITEMS)
		own = fmax(own, fabs(a[i]));
	largest[item] = own;
	for (int rest = ITEMS / 2; rest > 0; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < rest)
			largest[item] = fmax(largest[item],
			                     largest[item + rest]);
	}
	if (item == 0)
		most[group] = largest[0];
}

/* Computes what judge_times in judge.cl does, and has the same parameters
 * except the last one. A work-group has ROWS rows. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void judge_products(global const real *restrict a, long step, int ld,
                    int m, int n,
                    global const wide *restrict unit, int scaled,
                    global const real *restrict d, int weighted,
                    global const wide *restrict x, long x_step, int count,
                    global wide *restrict y, int squares,
                    global wide *restrict square)
{
	local wide xs[BESIDE][CHUNK], sums[BESIDE + 1][ITEMS];
	const int groups = (m + ROWS - 1) / ROWS;
	const size_t matrix = get_group_id(0) / groups;
	const int item = get_local_id(0), lane = item % LANES;
	const int row = item / LANES, i = get_group_id(0) % groups * ROWS;
	const wide by = scaled ? unit[matrix] : 1;

	a += matrix * step + (size_t)(i + row) * ld;
	d += matrix * n;
	x += matrix * x_step;
	y += matrix * count * m + i;
	square += matrix * m + i;
	for (int c = 0; c < count; c += BESIDE) {
		wide sum[BESIDE] = { 0 }, own = 0;

		for (int k0 = 0; k0 < n; k0 += CHUNK) {
			const int k = k0 + item;

			barrier(CLK_LOCAL_MEM_FENCE);
			for (int v = 0; v < BESIDE; v++)
				xs[v][item] = k >= n || c + v >= count ? 0 :
				    (weighted ? d[k] * by : by) *
				    x[(size_t)(c + v) * n + k];
			barrier(CLK_LOCAL_MEM_FENCE);
			for (int e = lane; e < CHUNK && k0 + e < n &&
			     i + row < m; e += LANES) {
				const wide v = a[k0 + e];

				for (int q = 0; q < BESIDE; q++)
					sum[q] += v * xs[q][e];
				own += (v * by) * (v * by);
			}
		}
		for (int q = 0; q < BESIDE; q++)
			sums[q][item] = sum[q];
		sums[BESIDE][item] = own;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < (BESIDE + 1) * ROWS && i + item % ROWS < m) {
			const int q = item / ROWS, r = item % ROWS;
			wide all = 0;

			for (int e = 0; e < LANES; e++)
				all += sums[q][r * LANES + e];
			if (q < BESIDE && c + q < count)
				y[(size_t)(c + q) * m + r] = all;
			if (q == BESIDE && squares && c == 0)
				square[r] = all;
		}
	}
}

/* Computes what judge_times does for short rows. A work-group has TILE rows,
 * which go through local memory in tiles of TILE columns; item (row, vector)
 * multiplies its row by its vector. square_i of the group's first row becomes
 * the sum over all rows of the group, and that of the other rows 0: only the
 * sum over all rows of a matrix is used. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void judge_short(global const real *restrict a, long step, int ld,
                 int m, int n,
                 global const wide *restrict unit, int scaled,
                 global const real *restrict d, int weighted,
                 global const wide *restrict x, long x_step, int count,
                 global wide *restrict y, int squares,
                 global wide *restrict square)
{
	local real tile[TILE][TILE + 1];
	local wide xs[BESIDE][TILE], sums[ITEMS];
	const int groups = (m + TILE - 1) / TILE;
	const size_t matrix = get_group_id(0) / groups;
	const int item = get_local_id(0), row = item % TILE;
	const int vector = item / TILE, i = get_group_id(0) % groups * TILE;
	const wide by = scaled ? unit[matrix] : 1;
	wide own = 0;

	a += matrix * step + (size_t)i * ld;
	for (int c = 0; c < count; c += BESIDE) {
		const size_t at = (matrix * count + c + vector) * m + i + row;
		const size_t from = (size_t)(c + vector) * n + matrix * x_step;
		wide sum = 0;

		for (int k0 = 0; k0 < n; k0 += TILE) {
			const int k = k0 + row, end = min(TILE, n - k0);

			barrier(CLK_LOCAL_MEM_FENCE);
			for (int r = vector; r < TILE; r += BESIDE) {
				const real v = i + r < m && k < n ?
				    a[(size_t)r * ld + k] : 0;

				tile[r][row] = v;
				own += c > 0 ? 0 : (v * by) * (v * by);
			}
			xs[vector][row] = k >= n || c + vector >= count ? 0 :
			    (weighted ? d[matrix * n + k] * by : by) *
			    x[from + k];
			barrier(CLK_LOCAL_MEM_FENCE);
			for (int e = 0; e < end; e++)
				sum += tile[row][e] * xs[vector][e];
		}
		if (c + vector < count && i + row < m)
			y[at] = sum;
	}
	if (!squares)
		return;
	sums[item] = own;
	SUM_UP(sums);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (item < TILE && i + item < m)
		square[matrix * m + i + item] = item == 0 ? sums[0] : 0;
}

/* Computes what judge_turned in judge.cl does. A work-group has LANES columns
 * of M. Item (row, lane) sums every ROWS-th row of its column. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void judge_columns(global const real *restrict a, long step, int ld,
                   int m, int n,
                   global const wide *restrict unit, int scaled,
                   global const wide *restrict x, long x_step, int count,
                   global wide *restrict y)
{
	local wide sums[BESIDE][ITEMS];
	const int groups = (n + LANES - 1) / LANES;
	const size_t matrix = get_group_id(0) / groups;
	const int item = get_local_id(0), row = item / LANES;
	const int first = get_group_id(0) % groups * LANES;
	const int k = first + item % LANES;
	const wide by = scaled ? unit[matrix] : 1;

	a += matrix * step;
	x += matrix * x_step;
	y += matrix * count * n;
	for (int c = 0; c < count; c += BESIDE) {
		wide sum[BESIDE] = { 0 };

		for (int i = row; i < m && k < n; i += ROWS) {
			const wide v = a[(size_t)i * ld + k];

			for (int q = 0; q < BESIDE; q++)
				sum[q] += c + q < count ?
				    v * x[(size_t)(c + q) * m + i] : 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int q = 0; q < BESIDE; q++)
			sums[q][item] = sum[q];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < BESIDE * LANES) {
			const int q = item / LANES, lane = item % LANES;
			wide all = 0;

			for (int r = 0; r < ROWS; r++)
				all += sums[q][r * LANES + lane];
			if (c + q < count && first + lane < n)
				y[(size_t)(c + q) * n + first + lane] =
				    all * by;
		}
	}
}

/* Work-group (matrix, piece) has every `pieces`-th run of ITEMS elements of t,
 * w and `square`, and sets the two numbers sums[matrix][piece] to its sums of
 * |t - w|^2 and of square_i. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void judge_gaps(global const wide *restrict t, global const wide *restrict w,
                long length, global const wide *restrict square, int m,
                int pieces, global wide *restrict sums)
{
	local wide gap[ITEMS], size[ITEMS];
	const size_t group = get_group_id(0), matrix = group / pieces;
	const int item = get_local_id(0);
	const long first = group % pieces * ITEMS + item;
	const long step = (long)pieces * ITEMS;
	wide sum = 0, own = 0;

	t += matrix * length;
	w += matrix * length;
	square += matrix * m;
	for (long i = first; i < length; i += step)
		sum += (t[i] - w[i]) * (t[i] - w[i]);
	for (long i = first; i < m; i += step)
		own += square[i];
	gap[item] = sum;
	size[item] = own;
	SUM_UP(gap);
	SUM_UP(size);
	if (item == 0) {
		sums[2 * group] = gap[0];
		sums[2 * group + 1] = size[0];
	}
}

/* Work-group (matrix, piece) has every `pieces`-th run of ITEMS elements of
 * BESIDE vectors of each matrix in y, and of BESIDE vectors x of n <= m
 * elements that all matrices share. It sets the SPREAD_PAIRS numbers
 * sums[matrix][piece] to its sums of y_c y_d - x_c x_d. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void judge_angles(global const wide *restrict y, int m,
                  global const wide *restrict x, int n, int pieces,
                  global wide *restrict sums)
{
	local wide room[ITEMS];
	const size_t group = get_group_id(0);
	const int item = get_local_id(0);
	wide sum[SPREAD_PAIRS] = { 0 };

	y += group / pieces * BESIDE * m;
	for (long i = group % pieces * ITEMS + item; i < max(m, n);
	     i += (long)pieces * ITEMS) {
		int pair = 0;

		for (int c = 0; c < BESIDE; c++)
			for (int d = c + 1; d < BESIDE; d++, pair++) {
				if (i < m)
					sum[pair] += y[(size_t)c * m + i] *
					             y[(size_t)d * m + i];
				if (i < n)
					sum[pair] -= x[(size_t)c * n + i] *
					             x[(size_t)d * n + i];
			}
	}
	for (int pair = 0; pair < SPREAD_PAIRS; pair++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		room[item] = sum[pair];
		SUM_UP(room);
		if (item == 0)
			sums[group * SPREAD_PAIRS + pair] = room[0];
	}
}
