/* matmul_tf32.h - C = A B, or C -= A B, in TF32 on Hopper's tensor cores.
 *
 * Included once a kernel, with
 *
 *     TENSOR_KERNEL   its name, TENSOR_PACK that of the one which packs for it
 *     TENSOR_PARTS    1: an element is rounded to TF32;
 *                     2: it is the sum of two TF32 numbers, hi and lo
 *     TENSOR_HALVES   a work-group's tile has so many times 128 columns
 *
 * One item asks for slabs of the packed operands, STAGES ahead; two
 * warpgroups multiply, 64 rows of the tile each, B from local memory and A in
 * registers, where it is split while the slab before is multiplied:
 *
 *     wait until a stage is EMPTY           wait until it is FULL
 *     copy a slab there, which makes   ──▶  multiply, in the background; split
 *     it FULL when all has come             A of the next slab meanwhile
 *                                      ◀──  EMPTY
 *
 * With two parts, A B = lo hi + hi lo + hi hi (Ootomo and Yokota, 2022), from
 * small to large; the tensor cores truncate their sums, so that every slab
 * starts from zero and is then added to the sum in float32. One warpgroup
 * adds while the other one's slab is multiplied.
 *
 * An infinity has no parts: the sums that meet one, or a NaN, or an element
 * too small to be split, are NaN, and are computed again by plain
 * multiplications. */
#include "real.h"
#include "matmul_tensor.h"
#include "nvidia/ptx.h"

#if defined(DTYPE_float32)

#include "nvidia/matmul_tf32_pack.h"

#define MULTIPLIERS 256
#define ITEMS TENSOR_TF32_ITEMS
#define STAGES 8
#define STAGE (SLAB_A + SLAB_B)
#define BAND 8			/* rows of tiles that are done together */
#define SUMS 64			/* an item's, in 128 columns */

struct ring {
	const local float *slab;
	uint full, empty;	/* signals, of 8 bytes each */
	int slabs;		/* that will pass */
};

/* The parts of an item's elements of A's slab, by k-steps of 8. */
struct parts {
	uint part[TENSOR_PARTS][2][4];
};

