/* residues.h - float64 products from their residues. A and B are scaled and
 * rounded to whole numbers, whose products are computed modulo 12 to 18 small
 * moduli on Hopper's int8 tensor cores (Ozaki scheme II: Ozaki, Uchino and
 * Imamura, 2025).
 *
 * A line is a row of A or a column of B. Each line is scaled by a power of two,
 * 2^alpha_i for row i and 2^beta_j for column j, and rounded to whole numbers
 * a' and b'. Modulo each modulus p, a' and b' are int8, and sums of their
 * products are exact in int32. These sums modulo all p together determine sum
 * a' b' if 2 |sum a' b'| < P, where P is the product of all moduli (Chinese
 * remainder theorem). The scales are chosen such that the 2-norm of every
 * scaled line is at most sqrt(P / 2) (1 - 2^-10), from which this condition
 * follows; the last factor makes up for rounding.
 *
 * *The certificate.* Rounding changes an element of C by at most
 *
 *     E = 2^-alpha_i |b_j|_1 / 2 + 2^-beta_j |a_i|_1 / 2    (+ 2^-40 E),
 *
 * where a line that rounding does not change contributes nothing. A product of
 * the elements' magnitudes, truncated to 8 bits, over some slabs of k gives
 * lower bounds L of (|A| |B|)_ij. s moduli are sufficient for a tile of C if E
 * <= bound 2^-53 L for all of its elements. The number of moduli that a tile
 * needs is stored for each tile. The product is computed with the number of
 * moduli that minimizes the time, which includes the time to compute the tiles
 * that need more moduli in float64. A certified product has CERTIFIED moduli or
 * more.
 *
 * *Without a certificate* (precision=fast) LEAST moduli are taken to be
 * sufficient for all tiles whose lines are finite. residues_fast_bound()
 * (src/ops/matmul/residues.h) then returns a bound of E / (|a_i|_2 |b_j|_2).
 *
 * The packed operands store 16 elements of a line, neighbours along k,
 * together; such groups of all lines of a tile make a block:
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
#define CERTIFIED RESIDUES_CERTIFIED
#define MOST RESIDUES_MOST
#define NEEDS (RESIDUES_NUMBERS + 1)	/* numbers of moduli, and: none is
					 * sufficient */

/* What is known of a line: the exponent e of its largest element; upper bounds
 * of its 2-norm (root) and its 1-norm (sum), both divided by 2^e; and the
 * exponent of the lowest bit that is set in any of its elements. The norms are
 * infinite if an element is an infinity or a NaN, and 0 if all elements are
 * 0. */
struct line {
	int exponent;
	float root, sum;
	int low;
};

/* A line was multiplied by 2^by. Before that, its elements, as they were
 * rounded, are multiples of 2^unit. */
struct scale {
	int by, unit;
};

/* The arrays in which a product stores what is known of its lines and tiles. */
struct known {
	global struct line *part;	/* of chunks of lines */
	global struct line *line;	/* of lines */
	global struct scale *scale;	/* of lines */
	global float2 *judged;		/* of lines: the 2-norm, or 0 if
					 * rounding does not change the line;
					 * the 1-norm */
	global uint *tiles_that_need;	/* tiles for each number of moduli, from
					 * LEAST on */
	global uint *again;		/* 0: no tile is computed in float64; 1:
					 * some are; 2: all are; then a word for
					 * each tile: 1 if it is */
	global uint *need;		/* for each tile: the number of moduli
					 * that it needs, less LEAST */
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

/* Returns the table's words for s moduli (shared/matmul_tensor.h). */
INLINE const global uint *about(const global uint *table, int s)
{
	return table + RESIDUES_TABLE + (s - LEAST) * RESIDUES_OF_NUMBER;
}

/* Returns alpha + e for a line with that 2-norm, if there are s moduli. */
INLINE int scale_of(const global uint *table, int s, float root)
{
	const float top = as_float(about(table, s)[0]);

	return root > 0 && root < INFINITY ? ilogb(top / root) : 0;
}

/* Returns the number of moduli with which the product takes the least time, or
 * 0 if it takes less time to compute all tiles in float64. `again` is the time
 * to compute a tile in float64, divided by the time to compute its residues
 * modulo one modulus; packing and joining add a quarter to that time. */
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
