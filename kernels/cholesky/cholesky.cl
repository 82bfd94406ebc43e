/* cholesky.cl - the kernels that run before and after those of step.cl, for any
 * device: they copy A, and judge L.
 *
 * state[VERDICT_NUMBERS + matrix] is the order of the first leading minor that
 * is not positive, or 0 if all are positive; L is meaningless unless it is 0.
 * state[VERDICT_NUMBERS + stack + matrix] is 1 if the matrix's lower triangle
 * contains a NaN or an infinity, else 0. The first VERDICT_NUMBERS integers are
 * the verdict on the whole stack (shared/cholesky_tile.h).
 *
 * The residual is estimated from x^T A x and |L^T x|^2, which are equal if L is
 * exact. x is the vector of signs (lapack_sign() in src/ops/lapack/stack.h).
 */
#include "cholesky/judge.h"

#define LANES CHOLESKY_LANES
#define COLUMNS CHOLESKY_COLUMNS
#define DEEP CHOLESKY_DEEP
#define TERMS CHOLESKY_TERMS

enum term { QUADRATIC, SQUARE, TRACE };

/* Returns the sum of all items' values in a work-group of LANES items. Before
 * the next call, a barrier is needed. */
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

/* Computes terms[matrix][block] = the sums of (L^T x)_j squared, of parts[j]
 * and of a_jj over the columns j of a block of COLUMNS. Launch: work-groups of
 * COLUMNS x DEEP items; those of the blocks of one matrix precede those of the
 * next matrix. */
kernel __attribute__((reqd_work_group_size(COLUMNS * DEEP, 1, 1)))
void cholesky_columns(global const real *restrict a,
                      global const real *restrict l, int n, int blocks,
                      global const wide *restrict parts,
                      global wide *restrict terms)
{
	local wide room[DEEP][COLUMNS], term[TERMS][COLUMNS];
	const size_t matrix = get_group_id(0) / blocks;
	const int c = get_local_id(0) % COLUMNS, y = get_local_id(0) / COLUMNS;
	const int first = get_group_id(0) % blocks * COLUMNS, j = first + c;
	wide sum = 0;

	a += matrix * n * n;
	l += matrix * n * n;
	for (int i = first + y; i < n && j < n; i += DEEP)
		sum += i >= j ? sign_of(i) * (wide)l[(size_t)i * n + j] : 0;
	room[y][c] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (y == 0) {
		for (int d = 1; d < DEEP; d++)
			sum += room[d][c];
		term[SQUARE][c] = sum * sum;
		term[QUADRATIC][c] = j < n ? parts[matrix * n + j] : 0;
		term[TRACE][c] = j < n ? a[(size_t)j * n + j] : 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (y == 0 && c < TERMS) {
		wide all = 0;

		for (int k = 0; k < COLUMNS; k++)
			all += term[c][k];
		terms[get_group_id(0) * TERMS + c] = all;
	}
}

/* Adds up the terms of each matrix and judges it. Launch: LANES items for each
 * matrix. */
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void cholesky_judge(int n, int blocks, global const wide *restrict terms,
                    volatile global int *state, int stack)
{
	local wide room[LANES];
	const size_t matrix = get_group_id(0);
	const int item = get_local_id(0);
	wide sum[TERMS] = { 0 };

	terms += matrix * blocks * TERMS;
	for (int b = item; b < blocks; b += LANES)
		for (int t = 0; t < TERMS; t++)
			sum[t] += terms[b * TERMS + t];
	for (int t = 0; t < TERMS; t++) {
		sum[t] = sum_of_group(sum[t], room);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (item == 0)
		judge(state, state[VERDICT_NUMBERS + matrix] > 0 ||
		      state[VERDICT_NUMBERS + stack + matrix] > 0, n,
		      sum[QUADRATIC], sum[SQUARE], sum[TRACE]);
}
