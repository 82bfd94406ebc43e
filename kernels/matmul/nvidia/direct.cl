/* direct.cl - C = A B in float32 on tensor cores, from unpacked operands in one
 * launch: for products so small, thin or shallow that packing costs more time
 * than it saves; for a stack of products, operands as in matmul.cl.
 *
 * A work-group computes a tile of ROWS x COLS, a warp 32 x 32 of it. Slabs,
 * SLAB of k each, are copied to local memory asynchronously, STAGES - 1 ahead,
 * with zeros beyond the edges: four elements at once where they are contiguous
 * and aligned, else one by one. Local memory holds them in the operand's order,
 * in quads which half a warp finds in different banks, so that an item always
 * reads four elements at once.
 *
 * An element is the sum of two TF32 numbers, hi and lo, which an item separates
 * in its registers: A B = lo hi + hi lo + hi hi (Ootomo and Yokota, 2022),
 * small products first. The tensor cores truncate their sums; therefore every
 * BLOCK of k starts from zero and is added to the sum in float32.
 *
 * An infinity has no hi and lo. Results that depend on an infinity or a NaN are
 * therefore NaN, and are computed again by plain multiplications, as are all
 * results of a warp that reads an element too small for hi and lo. */
#include "lib/real.h"
#include "shared/matmul_tensor.h"
#include "lib/ptx.h"

#if defined(DTYPE_float32)

#define ROWS TENSOR_DIRECT_ROWS
#define COLS TENSOR_DIRECT_COLS
#define ITEMS TENSOR_DIRECT_ITEMS
#define SLAB TENSOR_DEPTH
#define BLOCK 16
#define STAGES 3
#define PART_A (ROWS * SLAB)		/* words */
#define STAGE ((ROWS + COLS) * SLAB)

#include "matmul/nvidia/direct_copy.h"

/* An item has two sets of sums, for 16 rows each, from four tiles of the tensor
 * cores. */
#define SETS 2
#define SUMS 16
#define ADDERS ITEMS
#define READ_AHEAD 4
#include "matmul/nvidia/splits.h"

/* Returns the line that an item has in one of the four octets of a warp's 32
 * lines. */
INLINE int line_of(int octet, int in, bool along)
{
	return along ? 8 * octet + in : 4 * in + octet;
}

/* Loads the item's elements of a block into x[octet][k]. */
INLINE void fetch(float x[4][4], const local float *block, int lines,
                  int first, bool along)
{
	const int q = get_local_id(0) % 4, g = get_local_id(0) / 4 % 8;

	#pragma unroll
	for (int i = 0; i < 4; i++) {
		const int line = first + line_of(along ? i : 0, g, along);
		const int k = along ? 4 * q : 4 * q + i;
		const float4 v = *(const local float4 *)
		    (block + place(line, k, lines, along));

		if (along) {
			x[i][0] = v.x;
			x[i][1] = v.y;
			x[i][2] = v.z;
			x[i][3] = v.w;
		} else {
			x[0][i] = v.x;
			x[1][i] = v.y;
			x[2][i] = v.z;
			x[3][i] = v.w;
		}
	}
}

/* Returns a measure of |x| for which 0 is the largest. TF32 has no digits below
 * 2^-136, so lo would lack digits of an element smaller than 2^22 times
 * that. */
INLINE uint size_of(float x)
{
	return 2 * as_uint(x) - 1;
}

#define SMALL (2 * 0x06800000u - 1)	/* the measure of 2^-114 */

/* The tensor cores ignore the bits that hi has beyond TF32. */
INLINE void split(uint hi[4][4], uint lo[4][4], const float x[4][4],
                  uint *least)
{
	#pragma unroll
	for (int o = 0; o < 4; o++)
		#pragma unroll
		for (int i = 0; i < 4; i++) {
			hi[o][i] = as_uint(x[o][i]) + 0x1000u;
			lo[o][i] = as_uint(x[o][i] -
			                   as_float(hi[o][i] & 0xffffe000u));
			*least = min(*least, size_of(x[o][i]));
		}
}

/* sum += A B of half a block. Each product takes two octets of A and one of
 * B. */
INLINE void multiply_half(float sum[SETS][SUMS], const uint a[4][4],
                          const uint b[4][4], int s)
{
	#pragma unroll
	for (int j = 0; j < 4; j++)
		#pragma unroll
		for (int i = 0; i < 2; i++) {
			const uint x[4] = {
				a[2 * i][2 * s], a[2 * i + 1][2 * s],
				a[2 * i][2 * s + 1], a[2 * i + 1][2 * s + 1]
			};
			const uint y[2] = { b[j][2 * s], b[j][2 * s + 1] };

			ptx_mma_tf32(sum[i] + 4 * j, x, y);
		}
}

