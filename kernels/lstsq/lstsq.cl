/* lstsq.cl - least squares by the normal equations A^T A x = A^T b in `wide`
 * (src/ops/lstsq/normal.c), for a stack of m x n matrices A, each with its own
 * m x sides matrix of right-hand sides. kernels/qr/normal.cl factors A^T A =
 * U^T U, and leaves the rows of U^-T in the lower triangles of y.
 *
 *     lstsq_turned    A_c^T v and |v|^2 for chunks of the rows, v = b - A x
 *     lstsq_sum       adds up the results of lstsq_turned
 *     lstsq_down      z = U^-T A^T v
 *     lstsq_up        x += U^-1 z
 *     lstsq_give      rounds x to the element type
 *     lstsq_mirror    G = A^T A with both triangles
 *
 * Arrays of vectors, one for each right-hand side of a matrix, are
 * column-major; only b, and `to` of lstsq_give, are row-major matrices. The
 * sums over the rows for one right-hand side are n + 1 numbers: the elements of
 * A^T v, and then |v|^2. Launches have one dimension. Work-groups have ITEMS
 * work-items, except in lstsq_give and lstsq_mirror.
 */
#include "lib/real.h"
#include "lib/wide.h"

#define ITEMS 256
#define LANES 64			/* columns of a work-group */
#define TEAMS (ITEMS / LANES)
#define BESIDE 4			/* right-hand sides in one pass */
#define SUMS 32				/* elements of a group in lstsq_sum */
#define SIDE 16				/* rows of a group in lstsq_down */

