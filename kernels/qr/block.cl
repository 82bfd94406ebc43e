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
 *                        chunk 0 has the first NB rows
 *     qr_block_small     everything of NB x NB elements, by one work-group
 *     qr_block_q         Q, which a second pass needs (vectors.cl)
 *     qr_block_vectors   V and Y, and R, which overwrites the upper triangle of
 *                        the panel (vectors.cl)
 *
 * One pass leaves Q^T Q - I of the order of cond(A)^2 times the roundoff of
 * `wide`. If that is not more precise than `real`, a second pass factors Q
 * itself, R is the product of both, and Q^T Q - I becomes as small as with
 * Householder's reflections (CholeskyQR2). A pass fails if A's columns, scaled
 * to length 1, have a condition number above `limit`. Then hard[matrix] becomes
 * 1, and qr_panel factors the panel instead. From its V and T, which is where M
 * would be, qr_block_vectors computes Y.
 *
 * A panel's element (i, j) is at `at` + i ld + j of the first matrix, and
 * `step` elements further on in the next one; it has `rows` rows. The number of
 * the matrix is the slowest part of a work-group's number.
 */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/qr_block.h"

#define NB QR_NB
#define SIDE QR_SIDE
#define EACH QR_EACH
#define DEPTH QR_DEPTH
#define ITEMS (SIDE * SIDE)
#define HALF (NB / 2)
#define TEAMS 4
#define PER_TEAM (ITEMS / TEAMS)
#define EDGE 8				/* PER_TEAM = EDGE * EDGE */

/* A column whose sum of squares is below this may have lost digits to
 * underflow. */
#define SMALLEST (sizeof(wide) == 8 ? (wide)1e-280 : (wide)1e-30)

/* A work-group computes one HALF x HALF quarter of a chunk's product: (0, 0),
 * (1, 0) or (1, 1). Each of TEAMS teams sums over every TEAMS-th row. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_block_gram(global const real *restrict a, long at, long step, int ld,
                   int rows, int nb, int chunks, int each,
                   global const int *restrict hard, int second,
                   global wide *restrict parts)
{
	local wide left[DEPTH][HALF], right[DEPTH][HALF];
	local wide sums[2 * HALF * HALF];
	const int group = get_group_id(0), quarter = group % QR_QUARTERS;
	const int chunk = group / QR_QUARTERS % chunks;
	const int matrix = group / QR_QUARTERS / chunks;
	const int id = get_local_id(0), team = id / PER_TEAM;
	const int x = id % EDGE, y = id % PER_TEAM / EDGE;
	const int i0 = quarter > 0 ? HALF : 0, j0 = quarter > 1 ? HALF : 0;
	const int first = chunk == 0 ? 0 : NB + (chunk - 1) * each;
	const int last = min(rows, chunk == 0 ? NB : first + each);
	wide sum[EACH][EACH] = { { 0 } };

	if (second && hard[matrix])
		return;
	a += at + matrix * step;
	for (int from = first; from < last; from += DEPTH) {
		for (int e = id; e < DEPTH * HALF; e += ITEMS) {
			const int k = e / HALF, j = e % HALF;
			const int in = from + k < last;
			global const real *row = a + (size_t)(from + k) * ld;

			left[k][j] = in && i0 + j < nb ? row[i0 + j] : 0;
			right[k][j] = in && j0 + j < nb ? row[j0 + j] : 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = team; k < DEPTH; k += TEAMS)
			for (int i = 0; i < EACH; i++)
				for (int j = 0; j < EACH; j++)
					sum[i][j] += left[k][y + i * EDGE] *
					             right[k][x + j * EDGE];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	parts += (size_t)(group / QR_QUARTERS) * QR_SQUARE;
	for (int half_of = TEAMS / 2; half_of > 0; half_of /= 2) {
		local wide *to = sums + team % half_of * HALF * HALF;

		for (int e = 0; e < EACH * EACH && team >= half_of &&
		     team < 2 * half_of; e++)
			to[e * PER_TEAM + id % PER_TEAM] =
			    sum[e / EACH][e % EACH];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int e = 0; e < EACH * EACH && team < half_of; e++)
			sum[e / EACH][e % EACH] +=
			    to[e * PER_TEAM + id % PER_TEAM];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = 0; i < EACH && team == 0; i++)
		for (int j = 0; j < EACH; j++)
			parts[(i0 + y + i * EDGE) * NB + j0 + x + j * EDGE] =
			    sum[i][j];
}

/* The local memory of qr_block_small: arrays of NB numbers, unless said
 * otherwise. */
