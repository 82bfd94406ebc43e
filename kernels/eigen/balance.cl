/* balance.cl - balancing for the dominant eigenpair: D^-1 A D with powers of
 * two in D (see ops/eigen/balance.h). The matrix is never formed; its products
 * are D^-1 (A (D v)).
 *
 *     squares   of the 2-norms of A's rows: out[i] = sum_j (unit a_ij)^2
 *     columns   the same of its columns, by slabs of `rows` rows: slab s
 *               makes out[s n + j]
 *     scale     y_i = d_i x_i
 *
 * A is n x n, row-major, beginning at element `at`. squares: a work-group per
 * row. columns: an item per column along dimension 0, a slab per index of
 * dimension 1. scale: an item per element. */
#include "eigen/eigen.h"

#define GROUP 128
#define GROUPED __attribute__((reqd_work_group_size(GROUP, 1, 1)))

GROUPED kernel void eigen_squares(global const real *a, long at,
    global const acc *state, global acc *out, long n)
{
	local acc tree[GROUP];
	const int item = get_local_id(0);
	const size_t i = get_group_id(0);
	const acc unit = state[STATE_UNIT];
	acc sum = 0;

	for (long j = item; j < n; j += GROUP) {
		const acc x = unit * a[at + i * n + j];

		sum += x * x;
	}
	tree[item] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = GROUP / 2; step > 0; step /= 2) {
		if (item < step)
			tree[item] += tree[item + step];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (item == 0)
		out[i] = tree[0];
}

kernel void eigen_columns(global const real *a, long at,
    global const acc *state, global acc *out, long n, long rows)
{
	const long j = get_global_id(0), slab = get_global_id(1);
	const long end = min((slab + 1) * rows, n);
	const acc unit = state[STATE_UNIT];
	acc sum = 0;

	if (j >= n)
		return;
	for (long i = slab * rows; i < end; i++) {
		const acc x = unit * a[at + i * n + j];

		sum += x * x;
	}
	out[slab * n + j] = sum;
}

kernel void eigen_scale(global const acc *d, global const acc *x, long from,
                        global acc *y, long n)
{
	const long i = get_global_id(0);

	if (i < n)
		y[i] = d[i] * x[from + i];
}
