/* permute.cl - b[i][j] = a[row[i]][column[j]] for a stack of m x n matrices,
 * on a CPU; without row or column, i or j itself.
 *
 * One work-item moves a strip of at most STRIP columns of its chunk of rows;
 * where columns are not permuted, row by row in vectors. If b is too large for
 * the caches and its rows are whole vectors, the stores bypass them.
 * Launch: (ceil(n / STRIP), chunks of rows, stack), one item a group.
 */
#include "lib/real.h"

#define STRIP 4096
#define BYPASS (16 << 20)	/* bytes of b from which stores bypass */

static void copy_row(global const real *a, global real *b, int n)
{
	int j = 0;

	for (; j + VW <= n; j += VW)
		VSTORE(VLOAD(a + j), b + j);
	for (; j < n; j++)
		b[j] = a[j];
}

static void copy_row_past(global const real *a, global real *b, int n)
{
	for (int j = 0; j < n; j += VW)
		__builtin_nontemporal_store(VLOAD(a + j),
		                            (global realv *)(b + j));
}

static void gather_row(global const real *a, global real *b,
                       global const int *column, int n)
{
	for (int j = 0; j < n; j++)
		b[j] = a[column[j]];
}

kernel SINGLE_ITEM void permute_strips(global const real *restrict a,
                                       global real *restrict b, int m, int n,
                                       global const int *restrict row,
                                       global const int *restrict column,
                                       int chunks, int first_group)
{
	const int strips = (n + STRIP - 1) / STRIP;
	const size_t g = first_group + get_global_id(0);
	const size_t k = g / strips / chunks * m * n;
	const int chunk = (m + chunks - 1) / chunks;
	const int top = g / strips % chunks * chunk;
	const int bottom = min(top + chunk, m);
	const int left = g % strips * STRIP, width = min(STRIP, n - left);
	const bool bypass = n % VW == 0
	    && (size_t)m * n * sizeof(real) >= BYPASS;

	for (int i = top; i < bottom; i++) {
		const size_t source = row ? row[i] : i;
		global const real *from = a + k + source * n;
		global real *to = b + k + (size_t)i * n + left;

		if (column)
			gather_row(from, to, column + left, width);
		else if (bypass)
			copy_row_past(from + left, to, width);
		else
			copy_row(from + left, to, width);
	}
}
