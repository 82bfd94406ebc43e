/* strip.h - applies panels of an LU factorization to a strip of T (cpu.h), two
 * blocks side by side from b0 on, on a CPU. If `two` is 0, only the first block
 * is read or written. It is a constant wherever these functions are inlined, so
 * that the compiler makes a version for each value. */
#ifndef KERNELS_LU_STRIP_H
#define KERNELS_LU_STRIP_H

#include "lu/cpu.h"

#define STRIP 2			/* blocks of a strip */
#define FOUR(X) X(0) X(1) X(2) X(3)

static global real *block_of(global real *t, int ld, int c)
{
	return t + (size_t)c * ld * VW;
}

static void rows_swap(global real *b, int i, int k)
{
	global real *x = b + (size_t)i * VW, *y = b + (size_t)k * VW;
	const realv t = VLOAD(x);

	PUT(VLOAD(y), x);
	PUT(t, y);
}

/* The panel's interchanges in the strip. */
FOLDED void strip_swap(global real *b0, global real *b1, int j, int nb,
                       global const int *swaps, int two)
{
	for (int k = j; k < j + nb; k++) {
		FETCH_AHEAD(b0 + (size_t)swaps[k] * VW);
		FETCH_AHEAD(b1 + (size_t)swaps[k] * VW);
	}
	for (int k = j; k < j + nb; k++) {
		rows_swap(b0, k, swaps[k]);
		if (two)
			rows_swap(b1, k, swaps[k]);
	}
}

/* b = L11^-1 b, four rows at a time; l: L11, b: the strip's rows beside. */
FOLDED void strip_solve(global const real *l, int ld, int nb,
                        global real *b0, global real *b1, int two)
{
	for (int r = 0; r < nb; r += 4) {
#define CLEAR(z) realv c##z##0 = VLOAD(b0 + (r + z) * VW),               \
                       c##z##1 = two ? VLOAD(b1 + (r + z) * VW) : 0;
#define STEP(z)  c##z##0 -= x[z * VW] * u0, c##z##1 -= x[z * VW] * u1;
#define FLUSH(z) PUT(c##z##0, b0 + (r + z) * VW);                        \
                 if (two)                                                \
			PUT(c##z##1, b1 + (r + z) * VW);
#define X(i, k) x[(i) * VW + (k)]
#define WITHIN(i, k) c##i##0 -= X(i, k) * c##k##0, c##i##1 -= X(i, k) * c##k##1
		global const real *x;

		FOUR(CLEAR)
		for (int k = 0; k < r; k++) {
			const realv u0 = VLOAD(b0 + k * VW);
			const realv u1 = two ? VLOAD(b1 + k * VW) : 0;

			x = l + ((size_t)(k / VW) * ld + r) * VW + k % VW;
			FOUR(STEP)
		}
		x = l + ((size_t)(r / VW) * ld + r) * VW + r % VW;
		WITHIN(1, 0);
		WITHIN(2, 0), WITHIN(2, 1);
		WITHIN(3, 0), WITHIN(3, 1), WITHIN(3, 2);
		FOUR(FLUSH)
#undef CLEAR
#undef STEP
#undef FLUSH
#undef X
#undef WITHIN
	}
}

/* One micro-tile: T -= L U, MR rows by two blocks, `depth` blocks deep. */
FOLDED void tile_update(global real *t0, global real *t1,
                        global const real *l, int ld, int depth,
                        global const real *u0, global const real *u1,
                        int two)
{
#define FETCH(z) FETCH_AHEAD(t0 + z * VW); FETCH_AHEAD(t1 + z * VW);
#define CLEAR(z) realv c##z##0 = 0, c##z##1 = 0;
#define STEP(z)                                                          \
	do {                                                             \
		const real x = l[z * VW + q];                            \
		c##z##0 += x * v0, c##z##1 += x * v1;                    \
	} while (0);
#define FLUSH(z)                                                         \
	PUT(VLOAD(t0 + z * VW) - c##z##0, t0 + z * VW);                  \
	if (two)                                                         \
		PUT(VLOAD(t1 + z * VW) - c##z##1, t1 + z * VW);

	ROWS(FETCH)
	ROWS(CLEAR)
	for (int k = 0; k < depth; k++) {
#pragma nounroll
		for (int q = 0; q < VW; q++) {
			const realv v0 = VLOAD(u0), v1 = two ? VLOAD(u1) : 0;

			ROWS(STEP)
			u0 += VW;
			u1 += VW;
		}
		l += (size_t)ld * VW;
	}
	ROWS(FLUSH)
#undef FETCH
#undef CLEAR
#undef STEP
#undef FLUSH
}

/* Applies the panel of nb columns at j to the strip, whose m rows have all
 * earlier panels applied. nb is a multiple of VW, except in the last panel,
 * which has nothing below it. */
FOLDED void strip_advance(global const real *t, int ld, int m, int j, int nb,
                          global const int *swaps, global real *b0, int two)
{
	const size_t row = (size_t)j * VW;
	global const real *l = t + (size_t)j * ld + row;
	global real *b1 = block_of(b0, ld, 1);

	strip_swap(b0, b1, j, nb, swaps, two);
	strip_solve(l, ld, nb, b0 + row, b1 + row, two);
	for (int i = nb; i < m - j; i += MR)
		tile_update(b0 + row + (size_t)i * VW,
		            b1 + row + (size_t)i * VW, l + (size_t)i * VW,
		            ld, nb / VW, b0 + row, b1 + row, two);
}

#endif