INLINE void multiply(float sum[SETS][SUMS], const float a[4][4],
                     const float b[4][4], uint *least)
{
	uint a_hi[4][4], a_lo[4][4], b_hi[4][4], b_lo[4][4];
	float chain[SETS][SUMS] = { { 0 } };

	split(a_hi, a_lo, a, least);
	split(b_hi, b_lo, b, least);
	multiply_half(chain, a_lo, b_hi, 0);
	multiply_half(chain, a_lo, b_hi, 1);
	multiply_half(chain, a_hi, b_lo, 0);
	multiply_half(chain, a_hi, b_lo, 1);
	multiply_half(chain, a_hi, b_hi, 0);
	multiply_half(chain, a_hi, b_hi, 1);
	#pragma unroll
	for (int s = 0; s < SETS; s++)
		#pragma unroll
		for (int e = 0; e < SUMS; e++)
			sum[s][e] += chain[s][e];
}

/* Where the warp's part of the tile begins, and whether k is contiguous in A
 * and in B. */
struct position {
	int row, col;
	bool along_a, along_b;
};

INLINE void multiply_block(float sum[SETS][SUMS], const local float *a,
                           const local float *b, const struct position *at,
                           uint *least)
{
	float x[4][4], y[4][4];

	fetch(x, a, ROWS, at->row, at->along_a);
	fetch(y, b, COLS, at->col, at->along_b);
	multiply(sum, x, y, least);
}

/* sum = A B of all slabs. `least` becomes the size of the smallest element. */
INLINE void multiply_all(float sum[SETS][SUMS], local float *slab,
                         const struct factor *a, const struct factor *b,
                         const struct position *at, uint *least)
{
	const int slabs = (a->depth + SLAB - 1) / SLAB;

	for (int t = 0; t < slabs + STAGES - 1; t++) {
		const int now = t - STAGES + 1;
		const local float *x = slab + (t + 1) % STAGES * STAGE;

		if (now >= 0) {
			ptx_copies_wait(STAGES - 2);
			ptx_barrier();
		}
		if (t < slabs) {
			const uint to = ptx_local(slab + t % STAGES * STAGE);

			copy(to, a, t, ROWS, at->along_a);
			copy(to + 4 * PART_A, b, t, COLS, at->along_b);
		}
		ptx_copies_commit();
		if (now < 0)
			continue;
		multiply_block(sum, x, x + PART_A, at, least);
		if (now * SLAB + BLOCK < a->depth)
			multiply_block(sum, x + BLOCK * ROWS,
			               x + PART_A + BLOCK * COLS, at, least);
	}
}

INLINE bool any_bad(const float sum[SETS][SUMS])
{
	float bad = 0;

	#pragma unroll
	for (int s = 0; s < SETS; s++)
		#pragma unroll
		for (int e = 0; e < SUMS; e++)
			bad = fma(sum[s][e], 0.0f, bad);
	return isnan(bad);
}

/* Computes the item's sums by IEEE arithmetic and stores them in C, or in the
 * sums of its split if `sums` is not NULL. */
INLINE void multiply_plainly(global float *c, global float *sums, int ld,
                             const struct factor *a, const struct factor *b,
                             const struct position *at)
{
	const int q = get_local_id(0) % 4, g = get_local_id(0) / 4 % 8;

	#pragma unroll 1
	for (int e = 0; e < 32; e++) {
		const int i = at->row + line_of(e / 16 * 2 + e / 2 % 2, g,
		                                at->along_a);
		const int j = at->col + line_of(e / 4 % 4, 2 * q + e % 2,
		                                at->along_b);
		const global float *x = a->x + i * a->line_step;
		const global float *y = b->x + j * b->line_step;
		float sum = 0;

		if (i >= a->lines || j >= b->lines)
			continue;
		#pragma unroll 1
		for (int p = 0; p < a->depth; p++)
			sum = fma(x[p * a->k_step], y[p * b->k_step], sum);
		if (sums)
			sums[place_in_split(e / 16, e % 16)] = sum;
		else
			c[(long)i * ld + j] = sum;
	}
}

/* Stores two neighbouring elements of a row, of which `left` are in C. */
INLINE void store2(global float *c, float x, float y, int left, bool aligned)
{
	if (aligned && left >= 2) {
		*(global float2 *)c = (float2)(x, y);
		return;
	}
	if (left > 0)
		c[0] = x;
	if (left > 1)
		c[1] = y;
}

/* Stores an item's sums. c points to the tile's first element. Elements are
 * stored two or four at a time if they are aligned. */
