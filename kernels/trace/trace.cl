/* trace.cl - t = sum_i d_i of every row d of a stack x k matrix of diagonals,
 * on any device.
 *
 * A work-group of GROUP items sums a row: item i adds up d_i, d_(i + GROUP),
 * ..., then halves of the group are added, in the same order on every run.
 * Launch: (GROUP, stack) work-items in groups of (GROUP, 1).
 */
#include "lib/real.h"
#include "lib/wide.h"

#define GROUP 64

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void trace_sum(global const real *restrict diagonals, int k,
               global real *restrict t)
{
	local wide sums[GROUP];
	const int item = get_local_id(0);
	const size_t matrix = get_group_id(1);
	wide sum = 0;

	diagonals += matrix * k;
	for (int i = item; i < k; i += GROUP)
		sum += diagonals[i];
	sums[item] = sum;
	for (int rest = GROUP / 2; rest > 0; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < rest)
			sums[item] += sums[item + rest];
	}
	if (item == 0)
		t[matrix] = (real)sums[0];
}
