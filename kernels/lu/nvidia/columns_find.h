/* columns_find.h - the pivot search among a work-group's rows as
 * columns_rows.h keeps them.
 *
 * Usually one element alone has the largest word, of which the exponent is a
 * part; a fast path serves that case, a slow one all others. Rows that were a
 * pivot's are NaN, and rows beyond the panel's last are zero. */
#ifndef KERNELS_LU_NVIDIA_COLUMNS_FIND_H
#define KERNELS_LU_NVIDIA_COLUMNS_FIND_H

#include "lu/nvidia/columns_rows.h"

/* The words of infinity and of the smallest and largest elements whose inverse
 * neither overflows nor underflows, and a NaN. */
#ifdef DTYPE_float64
#define INFINITE 0x7ff00000u
#define EASY_LEAST 0x00200000u
#define NOT_A_NUMBER as_double((ulong)0x7ff8 << 48)
#else
#define INFINITE 0x7f800000u
#define EASY_LEAST 0x01000000u
#define NOT_A_NUMBER as_float(0x7fc00000u)
#endif
#define EASY_MOST 0x7e000000u

/* Returns 1 / x for x between EASY_LEAST and EASY_MOST, without a branch, by
 * Newton's iteration from the multiprocessor's approximation. */
INLINE real easy_inverse(real x)
{
	real y = inverse_guess(x);

#ifdef DTYPE_float64
	const real error = fma(-x, y, (real)1);

	y = fma(y, fma(error, error, error), y);
#endif
	return fma(y, fma(-x, y, (real)1), y);
}

/* Returns the word of x that has the exponent. */
INLINE uint upper_word(real x)
{
#ifdef DTYPE_float64
	return as_uint2(x).y;
#else
	return as_uint(x);
#endif
}

/* Returns that word without the sign. Larger words mean larger moduli; equal
 * words leave the order open. */
INLINE uint modulus_word(real x)
{
	return upper_word(x) & 0x7fffffff;
}

/* What an item finds in its own rows, and with the others of its warp: the
 * largest words, and the item's best row. `who` has a bit for each lane that
 * has the warp's largest word. */
struct found {
	uint word[ROWS], own, most, place, who;
	bool is_alone;			/* fast path: one row of one lane */
	real x, inverse;
};

/* Finds the largest words of the first column. */
INLINE struct found words_search(const struct rows *rows)
{
	struct found f = { .place = NO_PLACE };

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint word = modulus_word(rows->x[r][0]);

		f.word[r] = word > INFINITE ? 0 : word;
		f.own = max(f.own, f.word[r]);
	}
	f.most = warp_max(f.own);
	return f;
}

/* Finds the rows that have these words. */
INLINE void row_search(struct found *f, const struct rows *rows,
                       const struct panel *p)
{
	int equal = 0;
	uint others;

	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (f->word[r] == f->own) {
			f->place = rows->place[r];
			f->x = rows->x[r][0];
			equal++;
		}
	f->inverse = opaque_real(easy_inverse(f->x));
	f->who = warp_vote(f->own == f->most);
	others = (ROWS > 1 ? warp_vote(equal > 1) : 0) | (f->who - 1);
	f->is_alone = !(f->who & others) && p->pivoting && f->most > 0 &&
	              f->most < INFINITE;
}

/* Finds the words and their rows. */
INLINE struct found rows_search(const struct rows *rows, const struct panel *p)
{
	struct found f = words_search(rows);

	row_search(&f, rows, p);
	return f;
}

#endif
