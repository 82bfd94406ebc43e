/* matmul_tf32.h - C = A B in TF32 on Hopper's tensor cores, for a stack of
 * products; operands as in matmul.cl.
 *
 * Included once a kernel, with
 *
 *     TENSOR_KERNEL   its name
 *     TENSOR_PARTS    1: an element is rounded to TF32;
 *                     2: it is the sum of two TF32 numbers, hi and lo
 *     TENSOR_HALVES   a work-group's tile has so many times 128 columns
 *
 * SLAB of k at a time:
 *
 *     two warpgroups in turns              two, each with 64 rows of the tile
 *     load B's slab, split it
 *     wait until EMPTY, store it   ──────▶ wait until FULL
 *     go on                                multiply, in the background, with
 *                                          A's slab in their registers;
 *                          ◀────────────── the slab before is EMPTY
 *                                          split A's next slab, load another
 *
 * Within a slab k is permuted, in A and B alike, so that an item's four
 * elements of a row of A lie side by side in memory.
 *
 * With two parts, A B = lo hi + hi lo + hi hi (Ootomo and Yokota, 2022); the
 * tensor cores truncate their sums, so that a chain of at most CHAIN slabs
 * starts from zero and is then added to the sum in float32.
 *
 * An infinity has no parts: a tile that meets one, or a NaN, or an element too
 * small to be split, is computed again by plain multiplications. */
#include "real.h"
#include "matmul_tensor.h"
#include "nvidia/ptx.h"

#if defined(DTYPE_float32)

#define SLAB 16
#define ROWS TENSOR_ROWS
#define COLS (128 * TENSOR_HALVES)
#define WARPGROUP 128
#define MULTIPLIERS (2 * WARPGROUP)
#define ITEMS TENSOR_TF32_ITEMS
#define MEETING (3 * WARPGROUP)	/* who multiply, and who load that slab */
#define STAGES 3
#define CHAIN 2
#define BAND 8			/* rows of tiles that are done together */
#define SUMS 64			/* an item's, in 128 columns */
#define PART (SLAB * COLS)	/* words of one part of a slab of B */
#define STAGE (PART * TENSOR_PARTS)
#define QUADS (PART / 4 / WARPGROUP)	/* fours of B's slab, an item */
#define K_STEP (4 * COLS)	/* words between blocks along k */

/* Registers of an item when loading, multiplying: all of a compute unit's
 * (512, by four warpgroups), but no more, or it waits for ever. */
#define REGISTERS_LOADING 56
#define REGISTERS_MULTIPLYING 200

/* Barriers, by stage. */
#define FULL(t) (1 + (t) % STAGES)
#define EMPTY(t) (1 + STAGES + (t) % STAGES)

#include "nvidia/matmul_tf32_parts.h"

/* sum += A B of a slab, or = for !add; small products first. */
INLINE void multiply(float sum[TENSOR_HALVES][SUMS], const struct parts *a,
                     const local uint *slab, int add)
{
	const ulong b = ptx_blocks(ptx_local(slab), 4 * K_STEP, 128);
	const int step = 2 * K_STEP / 4;	/* b counts 16 bytes */

	ptx_wgmma_fence();
	#pragma unroll
	for (int h = 0; h < TENSOR_HALVES; h++) {
		const ulong hi = b + h * 128;
#if TENSOR_PARTS == 2
		const ulong lo = hi + PART / 4;

		ptx_wgmma(sum[h], a->part[1][0], hi, add);
		ptx_wgmma(sum[h], a->part[1][1], hi + step, 1);
		ptx_wgmma(sum[h], a->part[0][0], lo, 1);
		ptx_wgmma(sum[h], a->part[0][1], lo + step, 1);
		add = 1;
#endif
		ptx_wgmma(sum[h], a->part[0][0], hi, add);
		ptx_wgmma(sum[h], a->part[0][1], hi + step, 1);
	}
	ptx_wgmma_commit();
}

/* Multiplies slab t, splits t + 1 and loads t + 3 in its place; t + 2 is on
 * its way in other registers. Loads stand outside of branches, or the
 * assembler would have each wait for the one after it. */
INLINE void consume_one(float sum[TENSOR_HALVES][SUMS], int add, int t,
                        int slabs, const local uint *slab,
                        const struct factor *a, float y[2][4],
                        const struct parts *now, struct parts *next,
                        float *bad, bool quads)
{
	multiply(sum, now, slab + t % STAGES * STAGE, add);
	ptx_wgmma_wait(1);
	if (t > 0 && t - 1 + STAGES < slabs)
		ptx_arrive(EMPTY(t - 1), MEETING);
	split_a(next, y, bad);
	load_a(y, a, t + 3, quads);
}

INLINE void consume(float sum[TENSOR_HALVES][SUMS], int slabs,
                    const local uint *slab, const struct factor *a, float *bad,
                    bool quads)
{
	struct parts even, odd;
	float y[2][4];
	float z[2][4];
#if TENSOR_PARTS == 2
	float chain[1][SUMS] = { { 0 } };
	int end = get_local_id(0) < WARPGROUP ? CHAIN : CHAIN / 2;
#endif

	load_a(y, a, 0, quads);
	split_a(&even, y, bad);
	load_a(z, a, 1, quads);
	load_a(y, a, 2, quads);
#if TENSOR_PARTS == 2
	ptx_meet(FULL(0), MEETING);
	for (int t = 0; t < slabs; end += CHAIN) {
		for (int add = 0; t < min(end, slabs); t += 2, add = 1) {
			if (add)
				ptx_meet(FULL(t), MEETING);
			consume_one(chain, add, t, slabs, slab, a, z, &even,
			            &odd, bad, quads);
			ptx_meet(FULL(t + 1), MEETING);
			consume_one(chain, 1, t + 1, slabs, slab, a, y, &odd,
			            &even, bad, quads);
		}
		if (t < slabs)
			ptx_meet(FULL(t), MEETING);
		ptx_wgmma_wait(0);
		#pragma unroll
		for (int i = 0; i < SUMS; i++)
			sum[0][i] += chain[0][i];
	}
#else
	for (int t = 0; t < slabs; t += 2) {
		ptx_meet(FULL(t), MEETING);
		consume_one(sum, t, t, slabs, slab, a, z, &even, &odd, bad,
		            quads);
		ptx_meet(FULL(t + 1), MEETING);
		consume_one(sum, 1, t + 1, slabs, slab, a, y, &odd, &even,
		            bad, quads);
	}
	ptx_wgmma_wait(0);
#endif
}

