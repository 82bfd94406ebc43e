/* cholesky.cl - what passes before and after step.cl: the copy of A, and the
 * verdict, for any device.
 *
 * state[VERDICT_NUMBERS + matrix] is the order of the first leading minor that
 * is not positive, or 0 if all are positive; otherwise L means nothing. `stack`
 * places further on stands 1 if the lower triangle contains a NaN or an
 * infinity, else 0. The verdict comes before them (shared/cholesky_tile.h).
 *
 * For the residual, x^T A x and L^T x are computed, where x is the vector of
 * signs.
 */
#include "cholesky/judge.h"

#define LANES CHOLESKY_LANES
#define CHUNK CHOLESKY_CHUNK

/* Returns the sum of all items' values to item 0 of LANES items. */
static wide sum_of_group(wide value, local wide *room)
{
	const int item = get_local_id(0);

	room[item] = value;
	for (int rest = LANES / 2; rest > 0; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < rest)
			room[item] += room[item + rest];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	return room[0];
}

/* Copies A's lower triangle to L, and sets parts[row] = x_i (sum of a_ij x_j
 * for j <= i), with elements below the diagonal doubled. Each work-group copies
 * one row of the stack. */
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void cholesky_begin(global const real *restrict a, int n,
                    global real *restrict l, global wide *restrict parts,
                    volatile global int *state, int stack)
{
	local wide room[LANES];
	const size_t row = get_group_id(0);
	const int i = row % n;
	wide sum = 0;

	a += row * n;
	l += row * n;
	for (int j = get_local_id(0); j <= i; j += LANES) {
		const real v = a[j];

		l[j] = v;
		sum += (j < i ? 2 : 1) * sign_of(j) * (wide)v;
		if (!isfinite(v))
			atomic_or(state + VERDICT_NUMBERS + stack + row / n,
			          1);
	}
	sum = sum_of_group(sum, room);
	if (get_local_id(0) == 0)
		parts[row] = sign_of(i) * sum;
}

/* Computes columns[matrix][chunk][j] = sum of l_ij x_i over CHUNK rows i.
 * Launch: item (j, chunk, matrix). */
kernel void cholesky_columns(global const real *restrict l, int n,
                             global wide *restrict columns)
{
	const int j = get_global_id(0), chunk = get_global_id(1);
	const size_t matrix = get_global_id(2);
	const int end = min((chunk + 1) * CHUNK, n);
	wide sum = 0;

	if (j >= n)
		return;
	l += matrix * n * n;
	for (int i = max(chunk * CHUNK, j); i < end; i++)
		sum += sign_of(i) * (wide)l[(size_t)i * n + j];
	columns[(matrix * get_global_size(1) + chunk) * n + j] = sum;
}

/* Judges every matrix. Each has a work-group of LANES items. */
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void cholesky_judge(global const real *restrict a, int n,
                    global const wide *restrict parts,
                    global const wide *restrict columns, int chunks,
                    volatile global int *state, int stack)
{
	local wide room[LANES];
	const size_t matrix = get_group_id(0);
	const int item = get_local_id(0);
	wide quadratic = 0, square = 0, trace = 0;

	a += matrix * n * n;
	parts += matrix * n;
	columns += matrix * chunks * n;
	for (int j = item; j < n; j += LANES) {
		wide w = 0;

		for (int c = 0; c < chunks; c++)
			w += columns[(size_t)c * n + j];
		square += w * w;
		quadratic += parts[j];
		trace += a[(size_t)j * n + j];
	}
	quadratic = sum_of_group(quadratic, room);
	barrier(CLK_LOCAL_MEM_FENCE);
	square = sum_of_group(square, room);
	barrier(CLK_LOCAL_MEM_FENCE);
	trace = sum_of_group(trace, room);
	if (item == 0)
		judge(state, state[VERDICT_NUMBERS + matrix] > 0 ||
		      state[VERDICT_NUMBERS + stack + matrix] > 0, n,
		      quadratic, square, trace);
}
