/* pairs.h - float32 as one or two float16, for products on Hopper's tensor
 * cores. Included with TERMS, 2 for pairs (Ootomo and Yokota, 2022) and 1 for
 * halves, which are as precise as TF32.
 *
 * Each line (row of A, column of B) is scaled by a power of two, so that its
 * largest element lies in [2^14, 2^15). An element x of a scaled line is then
 *
 *     x = hi + lo / 2^11,   hi = half(x),   lo = half((x - hi) 2^11)
 *
 * with an error of at most 2^-23 |x|, unless |x| < 2^-12. Such an element, not
 * zero, is called a tail; its error is at most 2^-36. A product of lines i and
 * j with t_i and t_j tails is, by them, wrong by at most
 *
 *     (t_i + t_j) 2^-36 2^15,
 *
 * which is at most half a rounding error of |A| |B|, 2^-25 (|A| |B|)_ij, if
 * |(A B)_ij| >= 16 (t_i + t_j), because |A B| <= |A| |B|. Elements of C that
 * fail this test, and those of lines with an infinity or a NaN, are computed
 * again as three products in TF32 by tf32.h; there is a word for each 128 x 64
 * elements of C that tells so.
 *
 * Halves leave lo out. The error of x is then at most 2^-11 |x|, unless |x| <
 * 2^-14. A tail's error is at most 2^-25, and what tails change is at most half
 * a rounding error, 2^-12 (|A| |B|)_ij, if |(A B)_ij| >= 4 (t_i + t_j).
 *
 * Eight elements of a line, neighbours along k, are stored together; such
 * octets of all lines of a tile make a block:
 *
 *     tile, slab: A, hi   BLOCKS blocks of ROWS lines
 *                 A, lo   BLOCKS blocks of ROWS lines (not of halves)
 *     tile, slab: B       the same, of COLS lines
 */
#include "lib/real.h"
#include "shared/matmul_tensor.h"
#include "lib/wgmma.h"

#define SLAB (PAIRS_DEPTH / TERMS)
#define BLOCKS (SLAB / 8)
#define ROWS TENSOR_ROWS
#define COLS PAIRS_COLS
#define BLOCK_A (8 * ROWS)		/* halves */
#define BLOCK_B (8 * COLS)
#define PART_A (BLOCKS * BLOCK_A)
#define PART_B (BLOCKS * BLOCK_B)
#define SLAB_A (TERMS * PART_A)
#define SLAB_B (TERMS * PART_B)

/* Smaller elements of a scaled line are tails. A sum is trusted if it is TRUST
 * times the number of tails: twice the factor above, since it is rounded. */
#if TERMS == 2
#define LEAST 0x1p-12f
#define TRUST 32
#else
#define LEAST 0x1p-14f
#define TRUST 8
#endif
#define TOP 14				/* the exponent of the largest element
					 * of a scaled line */
#define LO 0x1p11f			/* lo is stored times this */
#define INFINITE 0x7f800000u		/* bits of an infinity; those of a NaN
					 * are more */

/* Where a part of a product keeps what it knows of its lines: the largest
 * elements of a line in each of `chunks` parts of k (their bits), the exponent
 * by which it is scaled, its number of tails, INFINITE if an element is an
 * infinity or a NaN; and words for the blocks of C, not 0 for those that are to
 * be computed again, after one that is not 0 if there are any. */
struct lines {
	global uint *largest;
	global int *scale;
	global uint *tails, *again;
};

INLINE struct lines lines_of(global uint *at, int lines, int chunks)
{
	const struct lines f = {
		at, (global int *)at + chunks * lines,
		at + (chunks + 1) * lines, at + (chunks + 2) * lines
	};

	return f;
}
