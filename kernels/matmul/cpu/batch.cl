/* batch.cl - C = A B on CPUs, A m x k, B k x n, C m x n row-major, for many
 * small products of one shape, anywhere in two allocations, one for operands
 * and one for results: place[s] has the first elements of product s's A, B and
 * C.
 *
 * A work-group, one work-item, computes one product, one panel of NR columns
 * after the other. It packs the panel's k rows of B, padded with zeros, into
 * `panel` and reads A where it lies. A micro-tile of MR x NR sums lives in
 * registers, and the products of an element are added in the order of k.
 * Elements of A and B are a row step and a column step apart. A strip's missing
 * rows repeat its last one and are not stored.
 */
#include "lib/real.h"
#include "shared/matmul_tile.h"

#define MR MATMUL_BATCH_STRIP
#define NR (2 * VW)

#define EACH_ROW(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

static void pack_panel(local real *to, global const real *b, long row,
                       long col, int depth, int cols)
{
	for (int k = 0; k < depth; k++, to += NR, b += row) {
		if (cols == NR && col == 1) {
			VSTORE(VLOAD(b), to);
			VSTORE(VLOAD(b + VW), to + VW);
		} else {
			for (int j = 0; j < NR; j++)
				to[j] = j < cols ? b[j * col] : 0;
		}
	}
}

#define SUM_DECLARE(i)                                                       \
	realv s##i = 0, t##i = 0;                                            \
	global const real *a##i = a + min(i, rows - 1) * row;
#define SUM_UPDATE(i)                                                        \
	{                                                                    \
		real x = a##i[at];                                           \
		s##i += x * b0;                                              \
		t##i += x * b1;                                              \
	}
#define SUM_STORE(i)                                                         \
	VSTORE(s##i, to + (i) * step);                                       \
	VSTORE(t##i, to + (i) * step + VW);

/* C (rows x cols) = rows of A times the packed panel, `depth` deep. */
static void tile(global const real *a, long row, long col,
                 local const real *b, int depth, global real *c, long n,
                 int rows, int cols)
{
	long at = 0;

	EACH_ROW(SUM_DECLARE)
	_Pragma("nounroll")
	for (int k = 0; k < depth; k++, at += col, b += NR) {
		realv b0 = VLOAD(b), b1 = VLOAD(b + VW);
		EACH_ROW(SUM_UPDATE)
	}
	if (rows == MR && cols == NR) {
		global real *to = c;
		long step = n;
		EACH_ROW(SUM_STORE)
	} else {
		real sums[MR * NR], *to = sums;
		int step = NR;
		EACH_ROW(SUM_STORE)
		for (int i = 0; i < rows; i++)
			for (int j = 0; j < cols; j++)
				c[i * n + j] = sums[i * NR + j];
	}
}

SINGLE_ITEM kernel void matmul_batch(
	global const real *operands, global real *results,
	global const int4 *place, int m, int n, int k,
	long a_row, long a_col, long b_row, long b_col, local real *panel)
{
	int4 at = place[get_global_id(0)];
	global const real *a = operands + at.x, *b = operands + at.y;
	global real *c = results + at.z;

	for (int j = 0; j < n; j += NR) {
		int cols = min(NR, n - j);

		pack_panel(panel, b + j * b_col, b_row, b_col, k, cols);
		for (int i = 0; i < m; i += MR)
			tile(a + i * a_row, a_row, a_col, panel, k,
			    c + (long)i * n + j, n, min(MR, m - i), cols);
	}
}