/* Has any item found what it cannot split? */
INLINE bool any_bad(local uint *slab, float bad)
{
	ptx_barrier();
	slab[0] = 0;
	ptx_barrier();
	if (isnan(bad))
		slab[0] = 1;
	ptx_barrier();
	return slab[0] != 0;
}

/* The item's sums as IEEE arithmetic has them: rows i and i + 8, two columns
 * of every eight from j on. */
INLINE void multiply_plainly(float sum[SUMS], const struct factor *a,
                             const struct factor *b, int i, int j)
{
	const global float *x0 = a->x + min(i, a->last) * a->line;
	const global float *x1 = a->x + min(i + 8, a->last) * a->line;

	#pragma unroll
	for (int e = 0; e < SUMS; e++)
		sum[e] = 0;
	for (int p = 0; p < a->k; p++) {
		const global float *y = b->x + p * b->along_k;
		const float u = x0[p * a->along_k], v = x1[p * a->along_k];

		#pragma unroll
		for (int e = 0; e < SUMS; e++)
			sum[e] = fma(e / 2 % 2 ? v : u, y[b->line *
			    min(j + e / 4 * 8 + e % 2, b->last)], sum[e]);
	}
}

/* c: the tile's first element. */
INLINE void store(global float *c, const float sum[SUMS], int i, int j,
                  int last_i, int last_j, int n)
{
	#pragma unroll
	for (int e = 0; e < SUMS; e++) {
		const int row = i + e / 2 % 2 * 8, col = j + e / 4 * 8 + e % 2;

		if (row <= last_i && col <= last_j)
			c[(long)row * n + col] = sum[e];
	}
}

struct tile {
	int i, j;		/* first row and column */
};

/* Tiles in bands of BAND rows, column by column: those that are computed at
 * the same time share operands. */
INLINE struct tile tile_of(int id, int down, int across)
{
	const int band = id / (BAND * across), in = id % (BAND * across);
	const int height = min(BAND, down - band * BAND);
	const struct tile t = {
		(band * BAND + in % height) * ROWS, in / height * COLS
	};
	return t;
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void TENSOR_KERNEL(
	const global float *restrict a, const global float *restrict b,
	global float *restrict c, const global int2 *restrict place,
	int stack, int m, int n, int k, long a_row, long a_col, long b_row,
	long b_col, int depth)
{
	local uint slab[STAGES * STAGE] __attribute__((aligned(128)));
	const int across = (n + COLS - 1) / COLS;
	const int down = (m + ROWS - 1) / ROWS;
	const size_t product = get_group_id(0) / (across * down);
	const struct tile tile = tile_of(get_group_id(0) % (across * down),
	                                 down, across);
	const int2 from = stack > 1 ? place[product % stack] : (int2)(0, 0);
	const int p0 = product / stack * depth, p = min(depth, k - p0);
	const struct factor x = {
		a + (size_t)from.x * m * k + tile.i * a_row + p0 * a_col,
		a_row, a_col, m - 1 - tile.i, p,
		a_col == 1 && a_row % 4 == 0 && k % 4 == 0,
	};
	const struct factor y = {
		b + (size_t)from.y * k * n + tile.j * b_col + p0 * b_row,
		b_col, b_row, n - 1 - tile.j, p,
		b_row == 1 && b_col % 4 == 0 && k % 4 == 0,
	};
	const int slabs = (p + 2 * SLAB - 1) / (2 * SLAB) * 2;
	const int item = get_local_id(0);
	const int i = item / 32 * 16 + item / 4 % 8, j = item % 4 * 2;
	float bad = 0;

	PTX_ENTRY(".minnctapersm 1");
	if (item >= MULTIPLIERS) {
		ptx_registers_fewer(REGISTERS_LOADING);
		if (y.quads)
			produce(slab, &y, item / WARPGROUP - 2, slabs, &bad,
			        true);
		else
			produce(slab, &y, item / WARPGROUP - 2, slabs, &bad,
			        false);
		any_bad(slab, bad);
	} else {
		float sum[TENSOR_HALVES][SUMS] = { { 0 } };

		ptx_registers_more(REGISTERS_MULTIPLYING);
		if (x.quads)
			consume(sum, slabs, slab, &x, &bad, true);
		else
			consume(sum, slabs, slab, &x, &bad, false);
		const bool again = any_bad(slab, bad);

		#pragma unroll
		for (int h = 0; h < TENSOR_HALVES; h++) {
			if (again)
				multiply_plainly(sum[h], &x, &y, i,
				                 j + 128 * h);
			store(c + product * m * n + (long)tile.i * n + tile.j,
			      sum[h], i, j + 128 * h, x.last, y.last, n);
		}
	}
}

#endif
