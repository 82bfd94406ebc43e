/* rows.cl - the kernels of block.cl's factorization of a panel that process all
 * rows of the panel: A^T A, and products of the rows with NB x NB matrices.
 * block.cl describes the method.
 *
 * A panel's element (i, j) is at `at` + i ld + j of the first matrix, and
 * `step` elements further on in the next one; it has `rows` rows. V and Y have
 * NB columns, of which those beyond nb are 0. In qr_block_q and
 * qr_block_vectors a work-group has QR_ROWS rows. All work-groups of a matrix
 * come before those of the next matrix.
 */
#include "lib/real.h"
#include "lib/unroll.h"
#include "lib/wide.h"
#include "shared/qr_block.h"

#define NB QR_NB
#define SIDE QR_SIDE
#define EACH QR_EACH
#define DEPTH QR_DEPTH
#define DEEP QR_DEEP
#define ITEMS (SIDE * SIDE)
#define PITCH (NB + 1)			/* between rows in local memory */
#define HALF (NB / 2)
#define LOADS (DEPTH * HALF / ITEMS)
#define TEAMS 4
#define PER_TEAM (ITEMS / TEAMS)
#define EDGE 8				/* PER_TEAM = EDGE * EDGE */
#define AHEAD (DEEP * NB / ITEMS)

/* Computes the products A_c^T A_c of chunks of the panel's rows: chunk 0 has
 * the first NB rows, every other chunk `each` rows. A work-group computes one
 * HALF x HALF quarter of a product, (0, 0), (1, 0) or (1, 1), in which each of
 * TEAMS teams sums over every TEAMS-th row. The second pass, `second`, is only
 * for panels in the state QR_TWICE. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_block_gram(global const real *restrict a, long at, long step, int ld,
                   int rows, int nb, int chunks, int each,
                   global const int *restrict state, int second,
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
	const int il = i0 + id % HALF, jr = j0 + id % HALF;
	const int first = chunk == 0 ? 0 : NB + (chunk - 1) * each;
	const int last = min(rows, chunk == 0 ? NB : first + each);
	wide sum[EACH][EACH] = { { 0 } };
	real next_l[LOADS], next_r[LOADS];

	if (second && state[matrix] != QR_TWICE)
		return;
	a += at + matrix * step;
	for (int from = first - DEPTH; from < last; from += DEPTH) {
		for (int e = 0; e < LOADS && from >= first; e++) {
			const int k = (id + e * ITEMS) / HALF;

			left[k][id % HALF] = next_l[e];
			right[k][id % HALF] = next_r[e];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int e = 0; e < LOADS; e++) {
			const int i = from + DEPTH + (id + e * ITEMS) / HALF;
			global const real *row = a + (size_t)i * ld;

			next_l[e] = i < last && il < nb ? row[il] : 0;
			next_r[e] = i < last && jr < nb ? row[jr] : 0;
		}
		for (int k = team; k < DEPTH && from >= first; k += TEAMS)
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

/* Loads `depth` rows of an NB x NB matrix. */
INLINE void fetch(global const wide *b, int depth, wide ahead[AHEAD])
{
	UNROLL
	for (int e = 0; e < depth * NB / ITEMS; e++)
		ahead[e] = b[get_local_id(0) + e * ITEMS];
}

/* Computes x = A B, where A has QR_ROWS rows, in local memory, and B is an
 * upper triangular NB x NB matrix, of which `depth` rows at a time are copied
 * to `tile`. The first of them have been fetched. While rows are multiplied,
 * the next ones are fetched, in the end those of the matrix `then`. */
