/* residues.cl - products of bytes on Hopper's tensor cores, for products by
 * residues (residues.h). matmul_tensor_residues multiplies residues;
 * matmul_residues_bound multiplies magnitudes and finds how many moduli each
 * tile of C needs.
 *
 * Slabs of the packed operands come through a ring (tiles.h); two warpgroups
 * multiply, 64 rows of the tile each, both operands from local memory. */
#include "matmul/nvidia/residues.h"
#include "lib/wgmma.h"

#if defined(DTYPE_float64)

#define MULTIPLIERS RESIDUES_MULTIPLIERS
#define ITEMS RESIDUES_ITEMS
#define STAGES 4
#define SUMS (COLS / 2)		/* that a work-item computes */

/* The registers of an item that copies, and of one that multiplies, see
 * tf32.h. */
#define REGISTERS_COPYING 40
#define REGISTERS_MULTIPLYING 232

typedef uchar packed;

#include "matmul/nvidia/tiles.h"

/* The distance to the next 32 of k, in the units of descriptors. */
#define STEP_A (2 * BLOCK_A / 16)
#define STEP_B (2 * BLOCK_B / 16)

INLINE void multiply_slab(uint sum[SUMS], const struct ring *r, int t, bool add,
                          bool of_magnitudes)
{
	const local packed *slab = r->slab + t % STAGES * STAGE;
	const int row = get_local_id(0) / 128 * 64;
	const ulong a = ptx_blocks(ptx_local(slab + row * 16), BLOCK_A, 128);
	const ulong b = ptx_blocks(ptx_local(slab + SLAB_A), BLOCK_B, 128);

	await(r, t);
	ptx_wgmma_fence();
	#pragma unroll
	for (int i = 0; i < SLAB / 32; i++)
		if (of_magnitudes)
			ptx_wgmma_uint8(sum, a + i * STEP_A, b + i * STEP_B,
			                add || i > 0);
		else
			ptx_wgmma_int8(sum, a + i * STEP_A, b + i * STEP_B,
			               add || i > 0);
	ptx_wgmma_commit();
}

/* sum = A B for a tile, whose first slab is the work-group's t-th slab. The
 * stage of a slab is released while the next slab is multiplied. */
INLINE void multiply(uint sum[SUMS], const struct ring *r, int t, int slabs,
                     bool of_magnitudes)
{
	#pragma unroll
	for (int i = 0; i < SUMS; i++)
		sum[i] = 0;
	for (int u = 0; u < slabs; u++) {
		multiply_slab(sum, r, t + u, u > 0, of_magnitudes);
		if (u > 0) {
			ptx_wgmma_wait(1);
			release(r, t + u - 1);
		}
	}
	ptx_wgmma_wait(0);
	release(r, t + slabs - 1);
}

/* Copies the slabs of the work-group's tiles `first` to `end`. */
INLINE void copy_all(const struct ring *r, const struct task *f, int first,
                     int end)
{
	ptx_registers_fewer(REGISTERS_COPYING);
	if (get_local_id(0) > MULTIPLIERS)
		return;
	for (int id = first + get_group_id(0), t = 0; id < end;
	     id += get_num_groups(0)) {
		const struct tile x = tile_of(f, id);

		for (int u = 0; u < x.slabs; u++, t++)
			produce(r, t, x.a + (long)u * SLAB_A,
			        x.b + (long)u * SLAB_B);
	}
}

/* Returns x modulo p, 0 to p - 1, for |x| <= 2^30. y = x + a multiple of p is
 * in [0, 2^31); with `factor` = 2^39 / p, rounded up, the quotient is exact
 * because y (factor - 2^39 / p) < 2^39 / p. */
INLINE uint rest(uint x, uint offset, uint factor, uint p)
{
	const uint y = x + offset;

	return y - (mul_hi(y, factor) >> 7) * p;
}

/* Reduces an item's sums modulo p and stores them: four in a word, and four
 * words together, with those of the next item after them. */
INLINE void store(global uint4 *to, const uint sum[SUMS], uint p)
{
	const uint factor = (uint)((1ul << 39) / p + 1);
	const uint offset = ((1u << 30) / p + 1) * p;

	#pragma unroll
	for (int e = 0; e < SUMS; e += 16) {
		uint w[4] = { 0 };

		#pragma unroll
		for (int i = 0; i < 16; i++)
			w[i / 4] |= rest(sum[e + i], offset, factor, p) <<
			            i % 4 * 8;
		to[e / 16 * MULTIPLIERS] = (uint4)(w[0], w[1], w[2], w[3]);
	}
}

