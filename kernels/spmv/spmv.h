/* spmv.h - what the kernels of y = A x share, A sparse in compressed rows.
 *
 * index: rows + 1 row starts (long), then the columns (int) of the entries.
 * Products are exact or rounded once (fma) and summed in float64, whatever
 * the element, where the device has it. y = c + add A x, or y = A x where add
 * is 0.
 * Included by kernels only. */
#ifndef KERNELS_SPMV_SPMV_H
#define KERNELS_SPMV_SPMV_H

#include "lib/real.h"
#include "lib/wide.h"
#include "shared/spmv_tile.h"

#define COLUMNS(index, rows) ((global const int *)((index) + (rows) + 1))

static inline void store(global real *y, global const real *c, int add,
                         int row, wide sum)
{
	y[row] = (real)(add ? (wide)c[row] + add * sum : sum);
}

/* The number of rows that end at or before entry k. */
static inline int rows_before(global const long *starts, int rows, long k)
{
	int low = 0, high = rows;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (starts[middle + 1] <= k)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
