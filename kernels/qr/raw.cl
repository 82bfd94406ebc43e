/* raw.cl - applies the reflections that qr answers with mode=raw to a few
 * vectors, for their verdict. The reflections of a block of NB columns are
 *
 *     H_1 ... H_NB = I - V T V^T,  T^-1 = diag(tau)^-1 + triu(V^T V, 1)
 *
 * (compact WY form; Schreiber and Van Loan 1989), where V is read from h: its
 * diagonal is 1, and it is 0 above that.
 *
 *     qr_raw_start   R x, or x itself, with zeros below
 *                                                   an item for each element
 *     qr_raw_gram    V^T V of a part of the rows
 *                                                   a group for each block and
 *                                                   part
 *     qr_raw_t       T                              a group for each block
 *     qr_raw_step    x -= V T (V^T x) with one block, and the products V^T x
 *                    with the block to its left
 *                                                   a group for each part of
 *                                                   the rows and BESIDE vectors
 *
 * So the reflections of k columns take k / NB + 1 launches of qr_raw_step. The
 * right column gives the work of one matrix; the items or groups of the next
 * matrix follow. Vectors are stored as in judge.cl.
 */
#include "lib/real.h"
#include "lib/unroll.h"
#include "lib/wide.h"
#include "shared/qr_raw.h"

#define NB RAW_NB
#define ITEMS RAW_ITEMS
#define BESIDE RAW_BESIDE
#define SIDE 16				/* SIDE x SIDE items have EACH x EACH */
#define EACH (NB / SIDE)		/* elements of V^T V each */
#define TEAMS (ITEMS / NB)
#define LANES (ITEMS / BESIDE)

/* y_c = unit R x_c, R being the upper triangle of the first k rows of h, if
 * `times_r`; else y_c = x_c, which has k elements. All matrices share x. */
kernel void qr_raw_start(global const real *restrict h, int m, int n, int k,
                         global const wide *restrict unit, int times_r,
                         global const wide *restrict x, int vectors, long count,
                         global wide *restrict y)
{
	const size_t at = get_global_id(0), matrix = at / m / vectors;
	const int i = at % m, c = at / m % vectors;
	wide sum = 0;

	if (at >= count)
		return;
	x += (size_t)c * (times_r ? n : k);
	h += (matrix * m + i) * n;
	for (int j = i; times_r && i < k && j < n; j++)
		sum += h[j] * unit[matrix] * x[j];
	y[at] = i >= k ? 0 : times_r ? sum : x[i];
}

