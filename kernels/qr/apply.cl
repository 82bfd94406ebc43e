/* apply.cl - two products with matrices P that have far more rows than columns,
 * for stacks of matrices:
 *
 *     qr_project    X_c = P_c^T C_c for chunks c of the rows of P and C
 *     qr_subtract   C -= P (X_0 + X_1 + ...)
 *
 * qr_project with P = Y and then qr_subtract with P = V apply a block of
 * reflections (block.cl) to C: C = (I - V Y^T) C. P has `width` columns, a
 * multiple of NB; C has `cols`. Element (i, j) of an operand is at `at` + i ld
 * + j of the first matrix, and `step` elements further on in the next one. X_c
 * has `width` rows of ldx elements, where ldx is cols rounded up to a multiple
 * of NB.
 *
 * A work-group computes an NB x NB tile of X_c or of C. Work-groups are
 * numbered along a row of tiles first, then through the rows of tiles, the
 * chunks and the stack.
 */
#include "lib/real.h"
#include "lib/unroll.h"
#include "shared/qr_block.h"

#define NB QR_NB
#define SIDE QR_SIDE
#define EACH QR_EACH
#define DEPTH QR_APPLY_DEPTH
#define ITEMS (SIDE * SIDE)
#define LOADS (DEPTH * NB / ITEMS)

/* The elements of so many chunks are loaded before the first one is used. */
#define AT_ONCE 4

#ifdef DTYPE_float64
typedef double4 quad;
#else
typedef float4 quad;
#endif

/* Adds the products of the four elements of p with q to column j of sum. */
#define ADD(p, q, j)                                                         \
	do {                                                                 \
		sum[0][j] += (p).x * (q);                                    \
		sum[1][j] += (p).y * (q);                                    \
		sum[2][j] += (p).z * (q);                                    \
		sum[3][j] += (p).w * (q);                                    \
	} while (0)

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_project(global const real *restrict p, long p_at, long p_step, int ldp,
                int width, global const real *restrict c, long c_at,
                long c_step, int ldc, int rows, int cols, int chunks, int each,
                global real *restrict x, int ldx)
{
	local quad left[DEPTH][NB / 4];
	local real right[DEPTH][NB];
	const int across = ldx / NB, down = width / NB;
	const int group = get_group_id(0), tile = group / across;
	const int j0 = group % across * NB, i0 = tile % down * NB;
	const int chunk = tile / down % chunks, matrix = tile / down / chunks;
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;
	const int first = chunk * each, last = min(rows, first + each);
	real sum[EACH][EACH] = { { 0 } }, next_p[LOADS], next_c[LOADS];

	p += p_at + matrix * p_step + i0;
	c += c_at + matrix * c_step + j0;
	for (int from = first - DEPTH; from < last; from += DEPTH) {
		if (from >= first) {
			for (int e = 0; e < LOADS; e++) {
				const int at = id + e * ITEMS;

				((local real *)left)[at] = next_p[e];
				right[at / NB][at % NB] = next_c[e];
			}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int e = 0; e < LOADS; e++) {
			const int at = id + e * ITEMS, j = at % NB;
			const int i = from + DEPTH + at / NB;

			next_p[e] = i < last ? p[(size_t)i * ldp + j] : 0;
			next_c[e] = i < last && j0 + j < cols ?
			            c[(size_t)i * ldc + j] : 0;
		}
		for (int k = 0; k < DEPTH && from >= first; k++) {
			const quad of = left[k][ti];

			for (int j = 0; j < EACH; j++)
				ADD(of, right[k][tj + j * SIDE], j);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	x += ((size_t)(tile / down) * width + i0 + ti * EACH) * ldx + j0 + tj;
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++)
			x[(size_t)i * ldx + j * SIDE] = sum[i][j];
}

/* Loads DEPTH rows of the sum of all X_c; `size` elements are between them. */
INLINE void load_x(global const real *x, int ldx, size_t size, int chunks,
                   real to[LOADS])
{
	const int id = get_local_id(0);

	UNROLL
	for (int e = 0; e < LOADS; e++)
		to[e] = 0;
	for (int c = 0; c < chunks; c += AT_ONCE)
		UNROLL
		for (int q = 0; q < AT_ONCE; q++)
			UNROLL
			for (int e = 0; e < LOADS; e++) {
				const int k = (id + e * ITEMS) / NB;

				if (c + q < chunks)
					to[e] += x[(c + q) * size +
					           (size_t)k * ldx + id % NB];
			}
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void qr_subtract(global const real *restrict p, long p_at, long p_step,
                 int ldp, int width, global real *restrict c, long c_at,
                 long c_step, int ldc, int rows, int cols, int chunks,
                 global const real *restrict x, int ldx)
{
	local quad left[DEPTH][NB / 4 + 1];
	local real right[DEPTH][NB];
	const int across = ldx / NB, down = (rows + NB - 1) / NB;
	const int group = get_group_id(0), matrix = group / across / down;
	const int j0 = group % across * NB, i0 = group / across % down * NB;
	const int id = get_local_id(0), tj = id % SIDE, ti = id / SIDE;
	const size_t size = (size_t)width * ldx;
	real sum[EACH][EACH] = { { 0 } }, next_p[LOADS], next_x[LOADS];
	real own[EACH][EACH];

	p += p_at + matrix * p_step;
	c += c_at + matrix * c_step;
	x += matrix * chunks * size + j0;
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++) {
			const int row = i0 + ti * EACH + i;
			const int col = j0 + tj + j * SIDE;

			own[i][j] = row < rows && col < cols ?
			            c[(size_t)row * ldc + col] : 0;
		}
	for (int from = -DEPTH; from < width; from += DEPTH) {
		const int next = from + DEPTH;

		for (int e = 0; e < LOADS && from >= 0; e++) {
			const int at = id + e * ITEMS;

			((local real *)left[id % DEPTH])[at / DEPTH] =
			    next_p[e];
			right[at / NB][id % NB] = next_x[e];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int e = 0; e < LOADS; e++) {
			const int i = i0 + (id + e * ITEMS) / DEPTH;

			next_p[e] = i < rows && next < width ?
			    p[(size_t)i * ldp + next + id % DEPTH] : 0;
		}
		if (next < width)
			load_x(x + (size_t)next * ldx, ldx, size, chunks,
			       next_x);
		for (int k = 0; k < DEPTH && from >= 0; k++) {
			const quad of = left[k][ti];

			for (int j = 0; j < EACH; j++)
				ADD(of, right[k][tj + j * SIDE], j);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++) {
			const int row = i0 + ti * EACH + i;
			const int col = j0 + tj + j * SIDE;

			if (row < rows && col < cols)
				c[(size_t)row * ldc + col] = own[i][j] -
				                             sum[i][j];
		}
}
