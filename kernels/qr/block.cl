/* block.cl - factors a panel A of nb <= NB columns by Cholesky's factorization
 * of A^T A, and computes Householder's reflections from it (Ballard, Demmel,
 * Grigori, Jacquelin, Knight and Nguyen 2015):
 *
 *     G = A^T A = R^T R,  Q = A R^-1,        (CholeskyQR; Yamamoto et al. 2015)
 *     Q_1 - S = L U,  s_j = -sign(q_jj) when column j is eliminated,
 *     V = (Q - [S; 0]) U^-1,  Y = (Q - [S; 0]) M,  M = -S L^-T,
 *     H_1 ... H_nb = I - Y V^T,  A = H_1 ... H_nb [S R; 0].
 *
 * Q_1 has the first NB rows of Q. Y = V T for the T of the compact WY form. The
 * signs are LAPACK's. Like LAPACK, the kernels make no reflection if column j
 * is 0 below the diagonal: then s_j = sign(q_jj), and columns j of U^-1 and M
 * are 0.
 *
 *     qr_block_gram      the products A_c^T A_c of chunks of A's rows, of which
 *                        chunk 0 has the first NB rows (rows.cl)
 *     qr_block_small     all work on NB x NB matrices, by one work-group
 *     qr_block_q         Q, which a second pass needs (rows.cl)
 *     qr_block_tau       the diagonal of T
 *     qr_block_vectors   V and Y, and R, which overwrites the upper triangle of
 *                        the panel (rows.cl)
 *
 * A pass leaves Q^T Q - I of the order of cond(A)^2 times the roundoff of
 * `wide`. If a bound of the condition number of the panel, with columns of
 * length 1, is above `once`, a second pass factors Q, R is the product of both
 * factors, and Q is as orthogonal as with Householder's reflections
 * (CholeskyQR2). A pass fails if that bound is above `limit`, or if a sign is
 * doubtful. Then state[matrix] becomes QR_HARD, and qr_panel factors the panel.
 * It leaves T in the place of M; qr_block_vectors computes Y from V and T.
 *
 * A panel's element (i, j) is at `at` + i ld + j of the first matrix, `step`
 * elements further on in the next one, whose work-groups come later. */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/qr_block.h"

#include "qr/eliminate.h"

/* The elements of so many chunks are loaded before the first one is used. */
#define AT_ONCE 8

/* A sum of squares less than this may have lost digits to underflow. */
#define SMALLEST (sizeof(wide) == 8 ? (wide)1e-280 : (wide)1e-30)

static struct room room_of(local wide *at)
{
	struct room r;

	r.tile = at;
	r.diagonal = at + QR_BLOCKS * BLOCK;
	r.inverse = r.diagonal + NB;
	r.sign = r.inverse + NB;
	r.sums = r.sign + NB;
	r.below = (local int *)(r.sums + ITEMS);
	r.filled = r.below + NB;
	r.was_filled = r.filled + NB;
	return r;
}

/* Returns the sum of x over the work-group. */
INLINE wide total(wide x, local wide *sums)
{
	const int id = get_local_id(0);

	sums[id] = x;
	for (int n = ITEMS / 2; n > 0; n /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (id < n)
			sums[id] += sums[id + n];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	x = sums[0];
	barrier(CLK_LOCAL_MEM_FENCE);
	return x;
}

/* Is the block (a, b) of SIDE x SIDE elements in the upper right quarter, which
 * the chunks' products do not have? */
#define ABOVE(a, b) ((a) < EACH / 2 && (b) >= EACH / 2)

/* Adds to x the products of chunks `first` to last - 1, but AT_ONCE chunks at
 * most. The upper right quarter of x stays as it is. */
INLINE void add_chunks(wide x[EACH][EACH], global const wide *parts, int first,
                       int last)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	UNROLL
	for (int c = 0; c < AT_ONCE; c++) {
		global const wide *part = parts + (first + c) * QR_SQUARE;

		UNROLL
		for (int a = 0; a < EACH; a++)
			UNROLL
			for (int b = 0; b < EACH; b++)
				if (!ABOVE(a, b) && first + c < last)
					x[a][b] += part[(ti + a * SIDE) * NB +
					                tj + b * SIDE];
	}
}

/* Sets the upper right quarter of the symmetric x from the lower left one. */
INLINE void mirror(wide x[EACH][EACH], const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	UNROLL
	for (int e = 0; e < EACH * EACH; e++)
		if (ABOVE(e / EACH, e % EACH))
			r->tile[AT(e, ti, tj)] = x[e % EACH][e / EACH];
	barrier(CLK_LOCAL_MEM_FENCE);
	UNROLL
	for (int e = 0; e < EACH * EACH; e++)
		if (ABOVE(e / EACH, e % EACH))
			x[e / EACH][e % EACH] = r->tile[AT(e, tj, ti)];
}

