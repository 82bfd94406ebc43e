/* spmv.cl - y = A x on any device, A sparse in compressed rows.
 *
 * spmv_lanes: `lanes` neighbouring items of a work-group sum a row, then add
 * their sums as a tree. Rows of more than SPMV_LONG entries are left to
 * spmv_pieces, two work-groups per SPMV_LONG entries, and spmv_pieces_sum, an
 * item per row. No atomics: every sum has one order.
 *
 * spmv_slices: entries of SPMV_SLICE (sell) or all (ellpack-r) rows lie side
 * by side, so that an item per row reads along with its neighbours; rows'
 * lengths keep it from the padding; what a row has beyond its slice's width
 * is read from the compressed rows. spmv_slices_pack brings them there.
 * Sources: N. Bell, M. Garland 2009 (lanes per row); F. Vazquez et al. 2011
 * (ELLPACK-R); A. Monakov et al. 2010 (slices).
 */
#include "spmv.h"

/* Launch: an item per row and lane, in groups of SPMV_GROUP. */
kernel __attribute__((reqd_work_group_size(SPMV_GROUP, 1, 1)))
void spmv_lanes(global const long *starts, global const real *a,
                global const real *x, global real *y, global const real *c,
                int add, int rows, int lanes)
{
	local wide sum[SPMV_GROUP];
	global const int *columns = COLUMNS(starts, rows);
	const int i = get_local_id(0), lane = i % lanes;
	const int row = min(get_global_id(0) / lanes, (size_t)rows);
	const long from = row < rows ? starts[row] : 0;
	const long to = row < rows ? starts[row + 1] : 0;
	const bool mine = row < rows && to - from <= SPMV_LONG;
	wide s = 0;

	for (long k = from + lane; mine && k < to; k += lanes)
		s = fma((wide)a[k], (wide)x[columns[k]], s);
	sum[i] = s;
	for (int step = lanes / 2; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lane < step)
			sum[i] += sum[i + step];
	}
	if (mine && lane == 0)
		store(y, c, add, row, sum[i]);
}

static bool is_long(global const long *starts, int row)
{
	return starts[row + 1] - starts[row] > SPMV_LONG;
}

/* Entries g SPMV_LONG and on: part[2 g] is what they have of a long row that
 * began before them, part[2 g + 1] of one that begins among them. There is at
 * most one of each. Launch: two work-groups per piece. */
kernel __attribute__((reqd_work_group_size(SPMV_GROUP, 1, 1)))
void spmv_pieces(global const long *starts, global const real *a,
                 global const real *x, int rows, long nnz,
                 global wide *part)
{
	local wide sum[SPMV_GROUP];
	global const int *columns = COLUMNS(starts, rows);
	const size_t group = get_group_id(0);
	const int i = get_local_id(0), begins = group % 2;
	const long from = (long)(group / 2) * SPMV_LONG;
	const long to = min(from + SPMV_LONG, nnz);
	const int row = rows_before(starts, rows, begins ? to - 1 : from);
	const bool mine = is_long(starts, row) &&
	                  (begins ? starts[row] >= from : starts[row] < from);
	const long end = mine ? min(to, starts[row + 1]) : 0;
	wide s = 0;

	for (long k = max(from, starts[row]) + i; k < end; k += SPMV_GROUP)
		s = fma((wide)a[k], (wide)x[columns[k]], s);
	sum[i] = s;
	for (int step = SPMV_GROUP / 2; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (i < step)
			sum[i] += sum[i + step];
	}
	if (i == 0)
		part[group] = sum[0];
}

/* Launch: an item per piece, which adds the row that begins in it. */
kernel void spmv_pieces_sum(global const long *starts, global real *y,
                            global const real *c, int add, int rows, long nnz,
                            global const wide *part)
{
	const long g = get_global_id(0), from = g * SPMV_LONG;
	const long to = min(from + SPMV_LONG, nnz);
	wide s;
	int row;

	if (from >= nnz)
		return;
	row = rows_before(starts, rows, to - 1);
	if (!is_long(starts, row) || starts[row] < from)
		return;
	s = part[2 * g + 1];
	for (long h = g + 1; h * SPMV_LONG < starts[row + 1]; h++)
		s += part[2 * h];
	store(y, c, add, row, s);
}

/* Where entry k of a row lies in its slice of `height` rows, which begins at
 * `slice`. */
static long place_of(long slice, int height, int row, int k)
{
	return slice + (long)k * height + row % height;
}

static int width_of(global const long *slices, int height, int row)
{
	global const long *at = slices + row / height;

	return (int)((at[1] - at[0]) / height);
}

/* slices: where each begins, and the end. Launch: an item per row. */
kernel void spmv_slices_pack(global const long *starts, global const real *a,
                             global const long *slices, int height, int rows,
                             global real *values, global int *columns)
{
	const int row = min(get_global_id(0), (size_t)rows);
	int n;

	if (row == rows)
		return;
	n = (int)min(starts[row + 1] - starts[row],
	             (long)width_of(slices, height, row));
	for (int k = 0; k < n; k++) {
		const long at = place_of(slices[row / height], height, row, k);

		values[at] = a[starts[row] + k];
		columns[at] = COLUMNS(starts, rows)[starts[row] + k];
	}
}

/* Launch: an item per row. */
kernel void spmv_slices(global const long *starts, global const real *a,
                        global const long *slices, int height, int rows,
                        global const real *values, global const int *columns,
                        global const real *x, global real *y,
                        global const real *c, int add)
{
	const int row = min(get_global_id(0), (size_t)rows);
	long rest, end, slice;
	wide s = 0;
	int n;

	if (row == rows)
		return;
	end = starts[row + 1];
	n = (int)min(end - starts[row], (long)width_of(slices, height, row));
	slice = slices[row / height];
	rest = starts[row] + n;
	for (int k = 0; k < n; k++) {
		const long at = place_of(slice, height, row, k);

		s = fma((wide)values[at], (wide)x[columns[at]], s);
	}
	for (; rest < end; rest++)
		s = fma((wide)a[rest], (wide)x[COLUMNS(starts, rows)[rest]], s);
	store(y, c, add, row, s);
}