/* Work-groups are persistent: each computes every get_num_groups(0)-th of the
 * tiles from `first` to `end`. The tiles are numbered modulus by modulus. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_tensor_residues(
	const global uchar *restrict a, const global uchar *restrict b,
	global uint4 *restrict c, global struct line *room,
	const global uint *restrict table, int m, int n, int slabs, int lines,
	int chunks, int again, int first, int end)
{
	local uchar slab[STAGES * STAGE] __attribute__((aligned(128)));
	local ulong signals[2 * STAGES];
	const int down = (m + ROWS - 1) / ROWS, across = (n + COLS - 1) / COLS;
	const struct known at = known_of(room, lines, chunks, down * across);
	const int number = number_of(at.tiles_that_need, down * across, again);
	const struct task task = {
		a, b, max(number, 1), down, across, slabs, slabs
	};
	const struct ring r = ring_of(slab, signals);
	const int item = get_local_id(0);
	const int last = min(end, number * down * across);

	if (item >= MULTIPLIERS) {
		copy_all(&r, &task, first, last);
		return;
	}
	ptx_registers_more(REGISTERS_MULTIPLYING);
	for (int id = first + get_group_id(0), t = 0; id < last;
	     id += get_num_groups(0), t += slabs) {
		const struct tile x = tile_of(&task, id);
		const size_t to = (size_t)x.product * down * across +
		                  x.i / ROWS * across + x.j / COLS;
		uint sum[SUMS];

		multiply(sum, &r, t, slabs, false);
		store(c + to * (ROWS * COLS / 16) + item, sum,
		      table[x.product * RESIDUES_OF_MODULUS]);
	}
}

/* --- the certificate */

/* Returns an upper bound of E sqrt(P / 2) / L over a tile. It does not depend
 * on P: 2^-alpha is below twice the 2-norm divided by sqrt(P / 2), since alpha
 * is the largest whole number that the choice of scales allows. */
INLINE float worst_of(const uint sum[SUMS], const global float2 *rows,
                      const global float2 *cols)
{
	const int item = get_local_id(0);
	const int i = item / 32 * 16 + item / 4 % 8, j = item % 4 * 2;
	const float2 row[2] = { rows[i], rows[i + 8] };
	float worst = 0;

	#pragma unroll
	for (int e = 0; e < SUMS; e++) {
		const float2 r = row[e / 2 % 2];
		const float2 c = cols[j + e / 4 * 8 + e % 2];
		const float x = r.x * c.y + c.x * r.y;
		const float ratio = native_divide(x, (float)sum[e]);

		worst = x == 0 ? worst :
		        x < INFINITY ? fmax(worst, ratio) : INFINITY;
	}
	return worst;
}

/* Returns the number of moduli, less LEAST, that is sufficient for a tile in
 * which worst_of() is `worst`; NEEDS - 1 if MOST moduli are not. */
INLINE int need_of(const global uint *table, float worst, float bound)
{
	int s = CERTIFIED;

	while (s <= MOST && !(worst <= bound * as_float(about(table, s)[0])))
		s++;
	return s - LEAST;
}

/* a and b are magnitudes (residues_lines.cl). `bound` is residues_bound() times
 * RESIDUES_BOUND_UNIT. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_residues_bound(
	const global uchar *restrict a, const global uchar *restrict b,
	global struct line *room, const global uint *restrict table, int m,
	int n, int slabs, int lines, int chunks, float bound)
{
	local uchar slab[STAGES * STAGE] __attribute__((aligned(128)));
	local ulong signals[2 * STAGES];
	local uint worst;
	const int down = (m + ROWS - 1) / ROWS, across = (n + COLS - 1) / COLS;
	const struct known at = known_of(room, lines, chunks, down * across);
	const struct task task = { a, b, 1, down, across, slabs, slabs };
	const struct ring r = ring_of(slab, signals);
	const int item = get_local_id(0);

	if (item >= MULTIPLIERS) {
		copy_all(&r, &task, 0, down * across);
		return;
	}
	ptx_registers_more(REGISTERS_MULTIPLYING);
	for (int id = get_group_id(0), t = 0; id < down * across;
	     id += get_num_groups(0), t += slabs) {
		const struct tile x = tile_of(&task, id);
		uint sum[SUMS];

		multiply(sum, &r, t, slabs, true);
		if (item == 0)
			worst = 0;
		ptx_meet(1, MULTIPLIERS);
		atomic_max(&worst, as_uint(worst_of(sum, at.judged + x.i,
		    at.judged + down * ROWS + x.j)));
		ptx_meet(1, MULTIPLIERS);
		if (item == 0) {
			const int need = need_of(table, as_float(worst), bound);

			at.need[x.i / ROWS * across + x.j / COLS] = need;
			atomic_inc(at.tiles_that_need + need);
		}
		ptx_meet(1, MULTIPLIERS);
	}
}

#endif
