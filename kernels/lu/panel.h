/* panel.h - factors a panel of P A = L U on a CPU: few columns, any number of
 * rows, one work-item, in place in T (cpu.h).
 *
 * Left-looking within the panel, a block of VW columns at a time: U of the
 * block by its rows above (trsm), the update by all blocks to its left at once
 * (gemm), then its own columns one after the other, where a row of the block is
 * one vector.
 */
#ifndef KERNELS_LU_PANEL_H
#define KERNELS_LU_PANEL_H

#include "lu/cpu.h"

#if VW == 16
typedef int lane;
#define LANES (intv)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define SMALLEST_NORMAL FLT_MIN
#else
typedef long lane;
#define LANES (intv)(0, 1, 2, 3, 4, 5, 6, 7)
#define SMALLEST_NORMAL DBL_MIN
#endif

struct panel {
	int rows, columns;	/* true ones */
	int blocks;		/* of VW columns */
	int ld;			/* rows and padding of a block */
};

static global real *panel_row(global real *p, const struct panel *s,
                              int block, int row)
{
	return p + ((size_t)block * s->ld + row) * VW;
}

static void panel_swap(global real *p, const struct panel *s, int i, int k)
{
	for (int c = 0; c < s->blocks; c++) {
		global real *x = panel_row(p, s, c, i);
		global real *y = panel_row(p, s, c, k);
		const realv t = VLOAD(x);

		PUT(VLOAD(y), x);
		PUT(t, y);
	}
}

/* Per lane (column): the largest modulus so far and the first row that has
 * it. A NaN is never larger, so a column of them keeps its diagonal. */
struct best {
	realv modulus;
	intv row;
};

static struct best best_of(struct best a, struct best b)
{
	const intv better = (b.modulus > a.modulus) |
	                    ((b.modulus == a.modulus) & (b.row < a.row));

	a.modulus = select(a.modulus, b.modulus, better);
	a.row = select(a.row, b.row, better);
	return a;
}

#define BEST_UPDATE(b, v, i)                                             \
	do {                                                             \
		const realv modulus = fabs(v);                           \
		const intv better = modulus > (b).modulus;               \
		(b).modulus = select((b).modulus, modulus, better);      \
		(b).row = select((b).row, i, better);                    \
	} while (0)

static intv block_first_pivots(global const real *b, int row, int rows)
{
	struct best best = { (realv)-1, (intv)row };

	for (int i = row; i < rows; i++)
		BEST_UPDATE(best, VLOAD(b + (size_t)i * VW), (intv)i);
	return best.row;
}

/* Multiplies column k of the rows below r by the factor that it returns, which
 * makes the inverse of a subnormal pivot finite. */
static real block_scale_up(global real *b, int r, int k, int rows)
{
	const real pivot = b[(size_t)r * VW + k], up = 1 / REAL_EPSILON;

	if (!(fabs(pivot) < SMALLEST_NORMAL) || pivot == 0)
		return 1;
	for (int i = r + 1; i < rows; i++)
		b[(size_t)i * VW + k] *= up;
	return up;
}

/* Row i + z of the block: lane k becomes the multiplier; the multiplier times
 * the pivot's row u is subtracted from the lanes right of it. */