struct room {
	local wide *tile;		/* 2 * DEPTH * (NB + 1) */
	local wide *lines;		/* 4 * NB: a row and a column, twice */
	local wide *diagonal, *inverse, *sign;
	local wide *below;		/* of column j: the sum of squares of
					 * the rows from NB on */
	local wide *filled;		/* not 0: column j is not 0 below the
					 * diagonal in the first NB rows */
	local wide *sums;		/* ITEMS */
};

static struct room room_of(local wide *at)
{
	struct room r;

	r.tile = at;
	r.lines = r.tile + 2 * DEPTH * (NB + 1);
	r.diagonal = r.lines + 4 * NB;
	r.inverse = r.diagonal + NB;
	r.sign = r.inverse + NB;
	r.below = r.sign + NB;
	r.filled = r.below + NB;
	r.sums = r.filled + NB;
	return r;
}

/* Returns the sum of x over the work-group. */
static wide total(wide x, local wide *sums)
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

/* x = the sum of the chunks' products, with ones on the diagonal beyond nb. */
static void add_parts(wide x[EACH][EACH], global const wide *parts,
                      int chunks, int nb, const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	for (int a = 0; a < EACH; a++)
		for (int b = 0; b < EACH; b++) {
			const int i = ti + a * SIDE, j = tj + b * SIDE;
			const int place = i / HALF < j / HALF ? j * NB + i :
			                                        i * NB + j;
			const wide top = parts[place];
			wide sum = 0;

			for (int c = 1; c < chunks; c++)
				sum += parts[c * QR_SQUARE + place];
			x[a][b] = i == j && i >= nb ? 1 : top + sum;
			if (i == j) {
				r->below[i] = sum;
				r->diagonal[i] = x[a][b];
				r->filled[i] = 0;
			}
		}
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Eliminates the columns of x in place. Before step k, x_ij is
 *
 *     for i >= k and j >= k   what is left of the matrix,
 *     for i >= k and j < k    element (i, j) of the inverse of L, the unit
 *                             lower triangular factor.
 *
 * Without `lu` the matrix is symmetric, and the upper triangle becomes D L^T;
 * inverse[k] is 1 / d_k. With `lu` the matrix is Q_1, of which S is subtracted
 * on the way, Q_1 - S = L D U', and the part above the diagonal becomes that of
 * the inverse of U', whose diagonal is 1; inverse[k] is 1 / d_k, or 0 for a
 * column without a reflection. Returns whether LAPACK might make no reflection
 * for a column, although it may not be 0 below the diagonal. */
static int eliminate(wide x[EACH][EACH], int lu, int nb, const struct room *r)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;
	int below = 0, doubtful = 0;

#pragma unroll
	for (int a = 0; a < EACH; a++)
		for (int kk = 0; kk < SIDE; kk++) {
			const int k = a * SIDE + kk;
			local wide *row = r->lines + k % 2 * 2 * NB;
			local wide *column = row + NB;
			wide pivot, inverse, sign;
			int none;

			for (int b = 0; b < EACH; b++) {
				const int i = ti + b * SIDE;

				if (ti == kk)
					row[tj + b * SIDE] = x[a][b];
				if (tj == kk)
					column[i] = x[b][a];
				if (lu && tj == kk && i > k &&
				    x[b][a] != 0)
					r->filled[k] = 1;
			}
			barrier(CLK_LOCAL_MEM_FENCE);
			pivot = column[k];
			below |= !(r->below[k] == 0);
			none = lu && (k >= nb ||
			              (r->filled[k] == 0 && !below));
			doubtful |= lu && !none && r->filled[k] == 0 &&
			            fabs(pivot) > (wide)(1 - 1e-6);
			sign = pivot < 0 ? -1 : 1;
			sign = none ? sign : -sign;
			inverse = none ? 0 : 1 / (lu ? pivot - sign : pivot);
			if (ti == kk && tj == kk) {
				r->inverse[k] = inverse;
				r->sign[k] = sign;
			}
			for (int b = 0; b < EACH; b++)
				for (int c = 0; c < EACH; c++) {
					const int i = ti + b * SIDE;
					const int j = tj + c * SIDE;
					const wide by = column[i] * inverse;

					if (i > k && j == k)
						x[b][c] = -by;
					else if (i > k ||
					         (lu && i < k && j > k))
						x[b][c] -= by * row[j];
					else if (lu && i == k && j > k)
						x[b][c] *= -inverse;
				}
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	return doubtful;
}

static void put(const wide x[EACH][EACH], global wide *to)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;

	for (int a = 0; a < EACH; a++)
		for (int b = 0; b < EACH; b++)
			to[(ti + a * SIDE) * NB + tj + b * SIDE] = x[a][b];
}