INLINE void multiply_rows(wide x[QR_ROWS / SIDE][EACH], local const wide *a,
                          global const wide *b, global const wide *then,
                          int depth, wide ahead[AHEAD], local wide *tile)
{
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;

	UNROLL
	for (int i = 0; i < QR_ROWS / SIDE; i++)
		UNROLL
		for (int j = 0; j < EACH; j++)
			x[i][j] = 0;
	UNROLL
	for (int from = 0; from < NB; from += depth) {
		UNROLL
		for (int e = 0; e < depth * NB / ITEMS; e++)
			tile[id + e * ITEMS] = ahead[e];
		barrier(CLK_LOCAL_MEM_FENCE);
		fetch(from + depth < NB ? b + (from + depth) * NB : then, depth,
		      ahead);
		for (int k = 0; k < depth; k++) {
			wide own[QR_ROWS / SIDE];

			UNROLL
			for (int i = 0; i < QR_ROWS / SIDE; i++)
				own[i] = a[(ti + i * SIDE) * PITCH + from + k];
			UNROLL
			for (int j = 0; j < EACH; j++) {
				const wide of = tile[k * NB + tj + j * SIDE];

				if (j < from / SIDE)
					continue;
				UNROLL
				for (int i = 0; i < QR_ROWS / SIDE; i++)
					x[i][j] += own[i] * of;
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

/* Replaces x, which is A R^-1 with the roundoff of a product with the inverse,
 * by x + (A - x R) R^-1, which is as accurate as by substitution. `rest` has
 * room for x. The first rows of R have been fetched. */
INLINE void refine(wide x[QR_ROWS / SIDE][EACH], local const wide *a,
                   global const wide *small, wide ahead[AHEAD],
                   local wide *rest, local wide *tile)
{
	const int tj = get_local_id(0) % SIDE, ti = get_local_id(0) / SIDE;
	wide z[QR_ROWS / SIDE][EACH];

	for (int e = 0; e < QR_ROWS / SIDE * EACH; e++)
		rest[(ti + e / EACH * SIDE) * PITCH + tj + e % EACH * SIDE] =
		    x[e / EACH][e % EACH];
	barrier(CLK_LOCAL_MEM_FENCE);
	multiply_rows(z, rest, small + QR_AT_R, small + QR_AT_INVERSE, DEPTH,
	              ahead, tile);
	for (int e = 0; e < QR_ROWS / SIDE * EACH; e++) {
		const int at = (ti + e / EACH * SIDE) * PITCH + tj +
		               e % EACH * SIDE;

		rest[at] = a[at] - z[e / EACH][e % EACH];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	multiply_rows(z, rest, small + QR_AT_INVERSE, small + QR_AT_INVERSE,
	              DEPTH, ahead, tile);
	for (int e = 0; e < QR_ROWS / SIDE * EACH; e++)
		x[e / EACH][e % EACH] += z[e / EACH][e % EACH];
}

/* Computes Q from the panel A if its state is QR_TWICE. Q's rows have ldq
 * elements. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_block_q(global const real *restrict panel, long at, long step, int ld,
                int rows, int nb, global const wide *restrict small,
                global const int *restrict state, global real *restrict q,
                long q_at, long q_step, int ldq, local wide *a,
                local wide *rest, local wide *tile)
{
	const int blocks = (rows + QR_ROWS - 1) / QR_ROWS;
	const int matrix = get_group_id(0) / blocks;
	const int first = get_group_id(0) % blocks * QR_ROWS;
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;
	wide x[QR_ROWS / SIDE][EACH], ahead[AHEAD];

	if (state[matrix] != QR_TWICE)
		return;
	panel += at + matrix * step;
	small += (size_t)matrix * QR_SMALL;
	fetch(small + QR_AT_INVERSE, DEPTH, ahead);
	q += q_at + matrix * q_step;
	for (int e = id; e < QR_ROWS * NB; e += ITEMS) {
		const int i = first + e / NB, j = e % NB;

		a[e / NB * PITCH + j] = i < rows && j < nb ?
		                        panel[(size_t)i * ld + j] : 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	multiply_rows(x, a, small + QR_AT_INVERSE, small + QR_AT_R, DEPTH,
	              ahead, tile);
	refine(x, a, small, ahead, rest, tile);
	for (int e = 0; e < QR_ROWS / SIDE * EACH; e++) {
		const int i = first + ti + e / EACH * SIDE;
		const int j = tj + e % EACH * SIDE;

		if (i < rows)
			q[(size_t)i * ldq + j] = x[e / EACH][e % EACH];
	}
}

/* Computes V and Y, both with rows of ldv elements, and writes R to W, which
 * has rows of n elements. A is the panel of W or, in the state QR_TWICE, the Q
 * of the first pass, which is in V. In the state QR_HARD qr_panel has made V
 * and R, and only Y is computed. v_at and w_at are, as `at`, the places of the
 * panel's first element. V and Y become 0 in the `above` rows above the panel,
 * a multiple of QR_ROWS. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_block_vectors(int rows, int nb, global const wide *small,
                      global const int *state, global real *v,
                      global real *y, long v_at, long v_step, int ldv,
                      global real *w, long w_at, long w_step, int n, int above,
                      local wide *q, local wide *tile)
{
	const int blocks = (above + rows + QR_ROWS - 1) / QR_ROWS;
	const int matrix = get_group_id(0) / blocks;
	const int first = get_group_id(0) % blocks * QR_ROWS - above;
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;
	const int is_hard = state[matrix] == QR_HARD;
	const int in_v = state[matrix] != QR_ONCE;
	wide x[QR_ROWS / SIDE][EACH], z[QR_ROWS / SIDE][EACH], ahead[AHEAD];

	small += (size_t)matrix * QR_SMALL;
	v += v_at + matrix * v_step;
	y += v_at + matrix * v_step;
	w += w_at + matrix * w_step;
	for (int e = id; first < 0 && e < QR_ROWS * NB; e += ITEMS) {
		const long place = (long)(first + e / NB) * ldv + e % NB;

		v[place] = 0;
		y[place] = 0;
	}
	if (first < 0)
		return;
	fetch(small + (is_hard ? QR_AT_M : QR_AT_INVERSE), DEEP, ahead);
	for (int e = id; e < QR_ROWS * NB; e += ITEMS) {
		const int i = first + e / NB, j = e % NB;

		q[e / NB * PITCH + j] = i >= rows || j >= nb ? 0 :
		    in_v ? v[(size_t)i * ldv + j] : w[(size_t)i * n + j];
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (!is_hard)
		multiply_rows(x, q, small + QR_AT_INVERSE, small + QR_AT_U,
		              DEEP, ahead, tile);
	for (int a = 0; a < QR_ROWS / SIDE && !is_hard; a++)
		for (int b = 0; b < EACH; b++) {
			const int i = ti + a * SIDE, j = tj + b * SIDE;
			const wide s = small[QR_AT_SIGNS + j];

			q[i * PITCH + j] = x[a][b] - (first + i == j ? s : 0);
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (!is_hard)
		multiply_rows(x, q, small + QR_AT_U, small + QR_AT_M, DEEP,
		              ahead, tile);
	multiply_rows(z, q, small + QR_AT_M, small + QR_AT_M, DEEP, ahead,
	              tile);
	for (int a = 0; a < QR_ROWS / SIDE; a++)
		for (int b = 0; b < EACH; b++) {
			const int i = first + ti + a * SIDE;
			const int j = tj + b * SIDE;
			const size_t place = (size_t)i * ldv + j;

			if (i >= rows)
				continue;
			y[place] = z[a][b];
			if (j >= nb)
				v[place] = 0;
			else if (!is_hard)
				v[place] = i > j ? x[a][b] : i == j;
			if (!is_hard && i <= j && j < nb)
				w[(size_t)i * n + j] =
				    small[QR_AT_SIGNS + i] *
				    small[QR_AT_R + i * NB + j];
		}
}
