/* sell.cl - y = A x on CPUs, the entries of SPMV_SELL rows side by side: entry
 * k of these rows fills SPMV_SELL places, so that a vector of rows is summed at
 * a time (M. Kreutzer and others, SELL-C-sigma, 2014). Shorter rows of a slice
 * are padded with zeros, whose columns are valid.
 *
 * slices: where each slice begins, and where the last ends. order: the rows as
 * the slices have them; NULL: in their order. A work-group takes SPMV_SELL_EACH
 * slices.
 */
#include "spmv/spmv.h"

static inline int row_of(global const int *order, long at)
{
	return order ? order[at] : (int)at;
}

/* Launch: an item per slice. */
SINGLE_ITEM kernel void spmv_sell_pack(
	global const long *starts, global const real *a,
	global const long *slices, global const int *order, int rows,
	global real *values, global int *columns)
{
	const long s = get_global_id(0);
	const int width = (int)((slices[s + 1] - slices[s]) / SPMV_SELL);

	for (int j = 0; j < SPMV_SELL; j++) {
		const long i = s * SPMV_SELL + j;
		const int row = i < rows ? row_of(order, i) : rows;
		const long from = starts[row];
		const int n = i < rows ? (int)(starts[row + 1] - from) : 0;

		for (int k = 0; k < width; k++) {
			const long at = slices[s] + k * SPMV_SELL + j;

			values[at] = k < n ? a[from + k] : 0;
			columns[at] = k < n ? COLUMNS(starts, rows)[from + k] :
			              0;
		}
	}
}

/* Where `with` is given, dots[g] is the group's part of with^T A x. */
static inline void slices_of(global const long *restrict slices,
                             global const real *restrict values,
                             global const int *restrict columns,
                             global const real *restrict x,
                             global real *restrict y, global const real *c,
                             int add, int rows, int n,
                             global const int *restrict order,
                             global const real *restrict with,
                             global wide *restrict dots)
{
	const int g = get_group_id(0), to = min(n, (g + 1) * SPMV_SELL_EACH);
	wide dot[SPMV_SELL] = { 0 }, all = 0;

	for (int s = g * SPMV_SELL_EACH; s < to; s++) {
		const int first = s * SPMV_SELL;
		const int few = min(SPMV_SELL, rows - first);
		wide sum[SPMV_SELL] = { 0 };

		for (long at = slices[s]; at < slices[s + 1]; at += SPMV_SELL)
#pragma unroll
			for (int j = 0; j < SPMV_SELL; j++)
				sum[j] = fma((wide)values[at + j],
				             (wide)x[columns[at + j]], sum[j]);
		for (int j = 0; j < few; j++) {
			const int row = row_of(order, first + j);

			store(y, c, add, row, sum[j]);
			if (with)
				dot[j] = fma((wide)with[row], sum[j], dot[j]);
		}
	}
	for (int j = 0; with && j < SPMV_SELL; j++)
		all += dot[j];
	if (with)
		dots[g] = all;
}

/* A kernel for each way: are the rows sorted, is there a dot product? */
#define PRODUCT(NAME, ORDER, WITH, DOTS)                                       \
	SINGLE_ITEM kernel void NAME(                                          \
		global const long *restrict slices,                            \
		global const real *restrict values,                            \
		global const int *restrict columns,                            \
		global const real *restrict x, global real *restrict y,        \
		global const real *c, int add, int rows, int n,                \
		global const int *restrict order,                              \
		global const real *restrict with, global wide *restrict dots)  \
	{                                                                      \
		slices_of(slices, values, columns, x, y, c, add, rows, n,      \
		          ORDER, WITH, DOTS);                                  \
	}

PRODUCT(spmv_sell, 0, 0, 0)
PRODUCT(spmv_sell_dot, 0, with, dots)
PRODUCT(spmv_sorted, order, 0, 0)
PRODUCT(spmv_sorted_dot, order, with, dots)
