/* pairs_product.h - C = A B in float32 by pairs of float16 or by halves
 * (pairs.h) on Hopper's tensor cores: A B = hi hi + (hi lo + lo hi) / 2^11, or
 * hi hi alone. Included with TERMS and with PRODUCT, the kernel's name.
 *
 * Slabs of the packed operands come through a ring (tiles.h); two warpgroups
 * multiply, 64 rows of the tile each, both operands from local memory.
 *
 * The tensor cores truncate their sums; therefore the products of every
 * PAIRS_DEPTH of k start from zero and are then added to the sum in float32.
 * The two warpgroups take turns: one adds while the other one multiplies. */
#include "matmul/nvidia/pairs.h"

#if defined(DTYPE_float32)

#define MULTIPLIERS 256
#define ITEMS PAIRS_ITEMS
#define STAGES 5
#define SUMS (COLS / 2)		/* that a work-item computes */

/* The registers of an item that copies, and of one that multiplies, see
 * tf32.h. */
#define REGISTERS_COPYING 40
#define REGISTERS_MULTIPLYING 232

typedef ushort packed;

#include "matmul/nvidia/tiles.h"

/* The descriptors of a slab's operands as wgmma takes them, which count 16
 * bytes: hi, and how much further lo and the next 16 of k are. */
#define LO_A (2 * PART_A / 16)
#define LO_B (2 * PART_B / 16)
#define STEP_A (2 * 2 * BLOCK_A / 16)
#define STEP_B (2 * 2 * BLOCK_B / 16)

struct operands {
	ulong a, b;
};

INLINE struct operands operands_of(const struct ring *r, int t)
{
	const local packed *slab = r->slab + t % STAGES * STAGE;
	const int rows = get_local_id(0) / 128 * 64;
	const struct operands x = {
		ptx_blocks(ptx_local(slab + rows * 8), 2 * BLOCK_A, 128),
		ptx_blocks(ptx_local(slab + SLAB_A), 2 * BLOCK_B, 128)
	};

	return x;
}

/* Adds the products hi hi of a slab. */
INLINE void multiply_hi(float chain[SUMS], struct operands x, int add)
{
	#pragma unroll
	for (int i = 0; i < SLAB / 16; i++)
		ptx_wgmma_half(chain, x.a + i * STEP_A, x.b + i * STEP_B,
		               add || i > 0);
}

#if TERMS == 2
/* Adds the products hi lo and lo hi of a slab, 2^11 times too large. */
INLINE void multiply_lo(float chain[SUMS], struct operands x, int add)
{
	ptx_wgmma_half(chain, x.a + LO_A, x.b, add);
	ptx_wgmma_half(chain, x.a, x.b + LO_B, 1);
	ptx_wgmma_half(chain, x.a + LO_A + STEP_A, x.b + STEP_B, 1);
	ptx_wgmma_half(chain, x.a + STEP_A, x.b + LO_B + STEP_B, 1);
}

#endif

/* Barrier 1 is met when the first warpgroup has its turn to start products,
 * barrier 2 when the second one has. */
INLINE void turn_await(void)
{
	ptx_meet(1 + (int)get_local_id(0) / 128, MULTIPLIERS);
}

INLINE void turn_give(void)
{
	ptx_arrive(2 - (int)get_local_id(0) / 128, MULTIPLIERS);
}

/* Multiplies PAIRS_DEPTH of k, which begin with slab t. */
#if TERMS == 2
INLINE void consume(float sum[SUMS], float chain[SUMS], const struct ring *r,
                    int t)
{
	const struct operands x = operands_of(r, t);
	const struct operands y = operands_of(r, t + 1);

	await(r, t);
	await(r, t + 1);
	turn_await();
	ptx_wgmma_fence();
	multiply_lo(chain, x, 0);
	multiply_lo(chain, y, 1);
	ptx_wgmma_commit();
	turn_give();
	ptx_wgmma_wait(0);
	#pragma unroll
	for (int i = 0; i < SUMS; i++)
		sum[i] = fma(chain[i], 1 / LO, sum[i]);
	turn_await();
	ptx_wgmma_fence();
	multiply_hi(chain, x, 0);
	multiply_hi(chain, y, 1);
	ptx_wgmma_commit();
	turn_give();
	ptx_wgmma_wait(0);
	release(r, t);
	release(r, t + 1);
	#pragma unroll
	for (int i = 0; i < SUMS; i++)
		sum[i] += chain[i];
}
#else
INLINE void consume(float sum[SUMS], float chain[SUMS], const struct ring *r,
                    int t)
{
	await(r, t);
	turn_await();
	ptx_wgmma_fence();
	multiply_hi(chain, operands_of(r, t), 0);
	ptx_wgmma_commit();
	turn_give();
	ptx_wgmma_wait(0);
	release(r, t);
	#pragma unroll
	for (int i = 0; i < SUMS; i++)
		sum[i] += chain[i];
}
#endif

/* Where a work-item stores its sums. c points to the tile's first element in
 * C, `again` to the word of the block that begins there, `any` to the word that
 * tells if there are such blocks; the scales and tails are those of the tile's
 * rows and columns. i and j are the item's first row and column in the tile.
 * From the tile's first ones on, C has `rows` rows and `cols` columns. */
struct place {
	global float *c;
	const global int *row_scale, *col_scale;
	const global uint *row_tails, *col_tails;
	global uint *again, *any;
	int i, j, rows, cols, ld;
};

/* Returns whether a sum can be trusted if its row and its column have that many
 * tails together. */
INLINE bool trusts(float sum, uint tails)
{
	return tails == 0 ||
	       (tails < INFINITE && fabs(sum) >= TRUST * (float)tails);
}

