/* eliminate.h - Gaussian elimination without pivoting of an NB x NB matrix by
 * one work-group, in place, in blocks of SIDE rows and columns: for block.cl.
 *
 * Work-item (ti, tj) of SIDE x SIDE has the elements (ti + b SIDE, tj + c SIDE)
 * in x[b][c], so that block (b, c) of the matrix has one element in each item.
 * The elimination of block column a is, with 16 steps in the diagonal block
 * X_aa = L D U' (L unit lower, U' unit upper triangular) and then products,
 *
 *     R_c = L^-1 X_ac             for the blocks c other than a,
 *     Z_b = X_ba U'^-1            for the blocks b other than a,
 *     X_bc -= Z_b D^-1 R_c,
 *     X_ba = -Z_b D^-1 L^-1       below the diagonal block.
 *
 * So the matrix's upper triangle becomes that of D U', and the lower triangle
 * that of the inverse of L, whose diagonal is 1. With `lu`, the strictly upper
 * triangle becomes that of the inverse of U', too:
 *
 *     X_ba = Z_b                  above the diagonal block,
 *     X_ac = -U'^-1 D^-1 R_c      to the right of it.
 *
 * Without `lu` the matrix is symmetric, and X_bc is computed for b > a only. */
#ifndef KERNELS_QR_ELIMINATE_H
#define KERNELS_QR_ELIMINATE_H

#include "lib/unroll.h"

#define NB QR_NB
#define SIDE QR_SIDE
#define EACH QR_EACH
#define ITEMS (SIDE * SIDE)

/* The places in local memory of blocks that all items read: L^-1, U'^-1, and
 * for block number e X_ea, X_ae, Z_e D^-1 and R_e. */
#define BLOCK (SIDE * (SIDE + 1))
#define AT(place, i, j) ((place) * BLOCK + (i) * (SIDE + 1) + (j))
#define AT_L 0
#define AT_U 1
#define AT_COLUMN(e) (2 + (e))
#define AT_ROW(e) (2 + EACH + (e))
#define AT_Z(e) (2 + 2 * EACH + (e))
#define AT_R(e) (2 + 3 * EACH + (e))

/* The local memory of qr_block_small: arrays of NB numbers, unless said
 * otherwise. */
struct room {
	local wide *tile;		/* QR_BLOCKS blocks, in whose place
					 * multiply() has its tiles */
	local wide *diagonal, *inverse, *sign;
	local wide *sums;		/* ITEMS */
	local int *below;		/* column j is not 0 in the rows from NB
					 * on */
	/* Column j is not 0 below the diagonal in the first NB rows; it was not
	 * 0 below the diagonal block before this was eliminated. */
	local int *filled, *was_filled;
};

/* Returns the least k for which flags[k] is set; `count` if there is none. */
INLINE int first_set(local const int *flags, int count)
{
	int k = count;

	UNROLL
	for (int i = count - 1; i >= 0; i--)
		k = flags[i] ? i : k;
	return k;
}

/* Makes the steps of diagonal block a, of which x is the item's element. In
 * step kk, row and column kk are copied to local memory. Column `below` is the
 * first one that is not 0 in the rows from NB on. */
INLINE wide eliminate_diagonal(wide x, int lu, int a, int nb, int below,
                               int *doubtful, const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;
	const int k0 = a * SIDE;
	/* From this column on, columns may be filled, because a step changes
	 * all columns to its right. */
	const int may_fill = lu ? first_set(r->was_filled + k0, SIDE) : 0;
	local wide *const rows = r->tile + AT(AT_ROW(a), 0, 0);
	local wide *const columns = r->tile + AT(AT_COLUMN(a), 0, 0);

	UNROLL
	for (int kk = 0; kk < SIDE; kk++) {
		const int k = k0 + kk;
		wide pivot, inverse, sign, by, of;
		int zero, none;

		if (ti == kk)
			rows[AT(0, kk, tj)] = x;
		if (tj == kk)
			columns[AT(0, kk, ti)] = x;
		if (lu && tj == kk && ti > kk && x != 0)
			r->filled[k] = 1;
		barrier(CLK_LOCAL_MEM_FENCE);
		pivot = rows[AT(0, kk, kk)];
		zero = lu & (kk < may_fill) & (r->filled[k] == 0);
		none = (zero & (k < below)) | (lu & (k >= nb));
		*doubtful |= zero & !none & (fabs(pivot) > (wide)(1 - 1e-6));
		sign = pivot < 0 ? 1 : -1;
		inverse = 1 / (lu ? pivot - sign : pivot);
		inverse = none ? 0 : inverse;
		if (get_local_id(0) == 0) {
			r->inverse[k] = inverse;
			r->sign[k] = none ? -sign : sign;
		}
		by = columns[AT(0, kk, ti)] * inverse;
		of = rows[AT(0, kk, tj)];
		if (ti > kk)
			x = tj == kk ? -by : x - by * of;
		else if (lu && tj > kk)
			x = ti == kk ? -inverse * x : x - by * of;
	}
	return x;
}