/* Computes A_c^T v and |v|^2 for each right-hand side b. If `minus` is set, v
 * is b - A x, where `ax` holds A x; else v is b, and `ax` is not read. There is
 * a work-group for each matrix, chunk c of `each` rows, and block of LANES
 * columns of A. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void lstsq_turned(global const real *restrict a, int m, int n, int each,
                  int chunks, global const real *restrict b, int sides,
                  global const wide *restrict ax, int minus,
                  global wide *restrict parts)
{
	local wide sums[2][ITEMS];
	const int blocks = (n + LANES - 1) / LANES, item = get_local_id(0);
	const size_t group = get_group_id(0), matrix = group / blocks / chunks;
	const int first = group / blocks % chunks * each;
	const int end = min(first + each, m), team = item / LANES;
	const int block = group % blocks, j = block * LANES + item % LANES;

	a += matrix * m * n + min(j, n - 1);
	b += matrix * m * sides;
	ax += matrix * m * sides;
	parts += group / blocks * sides * (n + 1);
	for (int c = 0; c < sides; c += BESIDE) {
		wide sum[BESIDE] = { 0 }, square[BESIDE] = { 0 };

		for (int i = first + team; i < end; i += TEAMS) {
			const wide e = a[(size_t)i * n];

			for (int q = 0; q < BESIDE; q++) {
				const int k = min(c + q, sides - 1);
				wide v = b[(size_t)i * sides + k];

				if (minus)
					v -= ax[(size_t)k * m + i];
				sum[q] += e * v;
				square[q] += v * v;
			}
		}
		for (int q = 0; q < BESIDE; q++) {
			barrier(CLK_LOCAL_MEM_FENCE);
			sums[0][item] = sum[q];
			sums[1][item] = square[q];
			barrier(CLK_LOCAL_MEM_FENCE);
			for (int t = 1; t < TEAMS && team == 0; t++) {
				sum[q] += sums[0][t * LANES + item];
				square[q] += sums[1][t * LANES + item];
			}
			if (team == 0 && c + q < sides && j < n)
				parts[(c + q) * (n + 1) + j] = sum[q];
			if (item == 0 && c + q < sides && block == 0)
				parts[(c + q) * (n + 1) + n] = square[q];
		}
	}
}

/* sums[matrix][e] = the sum over all chunks of parts[matrix][chunk][e] for
 * `size` numbers e. There is a work-group for each matrix and each run of SUMS
 * numbers. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void lstsq_sum(global const wide *restrict parts, int size, int chunks,
               global wide *restrict sums)
{
	local wide room[ITEMS];
	const int item = get_local_id(0), team = item / SUMS;
	const int runs = (size + SUMS - 1) / SUMS;
	const size_t matrix = get_group_id(0) / runs;
	const int e = get_group_id(0) % runs * SUMS + item % SUMS;
	wide sum = 0;

	parts += matrix * chunks * size;
	for (int c = team; c < chunks && e < size; c += ITEMS / SUMS)
		sum += parts[(size_t)c * size + e];
	room[item] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (team > 0 || e >= size)
		return;
	for (int t = 1; t < ITEMS / SUMS; t++)
		sum += room[t * SUMS + item];
	sums[matrix * size + e] = sum;
}

/* Computes z = U^-T A^T v. There is a work-group of SIDE x SIDE items for each
 * matrix and block of SIDE rows of y. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void lstsq_down(global const wide *restrict y, int n, int ld,
                global const wide *restrict sums, int sides,
                global wide *restrict z)
{
	local wide room[ITEMS];
	const int blocks = (n + SIDE - 1) / SIDE, item = get_local_id(0);
	const size_t matrix = get_group_id(0) / blocks;
	const int i = get_group_id(0) % blocks * SIDE + item / SIDE;

	y += (matrix * ld + i) * ld;
	for (int c = 0; c < sides; c++) {
		global const wide *from = sums + (matrix * sides + c) * (n + 1);
		wide sum = 0;

		for (int j = item % SIDE; j <= i && i < n; j += SIDE)
			sum += y[j] * from[j];
		barrier(CLK_LOCAL_MEM_FENCE);
		room[item] = sum;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item % SIDE > 0 || i >= n)
			continue;
		for (int k = 1; k < SIDE; k++)
			sum += room[item + k];
		z[(matrix * sides + c) * n + i] = sum;
	}
}

/* Computes x += U^-1 z, or, if `more` is 0, x = U^-1 z without reading x. There
 * is a work-group for each matrix and block of LANES columns of y. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void lstsq_up(global const wide *restrict y, int n, int ld,
              global const wide *restrict z, int sides, int more,
              global wide *restrict x)
{
	local wide room[ITEMS];
	const int blocks = (n + LANES - 1) / LANES, item = get_local_id(0);
	const size_t matrix = get_group_id(0) / blocks;
	const int j = get_group_id(0) % blocks * LANES + item % LANES;

	y += matrix * ld * ld + j;
	for (int c = 0; c < sides; c++) {
		const size_t vector = (matrix * sides + c) * n;
		wide sum = 0;

		for (int i = j + item / LANES; i < n; i += TEAMS)
			sum += y[(size_t)i * ld] * z[vector + i];
		barrier(CLK_LOCAL_MEM_FENCE);
		room[item] = sum;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item >= LANES || j >= n)
			continue;
		for (int t = 1; t < TEAMS; t++)
			sum += room[t * LANES + item];
		x[vector + j] = more ? x[vector + j] + sum : sum;
	}
}

/* Rounds x to the element type and writes its vectors to the columns of `to`. x
 * receives the rounded numbers, too, so that the residual computed next is that
 * of the returned x. There is a work-item for each of the `count` numbers. */
kernel void lstsq_give(global wide *restrict x, int n, int sides, long count,
                       global real *restrict to)
{
	const size_t at = get_global_id(0), matrix = at / ((size_t)n * sides);
	const int j = at % n, c = at / n % sides;

	if (at < count) {
		const real v = x[at];

		to[(matrix * n + j) * sides + c] = v;
		x[at] = v;
	}
}

/* Copies the n x n matrix G, whose upper triangle is in the ld x ld array x,
 * and mirrors it at the diagonal. There is a work-item for each of the `count`
 * elements. */
kernel void lstsq_mirror(global const wide *restrict x, int n, int ld,
                         long count, global wide *restrict g)
{
	const size_t at = get_global_id(0);
	const int i = at / n, j = at % n;

	if (at < count)
		g[at] = x[(size_t)min(i, j) * ld + max(i, j)];
}