/* Element j of row i of V's block that begins at row and column 0. */
INLINE wide vector_at(global const real *row, int i, int j, int nb)
{
	return j >= nb || i < j ? 0 : i == j ? 1 : row[j];
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_raw_gram(global const real *restrict h, int m, int n, int k,
                 int blocks, int chunks, global wide *restrict parts)
{
	local wide tile[NB][NB + 1];
	const size_t group = get_group_id(0);
	const int chunk = group % chunks, block = group / chunks % blocks;
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;
	const int first = block * NB, nb = min(NB, k - first);
	const int rows = m - first, tiles = (rows + NB - 1) / NB;
	wide x[EACH][EACH] = { { 0 } };

	h += (group / chunks / blocks * m + first) * n + first;
	for (int t = chunk; t < tiles; t += chunks) {
		for (int e = id; e < NB * NB; e += ITEMS) {
			const int i = t * NB + e / NB;

			tile[e / NB][e % NB] = i >= rows ? 0 :
			    vector_at(h + (size_t)i * n, i, e % NB, nb);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int i = 0; i < NB; i++)
			for (int a = 0; a < EACH; a++)
				for (int b = 0; b < EACH; b++)
					x[a][b] += tile[i][ti + a * SIDE] *
					           tile[i][tj + b * SIDE];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	parts += group * RAW_SQUARE;
	for (int a = 0; a < EACH; a++)
		for (int b = 0; b < EACH; b++)
			parts[(ti + a * SIDE) * NB + tj + b * SIDE] = x[a][b];
}

/* Item i computes row i of T: t_ii = tau_i, and for j > i
 * t_ij = -tau_j sum t_il g_lj over l from i to j - 1, with G = V^T V. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_raw_t(global const wide *restrict parts, global const real *tau, int k,
              int blocks, int chunks, global wide *restrict t)
{
	local wide g[NB][NB + 1], row[NB][NB + 1];
	const size_t group = get_group_id(0);
	const int i = get_local_id(0), first = group % blocks * NB;
	const int nb = min(NB, k - first);

	tau += group / blocks * k + first;
	parts += group * chunks * RAW_SQUARE;
	t += group * RAW_SQUARE;
	for (int e = i; e < RAW_SQUARE; e += ITEMS) {
		wide sum = 0;

		for (int c = 0; c < chunks; c++)
			sum += parts[(size_t)c * RAW_SQUARE + e];
		g[e / NB][e % NB] = sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int j = 0; j < NB && i < NB; j++) {
		const wide by = j < nb ? tau[j] : 0;
		wide sum = 0;

		for (int l = i; l < j; l++)
			sum += row[i][l] * g[l][j];
		row[i][j] = j < i ? 0 : j == i ? by : -by * sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int e = i; e < RAW_SQUARE; e += ITEMS)
		t[e] = row[e / NB][e % NB];
}

/* z = T W, where W = V^T X is a sum of `chunks` parts. */
INLINE void project(global const wide *parts, int chunks,
                    global const wide *t, local wide *w, local wide *z)
{
	const int id = get_local_id(0), i = id % NB;
	wide sum = 0;

	for (int c = 0; c < chunks && id < RAW_PRODUCTS; c++)
		sum += parts[c * RAW_PRODUCTS + id];
	if (id < RAW_PRODUCTS)
		w[id] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = 0;
	for (int l = i; l < NB && id < RAW_PRODUCTS; l++)
		sum += t[i * NB + l] * w[id - i + l];
	if (id < RAW_PRODUCTS)
		z[id] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
}

/* Applies the reflections of block `block` to the vectors, unless block equals
 * `blocks`. Then stores in `to` the products V^T x for block - 1, unless block
 * is 0. The vectors are the `count` vectors at x and the other_count vectors at
 * `other`; a work-group has BESIDE of them, and `each` of the rows. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_raw_step(global const real *restrict h, int m, int n, int k,
                 int block, int blocks, int each, int chunks,
                 global const wide *restrict t,
                 global const wide *restrict from, global wide *restrict to,
                 global wide *x, int count, global wide *other,
                 int other_count)
{
	local wide w[RAW_PRODUCTS], z[RAW_PRODUCTS];
	local wide sums[TEAMS][RAW_PRODUCTS];
	const int own = (count + BESIDE - 1) / BESIDE;
	const int sets = own + (other_count + BESIDE - 1) / BESIDE;
	const size_t group = get_group_id(0), matrix = group / chunks / sets;
	const int set = group / chunks % sets, id = get_local_id(0);
	const int begin = group % chunks * each, end = min(m, begin + each);
	const int of = set < own ? count : other_count;
	const int c = (set < own ? set : set - own) * BESIDE;
	const int mine = min(BESIDE, of - c);
	const int left = (block - 1) * NB, first = block * NB;
	const int nb = min(NB, k - first);
	wide sum[BESIDE] = { 0 };

	x = (set < own ? x : other) + (matrix * of + c) * m;
	h += matrix * m * n;
	project(from + group / chunks * chunks * RAW_PRODUCTS,
	        block < blocks ? chunks : 0,
	        t + (matrix * blocks + min(block, blocks - 1)) * RAW_SQUARE, w,
	        z);
	for (int i = begin + id % LANES; i < end && id / LANES < mine &&
	     block < blocks; i += LANES) {
		global const real *row = h + (size_t)i * n + first;
		wide of_row = 0;

		for (int j = 0; j < nb; j++)
			of_row += vector_at(row, i - first, j, nb) *
			          z[id / LANES * NB + j];
		x[(size_t)(id / LANES) * m + i] -= of_row;
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	for (int i = begin + id / NB; i < end && block > 0; i += TEAMS) {
		const wide v = vector_at(h + (size_t)i * n + left, i - left,
		                         id % NB, min(NB, k - left));

		for (int e = 0; e < mine; e++)
			sum[e] += v * x[(size_t)e * m + i];
	}
	for (int e = 0; e < BESIDE; e++)
		sums[id / NB][e * NB + id % NB] = sum[e];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int team = 1; team < TEAMS && id < RAW_PRODUCTS; team++)
		sums[0][id] += sums[team][id];
	if (id < RAW_PRODUCTS)
		to[group * RAW_PRODUCTS + id] = sums[0][id];
}