/* x = the sum of the chunks' products, with ones on the diagonal beyond nb. */
INLINE void add_parts(wide x[EACH][EACH], global const wide *parts,
                      int chunks, int nb, const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	UNROLL
	for (int e = 0; e < EACH * EACH; e++)
		x[e / EACH][e % EACH] = 0;
	for (int c = 1; c < chunks; c += AT_ONCE)
		add_chunks(x, parts, c, chunks);
	UNROLL
	for (int a = 0; a < EACH; a++)
		if (ti == tj)
			r->below[ti + a * SIDE] = x[a][a] != 0;
	add_chunks(x, parts, 0, 1);
	UNROLL
	for (int a = 0; a < EACH; a++)
		if (ti == tj) {
			x[a][a] = ti + a * SIDE < nb ? x[a][a] : 1;
			r->diagonal[ti + a * SIDE] = x[a][a];
		}
	mirror(x, r);
	barrier(CLK_LOCAL_MEM_FENCE);
}

INLINE void put(const wide x[EACH][EACH], global wide *to)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	for (int a = 0; a < EACH; a++)
		for (int b = 0; b < EACH; b++)
			to[(ti + a * SIDE) * NB + tj + b * SIDE] = x[a][b];
}

/* Stores x^T, rows of which go through local memory SIDE at a time. */
INLINE void put_turned(const wide x[EACH][EACH], global wide *to,
                       const struct room *r)
{
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;

	UNROLL
	for (int c = 0; c < EACH; c++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		UNROLL
		for (int e = 0; e < EACH; e++)
			r->tile[tj * (NB + 1) + ti + e * SIDE] = x[e][c];
		barrier(CLK_LOCAL_MEM_FENCE);
		UNROLL
		for (int e = 0; e < EACH; e++)
			to[(c * SIDE + ti) * NB + tj + e * SIDE] =
			    r->tile[ti * (NB + 1) + tj + e * SIDE];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* a = the first rows of the panel, with zeros beyond its rows and columns. */
INLINE void get_top(global const real *panel, int ld, int rows, int nb,
                    wide a[EACH][EACH])
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	UNROLL
	for (int e = 0; e < EACH * EACH; e++) {
		const int i = ti + e / EACH * SIDE, j = tj + e % EACH * SIDE;

		a[e / EACH][e % EACH] = i < rows && j < nb ?
		                        panel[(size_t)i * ld + j] : 0;
	}
}

/* a = B^T */
INLINE void get_turned(global const wide *b, wide a[EACH][EACH])
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	UNROLL
	for (int e = 0; e < EACH * EACH; e++)
		a[e / EACH][e % EACH] = b[(tj + e % EACH * SIDE) * NB + ti +
		                          e / EACH * SIDE];
}

