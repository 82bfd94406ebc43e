/* tf32.h - C = A B, or C -= A B, in TF32 on Hopper's tensor cores.
 *
 * Included once a kernel, with
 *
 *     TENSOR_KERNEL   its name; TENSOR_PACK: the name of the kernel that packs
 *     TENSOR_PARTS    1: an element is rounded to TF32;
 *                     2: it is the sum of two TF32 numbers, hi and lo
 *     TENSOR_HALVES   a work-group's tile has so many times 128 columns
 *
 * Slabs of the packed operands come through a ring (tiles.h); two warpgroups
 * multiply, 64 rows of the tile each, B from local memory and A in registers,
 * where hi and lo of the next slab are made while a slab is multiplied.
 *
 * With two parts, A B = lo hi + hi lo + hi hi (Ootomo and Yokota, 2022), small
 * products first. The tensor cores truncate their sums; therefore every slab
 * starts from zero and is then added to the sum in float32. One warpgroup
 * adds while the other one's slab is multiplied.
 *
 * An infinity has no hi and lo. Results that depend on an infinity, on a NaN,
 * or on an element too small for hi and lo are therefore NaN, and are computed
 * again by plain multiplications. */
#include "lib/real.h"
#include "shared/matmul_tensor.h"
#include "lib/wgmma.h"

#if defined(DTYPE_float32)

#include "matmul/nvidia/tf32_pack.h"

#define MULTIPLIERS 256
#define ITEMS TENSOR_TF32_ITEMS
#define STAGES 8
#define SUMS 64			/* an item's sums in 128 columns */
#define SETS TENSOR_HALVES
#define ADDERS MULTIPLIERS
#define READ_AHEAD 1

/* The registers of an item that copies, and of one that multiplies. Three
 * items, one of each warpgroup, may have 512 together, which is all that a
 * compute unit has; with more, the kernel would wait for ever. */
#define REGISTERS_COPYING 40
#define REGISTERS_MULTIPLYING 232

typedef float packed;

#include "matmul/nvidia/tiles.h"
#include "matmul/nvidia/splits.h"

/* The parts of an item's elements of A's slab, by k-steps of 8. */
struct parts {
	uint part[TENSOR_PARTS][2][4];
};

/* sum += A B of slab t, or sum = A B without `add`; small products first. */
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

/* The tensor cores ignore the bits that hi has beyond TF32. */
INLINE void split(struct parts *a, int s, int i, float x)
{
	a->part[0][s][i] = as_uint(x) + 0x1000u;
#if TENSOR_PARTS == 2
	a->part[1][s][i] = as_uint(is_small(x) ? NAN : x - tf32_of(x));
#endif
}

/* Fetches the item's elements of A's slab t after the slab has arrived. `comes`
 * is set if there is such a slab. */
INLINE void fetch(struct parts *a, const struct ring *r, int t, bool comes)
{
	const int item = get_local_id(0);
	const local float *x = r->slab + t % STAGES * STAGE + item / 32 * 64 +
	    item % 32;

	if (comes)
		await(r, t);
	#pragma unroll
	for (int s = 0; s < 2; s++)
		#pragma unroll
		for (int i = 0; i < 4; i++)
			split(a, s, i, x[(2 * s + i / 2) * BLOCK_A +
			                 i % 2 * 32]);
}

/* Multiplies slab t while A of the next slab is fetched. */
INLINE void consume_one(float sum[TENSOR_HALVES][SUMS],
                        float chain[TENSOR_HALVES][SUMS], int add,
                        const struct ring *r, int t, const struct parts *now,
                        struct parts *next, bool comes)
{
#if TENSOR_PARTS == 2
	multiply(chain, now, r, t, 0);
	fetch(next, r, t + 1, comes);
	ptx_wgmma_wait(0);
	release(r, t);
	#pragma unroll
	for (int i = 0; i < SUMS; i++)
		sum[0][i] += chain[0][i];
#else
	multiply(sum, now, r, t, add);
	fetch(next, r, t + 1, comes);
	ptx_wgmma_wait(0);
	release(r, t);
#endif
}

