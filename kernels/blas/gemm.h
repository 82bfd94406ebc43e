/* gemm.h - C = alpha op(A) op(B) + beta C on parts of matrices, for a stack, on
 * any device. The file that includes this one defines TILE and NAME.
 *
 *     op(A) m x k: element (i, p) at a_at + i a_row + p a_col
 *     op(B) k x n: element (p, j) at b_at + p b_row + j b_col
 *     C     m x n: element (i, j) at c_at + i c_row + j
 *
 * These are the places in the first matrix; those in the next one lie a_step,
 * b_step and c_step elements further on. With `lower` only elements with i >= j
 * are computed and written. A, B and C may lie in one buffer if no element of C
 * is one of A or B. C is not read if beta is 0.
 *
 * SIDE x SIDE items compute a TILE x TILE tile of C; each item computes EACH x
 * EACH elements in registers. DEPTH columns of op(A) and DEPTH rows of op(B) at
 * a time go through local memory, with zeros beyond the edges, while the next
 * ones are loaded into registers. Launch: work-groups are numbered along one
 * dimension, through a matrix's tiles first and then through the stack.
 */
#include "lib/real.h"
#include "shared/blas_tile.h"

#define SIDE BLAS_SIDE
#define DEPTH BLAS_DEPTH
#define ITEMS (SIDE * SIDE)
#define EACH (TILE / SIDE)
#define LOADS (TILE * DEPTH / ITEMS)

/* An operand: rows along the tile (i or j), columns along the sum (p). */
struct blas_operand {
	global const real *from;
	long along, deep;		/* steps */
	int rows, k;			/* rows from the tile's first on */
};

/* These say which element of a slice of DEPTH columns an item loads, so that
 * neighbouring items read neighbouring elements. */
static int row_of(const struct blas_operand *x, int e)
{
	return x->deep == 1 ? e / DEPTH : e % TILE;
}

static int column_of(const struct blas_operand *x, int e)
{
	return x->deep == 1 ? e % DEPTH : e / TILE;
}

static void load(const struct blas_operand *x, int p0, int item,
                 real to[LOADS])
{
	for (int q = 0; q < LOADS; q++) {
		int e = item + q * ITEMS;
		int i = row_of(x, e), p = p0 + column_of(x, e);

		to[q] = i < x->rows && p < x->k ?
		        x->from[i * x->along + p * x->deep] : 0;
	}
}

static void keep(const struct blas_operand *x, int item,
                 const real from[LOADS], local real to[DEPTH][TILE + 1])
{
	for (int q = 0; q < LOADS; q++) {
		int e = item + q * ITEMS;

		to[column_of(x, e)][row_of(x, e)] = from[q];
	}
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void NAME(global const real *a, long a_at, long a_step, long a_row,
          long a_col, global const real *b, long b_at, long b_step,
          long b_row, long b_col, global real *c, long c_at, long c_step,
          long c_row, int m, int n, int k, int lower, real alpha, real beta,
          int first_group)
{
	local real at[DEPTH][TILE + 1], bt[DEPTH][TILE + 1];
	int across = (n + TILE - 1) / TILE, down = (m + TILE - 1) / TILE;
	size_t g = first_group + get_group_id(0), s = g / across / down;
	int i0 = g / across % down * TILE, j0 = g % across * TILE;
	int item = get_local_id(0), x = item % SIDE, y = item / SIDE;
	real sum[EACH][EACH] = { { 0 } }, next_a[LOADS], next_b[LOADS];

	if (lower && i0 + TILE <= j0)	/* above the diagonal */
		k = 0;

	struct blas_operand ao = { a + a_at + s * a_step + i0 * a_row, a_row,
	                           a_col, m - i0, k };
	struct blas_operand bo = { b + b_at + s * b_step + j0 * b_col, b_col,
	                           b_row, n - j0, k };

	load(&ao, 0, item, next_a);
	load(&bo, 0, item, next_b);
	for (int p0 = 0; p0 < k; p0 += DEPTH) {
		keep(&ao, item, next_a, at);
		keep(&bo, item, next_b, bt);
		barrier(CLK_LOCAL_MEM_FENCE);
		load(&ao, p0 + DEPTH, item, next_a);
		load(&bo, p0 + DEPTH, item, next_b);
		for (int p = 0; p < DEPTH; p++)
			for (int i = 0; i < EACH; i++)
				for (int j = 0; j < EACH; j++)
					sum[i][j] += at[p][i * SIDE + y] *
					    bt[p][j * SIDE + x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c += c_at + s * c_step;
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++) {
			int row = i0 + i * SIDE + y, col = j0 + j * SIDE + x;
			global real *to = c + row * c_row + col;

			if (row < m && col < n && (!lower || row >= col))
				*to = alpha * sum[i][j] +
				      (beta == 0 ? 0 : beta * *to);
		}
}
