/* residues_lines.cl - what must be known of the lines (residues.h) before their
 * residues are packed. matmul_residues_lines reads all elements, in chunks of
 * k; matmul_residues_norms combines the chunks; matmul_residues_magnitudes
 * packs 8-bit magnitudes for the certificate; matmul_residues_finite takes the
 * certificate's place if there is none. */
#include "matmul/nvidia/residues_lines.h"

#if defined(DTYPE_float64)

#define NONE 100000			/* no element has a bit */
#define ACROSS (ITEMS / LINES)
#define SLACK 1.001f			/* more than all rounding errors of a
					 * norm */

/* The exponent of the lowest bit of x, which is not zero. */
INLINE int low_of(double x)
{
	const uint2 w = as_uint2(x);
	const int field = w.y >> 20 & 2047;
	const uint hi = (w.y & 0xfffffu) | (field > 0 ? 0x100000u : 0);
	const uint bits = w.x != 0 ? w.x : hi;
	const int at = 31 - clz(bits & -bits) + (w.x != 0 ? 0 : 32);

	return max(field, 1) - 1075 + at;
}

/* Returns f with its norms divided by 2^e in place of 2^exponent, e >=
 * exponent. */
INLINE struct line raised(struct line f, int e)
{
	const int by = max(f.exponent - e, -126);
	const float factor = as_float((uint)(127 + by) << 23);
	const struct line g = {
		e, f.root * factor * factor, f.sum * factor, f.low
	};

	return g;
}

/* Combines two chunks of a line. `root` is the square of the 2-norm until all
 * chunks are combined. */
INLINE struct line added(struct line f, struct line g)
{
	const int e = max(f.exponent, g.exponent);
	const struct line x = raised(f, e), y = raised(g, e);
	const struct line sum = {
		e, x.root + y.root, x.sum + y.sum, min(x.low, y.low)
	};

	return sum;
}

INLINE struct line line_of(const double v[EACH])
{
	struct line f = { -1022, 0, 0, NONE };
	uint most = 0;
	double scale;

	#pragma unroll
	for (int i = 0; i < EACH; i++)
		most = max(most, as_uint2(v[i]).y & 0x7fffffffu);
	f.exponent = max((int)(most >> 20), 1) - 1023;
	scale = power(min(-f.exponent, 1022));
	#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const float x = (float)(fabs(v[i]) * scale);

		f.root = fma(x, x, f.root);
		f.sum += x;
		if (v[i] != 0)
			f.low = min(f.low, low_of(v[i]));
	}
	if (most >= 0x7ff00000u)
		f.root = f.sum = INFINITY;
	return f;
}

/* Work-group (x, y) reads `chunk` elements of its lines. Also clears the words
 * after the lines, `words` of them. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_residues_lines(
	const global double *restrict a, const global double *restrict b,
	global struct line *room, int m, int n, int k, long a_at, long b_at,
	long a_row, long a_col, long b_row, long b_col, int lines, int chunk,
	int words)
{
	local struct line part[ITEMS];
	const struct side f = side_of(a, b, m, n, k, a_at, b_at, a_row, a_col,
	                              b_row, b_col);
	const struct known to = known_of(room, lines, get_num_groups(1), 0);
	const int item = get_local_id(0), begin = get_group_id(1) * chunk;
	struct line sum = { -1022, 0, 0, NONE };

	if (get_group_id(1) == 0)
		for (int i = get_global_id(0); i < words;
		     i += get_global_size(0))
			to.tiles_that_need[i] = 0;
	for (int p = begin + item / LINES * EACH; p < min(begin + chunk, f.k);
	     p += DEPTH) {
		double v[EACH];

		load(v, &f, p);
		sum = added(sum, line_of(v));
	}
	part[item] = sum;
	ptx_barrier();
	if (item < LINES) {
		for (int i = 1; i < ACROSS; i++)
			sum = added(sum, part[item + i * LINES]);
		to.part[get_group_id(1) * lines + f.id] = sum;
	}
}

/* Is a line of whole numbers after scaling it for CERTIFIED moduli, and hence
 * for more? */