/* Multiplies n slabs from slab t on. */
INLINE void consume(float sum[TENSOR_HALVES][SUMS], const struct ring *r,
                    int t, int n)
{
	struct parts even, odd;
	float chain[TENSOR_HALVES][SUMS] = { { 0 } };

	fetch(&even, r, t, true);
	for (int end = t + n, add = 0; t < end; t += 2, add = 1) {
		consume_one(sum, chain, add, r, t, &even, &odd, true);
		consume_one(sum, chain, 1, r, t + 1, &odd, &even, t + 2 < end);
	}
}

/* Returns the element of B whose hi is at `at`, as it was before it was
 * split. */
INLINE float whole(const global float *at)
{
#if TENSOR_PARTS == 2
	return isnan(at[PART_B]) ? at[0] : at[0] + at[PART_B];
#else
	return at[0];
#endif
}

/* Computes the item's sums by IEEE arithmetic: rows i and i + 8, two columns of
 * every eight from j on. */
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

/* Where an item stores its sums. c points to the tile's first element. */
struct place {
	global float *c;
	int i, j, last_i, last_j, ld;
};

/* where() returns the place in C of elements e and e + 1 of the item's sums,
 * for an even e. there() tells whether element e lies within C. */
INLINE global float *where(const struct place *at, int e)
{
	return at->c + (long)(at->i + e / 2 % 2 * 8) * at->ld + at->j +
	    e / 4 * 8;
}

INLINE bool there(const struct place *at, int e)
{
	return at->i + e / 2 % 2 * 8 <= at->last_i &&
	       at->j + e / 4 * 8 + e % 2 <= at->last_j;
}

/* Are all of the item's elements within C, and pairs of them aligned? */
INLINE bool in_pairs(const struct place *at)
{
	return at->ld % 2 == 0 && ((size_t)at->c & 7) == 0 &&
	       there(at, SUMS - 1);
}

INLINE void store(const struct place *at, const float sum[SUMS])
{
	if (in_pairs(at)) {
		#pragma unroll
		for (int e = 0; e < SUMS; e += 2)
			*(global float2 *)where(at, e) =
			    (float2)(sum[e], sum[e + 1]);
		return;
	}
	#pragma unroll
	for (int e = 0; e < SUMS; e++)
		if (there(at, e))
			where(at, e & ~1)[e % 2] = sum[e];
}

/* sum = C - sum: all of C is loaded before the first element is used. */
INLINE void subtract(const struct place *at, float sum[SUMS])
{
	float2 c[SUMS / 2];

	if (in_pairs(at)) {
		#pragma unroll
		for (int e = 0; e < SUMS; e += 2)
			c[e / 2] = *(const global float2 *)where(at, e);
	} else {
		#pragma unroll
		for (int e = 0; e < SUMS; e += 2)
			c[e / 2] = (float2)(
			    there(at, e) ? where(at, e)[0] : 0,
			    there(at, e + 1) ? where(at, e)[1] : 0);
	}
	#pragma unroll
	for (int e = 0; e < SUMS; e += 2) {
		sum[e] = c[e / 2].x - sum[e];
		sum[e + 1] = c[e / 2].y - sum[e + 1];
	}
}

/* Is the tile to be computed? `again` has a word for each ROWS rows and each
 * PAIRS_AGAIN_COLS of the columns of a split of a product, `wide` in a row
 * (pairs.h); if it is NULL, all tiles are. */
INLINE bool is_wanted(const struct tile *x, const struct task *f,
                      const global uint *again, int wide)
{
	const int row = (x->part * f->products + x->product) * f->down +
	    x->i / ROWS;
	const int from = x->j / PAIRS_AGAIN_COLS;
	bool wanted = !again;

	for (int i = from;
	     again && i < min(from + COLS / PAIRS_AGAIN_COLS, wide); i++)
		wanted |= again[(long)row * wide + i] != 0;
	return wanted;
}