/* Sets was_filled for the columns of block column a. */
INLINE void look_below(const wide x[EACH][EACH], int a, const struct room *r)
{
	UNROLL
	for (int b = 1; b < EACH; b++)
		if (b > a && x[b][a] != 0)
			r->was_filled[a * SIDE + get_local_id(0) % SIDE] = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Returns whether some column may be 0 below the diagonal in the first NB rows,
 * although it was not before its block was eliminated. */
INLINE int is_doubtful(int nb, const struct room *r)
{
	const int id = get_local_id(0), k0 = id / SIDE * SIDE;
	local int *const found = (local int *)r->sums;

	if (id == 0)
		*found = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id < nb && k0 + first_set(r->was_filled + k0, SIDE) <= id &&
	    !r->filled[id])
		*found = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	return *found;
}

/* Copies L^-1, U'^-1 and the blocks in the row and the column of diagonal block
 * a to local memory. Without `lu`, U'^-1 is the transpose of L^-1. */
INLINE void publish(const wide x[EACH][EACH], int lu, int a,
                    const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;
	const wide one = ti == tj, l = ti > tj ? x[a][a] : one;
	local wide *const t = r->tile;

	t[AT(AT_L, ti, tj)] = l;
	if (lu)
		t[AT(AT_U, ti, tj)] = ti < tj ? x[a][a] : one;
	else
		t[AT(AT_U, tj, ti)] = l;
	UNROLL
	for (int e = 0; e < EACH; e++) {
		if (e == a)
			continue;
		t[AT(AT_COLUMN(e), ti, tj)] = x[e][a];
		t[AT(AT_ROW(e), ti, tj)] = x[a][e];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Replaces X_ba by Z_b and X_ac by R_c, and copies Z_b D^-1 and R_c to local
 * memory. */
INLINE void divide_blocks(wide x[EACH][EACH], int lu, int a,
                          const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;
	const int k0 = a * SIDE;
	local wide *const t = r->tile;
	wide z[EACH] = { 0 }, rows[EACH] = { 0 };

	UNROLL_BY_4
	for (int k = 0; k < SIDE; k++) {
		const wide l = t[AT(AT_L, ti, k)], u = t[AT(AT_U, k, tj)];

		UNROLL
		for (int e = 0; e < EACH; e++) {
			if (e == a)
				continue;
			z[e] += t[AT(AT_COLUMN(e), ti, k)] * u;
			rows[e] += l * t[AT(AT_ROW(e), k, tj)];
		}
	}
	UNROLL
	for (int e = 0; e < EACH; e++) {
		const wide by = z[e] * r->inverse[k0 + tj];

		if (e == a)
			continue;
		t[AT(AT_Z(e), ti, tj)] = by;
		t[AT(AT_R(e), ti, tj)] = rows[e];
		x[a][e] = rows[e];
		x[e][a] = lu || e > a ? z[e] : x[e][a];
		if (lu && e > a && by != 0)
			r->filled[k0 + tj] = 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* X_bc -= Z_b D^-1 R_c, X_ba = -Z_b D^-1 L^-1, X_ac = -U'^-1 D^-1 R_c */
INLINE void subtract(wide x[EACH][EACH], int lu, int a, const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;
	local wide *const t = r->tile;

	UNROLL
	for (int e = 0; e < EACH; e++) {
		x[e][a] = e > a ? 0 : x[e][a];
		x[a][e] = lu && e > a ? 0 : x[a][e];
	}
	UNROLL_BY_4
	for (int k = 0; k < SIDE; k++) {
		const wide l = t[AT(AT_L, k, tj)];
		const wide u = t[AT(AT_U, ti, k)] * r->inverse[a * SIDE + k];
		wide rows[EACH];

		UNROLL
		for (int c = 0; c < EACH; c++)
			rows[c] = c == a ? l : t[AT(AT_R(c), k, tj)];
		UNROLL
		for (int b = 0; b < EACH; b++) {
			const wide by = b == a ? u : t[AT(AT_Z(b), ti, k)];

			UNROLL
			for (int c = 0; c < EACH; c++)
				if ((b > a) || (lu && c > a))
					x[b][c] -= by * rows[c];
		}
	}
}

/* Eliminates the columns of x as described above. inverse[k] becomes the
 * reciprocal of element k of D. With `lu` the matrix is Q_1, of which S is
 * subtracted on the way, Q_1 - S = L D U', and inverse[k] is 0 for a column
 * without a reflection. Returns whether it is doubtful if LAPACK makes a
 * reflection for some column: one that is 0 below the diagonal in the first NB
 * rows, but perhaps not in the others. `filled` and `was_filled` are 0 at
 * first. */
INLINE int eliminate(wide x[EACH][EACH], int lu, int nb, const struct room *r)
{
	const int below = lu ? first_set(r->below, NB) : 0;
	int doubtful = 0;

	UNROLL
	for (int a = 0; a < EACH; a++) {
		if (lu)
			look_below(x, a, r);
		x[a][a] = eliminate_diagonal(x[a][a], lu, a, nb, below,
		                             &doubtful, r);
		publish(x, lu, a, r);
		divide_blocks(x, lu, a, r);
		subtract(x, lu, a, r);
	}
	return doubtful || (lu && is_doubtful(nb, r));
}

#endif
