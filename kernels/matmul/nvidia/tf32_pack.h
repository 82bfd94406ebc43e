/* tf32_pack.h - packs A and B as tf32.h multiplies them: by tiles of lines
 * (rows of A, columns of B) and by slabs of k, with zeros beyond k. Four
 * elements of a line, neighbours along k, are stored together; such quads of
 * all lines of a tile make a block:
 *
 *     tile, slab: A       4 blocks of ROWS lines
 *                 B, hi   4 blocks of COLS lines
 *                 B, lo   4 blocks of COLS lines	(with two parts)
 *
 * so that a slab is contiguous, and 8 lines of a block are what one instruction
 * of the tensor cores reads. An element without hi and lo (infinite, or too
 * small) is stored in hi, with a NaN for lo. */

#define SLAB TENSOR_SLAB
#define BLOCKS (SLAB / 4)
#define ROWS TENSOR_ROWS
#define COLS (128 * TENSOR_HALVES)
#define BLOCK_A (4 * ROWS)		/* words */
#define BLOCK_B (4 * COLS)
#define SLAB_A (BLOCKS * BLOCK_A)
#define PART_B (BLOCKS * BLOCK_B)
#define SLAB_B (TENSOR_PARTS * PART_B)
#define LINES TENSOR_PACK_LINES		/* of a work-group, which packs two
					 * slabs */
#define PACKERS TENSOR_PACK_ITEMS
#define QUADS (LINES * 2 * BLOCKS / PACKERS)	/* packed by an item */

/* Returns x rounded to the nearest TF32 number. */
INLINE float tf32_of(float x)
{
	return as_float((as_uint(x) + 0x1000u) & 0xffffe000u);
}

/* Is x too small for hi and lo? TF32 has no digits below 2^-136, so lo would
 * lack digits of an element smaller than 2^22 times that. */
INLINE bool is_small(float x)
{
	return 2 * as_uint(x) - 1 < 2 * as_uint(0x1p-114f) - 1;
}

/* x rounded to one TF32 number, or x itself where that would be infinite. The
 * tensor cores ignore its lower bits, so a NaN must not be one by these bits
 * alone. */
INLINE float rounded(float x)
{
	const float hi = tf32_of(x);

	return isnan(x) ? NAN : isfinite(hi) ? hi : x;
}

struct side {
	const global float *x;	/* of the first line */
	long line, along_k;	/* steps */
	int last, k;		/* the last line; elements of k from x on */
};

/* Returns four elements of line `line` from k = p on, zeros beyond k. */
INLINE float4 quad_of(const struct side *f, int line, int p)
{
	const global float *x = f->x + min(line, f->last) * f->line +
	    p * f->along_k;
	float y[4];

	if (f->along_k == 1 && p + 4 <= f->k && ((size_t)x & 15) == 0)
		return *(const global float4 *)x;
	#pragma unroll
	for (int i = 0; i < 4; i++, x += f->along_k)
		y[i] = p + i < f->k ? *x : 0;
	return (float4)(y[0], y[1], y[2], y[3]);
}

INLINE void pack_a(global float *to, float4 v)
{
#if TENSOR_PARTS == 1
	v = (float4)(rounded(v.x), rounded(v.y), rounded(v.z), rounded(v.w));
#endif
	*(global float4 *)to = v;
}

INLINE void pack_b(global float *to, float4 v)
{
#if TENSOR_PARTS == 1
	pack_a(to, v);
#else
	float x[4] = { v.x, v.y, v.z, v.w };
	float lo[4];

	#pragma unroll
	for (int i = 0; i < 4; i++) {
		const float hi = tf32_of(x[i]);
		const bool splits = isfinite(hi) && !is_small(x[i]);

		lo[i] = splits ? x[i] - hi : NAN;
		x[i] = splits ? hi : x[i];
	}
	*(global float4 *)to = (float4)(x[0], x[1], x[2], x[3]);
	*(global float4 *)(to + PART_B) =
	    (float4)(lo[0], lo[1], lo[2], lo[3]);
#endif
}

/* Packs two slabs of the lines, whose first quads are at f->x; `to` is the
 * place of the first line's first quad. */
INLINE void pack_slabs(const struct side *f, bool of_a, global float *to)
{
	const int item = get_local_id(0);
	const bool along = f->along_k == 1;
	float4 v[QUADS];

	#pragma unroll
	for (int i = 0; i < QUADS; i++) {
		const int id = item + i * PACKERS;

		v[i] = quad_of(f, along ? id / 8 : id % LINES,
		               4 * (along ? id % 8 : id / LINES));
	}
	#pragma unroll
	for (int i = 0; i < QUADS; i++) {
		const int id = item + i * PACKERS;
		const int at = along ? id / 8 : id % LINES;
		const int q = along ? id % 8 : id / LINES;

		if (of_a)
			pack_a(to + q * BLOCK_A + at * 4, v[i]);
		else
			pack_b(to + q / BLOCKS * SLAB_B +
			       q % BLOCKS * BLOCK_B + at * 4, v[i]);
	}
}

/* Work-group (x, y) packs LINES lines of a product's A, or of its B after all
 * lines of A, in slabs 2 y and 2 y + 1, and if there are more slabs than the
 * work-groups pack so, in others. The work-groups of a product have
 * neighbouring x; the first ones pack product `first` of the stack. The
 * operands of product s begin at element a_at of matrix place[s].x and at
 * element b_at of matrix place[s].y of their stacks, whose matrices have a_size
 * and b_size elements. Nothing is packed if word again_at of `again`, which may
 * be NULL, is 0. */
__attribute__((reqd_work_group_size(PACKERS, 1, 1)))
kernel void TENSOR_PACK(
	const global float *restrict a, const global float *restrict b,
	global float *restrict to_a, global float *restrict to_b,
	const global int2 *restrict place, int first, int stack, long a_at,
	long b_at, long a_size, long b_size, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, int slabs,
	const global uint *restrict again, long again_at)
{
	const int down = (m + ROWS - 1) / ROWS;
	const int across = (n + COLS - 1) / COLS;
	const int units = down + across * TENSOR_HALVES;
	const size_t product = get_group_id(0) / units;
	const int unit = get_group_id(0) % units;
	const bool of_a = unit < down;
	const int line = (of_a ? unit : unit - down) * LINES;
	const int2 from = stack > 1 ? place[first + product] : (int2)(0, 0);
	const global float *x = of_a ?
	    a + a_at + from.x * a_size + line * a_row :
	    b + b_at + from.y * b_size + line * b_col;
	const long along_k = of_a ? a_col : b_row;

	if (again && again[again_at] == 0)
		return;
	to_a += (product * down + unit) * slabs * SLAB_A;
	to_b += (product * across + line / COLS) * slabs * SLAB_B +
	    line % COLS * 4;
	for (int slab = 2 * get_group_id(1); slab < slabs;
	     slab += 2 * get_num_groups(1)) {
		const struct side f = {
			x + (long)slab * SLAB * along_k,
			of_a ? a_row : b_col, along_k,
			(of_a ? m : n) - 1 - line, k - slab * SLAB
		};

		pack_slabs(&f, of_a, of_a ? to_a + (size_t)slab * SLAB_A :
		                            to_b + (size_t)slab * SLAB_B);
	}
}