/* x = A B, where A and B are NB x NB. */
static void multiply(wide x[EACH][EACH], global const wide *a,
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

/* Divides G = L D L^T into R = D^1/2 L^T and R^-1, given what eliminate() has
 * left in x. R becomes x, and R^-1 goes to `to`. Returns the square of an upper
 * bound of the condition number of A's columns, scaled to length 1, or NaN if G
 * is not positive definite. */
static wide divide(wide x[EACH][EACH], int nb, global wide *to,
                   const struct room *r)
{
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;
	wide sum = 0;

	for (int a = 0; a < EACH; a++)
		for (int b = 0; b < EACH; b++) {
			const int i = ti + a * SIDE, j = tj + b * SIDE;
			const wide root = sqrt(r->inverse[i]);
			const wide e = i == j ? root : i > j ?
			               x[a][b] * root : 0;

			if (i >= j)
				to[j * NB + i] = e;
			else
				to[j * NB + i] = 0;
			sum += j < nb && i < nb ?
			       e * e * r->diagonal[j] : 0;
			x[a][b] = i > j ? 0 : x[a][b] * root;
		}
	if (id < nb && r->diagonal[id] < SMALLEST)
		sum = NAN;
	return nb * total(sum, r->sums);
}

/* Stores U^-1, M, S R and S, given what eliminate() has left of Q_1 in x, and R
 * in `small`. */
static void put_factors(const wide x[EACH][EACH], global wide *small,
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
			small[QR_AT_R + place] *= r->sign[i];
		}
	if (ti == 0)
		for (int b = 0; b < EACH; b++)
			small[QR_AT_SIGNS + tj + b * SIDE] =
			    r->sign[tj + b * SIDE];
}

/* Pass `pass` (0 or 1), the last one if `last`. The panel is A, or Q after the
 * first pass. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_block_small(global const wide *restrict parts, int chunks,
                    global const real *restrict panel, long at, long step,
                    int ld, int rows, int nb, int pass, int last, real limit,
                    global wide *small, global int *hard, local wide *memory)
{
	const int id = get_local_id(0), matrix = get_group_id(0);
	const int tj = id % SIDE, ti = id / SIDE;
	const struct room r = room_of(memory);
	wide x[EACH][EACH], sum = 0;
	int good;

	if (pass > 0 && hard[matrix])
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
	good &= divide(x, nb, small + QR_AT_INVERSE, &r) <=
	        (wide)limit * limit;
	if (pass > 0) {			/* R = R_2 R_1 */
		put(x, small + QR_AT_U);
		barrier(CLK_GLOBAL_MEM_FENCE);
		multiply(x, small + QR_AT_U, small + QR_AT_R, &r);
	}
	put(x, small + QR_AT_R);
	if (id == 0)
		hard[matrix] = !good;
	if (!last || !good)
		return;
	for (int e = id; e < QR_SQUARE; e += ITEMS)
		small[QR_AT_M + e] = e / NB < rows && e % NB < nb ?
		                     panel[(size_t)(e / NB) * ld + e % NB] : 0;
	barrier(CLK_GLOBAL_MEM_FENCE);
	multiply(x, small + QR_AT_M, small + QR_AT_INVERSE, &r);
	good = !eliminate(x, 1, nb, &r);
	put_factors(x, small, &r);
	if (id == 0)
		hard[matrix] = !good;
}
