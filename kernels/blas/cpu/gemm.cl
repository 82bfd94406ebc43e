/* gemm.cl - C += alpha op(A) op(B) on CPUs, on parts of matrices, for a stack.
 * The operands' places are as in blas/gemm.h. A work-group, one work-item,
 * computes one block of C: at most BLAS_CPU_ROWS rows and BLAS_CPU_PANELS
 * panels of columns (matmul/cpu.h). It packs DEPTH rows of its part of op(B) at
 * a time, multiplied by alpha.
 */
#include "matmul/cpu_small.h"
#include "shared/blas_tile.h"

/* Multiplies the packed panels of `cols` columns by alpha. */
static void scale(local real *packed, int depth, int cols, real alpha)
{
	for (int j = 0; j < cols; j += NR) {
		local real *x = packed + j * DEPTH;
		const int n = depth * TILE_VECTORS(cols - j) * VW;

		for (int i = 0; i < n; i += VW)
			PUT_IN(local, alpha * VLOAD(x + i), x + i);
	}
}

SINGLE_ITEM kernel void blas_gemm_packed(
	global const real *a, long a_at, long a_step, long a_row, long a_col,
	global const real *b, long b_at, long b_step, long b_row, long b_col,
	global real *c, long c_at, long c_step, long c_row, int m, int n,
	int k, real alpha, local real *packed, int first_group)
{
	const int across = BLAS_CPU_PANELS * NR;
	const int n_blocks = (n + across - 1) / across;
	const int m_blocks = (m + BLAS_CPU_ROWS - 1) / BLAS_CPU_ROWS;
	const size_t g = first_group + get_global_id(0);
	const size_t s = g / n_blocks / m_blocks;
	const int i0 = g / n_blocks % m_blocks * BLAS_CPU_ROWS;
	const int j0 = g % n_blocks * across;
	const int rows = min(BLAS_CPU_ROWS, m - i0);
	const int cols = min(across, n - j0);

	a += a_at + s * a_step + i0 * a_row;
	b += b_at + s * b_step + j0 * b_col;
	c += c_at + s * c_step + i0 * c_row + j0;
	for (int k0 = 0; k0 < k; k0 += DEPTH) {
		const int depth = min(DEPTH, k - k0);

		pack_panels(packed, DEPTH, b + k0 * b_row, b_row, b_col,
		            depth, cols, (k - 1 - k0) * b_row + n - j0);
		scale(packed, depth, cols, alpha);
		multiply(a + k0 * a_col, a_row, a_col, packed, DEPTH, depth,
		         c, c_row, rows, cols, true);
	}
}