INLINE bool is_whole(const global uint *table, struct line f)
{
	return f.root < INFINITY &&
	       f.low + scale_of(table, CERTIFIED, f.root) - f.exponent >= 0;
}

kernel void matmul_residues_norms(global struct line *room,
                                  const global uint *restrict table, int lines,
                                  int chunks)
{
	const struct known f = known_of(room, lines, chunks, 0);
	const int id = get_global_id(0);
	struct line sum;

	if (id >= lines)
		return;
	sum = f.part[id];
	for (int i = 1; i < chunks; i++)
		sum = added(sum, f.part[i * lines + id]);
	sum.root = sqrt(sum.root) * SLACK;
	sum.sum *= SLACK;
	if (sum.root == 0)
		sum.exponent = sum.low = 0;
	f.line[id] = sum;
	f.judged[id] = (float2)(is_whole(table, sum) ? 0 : sum.root, sum.sum);
}

/* Packs the magnitudes |a| 2^(7 - e), rounded down, of slabs 0, every, 2 every,
 * ... of k. Work-group (x, y) packs the y-th DEPTH of these. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_residues_magnitudes(
	const global double *restrict a, const global double *restrict b,
	global uchar *restrict to_a, global uchar *restrict to_b,
	global struct line *room, int m, int n, int k, long a_at, long b_at,
	long a_row, long a_col, long b_row, long b_col, int lines, int chunks,
	int every)
{
	const struct side f = side_of(a, b, m, n, k, a_at, b_at, a_row, a_col,
	                              b_row, b_col);
	const struct line line = known_of(room, lines, chunks, 0).line[f.id];
	const int y = get_group_id(1), slabs = get_num_groups(1) * DEPTH / SLAB;
	const int in = y % (SLAB / DEPTH) * DEPTH +
	               get_local_id(0) / LINES * EACH;
	const int slab = y / (SLAB / DEPTH);
	global uchar *to = f.of_a ?
	    to_a + ((size_t)f.tile * slabs + slab) * SLAB_A +
	    in / 16 * BLOCK_A : to_b + ((size_t)f.tile * slabs + slab) *
	    SLAB_B + in / 16 * BLOCK_B;
	double v[EACH];
	uint w[EACH / 4] = { 0 };

	load(v, &f, slab * every * SLAB + in);
	#pragma unroll
	for (int i = 0; i < EACH; i++)
		w[i / 4] |= (line.root < INFINITY ?
		    (uint)scaled(fabs(v[i]), 7 - line.exponent) : 0) <<
		    i % 4 * 8;
	*(global uint4 *)(to + f.in * 16) = (uint4)(w[0], w[1], w[2], w[3]);
}

/* Work-group `id` finds whether all lines of a tile are finite. If they are,
 * the tile needs LEAST moduli. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_residues_finite(global struct line *room, int m, int n,
                                   int lines, int chunks)
{
	const int down = (m + ROWS - 1) / ROWS, across = (n + COLS - 1) / COLS;
	const struct known at = known_of(room, lines, chunks, down * across);
	const int id = get_group_id(0), item = get_local_id(0);
	const int row = id / across * ROWS;
	const int col = down * ROWS + id % across * COLS;
	local int infinite;

	if (item == 0)
		infinite = 0;
	ptx_barrier();
	for (int i = item; i < ROWS + COLS; i += ITEMS)
		if (!(at.line[i < ROWS ? row + i : col + i - ROWS].root <
		      INFINITY))
			infinite = 1;
	ptx_barrier();
	if (item == 0) {
		const int need = infinite ? NEEDS - 1 : 0;

		at.need[id] = need;
		atomic_inc(at.tiles_that_need + need);
	}
}

#endif