INLINE void store(global float *c, const float sum[SETS][SUMS],
                  const struct position *at, int rows, int cols, int ld)
{
	const int q = get_local_id(0) % 4, g = get_local_id(0) / 4 % 8;
	const bool twos = ld % 2 == 0 && ((size_t)c & 7) == 0;
	const bool fours = ld % 4 == 0 && ((size_t)c & 15) == 0;

	#pragma unroll
	for (int o = 0; o < 4; o++) {
		const int row = at->row + line_of(o, g, at->along_a);
		const int i = o / 2, e = o % 2 * 2;
		global float *to = c + (long)row * ld;

		if (row >= rows)
			continue;
		#pragma unroll
		for (int h = 0; h < 2; h++) {
			const int col = at->col + 8 * q + 4 * h;
			const int near = at->col + 16 * h + 2 * q;

			if (at->along_b) {
				store2(to + near, sum[i][8 * h + e],
				       sum[i][8 * h + e + 1], cols - near,
				       twos);
				store2(to + near + 8, sum[i][8 * h + 4 + e],
				       sum[i][8 * h + 5 + e],
				       cols - near - 8, twos);
			} else if (fours && cols - col >= 4) {
				*(global float4 *)(to + col) = (float4)
				    (sum[i][e + h], sum[i][4 + e + h],
				     sum[i][8 + e + h], sum[i][12 + e + h]);
			} else {
				store2(to + col, sum[i][e + h],
				       sum[i][4 + e + h], cols - col, twos);
				store2(to + col + 2, sum[i][8 + e + h],
				       sum[i][12 + e + h], cols - col - 2,
				       twos);
			}
		}
	}
}

INLINE void compute(local float *slab, const struct factor *a,
                    const struct factor *b, global float *c, int ld,
                    const struct position at, const struct k_split *x)
{
	global float *sums = x->n > 1 ? x->sums + (long)x->index * SPLIT : 0;
	float sum[SETS][SUMS] = { { 0 } };
	uint least = ~0u;
	bool whole;

	multiply_all(sum, slab, a, b, &at, &least);
	whole = !ptx_any(least < SMALL) && !any_bad(sum);
	if (!whole)
		multiply_plainly(c, sums, ld, a, b, &at);
	else if (sums)
		split_store(sums, sum);
	if (sums ? reduce(sum, x) : whole)
		store(c, sum, &at, a->lines, b->lines, ld);
}

INLINE struct factor factor_of(const global float *x, long line_step,
                               long k_step, int lines, int depth)
{
	const bool along = k_step == 1;
	const struct factor f = {
		x, line_step, k_step, lines, depth,
		(along || line_step == 1) && ((size_t)x & 15) == 0 &&
		    (along ? line_step : k_step) % 4 == 0
	};

	return f;
}

/* Work-groups are numbered by tile, product and split of k, the tile first. If
 * `reduces` is set, the last work-group of a tile to arrive adds the splits of
 * the tile: `sums` has SPLIT numbers for each split of each tile, and `count` a
 * counter for each tile. Otherwise every split stores a stack of products of
 * its own in c. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_tensor_direct(
	const global float *restrict a, const global float *restrict b,
	global float *restrict c, const global int2 *restrict places,
	int stack, int m, int n, int k, long a_row, long a_col, long b_row,
	long b_col, int depth, global float *sums, global int *count,
	int reduces, int first_group)
{
	local float slab[STAGES * STAGE] __attribute__((aligned(128)));
	local int last;
	const int warp = get_local_id(0) / 32;
	const int across = (n + COLS - 1) / COLS;
	const int down = (m + ROWS - 1) / ROWS;
	const int tiles = across * down * stack;
	const int group = first_group + get_group_id(0);
	const int tile = group % tiles, t = group / tiles;
	const int in = tile % (across * down), product = tile / (across * down);
	const int row = in / across * ROWS, col = in % across * COLS;
	const int2 from = stack > 1 ? places[product] : (int2)(0, 0);
	const int p0 = t * depth, p = min(depth, k - p0);
	const int splits = reduces ? (k + depth - 1) / depth : 1;
	const struct k_split split = {
		sums + (long)tile * splits * SPLIT, count + tile, t, splits,
		&last
	};
	const struct factor x = factor_of(a + (size_t)from.x * m * k +
	    row * a_row + p0 * a_col, a_row, a_col, m - row, p);
	const struct factor y = factor_of(b + (size_t)from.y * k * n +
	    col * b_col + p0 * b_row, b_col, b_row, n - col, p);
	const int i = warp / (COLS / 32) * 32, j = warp % (COLS / 32) * 32;
	global float *z = c + ((size_t)(product +
	    (reduces ? 0 : t * stack)) * m + row) * n + col;

	if (a_col == 1 && b_row == 1)
		compute(slab, &x, &y, z, n,
		        (struct position){ i, j, true, true }, &split);
	else if (a_col == 1)
		compute(slab, &x, &y, z, n,
		        (struct position){ i, j, true, false }, &split);
	else if (b_row == 1)
		compute(slab, &x, &y, z, n,
		        (struct position){ i, j, false, true }, &split);
	else
		compute(slab, &x, &y, z, n,
		        (struct position){ i, j, false, false }, &split);
}

#endif
