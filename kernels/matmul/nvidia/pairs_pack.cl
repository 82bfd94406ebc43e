/* pairs_pack.cl - packs A and B as pairs.h describes: matmul_pairs_largest
 * finds the largest element of each line, and matmul_pairs_pack scales and
 * packs.
 *
 * A product's lines are the rows of A, in whole tiles, and then the columns of
 * B. Work-group (x, y) has LINES of them and, of these, the chunk or the depth
 * y of k. The work-groups of a product have neighbouring x; the first ones have
 * product `first` of the stack. The operands of product s begin at element a_at
 * of matrix place[s].x and at element b_at of matrix place[s].y of their
 * stacks, whose matrices have a_size and b_size elements. */
#include "matmul/nvidia/pairs.h"

#if defined(DTYPE_float32)

#define LINES PAIRS_PACK_LINES
#define ITEMS PAIRS_PACK_ITEMS
#define DEPTH PAIRS_DEPTH
#define OCTETS (LINES * DEPTH / 8 / ITEMS)	/* of a work-item */
#define ACROSS (ITEMS / LINES)

struct side {
	const global float *x;	/* element k = 0 of the first line */
	long line, along_k;	/* steps */
	int lines, k;		/* lines that exist, at most LINES; the end of
				 * k */
	int first;		/* number of the first line of all */
	int tile, in;		/* the tile of A or B, and the line in it */
	bool of_a;
};

INLINE struct side side_of(const global float *a, const global float *b,
                           const global int2 *place, int first, int stack,
                           long a_at, long b_at, long a_size, long b_size,
                           int m, int n, int k, long a_row, long a_col,
                           long b_row, long b_col)
{
	const int down = (m + ROWS - 1) / ROWS, across = (n + COLS - 1) / COLS;
	const int units = (down * ROWS + across * COLS) / LINES;
	const int product = get_group_id(0) / units;
	const int unit = get_group_id(0) % units;
	const bool of_a = unit * LINES < down * ROWS;
	const int line = unit * LINES - (of_a ? 0 : down * ROWS);
	const int wide = of_a ? ROWS : COLS;
	const int2 from = stack > 1 ? place[first + product] : (int2)(0, 0);
	const struct side f = {
		(of_a ? a + a_at + from.x * a_size + line * a_row :
		        b + b_at + from.y * b_size + line * b_col),
		of_a ? a_row : b_col, of_a ? a_col : b_row,
		min((of_a ? m : n) - line, LINES), k,
		get_group_id(0) * LINES,
		product * (of_a ? down : across) + line / wide, line % wide,
		of_a
	};

	return f;
}

/* Returns eight elements of line `line` from k = p on, zeros beyond k. */
INLINE float8 octet_of(const struct side *f, int line, int p)
{
	const global float *x = f->x + min(line, f->lines - 1) * f->line +
	    p * f->along_k;
	float y[8];

	if (f->along_k == 1 && p + 8 <= f->k && ((size_t)x & 15) == 0)
		return (float8)(*(const global float4 *)x,
		                *(const global float4 *)(x + 4));
	#pragma unroll
	for (int i = 0; i < 8; i++, x += f->along_k)
		y[i] = p + i < f->k ? *x : 0;
	return (float8)(y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7]);
}

/* Where octet `id` of a depth lies: its line, and its number along k.
 * Neighbouring items have neighbouring elements. */
INLINE int2 octet_at(const struct side *f, int id)
{
	const int across = DEPTH / 8;

	return f->along_k == 1 ? (int2)(id / across, id % across) :
	                         (int2)(id % LINES, id / LINES);
}

/* Loads the item's octets of the depth that begins at k = p. */
INLINE void load(float8 v[OCTETS], const struct side *f, int p)
{
	#pragma unroll
	for (int i = 0; i < OCTETS; i++) {
		const int2 at = octet_at(f, get_local_id(0) + i * ITEMS);

		v[i] = octet_of(f, at.x, p + 8 * at.y);
	}
}

/* Returns the largest of the bits of the elements' absolute values. */
INLINE uint largest_of(float8 v)
{
	const uint8 bits = as_uint8(v) & 0x7fffffffu;
	const uint4 x = max(bits.lo, bits.hi);
	const uint2 y = max(x.lo, x.hi);

	return max(y.x, y.y);
}

/* Also clears the words about tails and blocks of C. `blocks` is the number of
 * words after `tails`. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_pairs_largest(
	const global float *restrict a, const global float *restrict b,
	global uint *restrict room, const global int2 *restrict place,
	int first, int stack, long a_at, long b_at, long a_size, long b_size,
	int m, int n, int k, long a_row, long a_col, long b_row, long b_col,
	int lines, int chunk, int blocks)
{
	local uint part[LINES];
	const struct side f = side_of(a, b, place, first, stack, a_at, b_at,
	    a_size, b_size, m, n, k, a_row, a_col, b_row, b_col);
	const struct lines to = lines_of(room, lines, get_num_groups(1));
	const int item = get_local_id(0), begin = get_group_id(1) * chunk;
	const int all = get_num_groups(0) * ITEMS;
	uint most[OCTETS] = { 0 };

	if (get_group_id(1) == 0)
		for (int i = get_global_id(0); i < lines + blocks; i += all)
			to.tails[i] = 0;
	if (item < LINES)
		part[item] = 0;
	ptx_barrier();
	for (int p = begin; p < min(begin + chunk, k); p += DEPTH) {
		float8 v[OCTETS];

		load(v, &f, p);
		#pragma unroll
		for (int i = 0; i < OCTETS; i++)
			most[i] = max(most[i], largest_of(v[i]));
	}
	#pragma unroll
	for (int i = 0; i < OCTETS; i++)
		atomic_max(part + octet_at(&f, item + i * ITEMS).x, most[i]);
	ptx_barrier();
	if (item < LINES)
		to.largest[get_group_id(1) * lines + f.first + item] =
		    item < f.lines ? part[item] : 0;
}

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
	*(global uint4 *)(to + part) = (uint4)(lo[0], lo[1], lo[2], lo[3]);
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
kernel void matmul_pairs_pack(
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
	const int slabs = DEPTH / SLAB * get_num_groups(1);
	const int slab = DEPTH / SLAB * get_group_id(1);
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