/* sum += A B of slab t, or = for !add; small products first. */
INLINE void multiply(float sum[TENSOR_HALVES][SUMS], const struct parts *a,
                     const struct ring *r, int t, int add)
{
	const ulong b = ptx_blocks(ptx_local(r->slab + t % STAGES * STAGE +
	    SLAB_A), 4 * BLOCK_B, 128);
	const int step = 2 * BLOCK_B / 4;	/* b counts 16 bytes */

	ptx_wgmma_fence();
	#pragma unroll
	for (int h = 0; h < TENSOR_HALVES; h++) {
		const ulong hi = b + h * 128;
#if TENSOR_PARTS == 2
		const ulong lo = hi + PART_B / 4;

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

/* The tensor cores take no notice of what hi has beyond TF32. */
INLINE void split(struct parts *a, int s, int i, float x)
{
	a->part[0][s][i] = as_uint(x) + 0x1000u;
#if TENSOR_PARTS == 2
	a->part[1][s][i] = as_uint(is_small(x) ? NAN : x - tf32_of(x));
#endif
}

/* The item's elements of A's slab t, once it is there. */
INLINE void fetch(struct parts *a, const struct ring *r, int t)
{
	const int item = get_local_id(0);
	const local float *x = r->slab + t % STAGES * STAGE + item / 32 * 64 +
	    item % 32;

	if (t < r->slabs)
		ptx_signal_wait(r->full + 8 * (t % STAGES), t / STAGES & 1);
	#pragma unroll
	for (int s = 0; s < 2; s++)
		#pragma unroll
		for (int i = 0; i < 4; i++)
			split(a, s, i, x[(2 * s + i / 2) * BLOCK_A +
			                 i % 2 * 32]);
}

INLINE void release(const struct ring *r, int t)
{
	if (get_local_id(0) % 32 == 0)
		ptx_signal_arrive(r->empty + 8 * (t % STAGES));
}

/* Slab t, while the next one's A is fetched. */
INLINE void consume_one(float sum[TENSOR_HALVES][SUMS],
                        float chain[TENSOR_HALVES][SUMS],
                        const struct ring *r, int t, const struct parts *now,
                        struct parts *next)
{
#if TENSOR_PARTS == 2
	multiply(chain, now, r, t, 0);
	fetch(next, r, t + 1);
	ptx_wgmma_wait(0);
	release(r, t);
	#pragma unroll
	for (int i = 0; i < SUMS; i++)
		sum[0][i] += chain[0][i];
#else
	multiply(sum, now, r, t, t);
	fetch(next, r, t + 1);
	ptx_wgmma_wait(0);
	release(r, t);
#endif
}

INLINE void consume(float sum[TENSOR_HALVES][SUMS], const struct ring *r)
{
	struct parts even, odd;
	float chain[TENSOR_HALVES][SUMS] = { { 0 } };

	fetch(&even, r, 0);
	for (int t = 0; t < r->slabs; t += 2) {
		consume_one(sum, chain, r, t, &even, &odd);
		consume_one(sum, chain, r, t + 1, &odd, &even);
	}
}

/* a, b: the first slabs. */
INLINE void produce(const struct ring *r, const global float *a,
                    const global float *b)
{
	for (int t = 0; t < r->slabs; t++) {
		const int s = t % STAGES;
		const uint to = ptx_local(r->slab + s * STAGE);
		const uint full = r->full + 8 * s;

		if (t >= STAGES)
			ptx_signal_wait(r->empty + 8 * s,
			                (t / STAGES - 1) & 1);
		ptx_signal_expect(full, 4 * STAGE);
		ptx_copy_bulk(to, a + (long)t * SLAB_A, 4 * SLAB_A, full);
		ptx_copy_bulk(to + 4 * SLAB_A, b + (long)t * SLAB_B,
		              4 * SLAB_B, full);
	}
}

INLINE struct ring ring_of(const local float *slab, const local ulong *signals,
                           int slabs)
{
	const struct ring r = {
		slab, ptx_local(signals), ptx_local(signals + STAGES), slabs
	};

	if (get_local_id(0) == 0)
		for (int s = 0; s < STAGES; s++) {
			ptx_signal_init(r.full + 8 * s, 1);
			ptx_signal_init(r.empty + 8 * s, MULTIPLIERS / 32);
		}
	ptx_fence_local();
	ptx_barrier();
	return r;
}

/* Element at `at` of B's hi as it was. */
INLINE float whole(const global float *at)
{
#if TENSOR_PARTS == 2
	return isnan(at[PART_B]) ? at[0] : at[0] + at[PART_B];
#else
	return at[0];
#endif
}

/* The item's sums as IEEE arithmetic has them: rows i and i + 8, two columns
 * of every eight from j on. */
INLINE void multiply_plainly(float sum[SUMS], const global float *a,
                             const global float *b, int slabs, int i, int j)
{
	#pragma unroll
	for (int e = 0; e < SUMS; e++)
		sum[e] = 0;
	for (int p = 0; p < slabs * SLAB; p++) {
		const global float *x = a + p / 4 * BLOCK_A + i * 4 + p % 4;
		const global float *y = b + p / SLAB * SLAB_B +
		    p / 4 % BLOCKS * BLOCK_B + j * 4 + p % 4;

		#pragma unroll
		for (int e = 0; e < SUMS; e++)
			sum[e] = fma(x[e / 2 % 2 * 32],
			             whole(y + (e / 4 * 8 + e % 2) * 4),
			             sum[e]);
	}
}

INLINE bool any_bad(const float sum[SUMS])
{
	float bad = 0;

	#pragma unroll
	for (int e = 0; e < SUMS; e++)
		bad = fma(sum[e], 0.0f, bad);
	return isnan(bad);
}

/* c: the tile's first element; two at a time where they are aligned. */
INLINE void store(global float *c, const float sum[SUMS], int i, int j,
                  int last_i, int last_j, int ld, bool minus)
{
	const bool pairs = ld % 2 == 0 && ((size_t)c & 7) == 0;

	#pragma unroll
	for (int e = 0; e < SUMS; e += 2) {
		const int row = i + e / 2 % 2 * 8, col = j + e / 4 * 8;
		global float *z = c + (long)row * ld + col;
		float2 v = (float2)(sum[e], sum[e + 1]);

		if (row > last_i || col > last_j)
			continue;
		if (pairs && col < last_j) {
			vstore2(minus ? vload2(0, z) - v : v, 0, z);
			continue;
		}
		z[0] = minus ? z[0] - v.x : v.x;
		if (col < last_j)
			z[1] = minus ? z[1] - v.y : v.y;
	}
}

struct tile {
	int i, j;
};

/* Tiles in bands of BAND rows, column by column: those that are computed at
 * the same time share operands. */
INLINE struct tile tile_of(int id, int down, int across)
{
	const int band = id / (BAND * across), in = id % (BAND * across);
	const int height = min(BAND, down - band * BAND);
	const struct tile t = { band * BAND + in % height, in / height };

	return t;
}

/* Group x: tile x % (tiles of a product), of product x / that, of which there
 * are `products` packed; beyond them parts of k of `depth` slabs, whose
 * results are part_step elements apart. The first product begins at c_at, the
 * next ones c_step further each; m, n are of a product. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void TENSOR_KERNEL(
	const global float *restrict a, const global float *restrict b,
	global float *restrict c, int products, int m, int n, int slabs,
	int depth, long c_at, int c_row, long c_step, long part_step,
	int minus)
{
	local float slab[STAGES * STAGE] __attribute__((aligned(128)));
	local ulong signals[2 * STAGES];
	const int across = (n + COLS - 1) / COLS;
	const int down = (m + ROWS - 1) / ROWS;
	const struct tile at = tile_of(get_group_id(0) % (across * down),
	                               down, across);
	const int id = get_group_id(0) / (across * down);
	const size_t product = id % products, part = id / products;
	const int item = get_local_id(0);
	const int i = item / 32 * 16 + item / 4 % 8, j = item % 4 * 2;
	const struct ring r = ring_of(slab, signals,
	    min(depth, slabs - (int)part * depth));

	a += ((product * down + at.i) * slabs + part * depth) * SLAB_A;
	b += ((product * across + at.j) * slabs + part * depth) * SLAB_B;
	c += c_at + product * c_step + part * part_step +
	    (long)at.i * ROWS * c_row + at.j * COLS;
	if (item == MULTIPLIERS)
		produce(&r, a, b);
	if (item < MULTIPLIERS) {
		float sum[TENSOR_HALVES][SUMS] = { { 0 } };

		consume(sum, &r);
		#pragma unroll
		for (int h = 0; h < TENSOR_HALVES; h++) {
			if (any_bad(sum[h]))
				multiply_plainly(sum[h], a, b, r.slabs, i,
				                 j + 128 * h);
			store(c, sum[h], i, j + 128 * h, m - 1 - at.i * ROWS,
			      n - 1 - at.j * COLS, c_row, minus);
		}
	}
}

#endif
