/* permute.cl - b[i][j] = a[row[i]][column[j]] for a stack of m x n matrices,
 * on any device; without row or column, i or j itself.
 *
 * One work-item per element, columns along the first dimension.
 * Launch: (n, m, stack) work-items in groups of (64, 4, 1).
 */
#include "lib/real.h"

kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void permute_gather(global const real *restrict a, global real *restrict b,
                    int m, int n, global const int *restrict row,
                    global const int *restrict column)
{
	const size_t k = get_global_id(2) * m * n;
	const int i = get_global_id(1), j = get_global_id(0);

	/* The grid is rounded up. */
	if (i < m && j < n)
		b[k + (size_t)i * n + j] = a[k + (size_t)(row ? row[i] : i) * n
		    + (column ? column[j] : j)];
}
