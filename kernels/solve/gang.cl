/* gang.cl - solve by several devices (src/ops/solve/gang.h), each with `own`
 * columns of A, row-major, and the elements of X that belong to them; or by one
 * that has such columns one after the other (src/ops/solve/streamed.h):
 *
 *     solve_gang_look   sums of |a| down the columns, NaNs
 *     solve_gang_add    adds what another device has summed
 *     solve_gang_rest   the device's share of A X, and of |A| |X|
 */
#include "solve/lanes.h"

/* sums[chunk][own] = sums of |a| down `chunk` rows of each column; bad[0]
 * becomes 1 if an element is NaN or infinite. Item (column, chunk). */
kernel void solve_gang_look(global const real *restrict a, int n, int own,
                            int chunk, global wide *restrict sums,
                            global int *restrict bad)
{
	const int j = get_global_id(0), row = get_global_id(1) * chunk;
	const int end = min(row + chunk, n);
	wide sum = 0;
	real rest = 0;

	if (j >= own)
		return;
	for (int i = row; i < end; i++) {
		const real v = a[(size_t)i * own + j];

		sum += fabs(v);
		rest += v * 0;
	}
	if (isnan(rest))
		atomic_or(bad, 1);
	sums[get_global_id(1) * (size_t)own + j] = sum;
}

/* x[at + i] += more[i] for i < count. Item (i). */
kernel void solve_gang_add(global real *restrict x, long at,
                           global const real *restrict more, int count)
{
	const int i = get_global_id(0);

	if (i < count)
		x[at + i] += more[i];
}

/* share[column][3][n]: of each row of A X, as a sum of two numbers (precise.h),
 * and of |A| |X|. x has the device's elements of each column, x[column][own].
 * all: TEAMS x LANES of struct row; it is an argument for the reason given at
 * solve_judge (judge.cl). Group (1, TEAMS rows, column). */
__attribute__((reqd_work_group_size(LANES, TEAMS, 1)))
kernel void solve_gang_rest(global const real *restrict a, int n, int own,
                            global const real *restrict x,
                            global wide *restrict share,
                            local struct row *all)
{
	const int row = get_global_id(1), i = min(row, n - 1);
	const size_t q = get_group_id(2);
	const struct row sum = team_sum(row_share(a + (size_t)i * own,
	                                          x + q * own, own),
	                                (local struct row (*)[LANES])all);

	if (get_local_id(0) > 0 || row >= n)
		return;		/* no barrier follows */
	share += q * 3 * n + row;
	share[0] = sum.high;
	share[n] = sum.low;
	share[2 * (size_t)n] = sum.size;
}
