/* integer.cl - C = A B of integers on a CPU, where sums of 64 bits cannot
 * overflow (matmul/integer.cl).
 *
 * One work-item computes up to ROWS rows of a panel of PANEL columns. It packs
 * DEPTH rows of the panel at a time, widened to 64 bits, and adds their
 * products to the sums of its rows, STRIP of them in registers at once. Layouts
 * and arguments are those of matmul.cl; `sums` and `packed` hold ROWS and DEPTH
 * rows of PANEL numbers.
 * Launch: (stack ceil(m / ROWS) ceil(n / PANEL)), one item a group.
 */
#include "matmul/integer.h"

#define STRIP INTEGER_STRIP
#define PANEL INTEGER_PANEL
#define DEPTH INTEGER_DEPTH
#define ROWS INTEGER_ROWS
#define WORDS 8			/* long numbers of a vector */

#define UNROLL _Pragma("unroll")

#define LOAD(p) convert_long8(vload8(0, (p)))

static void pack(local long *to, global const real *b, long row, long col,
                 int depth, int cols)
{
	for (int p = 0; p < depth; p++, to += PANEL, b += row) {
		if (col == 1 && cols == PANEL) {
			vstore8(LOAD(b), 0, to);
			vstore8(LOAD(b + WORDS), 1, to);
			continue;
		}
		for (int j = 0; j < PANEL; j++)
			to[j] = j < cols ? b[j * col] : 0;
	}
}

/* Adds `depth` products to the sums of STRIP rows. A row beyond the last row of
 * A reads that row again, and its sums are not used. */
static void add(global const real *a, long row, long col, int rows,
                local const long *b, int depth, local long *sums)
{
	long8 sum[2 * STRIP];
	long at[STRIP];

	UNROLL
	for (int i = 0; i < STRIP; i++) {
		at[i] = min(i, rows - 1) * row;
		sum[2 * i] = vload8(2 * i, sums);
		sum[2 * i + 1] = vload8(2 * i + 1, sums);
	}
	_Pragma("nounroll")
	for (int p = 0; p < depth; p++, a += col, b += PANEL) {
		const long8 left = vload8(0, b), right = vload8(1, b);

		UNROLL
		for (int i = 0; i < STRIP; i++) {
			const long x = a[at[i]];

			sum[2 * i] += x * left;
			sum[2 * i + 1] += x * right;
		}
	}
	UNROLL
	for (int z = 0; z < 2 * STRIP; z++)
		vstore8(sum[z], z, sums);
}

SINGLE_ITEM kernel void matmul_integer_rows(
	global const real *a, global const real *b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, volatile global int *beyond,
	local long *sums, local long *packed, int first_group)
{
	const int across = (n + PANEL - 1) / PANEL;
	const int down = (m + ROWS - 1) / ROWS;
	const size_t g = first_group + get_global_id(0), s = g / across / down;
	const int i0 = g / across % down * ROWS, j0 = g % across * PANEL;
	const int rows = min(ROWS, m - i0), cols = min(PANEL, n - j0);
	const int2 from = place_of(place, s, stack);

	a += (size_t)from.x * m * k + i0 * a_row;
	b += (size_t)from.y * k * n + j0 * b_col;
	for (int z = 0; z < ROWS * PANEL; z++)
		sums[z] = 0;
	for (int p = 0; p < k; p += DEPTH) {
		const int depth = min(DEPTH, k - p);

		pack(packed, b + p * b_row, b_row, b_col, depth, cols);
		for (int i = 0; i < rows; i += STRIP)
			add(a + i * a_row + p * a_col, a_row, a_col, rows - i,
			    packed, depth, sums + i * PANEL);
	}
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
			store(c, (s * m + i0 + i) * n + j0 + j,
			      sums[i * PANEL + j], beyond);
}
