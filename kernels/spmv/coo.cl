/* coo.cl - y = A x by entries with their row and column (COO), on any
 * device: as many items for long rows as for short ones.
 *
 * An item takes SPMV_RUN neighbouring entries. Rows that lie entirely within
 * them are stored at once; part[2 g] is run g's part of a row that began
 * before it, part[2 g + 1] its part of a row that begins in it and continues
 * after it. spmv_coo_sum adds these in order, without atomics. spmv_coo_empty
 * writes the rows without entries.
 */
#include "spmv/spmv.h"

/* row_of[k] is the row of entry k. Launch: an item per row. */
kernel void spmv_coo_rows(global const long *starts, int rows,
                          global int *row_of)
{
	const int row = min(get_global_id(0), (size_t)rows);

	if (row == rows)
		return;
	for (long k = starts[row]; k < starts[row + 1]; k++)
		row_of[k] = row;
}

/* Launch: an item per row. */
kernel void spmv_coo_empty(global const long *starts, global real *y,
                           global const real *c, int add, int rows)
{
	const int row = min(get_global_id(0), (size_t)rows);

	if (row < rows && starts[row] == starts[row + 1])
		store(y, c, add, row, 0);
}

/* Launch: an item per run. */
kernel void spmv_coo(global const int *row_of, global const long *starts,
                     global const real *a, global const real *x,
                     global real *y, global const real *c, int add, int rows,
                     long nnz, global wide *part)
{
	global const int *columns = COLUMNS(starts, rows);
	const long g = get_global_id(0), from = g * SPMV_RUN;
	const long to = min(from + SPMV_RUN, nnz);

	for (long k = from; k < to;) {
		const int row = row_of[k];
		const bool begins = k > from || k == 0 || row_of[k - 1] != row;
		wide s = 0;

		for (; k < to && row_of[k] == row; k++)
			s = fma((wide)a[k], (wide)x[columns[k]], s);
		if (!begins)
			part[2 * g] = s;
		else if (k < nnz && row_of[k] == row)
			part[2 * g + 1] = s;
		else
			store(y, c, add, row, s);
	}
}

/* Adds the parts of a row that begins in run g and continues after it. Launch:
 * an item per run. */
kernel void spmv_coo_sum(global const int *row_of, global real *y,
                         global const real *c, int add, long nnz,
                         global const wide *part)
{
	const long g = get_global_id(0);
	long next = (g + 1) * SPMV_RUN;
	int row;
	wide s;

	if (next >= nnz)
		return;
	row = row_of[next];
	if (row_of[next - 1] != row ||
	    (g > 0 && row_of[g * SPMV_RUN - 1] == row))
		return;
	s = part[2 * g + 1];
	for (; next < nnz && row_of[next] == row; next += SPMV_RUN)
		s += part[2 * (next / SPMV_RUN)];
	store(y, c, add, row, s);
}
