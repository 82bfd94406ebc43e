/* cholesky.cl - A = L L^T by work-groups and local memory, for any device.
 *
 *          j   NB
 *      +---+-----+-------+     in place in L, row-major, a stack at once:
 *      |   | L11 |       |     cholesky_block   A11 = L11 L11^T
 *      |   +-----+-------+
 *      |   | L21 |  A22  |     blas_trsm        L21 = A21 L11^-T
 *      |   |     |       |     blas_gemm_*      A22 -= L21 L21^T, lower tiles
 *      +---+-----+-------+
 *
 * cholesky_begin copies A's lower triangle to L, with zeros above. A matrix of
 * up to NB rows is factored by cholesky_block alone.
 *
 * state[matrix] is the order of the first leading minor that is not positive,
 * or 0 if all are positive; otherwise L means nothing. state[stack + matrix] is
 * 1 if the lower triangle contains a NaN or an infinity.
 *
 * For the residual, x^T A x and L^T x are computed, where x is the vector of
 * signs (lapack_sign() in src/ops/lapack/stack.h).
 */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/cholesky_tile.h"

#define LANES CHOLESKY_LANES
#define CHUNK CHOLESKY_CHUNK

static int sign_of(int i)
{
	return (uint)(i + 1) * 2654435769u >> 31 ? 1 : -1;
}

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
	const size_t row = get_group_id(1);
	const int i = row % n;
	wide sum = 0;

	a += row * n;
	l += row * n;
	for (int j = get_local_id(0); j < n; j += LANES) {
		const real v = j <= i ? a[j] : 0;

		l[j] = v;
		sum += (j < i ? 2 : 1) * sign_of(j) * (wide)v;
		if (!isfinite(v))
			atomic_or(state + stack + row / n, 1);
	}
	sum = sum_of_group(sum, room);
	if (get_local_id(0) == 0)
		parts[row] = sign_of(i) * sum;
}

/* Factors the diagonal block of nb rows and columns at column j of every
 * matrix. A work-group has `rows` x teams items, with rows >= nb; t is nb x
 * pitch. */
kernel void cholesky_block(global real *l, int n, int j, int nb, int rows,
                           int pitch, global int *state, local real *t)
{
	const size_t matrix = get_group_id(0);
	const int item = get_local_id(0), size = get_local_size(0);
	const int r = item % rows, team = item / rows, teams = size / rows;

	l += (matrix * n + j) * n + j;
	for (int e = item; e < nb * nb; e += size)
		t[e / nb * pitch + e % nb] = l[(size_t)(e / nb) * n + e % nb];
	for (int c = 0; c < nb; c++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		const real pivot = t[c * pitch + c], d = sqrt(pivot);

		barrier(CLK_LOCAL_MEM_FENCE);
		if (item == 0 && !(pivot > 0) && state[matrix] == 0)
			state[matrix] = j + c + 1;
		if (team == 0 && r > c && r < nb)
			t[r * pitch + c] /= d;
		if (item == 0)
			t[c * pitch + c] = d;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (r > c && r < nb)
			for (int k = c + 1 + team; k <= r; k += teams)
				t[r * pitch + k] -= t[r * pitch + c] *
				                    t[k * pitch + c];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int e = item; e < nb * nb; e += size)
		if (e % nb <= e / nb)
			l[(size_t)(e / nb) * n + e % nb] =
			    t[e / nb * pitch + e % nb];
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

/* Computes told[matrix][enum cholesky_told]. Each matrix has a work-group of
 * LANES items. */
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void cholesky_judge(global const real *restrict a, int n,
                    global const wide *restrict parts,
                    global const wide *restrict columns, int chunks,
                    global wide *restrict told)
{
	local wide room[LANES];
	const size_t matrix = get_group_id(0);
	const int item = get_local_id(0);
	wide quadratic = 0, square = 0, trace = 0;

	a += matrix * n * n;
	parts += matrix * n;
	columns += matrix * chunks * n;
	told += matrix * TOLD_NUMBERS;
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
	if (item == 0) {
		told[TOLD_QUADRATIC] = quadratic;
		told[TOLD_SQUARE] = square;
		told[TOLD_TRACE] = trace;
	}
}
