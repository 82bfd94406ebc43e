/* back.h - solves with U of an LU factorization in T (cpu.h) on a CPU, for a
 * strip of right-hand sides, two blocks side by side from b0 on. */
#ifndef KERNELS_LU_BACK_H
#define KERNELS_LU_BACK_H

#include "lu/strip.h"

/* Row r of the strip minus its rows from to to, times U's row r; divided by U's
 * diagonal. */
FOLDED void back_row(global const real *t, int ld, int r, int from, int to,
                     global real *b0, global real *b1, int two)
{
	const real pivot = t[((size_t)(r / VW) * ld + r) * VW + r % VW];
	realv c0 = VLOAD(b0 + (size_t)r * VW);
	realv c1 = two ? VLOAD(b1 + (size_t)r * VW) : 0;

	for (int k = from; k < to; k++) {
		const real u = t[((size_t)(k / VW) * ld + r) * VW + k % VW];

		c0 -= u * VLOAD(b0 + (size_t)k * VW);
		if (two)
			c1 -= u * VLOAD(b1 + (size_t)k * VW);
	}
	PUT(c0 / pivot, b0 + (size_t)r * VW);
	if (two)
		PUT(c1 / pivot, b1 + (size_t)r * VW);
}

/* Rows r to r + 4 of the strip minus its rows from to to, times U's rows. */
FOLDED void back_four(global const real *t, int ld, int r, int from, int to,
                      global real *b0, global real *b1, int two)
{
#define CLEAR(z) realv c##z##0 = VLOAD(b0 + (size_t)(r + z) * VW),       \
                 c##z##1 = two ? VLOAD(b1 + (size_t)(r + z) * VW) : 0;
#define STEP(z)  c##z##0 -= u[z * VW] * x0, c##z##1 -= u[z * VW] * x1;
#define FLUSH(z) PUT(c##z##0, b0 + (size_t)(r + z) * VW);                \
                 if (two)                                                \
			PUT(c##z##1, b1 + (size_t)(r + z) * VW);
	FOUR(CLEAR)
	for (int k = from; k < to; k++) {
		global const real *u = t + ((size_t)(k / VW) * ld + r) * VW +
		                       k % VW;
		const realv x0 = VLOAD(b0 + (size_t)k * VW);
		const realv x1 = two ? VLOAD(b1 + (size_t)k * VW) : 0;

		FOUR(STEP)
	}
	FOUR(FLUSH)
#undef CLEAR
#undef STEP
#undef FLUSH
}

/* b = U11^-1 b, rows j to end; j is a multiple of four. */
FOLDED void back_solve(global const real *t, int ld, int j, int end,
                       global real *b0, global real *b1, int two)
{
	for (int r = end - 1; r >= j; r--) {
		const int last = min((r / 4 + 1) * 4, end);

		if (r + 1 == last && last < end && r % 4 == 3)
			back_four(t, ld, r - 3, last, end, b0, b1, two);
		back_row(t, ld, r, r + 1, last, b0, b1, two);
	}
}

/* b = U^-1 b of n rows, by panels of nb columns, the last one first. */
FOLDED void strip_back(global const real *t, int ld, int n, int nb,
                       global real *b0, int two)
{
	global real *b1 = block_of(b0, ld, 1);

	for (int j = (n - 1) / nb * nb; j >= 0; j -= nb) {
		const int end = min(j + nb, n);
		const size_t row = (size_t)j * VW;
		global const real *u = t + (size_t)j * ld;
		int i = 0;

		back_solve(t, ld, j, end, b0, b1, two);
		for (; i + MR <= j; i += MR)
			tile_update(b0 + (size_t)i * VW, b1 + (size_t)i * VW,
			            u + (size_t)i * VW, ld,
			            (end - j + VW - 1) / VW, b0 + row,
			            b1 + row, two);
		for (; i < j; i += 4)
			back_four(t, ld, i, j, end, b0, b1, two);
	}
}

#endif
