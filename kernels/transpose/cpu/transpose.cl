/* transpose.cl - B = A^T for a stack of m x n matrices, on a CPU.
 *
 * One work-item moves CHUNK rows of a strip of WIDE x VW columns, block by
 * block: VW vectors are read, transposed in registers by log2(VW) perfect
 * shuffles and written, so that every cache line is touched once.
 * If B is too large for the caches and its rows are whole vectors, the stores
 * bypass them.
 * Launch: (ceil(n / (WIDE VW)), ceil(m / CHUNK), stack), one item a group.
 */
#include "transpose/block.h"

#define WIDE 4
#define CHUNK 512
#define BYPASS (16 << 20)	/* bytes of B from which stores bypass */

/* Moves a whole block at a; m and n are the strides of b and a. */
static void move_block(global const real *a, global real *b, size_t m,
                       size_t n, bool bypass)
{
	realv v[VW];

	#pragma unroll
	for (int i = 0; i < VW; i++)
		v[i] = VLOAD(a + i * n);
	transpose_block(v);
	#pragma unroll
	for (int j = 0; j < VW; j++) {
		if (bypass)
			__builtin_nontemporal_store(v[j],
			    (global realv *)(b + j * m));
		else
			VSTORE(v[j], b + j * m);
	}
}

/* Moves rows x columns numbers one by one. */
static void move_edge(global const real *a, global real *b, size_t m,
                      size_t n, int rows, int columns)
{
	for (int j = 0; j < columns; j++)
		for (int i = 0; i < rows; i++)
			b[j * m + i] = a[i * n + j];
}

kernel SINGLE_ITEM void transpose_blocked(global const real *restrict a,
                                          global real *restrict b,
                                          int m, int n, int first_group)
{
	const int strips = (n + WIDE * VW - 1) / (WIDE * VW);
	const int chunks = (m + CHUNK - 1) / CHUNK;
	const size_t g = first_group + get_global_id(0);
	const size_t k = g / strips / chunks * m * n;
	const int left = g % strips * WIDE * VW;
	const int top = g / strips % chunks * CHUNK;
	const int right = min(left + WIDE * VW, n);
	const int bottom = min(top + CHUNK, m);
	const bool bypass = m % VW == 0
	    && (size_t)m * n * sizeof(real) >= BYPASS;

	for (int i = top; i < bottom; i += VW)
		for (int j = left; j < right; j += VW) {
			global const real *from = a + k + (size_t)i * n + j;
			global real *to = b + k + (size_t)j * m + i;

			if (i + VW <= bottom && j + VW <= right)
				move_block(from, to, m, n, bypass);
			else
				move_edge(from, to, m, n, min(VW, bottom - i),
				          min(VW, right - j));
		}
}