INLINE float power(int e)
{
	return as_float((uint)(127 + e) << 23);
}

/* Returns x 2^e. Only the last product is rounded, or the result is zero or
 * infinite, because a sum that is not zero is between 2^-48 and 2^61. */
INLINE float scaled(float x, int e)
{
	const int last = clamp(e, -126, 127), rest = e - last;

	return x * power(rest / 2) * power(rest - rest / 2) * power(last);
}

/* An item stores its columns PAIRS pairs at a time. It loads the scales and
 * tails of all of these before the first store, because the compiler moves no
 * load across a store. */
#define PAIRS 8

struct columns {
	int2 scale[PAIRS];
	uint2 tails[PAIRS];
};

/* Stores sums of the item's row h, 0 or 1, in pairs of columns from pair e
 * on. */
INLINE void store_row(const struct place *at, const struct columns *f,
                      const float sum[SUMS], int e, int h)
{
	const int i = at->i + 8 * h;
	global float *c = at->c + (long)i * at->ld;
	const bool in_pairs = at->ld % 2 == 0 && ((size_t)c & 7) == 0;
	const int scale = i < at->rows ? at->row_scale[i] : 0;
	const uint tails = i < at->rows ? at->row_tails[i] : 0;

	#pragma unroll
	for (int u = 0; u < PAIRS; u++) {
		const int j = at->j + 8 * (e + u);
		const float x = sum[4 * (e + u) + 2 * h];
		const float y = sum[4 * (e + u) + 2 * h + 1];
		const float2 z = {
			scaled(x, -scale - f->scale[u].x),
			scaled(y, -scale - f->scale[u].y)
		};
		const bool one = i < at->rows && j < at->cols;
		const bool two = one && j + 1 < at->cols;

		if (one && !(trusts(x, tails + f->tails[u].x) &&
		    trusts(y, tails + f->tails[u].y)))
			*at->any = at->again[j / PAIRS_AGAIN_COLS] = 1;
		if (two && in_pairs) {
			*(global float2 *)(c + j) = z;
		} else {
			if (one)
				c[j] = z.x;
			if (two)
				c[j + 1] = z.y;
		}
	}
}

INLINE void store(const struct place *at, const float sum[SUMS])
{
	#pragma unroll
	for (int e = 0; e < SUMS / 4; e += PAIRS) {
		struct columns f;

		#pragma unroll
		for (int u = 0; u < PAIRS; u++) {
			const int j = at->j + 8 * (e + u);

			f.scale[u] = *(const global int2 *)(at->col_scale + j);
			f.tails[u] = *(const global uint2 *)(at->col_tails + j);
		}
		store_row(at, &f, sum, e, 0);
		store_row(at, &f, sum, e, 1);
	}
}

/* Work-groups are persistent: each computes every get_num_groups(0)-th of the
 * tiles from `first` to `tiles`. The tiles are those of `products` packed
 * products of m x n elements, for every split of k, `depth` of `depths` times
 * PAIRS_DEPTH. The first product begins at element c_at of c, the next one
 * c_step elements further, and the next split part_step elements further. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void PRODUCT(
	const global ushort *restrict a, const global ushort *restrict b,
	global uint *room, global float *restrict c, int tiles, int products,
	int m, int n, int depths, int depth, long c_at, int c_row, long c_step,
	long part_step, int first, int lines, int chunks)
{
	local ushort slab[STAGES * STAGE] __attribute__((aligned(128)));
	local ulong signals[2 * STAGES];
	const struct task task = {
		a, b, products, (m + ROWS - 1) / ROWS, (n + COLS - 1) / COLS,
		depths * TERMS, depth * TERMS
	};
	const struct lines of = lines_of(room, lines, chunks);
	const struct ring r = ring_of(slab, signals);
	const int item = get_local_id(0), groups = get_num_groups(0);

	if (item >= MULTIPLIERS) {
		ptx_registers_fewer(REGISTERS_COPYING);
		for (int id = first + get_group_id(0), t = 0;
		     item == MULTIPLIERS && id < tiles; id += groups) {
			const struct tile x = tile_of(&task, id);

			for (int u = 0; u < x.slabs; u++, t++)
				produce(&r, t, x.a + (long)u * SLAB_A,
				        x.b + (long)u * SLAB_B);
		}
		return;
	}
	ptx_registers_more(REGISTERS_MULTIPLYING);
	if (item >= 128)
		turn_give();
	for (int id = first + get_group_id(0), t = 0; id < tiles;
	     id += groups) {
		const struct tile x = tile_of(&task, id);
		const int row = x.product * (task.down * ROWS +
		    task.across * COLS) + x.i;
		const int col = x.product * (task.down * ROWS +
		    task.across * COLS) + task.down * ROWS + x.j;
		const int wide = task.across * COLS / PAIRS_AGAIN_COLS;
		const struct place at = {
			c + c_at + x.product * c_step + x.part * part_step +
			    (long)x.i * c_row + x.j,
			of.scale + row, of.scale + col, of.tails + row,
			of.tails + col,
			of.again + 1 + ((x.part * products + x.product) *
			    task.down + x.i / ROWS) * wide +
			    x.j / PAIRS_AGAIN_COLS,
			of.again, item / 32 * 16 + item / 4 % 8, item % 4 * 2,
			m - x.i, n - x.j, c_row
		};
		float sum[SUMS] = { 0 }, chain[SUMS] = { 0 };

		for (int end = t + x.slabs; t < end; t += TERMS)
			consume(sum, chain, &r, t);
		store(&at, sum);
	}
}

#endif