#define ELIMINATE(z)                                                     \
	do {                                                             \
		global real *q = b + (size_t)(i + z) * VW;               \
		const real x = q[k] * inverse;                           \
		const realv old = select(VLOAD(q), (realv)x, here);      \
		const realv v = select(old, old - x * u, right);         \
                                                                         \
		PUT(v, q);                                               \
		BEST_UPDATE(best##z, v, at);                             \
	} while (0)

/* Eliminates below row r, whose pivot is lane k; the rows of the best pivots
 * for the lanes right of it. A zero pivot leaves its column, as LAPACK. */
static intv block_eliminate(global real *b, int r, int k, int rows)
{
	const real up = block_scale_up(b, r, k, rows);
	const realv u = VLOAD(b + (size_t)r * VW);
	const real pivot = b[(size_t)r * VW + k];
	const real inverse = pivot != 0 ? 1 / (pivot * up) : 1;
	const intv here = LANES == (intv)k, right = LANES > (intv)k;
	struct best best0 = { (realv)-1, (intv)(r + 1) };
	struct best best1 = best0, best2 = best0, best3 = best0;
	intv at = (intv)(r + 1);
	int i = r + 1;

	/* Of best1 to best3, row is that of the first of four. */
	for (; i + 4 <= rows; i += 4, at += 4) {
		ELIMINATE(0);
		ELIMINATE(1);
		ELIMINATE(2);
		ELIMINATE(3);
	}
	for (; i < rows; i++, at += 1)
		ELIMINATE(0);
	best1.row += 1, best2.row += 2, best3.row += 3;
	return best_of(best_of(best0, best1), best_of(best2, best3)).row;
}

/* The block's own columns, one after the other. */
static void block_factor(global real *p, const struct panel *s, int c,
                         int pivoting, int row0, global int *swaps)
{
	global real *b = panel_row(p, s, c, 0);
	const int d = c * VW, pivots = min(s->rows, s->columns);
	intv best = block_first_pivots(b, d, s->rows);

	for (int k = 0; k < VW && d + k < pivots; k++) {
		const int r = d + k;
		const int i = pivoting ? (int)((const lane *)&best)[k] : r;

		swaps[r] = row0 + i;
		if (i != r)
			panel_swap(p, s, r, i);
		best = block_eliminate(b, r, k, s->rows);
	}
}

/* U12 = L11^-1 B12: the first rows of block c. */
static void block_solve(global real *p, const struct panel *s, int c)
{
	global real *b = panel_row(p, s, c, 0);
	const int rows = min(c * VW, s->rows);

	for (int r = 1; r < rows; r++) {
		realv x0 = VLOAD(b + (size_t)r * VW), x1 = 0, x2 = 0, x3 = 0;

		for (int k = 0; k < r; k += 4) {
			global const real *l = panel_row(p, s, k / VW, r);
			const int q = k % VW, left = r - k;
			global const real *u = b + (size_t)k * VW;

			l += q;
			x0 -= l[0] * VLOAD(u);
			if (left > 1)
				x1 -= l[1] * VLOAD(u + VW);
			if (left > 2)
				x2 -= l[2] * VLOAD(u + 2 * VW);
			if (left > 3)
				x3 -= l[3] * VLOAD(u + 3 * VW);
		}
		PUT((x0 + x1) + (x2 + x3), b + (size_t)r * VW);
	}
}

/* B22 -= L21 U12: block c below its first c VW rows. */
static void block_update(global real *p, const struct panel *s, int c)
{
	global real *restrict b = panel_row(p, s, c, 0);

	for (int i = c * VW; i < s->rows; i += MR) {
#define CLEAR(z) realv c##z = 0;
#define STEP(z)  c##z += l[z * VW + q] * u;
#define FLUSH(z) PUT(VLOAD(to + z * VW) - c##z, to + z * VW);
		global real *restrict to = b + (size_t)i * VW;

		ROWS(CLEAR)
		for (int k = 0; k < c; k++) {
			global const real *l = panel_row(p, s, k, i);

#pragma nounroll
			for (int q = 0; q < VW; q++) {
				const realv u = VLOAD(b + (k * VW + q) * VW);

				ROWS(STEP)
			}
		}
		ROWS(FLUSH)
#undef CLEAR
#undef STEP
#undef FLUSH
	}
}

/* Left-looking within the panel, a block of VW columns at a time. */
static void panel_factor(global real *p, const struct panel *s, int pivoting,
                         int row0, global int *swaps)
{
	for (int c = 0; c < s->blocks; c++) {
		if (c > 0) {
			block_solve(p, s, c);
			block_update(p, s, c);
		}
		block_factor(p, s, c, pivoting, row0, swaps);
	}
}

#endif
