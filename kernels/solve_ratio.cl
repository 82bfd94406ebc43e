/* solve_ratio.cl - LAPACK's ratio |b - A x| / (n |A| |x| eps) in the 1-norm,
 * but for n eps; of each right-hand side or of a combination of them.
 */
#include "lu.h"

#define NORM_ROWS 64		/* of A, summed by an item of solve_norm */

/* part[chunk of NORM_ROWS][n] = sums of |a| down the columns; item
 * (chunk, matrix). */
kernel void solve_norm(global const real *restrict a, int n,
                       global wide *restrict part)
{
	const int row = get_global_id(0) * NORM_ROWS;
	const int end = min(row + NORM_ROWS, n), tail = n / VW * VW;
	const size_t matrix = get_global_id(1);

	a += matrix * n * n;
	part += (matrix * get_global_size(0) + get_global_id(0)) * n;
	for (int j = 0; j < tail; j += VW) {
		widev sum = 0;

		for (int i = row; i < end; i++)
			sum += WIDE(fabs(VLOAD(a + (size_t)i * n + j)));
		WSTORE(sum, part + j);
	}
	for (int j = tail; j < n; j++) {
		wide sum = 0;

		for (int i = row; i < end; i++)
			sum += fabs((wide)a[(size_t)i * n + j]);
		part[j] = sum;
	}
}

/* norm[matrix] = the largest column sum; item (matrix). */
kernel void solve_norm_end(global const wide *restrict part, int n,
                           int chunks, global wide *restrict norm)
{
	const size_t matrix = get_global_id(0);
	wide most = 0;

	part += matrix * chunks * n;
	for (int j = 0; j < n; j++) {
		wide sum = 0;

		for (int k = 0; k < chunks; k++)
			sum += part[(size_t)k * n + j];
		most = larger(most, sum);
	}
	norm[matrix] = most;
}

/* to[i] = i */
kernel void solve_count(global int *restrict to)
{
	to[get_global_id(0)] = get_global_id(0);
}

/* What is to be compared, wide: to[matrix][combination][n] of a b or x. Each
 * of its sides where there are as many combinations as sides, else their sum
 * with the given signs. Item (row, combination, matrix). */
kernel void solve_combine(global const real *restrict x, int n, int sides,
                          global const int *restrict from,
                          global const wide *restrict signs,
                          global wide *restrict to)
{
	const size_t i = get_global_id(0), c = get_global_id(1);
	const size_t matrix = get_global_id(2);
	const int each = get_global_size(1) == sides;
	wide sum = 0;

	x += (from[matrix] * (size_t)n + i) * sides;
	if (each)
		sum = x[c];
	for (int s = 0; s < sides && !each; s++)
		sum += signs[s] * x[s];
	to[(matrix * get_global_size(1) + c) * n + i] = sum;
}

/* defect = |b - A x|; work-group (row, combination, matrix) of any size. */
kernel void solve_defect(global const real *restrict a,
                         global const int *restrict which,
                         global const wide *restrict x,
                         global const wide *restrict b,
                         global wide *restrict defect, local wide *part)
{
	const size_t i = get_group_id(0), n = get_num_groups(0);
	const size_t matrix = get_group_id(2);
	const size_t at = (matrix * get_num_groups(1) + get_group_id(1)) * n;
	const wide sum = group_sum(row_dot(a + (which[matrix] * n + i) * n, 0,
	                                   n, x + at), part);

	if (get_local_id(0) == 0)
		defect[at + i] = fabs(b[at + i] - sum);
}

/* ratio of item (combination, matrix) */
kernel void solve_ratio(global const wide *restrict defect,
                        global const wide *restrict x, int n,
                        global const wide *restrict norm,
                        global const int *restrict which,
                        global wide *restrict ratio)
{
	const size_t matrix = get_global_id(1);
	const size_t c = matrix * get_global_size(0) + get_global_id(0);
	wide above = 0, below = 0;

	for (int i = 0; i < n; i++) {
		above += defect[c * n + i];
		below += fabs(x[c * n + i]);
	}
	ratio[c] = above == 0 ? 0 : above / below / norm[which[matrix]];
}
