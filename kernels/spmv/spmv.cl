/* spmv.cl - y = A x on any device, A sparse in compressed rows.
 *
 * spmv_lanes: `lanes` neighbouring items of a work-group sum a row, and then
 * add their sums as a tree. Rows of more than SPMV_EACH entries per lane are
 * summed by teams of SPMV_TEAM items, and those of more than SPMV_LONG entries
 * by a work-group per piece; the last of these groups to finish, or spmv_long,
 * adds the pieces' sums. Every sum has one order.
 *
 * spmv_slices: the entries of SPMV_SLICE (sell) or all (ellpack-r) rows lie
 * side by side, so that an item per row reads along with its neighbours; the
 * rows' lengths tell it where padding begins; the entries of a row beyond its
 * slice's width are read from the compressed rows. spmv_slices_pack fills the
 * slices.
 * Sources: N. Bell, M. Garland 2009 (lanes per row); F. Vazquez et al. 2011
 * (ELLPACK-R); A. Monakov et al. 2010 (slices).
 */
#include "lib/last.h"
#include "spmv/spmv.h"

/* The sum over entries first, first + apart, ... of n; several loads are in
 * flight at a time. */
static wide sum_of(global const real *a, global const int *columns,
                   global const real *x, int first, int n, int apart)
{
	wide s = 0;

	for (int k = first; k < n; k += SPMV_AHEAD * apart) {
		real value[SPMV_AHEAD], factor[SPMV_AHEAD];
		int column[SPMV_AHEAD];

#pragma unroll
		for (int j = 0; j < SPMV_AHEAD; j++) {
			const int at = k + j * apart;

			column[j] = at < n ? columns[at] : 0;
			value[j] = at < n ? a[at] : 0;
		}
#pragma unroll
		for (int j = 0; j < SPMV_AHEAD; j++)
			factor[j] = k + j * apart < n ? x[column[j]] : 0;
#pragma unroll
		for (int j = 0; j < SPMV_AHEAD; j++)
			s = fma((wide)value[j], (wide)factor[j], s);
	}
	return s;
}

/* Adds the sums of `lanes` neighbouring items into the first one's place. */
static void add_lanes(local wide *sum, int lane, int lanes)
{
	for (int step = lanes / 2; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lane < step)
			sum[lane] += sum[lane + step];
	}
}

/* Sums a row with each `lanes` neighbours; then, by teams, the rows that are
 * too long for that. */
static void sum_rows(global const long *starts, global const real *a,
                     global const int *columns, global const real *x,
                     global real *y, global const real *c, int add, int rows,
                     uint group, uint lanes, local wide *sum, local int *list,
                     local int *listed)
{
	const uint i = get_local_id(0), team = i / SPMV_TEAM;
	const uint lane = i % lanes, member = i % SPMV_TEAM;
	const int row = min(rows, (int)(group * (SPMV_GROUP / lanes) +
	                                i / lanes));
	const long from = row < rows ? starts[row] : 0;
	const long n = row < rows ? starts[row + 1] - from : SPMV_LONG + 1;
	const bool mine = n <= SPMV_EACH * lanes;

	if (i == 0)
		*listed = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lane == 0 && !mine && n <= SPMV_LONG)
		list[atomic_inc(listed)] = row;
	sum[i] = mine ? sum_of(a + from, columns + from, x, lane, n, lanes) : 0;
	add_lanes(sum + i - lane, lane, lanes);
	if (mine && lane == 0)
		store(y, c, add, row, sum[i]);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint m = 0; m < *listed; m += SPMV_GROUP / SPMV_TEAM) {
		const bool ours = m + team < *listed;
		const int which = ours ? list[m + team] : 0;
		const long begin = starts[which];

		sum[i] = !ours ? 0 : sum_of(a + begin, columns + begin, x,
		                            member, starts[which + 1] - begin,
		                            SPMV_TEAM);
		add_lanes(sum + i - member, member, SPMV_TEAM);
		if (ours && member == 0)
			store(y, c, add, which, sum[i]);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* Adds the sums of n pieces, with all items. */
static void sum_pieces(global const wide *part, int n, global real *y,
                       global const real *c, int add, int row, local wide *sum)
{
	const int i = get_local_id(0);
	wide s = 0;

	for (int k = i; k < n; k += SPMV_GROUP)
		s += part[k];
	sum[i] = s;
	add_lanes(sum, i, SPMV_GROUP);
	if (i == 0)
		store(y, c, add, row, sum[0]);
}

static void sum_piece(global const long *starts, global const real *a,
                      global const int *columns, global const real *x,
                      int2 piece, global wide *part, local wide *sum)
{
	const int i = get_local_id(0);
	const long from = starts[piece.x] + (long)piece.y * SPMV_LONG;
	const long n = min(starts[piece.x + 1] - from, (long)SPMV_LONG);

	sum[i] = sum_of(a + from, columns + from, x, i, n, SPMV_GROUP);
	add_lanes(sum, i, SPMV_GROUP);
	if (i == 0)
		*part = sum[0];
}

/* Returns whether the work-group is the last of n to call this function. */
static bool is_last_piece(volatile global int *done, int n, local int *last)
{
	if (get_local_id(0) == 0)
		*last = is_last(done, 1, n);
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	return *last;
}

/* list: the pieces of long rows, each given by its row and its number within
 * the row, of SPMV_LONG entries each; then what spmv_long needs. part: the
 * pieces' sums. done, where it is given, counts the finished pieces of a row,
 * at the row's first piece, from 0 back to 0; where it is not, spmv_long adds
 * the sums. Launch: a work-group per piece, then one per SPMV_GROUP / lanes
 * rows. */
kernel __attribute__((reqd_work_group_size(SPMV_GROUP, 1, 1)))
void spmv_lanes(global const long *restrict starts,
                global const real *restrict a, global const real *restrict x,
                global real *restrict y, global const real *c, int add,
                int rows, int lanes, int n_pieces,
                global const int2 *restrict list, global wide *part,
                volatile global int *done, int counts)
{
	local wide sum[SPMV_GROUP];
	local int later[SPMV_GROUP], laters, last;
	global const int *restrict columns = COLUMNS(starts, rows);
	const int group = get_group_id(0);

	if (group >= n_pieces) {
		sum_rows(starts, a, columns, x, y, c, add, rows,
		         group - n_pieces, lanes, sum, later, &laters);
		return;
	}
	const int2 piece = list[group];
	const int first = group - piece.y;
	const int n = (int)((starts[piece.x + 1] - starts[piece.x] +
	                     SPMV_LONG - 1) / SPMV_LONG);

	sum_piece(starts, a, columns, x, piece, part + group, sum);
	if (counts && is_last_piece(done + first, n, &last))
		sum_pieces(part + first, n, y, c, add, piece.x, sum);
}

/* Launch: a work-group per long row. After the pieces the list has each of
 * these rows with its first piece. */
kernel __attribute__((reqd_work_group_size(SPMV_GROUP, 1, 1)))
void spmv_long(global real *y, global const real *c, int add, int n_pieces,
               global const int2 *list, global const wide *part)
{
	local wide sum[SPMV_GROUP];
	const int2 row = list[n_pieces + get_group_id(0)];
	const int end = list[n_pieces + get_group_id(0) + 1].y;

	sum_pieces(part + row.y, end - row.y, y, c, add, row.x, sum);
}

/* The index of entry k of a row in its slice of `height` rows, which begins at
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

/* slices: where each slice begins, and where the last ends. Launch: an item per
 * row. */
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
