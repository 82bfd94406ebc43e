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

#define DEPTH QR_DEPTH

/* A sum of squares less than this may have lost digits to underflow. */
#define SMALLEST (sizeof(wide) == 8 ? (wide)1e-280 : (wide)1e-30)

static struct room room_of(local wide *at)
{
	struct room r;

	r.tile = at;
	r.diagonal = at + QR_BLOCKS * BLOCK;
	r.inverse = r.diagonal + NB;
	r.sign = r.inverse + NB;
	r.below = r.sign + NB;
	r.filled = r.below + NB;
	r.sums = r.filled + NB;
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

/* Adds a chunk's product, whose upper right quarter was not computed. */
INLINE void add_part(wide x[EACH][EACH], global const wide *part)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

#pragma unroll
	for (int a = 0; a < EACH; a++)
#pragma unroll
		for (int b = 0; b < EACH; b++) {
			const int i = ti + a * SIDE, j = tj + b * SIDE;

			x[a][b] += part[a < EACH / 2 && b >= EACH / 2 ?
			                j * NB + i : i * NB + j];
		}
}

/* x = the sum of the chunks' products, with ones on the diagonal beyond nb. */
INLINE void add_parts(wide x[EACH][EACH], global const wide *parts,
                      int chunks, int nb, const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	for (int e = 0; e < EACH * EACH; e++)
		x[e / EACH][e % EACH] = 0;
	for (int c = 1; c < chunks; c++)
		add_part(x, parts + c * QR_SQUARE);
	for (int a = 0; a < EACH && ti == tj; a++)
		r->below[ti + a * SIDE] = x[a][a];
	add_part(x, parts);
	for (int a = 0; a < EACH && ti == tj; a++) {
		x[a][a] = ti + a * SIDE < nb ? x[a][a] : 1;
		r->diagonal[ti + a * SIDE] = x[a][a];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

INLINE void put(const wide x[EACH][EACH], global wide *to)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	for (int a = 0; a < EACH; a++)
		for (int b = 0; b < EACH; b++)
			to[(ti + a * SIDE) * NB + tj + b * SIDE] = x[a][b];
}

/* x = A B, where A and B are NB x NB. */
INLINE void multiply(wide x[EACH][EACH], global const wide *a,
                     global const wide *b, const struct room *r)
{
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;
	local wide *left = r->tile, *right = left + DEPTH * (NB + 1);

	for (int e = 0; e < EACH * EACH; e++)
		x[e / EACH][e % EACH] = 0;
	for (int from = 0; from < NB; from += DEPTH) {
		for (int e = id; e < DEPTH * NB; e += ITEMS) {
			left[e % DEPTH * (NB + 1) + e / DEPTH] =
			    a[e / DEPTH * NB + from + e % DEPTH];
			right[e / NB * (NB + 1) + e % NB] =
			    b[(from + e / NB) * NB + e % NB];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < DEPTH; k++)
			for (int i = 0; i < EACH; i++)
				for (int j = 0; j < EACH; j++)
					x[i][j] += left[k * (NB + 1) + ti +
					                i * SIDE] *
					           right[k * (NB + 1) + tj +
					                 j * SIDE];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* Computes R = D^1/2 L^T and R^-1 from G = L D L^T. On entry x holds the result
 * of eliminate(); R replaces it, and R^-1 is written to `to`. Returns the
 * square of a bound of the condition number of A with columns scaled to length
 * 1, or NaN if G is not positive definite. */
INLINE wide divide(wide x[EACH][EACH], int nb, global wide *to,
                   const struct room *r)
{
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;
	wide sum = 0;

	for (int a = 0; a < EACH; a++)
		for (int b = 0; b < EACH; b++) {
			const int i = ti + a * SIDE, j = tj + b * SIDE;
			const wide root = sqrt(r->inverse[i]);
			const wide e = i < j ? 0 :
			               i == j ? root : x[a][b] * root;

			to[j * NB + i] = e;
			sum += j < nb && i < nb ? e * e * r->diagonal[j] : 0;
			x[a][b] = i > j ? 0 : x[a][b] * root;
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

	for (int a = 0; a < EACH; a++)
		for (int b = 0; b < EACH; b++) {
			const int i = ti + a * SIDE, j = tj + b * SIDE;
			const int place = i * NB + j, turned = j * NB + i;
			const wide e = i == j ? 1 : x[a][b];
			const int none = r->inverse[i] == 0;

			small[QR_AT_U + place] = i > j ? 0 :
			                         e * r->inverse[j];
			small[QR_AT_M + turned] = i < j || none ? 0 :
			                          -r->sign[j] * e;
		}
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
	wide x[EACH][EACH], bound, sum = 0;
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
	good = pass == 0 || total(sum, r.sums) <= (wide)0.25;
	eliminate(x, 0, nb, &r);
	bound = divide(x, nb, small + QR_AT_INVERSE, &r);
	good &= bound <= (wide)limit * limit;
	last = pass > 0 || bound <= (wide)once * once;
	if (pass > 0) {			/* R = R_2 R_1 */
		put(x, small + QR_AT_U);
		barrier(CLK_GLOBAL_MEM_FENCE);
		multiply(x, small + QR_AT_U, small + QR_AT_R, &r);
		barrier(CLK_GLOBAL_MEM_FENCE);
	}
	put(x, small + QR_AT_R);
	if (id == 0)
		state[matrix] = !good ? QR_HARD : pass > 0 || !last ?
		                QR_TWICE : QR_ONCE;
	if (!last || !good)
		return;
	for (int e = id; e < QR_SQUARE; e += ITEMS)
		small[QR_AT_M + e] = e / NB < rows && e % NB < nb ?
		                     panel[(size_t)(e / NB) * ld + e % NB] : 0;
	if (id < NB)
		r.filled[id] = 0;
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	multiply(x, small + QR_AT_M, small + QR_AT_INVERSE, &r);
	good = !eliminate(x, 1, nb, &r);
	barrier(CLK_GLOBAL_MEM_FENCE);	/* M has been read */
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
