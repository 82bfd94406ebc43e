/* matmul.cl - C = A B on CPUs, A m x k, B k x n, C m x n row-major, for a
 * stack of products.
 *
 * After Goto and van de Geijn (2008): B is packed once into panels of NR
 * columns, A a block at a time into strips of MR rows that stay in the
 * second-level cache, and a micro-tile of MR x NR sums lives in registers:
 *
 *     packed B  [k / DEPTH][panel][DEPTH][NR]     two vectors a row
 *     packed A  [strip][DEPTH / VW][MR][VW]       whole vectors of A's rows
 *
 * CHUNK columns of packed B, too, stay in that cache while the strips of a
 * block pass. Every work-group is one work-item. Elements of A and B are a
 * row step and a column step apart, one of which is 1: a transposed operand
 * is the same operand with its steps exchanged. place[s] says which matrices
 * of the two stacks product s multiplies; a single product has no table.
 */
#define PANEL_SPACE global
#include "matmul/cpu.h"

#define CHUNK (MATMUL_CHUNK * NR)

/* Packs VW columns of an A whose rows are contiguous. */
static void pack_block_rows(local real *to, global const real *a, long row,
                            int rows)
{
	#pragma unroll
	for (int i = 0; i < MR; i++)
		PUT_IN(local, VLOAD(a + min(i, rows - 1) * row), to + i * VW);
}

/* Packs VW columns of an A whose columns are contiguous, by transposing blocks
 * of VW x VW. The last block overlaps the one before if MR is no multiple of
 * VW. */
static void pack_block_columns(local real *to, global const real *a, long col)
{
	for (int i0 = 0; i0 < MR; i0 += VW) {
		const int first = MR < VW ? 0 : min(i0, MR - VW);
		realv v[VW];

		#pragma unroll
		for (int q = 0; q < VW; q++)
			v[q] = VLOAD(a + q * col + first);
		transpose_block(v);
		#pragma unroll
		for (int i = 0; i < (MR < VW ? MR : VW); i++)
			PUT_IN(local, v[i], to + (first + i) * VW);
	}
}

/* Packs a strip of `rows` <= MR rows and `depth` columns. */
static void pack_strip(local real *to, global const real *a, long row,
                       long col, int rows, int depth, long left)
{
	const int reach = MR < VW ? VW : MR;
	int whole = depth / VW;

	if (col != 1)
		whole = whole_rows(left, col, reach, depth) / VW;
	for (int b = 0; b < whole; b++, to += MR * VW, a += VW * col)
		if (col == 1)
			pack_block_rows(to, a, row, rows);
		else
			pack_block_columns(to, a, col);
	for (int k = 0; k < depth - whole * VW; k++, a += col)
		for (int i = 0; i < MR; i++)
			to[k / VW * MR * VW + i * VW + k % VW] =
			    a[min(i, rows - 1) * row];
}

/* C (rows x cols) = strip times panel, `depth` products deep, or C += if `add`
 * is set. */
#define TILE(name, height, width)                                            \
static void name(local const real *a, global const real *b, int depth,       \
                 global real *c, long n, int rows, int cols, bool add)       \
{                                                                            \
	realv sum[(height) * (width)];                                       \
                                                                             \
	UNROLL                                                               \
	for (int z = 0; z < (height) * (width); z++)                         \
		sum[z] = 0;                                                  \
	UNROLL                                                               \
	for (int z = 0; z < (height) * (width); z++)                         \
		FETCH_AHEAD(c + min(z / (width), rows - 1) * n +             \
		            z % (width) * VW);                               \
	for (int k = 0; k < depth; k += VW, a += MR * VW) {                  \
		const int deep = min(VW, depth - k);                         \
                                                                             \
		_Pragma("nounroll")                                          \
		for (int q = 0; q < deep; q++, b += (width) * VW) {          \
			UNROLL                                               \
			for (int z = 0; z < (height) * (width); z++)         \
				sum[z] += a[z / (width) * VW + q] *          \
				          VLOAD(b + z % (width) * VW);       \
		}                                                            \
	}                                                                    \
	STORE_TILE(sum, height, width, c, n, rows, cols, add)                \
}

EVERY_TILE(TILE)

/* C (rows x cols) = packed strips, `apart` elements apart, times packed panels,
 * or C += if `add` is set. */
static void multiply(local const real *a, int apart, global const real *b,
                     int depth, global real *c, long n, int rows, int cols,
                     bool add)
{
	for (int i = 0; i < rows; i += MR, a += apart)
		for (int j = 0; j < cols; j += NR) {
			const int high = min(MR, rows - i);
			const int wide = min(NR, cols - j);

			BEST_TILE(high, wide, a, b + (size_t)j * depth, depth,
			          c + i * n + j, n, high, wide, add);
		}
}

/* Packs B. A work-group packs one panel of DEPTH rows. */
SINGLE_ITEM kernel void matmul_pack(
	global const real *b, global real *packed, int n, int k, long row,
	long col, int first_group)
{
	const int panels = (n + NR - 1) / NR, blocks = (k + DEPTH - 1) / DEPTH;
	const size_t g = first_group + get_global_id(0);
	const size_t s = g / panels / blocks;
	const int panel = g % panels, k0 = g / panels % blocks * DEPTH;
	const int depth = min(DEPTH, k - k0);
	const long at = k0 * row + (long)panel * NR * col;

	b += s * n * k;
	packed += (s * k + k0) * panels * NR + (size_t)panel * depth * NR;
	pack_panel(packed, b + at, row, col, depth, min(NR, n - panel * NR),
	           (long)n * k - at);
}

/* C = A B with B packed. A work-group computes one of m_blocks x n_blocks
 * blocks of C, which differ by one strip or panel at most; packed_a holds the
 * largest block's rows of A. */
SINGLE_ITEM kernel void matmul_packed(
	global const real *a, global const real *packed_b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, int m_blocks, int n_blocks, local real *packed_a,
	int first_group)
{
	const long strips = (m + MR - 1) / MR, panels = (n + NR - 1) / NR;
	const size_t g = first_group + get_global_id(0);
	const size_t s = g / m_blocks / n_blocks;
	const int y = g % m_blocks, x = g / m_blocks % n_blocks;
	const int i0 = y * strips / m_blocks * MR;
	const int i1 = min((long)m, (y + 1) * strips / m_blocks * MR);
	const int j0 = x * panels / n_blocks * NR;
	const int j1 = min((long)n, (x + 1) * panels / n_blocks * NR);
	const int2 at = place_of(place, s, stack);

	a += (size_t)at.x * m * k;
	packed_b += (size_t)at.y * k * panels * NR;
	c += s * m * n;
	for (int k0 = 0; k0 < k; k0 += DEPTH) {
		const int depth = min(DEPTH, k - k0);
		const int apart = (depth + VW - 1) / VW * VW * MR;
		global const real *b = packed_b + k0 * panels * NR;

		for (int i = i0; i < i1; i += MR) {
			const long from = i * a_row + k0 * a_col;

			pack_strip(packed_a + (i - i0) / MR * apart, a + from,
			           a_row, a_col, min(MR, i1 - i), depth,
			           (long)m * k - from);
		}
		for (int j = j0; j < j1; j += CHUNK)
			multiply(packed_a, apart, b + (size_t)j * depth, depth,
			         c + (size_t)i0 * n + j, n, i1 - i0,
			         min(CHUNK, j1 - j), k0 > 0);
	}
}
