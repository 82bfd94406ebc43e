/* residues_pack.cl - scales the lines of A and B, rounds them to whole numbers,
 * and packs their residues modulo as many moduli as number_of() chooses
 * (residues.h). */
#include "matmul/nvidia/residues_lines.h"

#if defined(DTYPE_float64)

#define TURN 0x1.8p52			/* rounds a float64 to a whole number */
#define TURN_SINGLE 0x1.8p23f

/* A whole number, plus 2^72, in base 2^32, the lowest word first. */
struct whole {
	uint word[3];
};

/* Rounds x, |x| < 2^71, to the nearest whole number. */
INLINE struct whole whole_of(double x)
{
	const double t = fma(x, 0x1p-32, TURN), hi = t - TURN;
	const double lo = fma(hi, -0x1p32, x) + TURN;
	const long low = as_long(lo) - as_long(TURN);
	const long high = as_long(t) - as_long(TURN) + (low >> 32) + (1l << 40);
	const struct whole w = { {
		(uint)low, (uint)high, (uint)(high >> 32)
	} };

	return w;
}

/* Returns z + the sum of the four products of bytes, of x without sign, of y
 * with sign. */
INLINE int dot4(uint x, int y, int z)
{
	int d;

	__asm__("dp4a.u32.s32 %0, %1, %2, %3;"
	        : "=r"(d) : "r"(x), "r"(y), "r"(z));
	return d;
}

/* Returns a float32 whose lowest byte is the residue of x that is nearest to 0.
 * `of` are the table's words for the modulus. The sum of the products of bytes
 * is below 2^22; it is added to the bits of TURN_SINGLE, which makes it a
 * float32. */
INLINE uint residue(const struct whole *x, const int of[RESIDUES_OF_MODULUS],
                    float modulus, float inverse)
{
	const int sum = dot4(x->word[0], of[1], dot4(x->word[1], of[2],
	    dot4(x->word[2], of[3], as_int(TURN_SINGLE) + of[4])));
	const float y = as_float(sum) - TURN_SINGLE;
	const float q = fma(y, inverse, TURN_SINGLE) - TURN_SINGLE;

	return as_uint(fma(-modulus, q, y) + TURN_SINGLE);
}

/* Returns the lowest bytes. */
INLINE uint bytes_of(uint x, uint y, uint z, uint w)
{
	uint lo, hi, all;

	__asm__("prmt.b32 %0, %1, %2, 0x0040;" : "=r"(lo) : "r"(x), "r"(y));
	__asm__("prmt.b32 %0, %1, %2, 0x0040;" : "=r"(hi) : "r"(z), "r"(w));
	__asm__("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(all) : "r"(lo), "r"(hi));
	return all;
}

INLINE void pack(global uchar *to, const struct whole x[EACH],
                 const global int *about)
{
	const int of[RESIDUES_OF_MODULUS] = {
		about[0], about[1], about[2], about[3], about[4]
	};
	const float modulus = of[0], inverse = 1 / modulus;
	uint w[EACH / 4];

	#pragma unroll
	for (int i = 0; i < EACH / 4; i++)
		w[i] = bytes_of(residue(x + 4 * i, of, modulus, inverse),
		                residue(x + 4 * i + 1, of, modulus, inverse),
		                residue(x + 4 * i + 2, of, modulus, inverse),
		                residue(x + 4 * i + 3, of, modulus, inverse));
	*(global uint4 *)to = (uint4)(w[0], w[1], w[2], w[3]);
}

/* Work-group (x, y) packs the y-th DEPTH of k of its lines. A line with an
 * infinity or a NaN is packed as zeros. The first of k also stores scales. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_residues_pack(
	const global double *restrict a, const global double *restrict b,
	global uchar *restrict to_a, global uchar *restrict to_b,
	global struct line *room, const global uint *restrict table, int m,
	int n, int k, long a_at, long b_at, long a_row, long a_col, long b_row,
	long b_col, int lines, int chunks, int again)
{
	const int down = (m + ROWS - 1) / ROWS, across = (n + COLS - 1) / COLS;
	const struct side f = side_of(a, b, m, n, k, a_at, b_at, a_row, a_col,
	                              b_row, b_col);
	const struct known at = known_of(room, lines, chunks, down * across);
	const struct line line = at.line[f.id];
	const int number = number_of(at.tiles_that_need, down * across, again);
	const int y = get_group_id(1), slabs = get_num_groups(1) * DEPTH / SLAB;
	const int in = y % (SLAB / DEPTH) * DEPTH +
	               get_local_id(0) / LINES * EACH;
	const int slab = y / (SLAB / DEPTH);
	const size_t each = (size_t)slabs *
	    (f.of_a ? (size_t)down * SLAB_A : (size_t)across * SLAB_B);
	global uchar *to = f.of_a ?
	    to_a + ((size_t)f.tile * slabs + slab) * SLAB_A +
	    in / 16 * BLOCK_A : to_b + ((size_t)f.tile * slabs + slab) *
	    SLAB_B + in / 16 * BLOCK_B;
	struct whole x[EACH];
	double v[EACH];
	int e;

	if (number == 0)
		return;
	load(v, &f, slab * SLAB + in);
	e = scale_of(table, number, line.root) - line.exponent;
	if (y == 0 && get_local_id(0) < LINES) {
		const struct scale scale = { e, max(line.low, -e) };

		at.scale[f.id] = scale;
	}
	#pragma unroll
	for (int i = 0; i < EACH; i++)
		x[i] = whole_of(line.root < INFINITY ? scaled(v[i], e) : 0);
	for (int l = 0; l < number; l++)
		pack(to + f.in * 16 + l * each, x, (const global int *)table +
		     l * RESIDUES_OF_MODULUS);
}

#endif
