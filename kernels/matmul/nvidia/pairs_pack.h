/* pairs_pack.h - scales and packs A and B as pairs.h describes. Included with
 * TERMS and with PACK, the kernel's name. */
#include "matmul/nvidia/pairs_lines.h"

#if defined(DTYPE_float32)

/* The bits of x and y as halves, rounded to nearest. */
INLINE uint halves_of(float x, float y)
{
	uint h;

	__asm__("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(h) : "f"(y), "f"(x));
	return h;
}

INLINE float2 floats_of(uint h)
{
	float2 x;

	__asm__("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; "
	        "cvt.f32.f16 %1, h;}" : "=f"(x.x), "=f"(x.y) : "r"(h));
	return x;
}

/* Packs the octet v, scaled by 2^scale in two steps, because 2^scale may be no
 * float. Returns its number of tails. */
INLINE uint pack(global ushort *to, int part, float8 v, int scale)
{
	const float one = as_float((uint)(127 + scale / 2) << 23);
	const float two = as_float((uint)(127 + scale - scale / 2) << 23);
	const float x[8] = {
		v.s0 * one * two, v.s1 * one * two, v.s2 * one * two,
		v.s3 * one * two, v.s4 * one * two, v.s5 * one * two,
		v.s6 * one * two, v.s7 * one * two
	};
	const float was[8] = {
		v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7
	};
	uint hi[4], lo[4], tails = 0;

	#pragma unroll
	for (int i = 0; i < 4; i++) {
		float2 h;

		hi[i] = halves_of(x[2 * i], x[2 * i + 1]);
		h = floats_of(hi[i]);
		lo[i] = halves_of((x[2 * i] - h.x) * LO,
		                  (x[2 * i + 1] - h.y) * LO);
	}
	#pragma unroll
	for (int i = 0; i < 8; i++)
		tails += fabs(x[i]) < LEAST && was[i] != 0;
	*(global uint4 *)to = (uint4)(hi[0], hi[1], hi[2], hi[3]);
	if (TERMS == 2)
		*(global uint4 *)(to + part) =
		    (uint4)(lo[0], lo[1], lo[2], lo[3]);
	return tails;
}

/* Returns the exponent by which a line is scaled whose largest element has
 * those bits: 0 if it is zero or no number. */
INLINE int scale_of(uint largest)
{
	return largest == 0 || largest >= INFINITE ? 0 :
	       TOP - ilogb(as_float(largest));
}

/* The first depth of a line also stores its exponent. A line with an infinity
 * or a NaN is packed as zeros. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void PACK(
	const global float *restrict a, const global float *restrict b,
	global ushort *restrict to_a, global ushort *restrict to_b,
	global uint *restrict room, const global int2 *restrict place,
	int first, int stack, long a_at, long b_at, long a_size, long b_size,
	int m, int n, int k, long a_row, long a_col, long b_row, long b_col,
	int lines, int chunks)
{
	local uint largest[LINES];
	const struct side f = side_of(a, b, place, first, stack, a_at, b_at,
	    a_size, b_size, m, n, k, a_row, a_col, b_row, b_col);
	const struct lines at = lines_of(room, lines, chunks);
	const int item = get_local_id(0);
	const int slabs = TERMS * get_num_groups(1);
	const int slab = TERMS * get_group_id(1);
	const int block = f.of_a ? BLOCK_A : BLOCK_B;
	global ushort *to = (f.of_a ? to_a : to_b) +
	    ((size_t)f.tile * slabs + slab) * (f.of_a ? SLAB_A : SLAB_B) +
	    f.in * 8;
	float8 v[OCTETS];

	load(v, &f, slab * SLAB);
	if (item < LINES)
		largest[item] = 0;
	ptx_barrier();
	for (int i = item / LINES; i < chunks; i += ACROSS)
		atomic_max(largest + item % LINES,
		           at.largest[i * lines + f.first + item % LINES]);
	ptx_barrier();
	if (slab == 0 && item < LINES) {
		at.scale[f.first + item] = scale_of(largest[item]);
		if (largest[item] >= INFINITE)
			at.tails[f.first + item] = INFINITE;
	}
	#pragma unroll
	for (int i = 0; i < OCTETS; i++) {
		const int2 in = octet_at(&f, item + i * ITEMS);
		const bool good = largest[in.x] < INFINITE && in.x < f.lines;
		const uint tails = pack(
		    to + in.y / BLOCKS * (f.of_a ? SLAB_A : SLAB_B) +
		    in.y % BLOCKS * block + in.x * 8, BLOCKS * block,
		    good ? v[i] : 0, scale_of(largest[in.x]));

		if (tails > 0)
			atomic_add(at.tails + f.first + in.x, tails);
	}
}

#endif
