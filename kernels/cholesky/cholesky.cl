/* cholesky.cl - the kernels that run before and after the factorization by
 * step.cl or tiles.h, on any device: they copy A and compute the residual.
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
#include "lib/last.h"

#define LANES CHOLESKY_LANES
#define COLUMNS CHOLESKY_COLUMNS
#define DEEP CHOLESKY_DEEP
#define TERMS CHOLESKY_TERMS

enum term { QUADRATIC, SQUARE, TRACE };

/* Returns the sum of the values of all work-items of a group of LANES items.
 * The caller must add a barrier before it calls this again. */
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

/* Computes three sums over the columns j of each block of COLUMNS columns, and
 * stores them in terms[matrix][block]: those of (L^T x)_j squared, of parts[j]
 * and of a_jj. Launch: a work-group of COLUMNS x DEEP items for each of the
 * `blocks` blocks of each matrix. */
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

/* Adds up the terms of each matrix and computes its residual (judge.h). Launch:
 * LANES items for each matrix. */
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

/* Adds up the LANES numbers of each row t of sum, in sum[t][0]. */
static void add_up(local wide sum[TERMS][LANES])
{
	const int item = get_local_id(0);

	for (int rest = LANES / 2; rest > 0; rest /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int t = 0; t < TERMS && item < rest; t++)
			sum[t][item] += sum[t][item + rest];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Adds up the `sums` that cholesky_tiles has computed: each work-group those of
 * one column of tiles, and the last group of a matrix to finish those of all
 * columns, from which it computes the residual. Launch: a work-group of LANES
 * items, one per column of a tile, for each of the `tiles` columns of tiles of
 * each matrix. The counter of matrix i, at `done` + i, must be 0 before. */
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void cholesky_fold(global const real *restrict a, int n, int tiles,
                   global const wide *restrict sums, global wide *terms,
                   volatile global int *state, int stack, int done)
{
	local wide sum[TERMS][LANES];
	local int last[1];
	const int matrix = get_group_id(0) / tiles, item = get_local_id(0);
	const int k = get_group_id(0) % tiles, column = k * LANES + item;
	const size_t first = (size_t)matrix * (tiles * (tiles + 1) / 2) +
	                     k * tiles - k * (k - 1) / 2;
	wide square = 0, quadratic = 0;

	for (int i = 0; i < tiles - k; i++) {
		square += sums[(first + i) * 2 * LANES + item];
		quadratic += sums[((first + i) * 2 + 1) * LANES + item];
	}
	a += (size_t)matrix * n * n;
	sum[SQUARE][item] = column < n ? square * square : 0;
	sum[QUADRATIC][item] = quadratic;
	sum[TRACE][item] = column < n ? a[(size_t)column * (n + 1)] : 0;
	add_up(sum);
	terms += (size_t)matrix * tiles * TERMS;
	if (item == 0) {
		for (int t = 0; t < TERMS; t++)
			terms[k * TERMS + t] = sum[t][0];
		last[0] = is_last(state + done + matrix, 1, tiles);
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (!last[0])
		return;
	for (int t = 0; t < TERMS; t++) {
		sum[t][item] = 0;
		for (int b = item; b < tiles; b += LANES)
			sum[t][item] += terms[b * TERMS + t];
	}
	add_up(sum);
	if (item == 0)
		judge(state, state[VERDICT_NUMBERS + matrix] > 0 ||
		      state[VERDICT_NUMBERS + stack + matrix] > 0, n,
		      sum[QUADRATIC][0], sum[SQUARE][0], sum[TRACE][0]);
}