/* Adds the splits of tile `id` if this work-group is the last one of the tile
 * to arrive, and returns whether it is. */
INLINE bool add_up(float sum[TENSOR_HALVES][SUMS], const struct task *f,
                   int id, global float *sums, global int *count,
                   local int *last)
{
	const int tiles = f->products * f->down * f->across;
	const int splits = (f->slabs + f->depth - 1) / f->depth;
	const int tile = id % tiles;
	const struct k_split x = {
		sums + (long)tile * splits * SPLIT, count + tile, id / tiles,
		splits, last
	};

	split_store(x.sums + (long)x.index * SPLIT, sum);
	return reduce(sum, &x);
}

/* Work-groups are persistent: each computes every get_num_groups(0)-th of the
 * tiles from `first` to `tiles`. The tiles are those of `products` packed
 * products of m x n elements, for every split of k of `depth` slabs. The first
 * product begins at element c_at of c, the next one c_step elements further,
 * and the next split part_step elements further. If `adds` is set, the last
 * work-group of a tile to arrive adds the tile's splits instead, where `sums`
 * has SPLIT numbers for each split of each tile, and `count` a counter for each
 * tile. If `again` is not NULL, only the tiles of which it tells are computed;
 * word again_at tells if there are any. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void TENSOR_KERNEL(
	const global float *restrict a, const global float *restrict b,
	global float *restrict c, int tiles, int products, int m, int n,
	int slabs, int depth, long c_at, int c_row, long c_step,
	long part_step, int minus, int first, global float *sums,
	global int *count, int adds, const global uint *restrict again,
	long again_at, int again_wide)
{
	local float slab[STAGES * STAGE] __attribute__((aligned(128)));
	local ulong signals[2 * STAGES];
	local int last;
	const struct task task = {
		a, b, products, (m + ROWS - 1) / ROWS, (n + COLS - 1) / COLS,
		slabs, depth
	};
	const struct ring r = ring_of(slab, signals);
	const int item = get_local_id(0), groups = get_num_groups(0);
	const int i = item / 32 * 16 + item / 4 % 8, j = item % 4 * 2;

	if (again && again[again_at] == 0)
		return;
	again = again ? again + again_at + 1 : 0;
	if (item >= MULTIPLIERS) {
		ptx_registers_fewer(REGISTERS_COPYING);
		for (int id = first + get_group_id(0), t = 0;
		     item == MULTIPLIERS && id < tiles; id += groups) {
			const struct tile x = tile_of(&task, id);

			if (!is_wanted(&x, &task, again, again_wide))
				continue;
			for (int u = 0; u < x.slabs; u++, t++)
				produce(&r, t, x.a + (long)u * SLAB_A,
				        x.b + (long)u * SLAB_B);
		}
		return;
	}
	ptx_registers_more(REGISTERS_MULTIPLYING);
	for (int id = first + get_group_id(0), t = 0; id < tiles;
	     id += groups) {
		const struct tile x = tile_of(&task, id);
		float sum[TENSOR_HALVES][SUMS] = { { 0 } };

		if (!is_wanted(&x, &task, again, again_wide))
			continue;
		consume(sum, &r, t, x.slabs);
		t += x.slabs;
		#pragma unroll
		for (int h = 0; h < TENSOR_HALVES; h++)
			if (any_bad(sum[h]))
				multiply_plainly(sum[h], x.a, x.b, x.slabs, i,
				                 j + 128 * h);
		if (adds && !add_up(sum, &task, id, sums, count, &last))
			continue;
		#pragma unroll
		for (int h = 0; h < TENSOR_HALVES; h++) {
			const struct place at = {
				c + c_at + x.product * c_step +
				    x.part * part_step + (long)x.i * c_row +
				    x.j,
				i, j + 128 * h, m - 1 - x.i, n - 1 - x.j, c_row
			};

			if (minus)
				subtract(&at, sum[h]);
			store(&at, sum[h]);
		}
	}
}

#endif