/* x = A B^T for NB x NB matrices, of which each item has its elements. */
INLINE void multiply(const wide a[EACH][EACH], const wide b[EACH][EACH],
                     wide x[EACH][EACH], const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;
	local wide *left = r->tile, *right = left + SIDE * (NB + 1);

	UNROLL
	for (int e = 0; e < EACH * EACH; e++)
		x[e / EACH][e % EACH] = 0;
	UNROLL
	for (int c = 0; c < EACH; c++) {
		UNROLL
		for (int e = 0; e < EACH; e++) {
			left[tj * (NB + 1) + ti + e * SIDE] = a[e][c];
			right[tj * (NB + 1) + ti + e * SIDE] = b[e][c];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		UNROLL_BY_4
		for (int k = 0; k < SIDE; k++)
			UNROLL
			for (int i = 0; i < EACH; i++)
				UNROLL
				for (int j = 0; j < EACH; j++)
					x[i][j] += left[k * (NB + 1) + ti +
					                i * SIDE] *
					           right[k * (NB + 1) + tj +
					                 j * SIDE];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* Computes R = D^1/2 L^T and R^-1 from G = L D L^T. On entry x holds the result
 * of eliminate(); R replaces it. R^-T becomes `turned`. Returns the square of a
 * bound of the condition number of A with columns scaled to length 1, or NaN if
 * G is not positive definite. */
INLINE wide divide(wide x[EACH][EACH], int nb, wide turned[EACH][EACH],
                   const struct room *r)
{
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;
	wide sum = 0;

	UNROLL
	for (int a = 0; a < EACH; a++) {
		const wide root = sqrt(r->inverse[ti + a * SIDE]);

		UNROLL
		for (int b = 0; b < EACH; b++) {
			const int i = ti + a * SIDE, j = tj + b * SIDE;
			const wide e = i < j ? 0 :
			               i == j ? root : x[a][b] * root;

			turned[a][b] = e;
			sum += j < nb && i < nb ? e * e * r->diagonal[j] : 0;
			x[a][b] = i > j ? 0 : x[a][b] * root;
		}
	}
	if (id < nb && r->diagonal[id] < SMALLEST)
		sum = NAN;
	return nb * total(sum, r->sums);
}

/* Stores U^-1, M and S, given what eliminate() has left of Q_1 in x. */
INLINE void put_factors(const wide x[EACH][EACH], global wide *small,
                        const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;
	wide u[EACH][EACH], m_t[EACH][EACH];

	UNROLL
	for (int a = 0; a < EACH; a++)
		UNROLL
		for (int b = 0; b < EACH; b++) {
			const int i = ti + a * SIDE, j = tj + b * SIDE;
			const wide e = i == j ? 1 : x[a][b];

			u[a][b] = i > j ? 0 : e * r->inverse[j];
			m_t[a][b] = i < j || r->inverse[i] == 0 ? 0 :
			            -r->sign[j] * e;
		}
	put(u, small + QR_AT_U);
	put_turned(m_t, small + QR_AT_M, r);
	for (int b = 0; b < EACH && ti == 0; b++)
		small[QR_AT_SIGNS + tj + b * SIDE] = r->sign[tj + b * SIDE];
}

/* Factors G, the sum of `parts`: in pass 0 G = A^T A, in pass 1 G = Q^T Q with
 * Q from pass 0. If no other pass follows, factors Q_1 - S, too. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_block_small(global const wide *restrict parts, int chunks,
                    global const real *restrict panel, long at, long step,
                    int ld, int rows, int nb, int pass, real once, real limit,
                    global wide *small, global int *state, local wide *memory)
{
	const int id = get_local_id(0), matrix = get_group_id(0);
	const int tj = id % SIDE, ti = id / SIDE;
	const struct room r = room_of(memory);
	wide x[EACH][EACH], y[EACH][EACH], inverse_t[EACH][EACH];
	wide bound, sum = 0;
	int good, last;

	if (pass > 0 && state[matrix] != QR_TWICE)
		return;
	panel += at + matrix * step;
	small += (size_t)matrix * QR_SMALL;
	parts += (size_t)matrix * chunks * QR_SQUARE;
	add_parts(x, parts, chunks, nb, &r);
	for (int a = 0; a < EACH && pass > 0; a++)
		for (int b = 0; b < EACH; b++) {
			const wide e = x[a][b] - (ti == tj && a == b);

			sum += e * e;
		}
	good = 1;
	WHEN(pass > 0)
		good = total(sum, r.sums) <= (wide)0.25;
	eliminate(x, 0, nb, &r);
	bound = divide(x, nb, inverse_t, &r);
	put_turned(inverse_t, small + QR_AT_INVERSE, &r);
	good &= bound <= (wide)limit * limit;
	last = pass > 0 || bound <= (wide)once * once;
	WHEN(pass > 0) {		/* R = R_2 R_1 */
		wide r1_t[EACH][EACH];

		get_turned(small + QR_AT_R, r1_t);
		barrier(CLK_GLOBAL_MEM_FENCE);	/* R_1, state have been read */
		multiply(x, r1_t, y, &r);
		put(y, small + QR_AT_R);
	}
	if (pass == 0)
		put(x, small + QR_AT_R);
	if (id == 0)
		state[matrix] = !good ? QR_HARD : pass > 0 || !last ?
		                QR_TWICE : QR_ONCE;
	if (!last || !good)
		return;
	if (id < NB)
		r.filled[id] = r.was_filled[id] = 0;
	get_top(panel, ld, rows, nb, y);
	multiply(y, inverse_t, x, &r);
	good = !eliminate(x, 1, nb, &r);
	put_factors(x, small, &r);
	if (id == 0 && !good)
		state[matrix] = QR_HARD;
}

/* Stores the factors tau of the panel's reflections, which are the diagonal of
 * T = U M, from element `first` of the matrix's k elements on. U^-1 stands at
 * QR_AT_U; in the state QR_HARD T itself stands at QR_AT_M. Launch: an item for
 * each column of the panels, `count` in all. */
kernel void qr_block_tau(global const wide *restrict small,
                         global const int *restrict state, int first, int k,
                         long count, global real *restrict tau)
{
	const size_t at = get_global_id(0), matrix = at / NB;
	const int j = at % NB, place = j * (NB + 1);

	if (at >= count || first + j >= k)
		return;
	small += matrix * QR_SMALL;
	tau[matrix * k + first + j] = state[matrix] == QR_HARD ||
	                              small[QR_AT_M + place] == 0 ?
	    small[QR_AT_M + place] :
	    small[QR_AT_M + place] / small[QR_AT_U + place];
}
