/* pairs_lines.h - how pairs_largest.cl and pairs_pack.h read rows of A and
 * columns of B.
 *
 * A product's lines are the rows of A, in whole tiles, and then the columns of
 * B. Work-group (x, y) has LINES of them and, of these, the chunk or the depth
 * y of k. The work-groups of a product have neighbouring x; the first ones have
 * product `first` of the stack. The operands of product s begin at element a_at
 * of matrix place[s].x and at element b_at of matrix place[s].y of their
 * stacks, whose matrices have a_size and b_size elements. */
#include "matmul/nvidia/pairs.h"

#if defined(DTYPE_float32)

#define LINES PAIRS_PACK_LINES
#define ITEMS PAIRS_PACK_ITEMS
#define DEPTH PAIRS_DEPTH
#define OCTETS (LINES * DEPTH / 8 / ITEMS)	/* of a work-item */
#define ACROSS (ITEMS / LINES)

struct side {
	const global float *x;	/* element k = 0 of the first line */
	long line, along_k;	/* steps */
	int lines, k;		/* lines that exist, at most LINES; the end of
				 * k */
	int first;		/* number of the first line of all */
	int tile, in;		/* the tile of A or B, and the line in it */
	bool of_a;
};

INLINE struct side side_of(const global float *a, const global float *b,
                           const global int2 *place, int first, int stack,
                           long a_at, long b_at, long a_size, long b_size,
                           int m, int n, int k, long a_row, long a_col,
                           long b_row, long b_col)
{
	const int down = (m + ROWS - 1) / ROWS, across = (n + COLS - 1) / COLS;
	const int units = (down * ROWS + across * COLS) / LINES;
	const int product = get_group_id(0) / units;
	const int unit = get_group_id(0) % units;
	const bool of_a = unit * LINES < down * ROWS;
	const int line = unit * LINES - (of_a ? 0 : down * ROWS);
	const int wide = of_a ? ROWS : COLS;
	const int2 from = stack > 1 ? place[first + product] : (int2)(0, 0);
	const struct side f = {
		(of_a ? a + a_at + from.x * a_size + line * a_row :
		        b + b_at + from.y * b_size + line * b_col),
		of_a ? a_row : b_col, of_a ? a_col : b_row,
		min((of_a ? m : n) - line, LINES), k,
		get_group_id(0) * LINES,
		product * (of_a ? down : across) + line / wide, line % wide,
		of_a
	};

	return f;
}

/* Returns eight elements of line `line` from k = p on, zeros beyond k. */
INLINE float8 octet_of(const struct side *f, int line, int p)
{
	const global float *x = f->x + min(line, f->lines - 1) * f->line +
	    p * f->along_k;
	float y[8];

	if (f->along_k == 1 && p + 8 <= f->k && ((size_t)x & 15) == 0)
		return (float8)(*(const global float4 *)x,
		                *(const global float4 *)(x + 4));
	#pragma unroll
	for (int i = 0; i < 8; i++, x += f->along_k)
		y[i] = p + i < f->k ? *x : 0;
	return (float8)(y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7]);
}

/* Where octet `id` of a depth lies: its line, and its number along k.
 * Neighbouring items have neighbouring elements. */
INLINE int2 octet_at(const struct side *f, int id)
{
	const int across = DEPTH / 8;

	return f->along_k == 1 ? (int2)(id / across, id % across) :
	                         (int2)(id % LINES, id / LINES);
}

/* Loads the item's octets of the depth that begins at k = p. */
INLINE void load(float8 v[OCTETS], const struct side *f, int p)
{
	#pragma unroll
	for (int i = 0; i < OCTETS; i++) {
		const int2 at = octet_at(f, get_local_id(0) + i * ITEMS);

		v[i] = octet_of(f, at.x, p + 8 * at.y);
	}
}

#endif
