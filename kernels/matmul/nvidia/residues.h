/* residues.h - float64 products by whole numbers modulo 14 to 18 small moduli,
 * on Hopper's int8 tensor cores (Ozaki scheme II: Ozaki, Uchino and Imamura,
 * 2025).
 *
 * Each line (row of A, column of B) is scaled by a power of two and rounded to
 * whole numbers a', b'. Modulo each modulus p a' and b' are int8, their
 * products' sums are exact in int32, and these sums modulo all p together
 * determine a' b', as long as 2 |sum a' b'| < P, the product of all moduli
 * (Chinese remainder theorem). |a'|, the 2-norm of a scaled line, is at most
 * sqrt(P / 2) by the choice of its scale 2^alpha; hence the condition holds.
 *
 * *The certificate.* Rounding changes an element of C by at most
 *
 *     E = 2^-alpha_i |b_j|_1 / 2 + 2^-beta_j |a_i|_1 / 2    (+ 2^-40 E),
 *
 * where the term of a line that rounding does not change is missing. A first
 * product, of some slabs of k, multiplies the elements' magnitudes cut to 8
 * bits; its elements L are lower bounds of (|A| |B|)_ij. The number s of moduli
 * is sufficient for a tile of C if there E <= bound 2^-53 L. Every tile tells
 * the number that it needs; s is the number that takes the least time, if tiles
 * that need more are computed again in float64.
 *
 * Operands are packed as tf32.h's: 16 elements of a line, neighbours along k,
 * are stored together; those of all lines of a tile make a block:
 *
 *     modulus, tile, slab: A   8 blocks of ROWS lines
 *     modulus, tile, slab: B   8 blocks of COLS lines
 */
#include "lib/real.h"
#include "shared/matmul_tensor.h"
#include "lib/ptx.h"

#if defined(DTYPE_float64)

#define SLAB RESIDUES_SLAB
#define BLOCKS (SLAB / 16)
#define ROWS TENSOR_ROWS
#define COLS RESIDUES_COLS
#define BLOCK_A (16 * ROWS)		/* bytes */
#define BLOCK_B (16 * COLS)
#define SLAB_A (BLOCKS * BLOCK_A)
#define SLAB_B (BLOCKS * BLOCK_B)
#define LEAST RESIDUES_LEAST
#define MOST RESIDUES_MOST
#define NEEDS (RESIDUES_NUMBERS + 1)	/* numbers of moduli, and: none is
					 * sufficient */

/* What is known of a line: the exponent e of its largest element; its 2-norm
 * and 1-norm, divided by 2^e, at least; and the exponent of the lowest bit that
 * one of its elements has. The norms are infinite if it has an infinity or a
 * NaN. A line of zeros has norms 0. */
struct line {
	int exponent;
	float root, sum;
	int low;
};

/* By which power of two a line was scaled, and of which power of two its
 * elements are multiples, before scaling. */
struct scale {
	int by, unit;
};

/* Where a product keeps what it knows: parts of lines, lines, their scales, and
 * what the certificate needs of them (their 2-norm, or 0 if rounding does not
 * change them, and their 1-norm); the tiles that need each number of moduli,
 * whether a tile must be computed again and which, and the number that each
 * tile needs, counted from LEAST. */
struct known {
	global struct line *part, *line;
	global struct scale *scale;
	global float2 *judged;
	global uint *tiles_that_need, *again, *need;
};

INLINE struct known known_of(global struct line *room, int lines, int chunks,
                             int tiles)
{
	global struct line *line = room + chunks * lines;
	global struct scale *scale = (global struct scale *)(line + lines);
	global float2 *judged = (global float2 *)(scale + lines);
	global uint *words = (global uint *)(judged + lines);
	const struct known f = {
		room, line, scale, judged, words, words + NEEDS,
		words + NEEDS + 1 + tiles
	};

	return f;
}

/* Returns the word of the table about s moduli. */
INLINE const global uint *about(const global uint *table, int s)
{
	return table + RESIDUES_TABLE + (s - LEAST) * RESIDUES_OF_NUMBER;
}

/* Returns the exponent alpha + e with which s moduli scale a line. */
INLINE int scale_of(const global uint *table, int s, float root)
{
	const float top = as_float(about(table, s)[0]);

	return root > 0 && root < INFINITY ? ilogb(top / root) : 0;
}

/* Returns the number of moduli that takes the least time, or 0 if computing all
 * `tiles` tiles in float64 does. `again` is the time for that of a tile, as a
 * multiple of its time for a modulus; packing and joining take a quarter of the
 * latter. */
INLINE int number_of(const global uint *tiles_that_need, int tiles, int again)
{
	long best = (long)tiles * again;
	int more = tiles, s = 0;

	for (int i = 0; i < NEEDS - 1; i++) {
		long time;

		more -= tiles_that_need[i];
		time = (long)tiles * (LEAST + i) * 5 / 4 + (long)more * again;
		if (time < best) {
			best = time;
			s = LEAST + i;
		}
	}
	return s;
}

/* 2^e for -1022 <= e <= 1023 */
INLINE double power(int e)
{
	return as_double((ulong)(1023 + e) << 52);
}

#endif
