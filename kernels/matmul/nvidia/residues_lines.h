/* residues_lines.h - how residues_lines.cl and residues_pack.cl read rows of A
 * and columns of B.
 *
 * Lines are numbered: first the rows of A, rounded up to whole tiles, then the
 * columns of B. Work-group (x, y) reads LINES lines, and each of its items 16
 * neighbouring elements of one line at a time. Element (0, 0) of A and B lies
 * at a_at and b_at of their buffers. */
#include "matmul/nvidia/residues.h"

#if defined(DTYPE_float64)

#define LINES RESIDUES_LINES
#define DEPTH RESIDUES_DEPTH
#define ITEMS RESIDUES_PACK_ITEMS
#define EACH 16

struct side {
	const global double *x;		/* the item's line, element k = 0 */
	long step;			/* along k */
	int k;				/* its elements; 0 beyond the last */
	int id;				/* the line's number */
	int tile, in;			/* the tile of A or B, the line in it */
	bool of_a;
};

INLINE struct side side_of(const global double *a, const global double *b,
                           int m, int n, int k, long a_at, long b_at,
                           long a_row, long a_col, long b_row, long b_col)
{
	const int of_rows = (m + ROWS - 1) / ROWS * ROWS;
	const int id = get_group_id(0) * LINES + get_local_id(0) % LINES;
	const bool of_a = id < of_rows;
	const int line = of_a ? id : id - of_rows;
	const int wide = of_a ? ROWS : COLS;
	const struct side f = {
		of_a ? a + a_at + line * a_row : b + b_at + line * b_col,
		of_a ? a_col : b_row, line < (of_a ? m : n) ? k : 0, id,
		line / wide, line % wide, of_a
	};

	return f;
}

/* Loads the item's elements from k = p on, zeros beyond the end. */
INLINE void load(double v[EACH], const struct side *f, int p)
{
	const global double *x = f->x + p * f->step;

	if (f->step == 1 && p + EACH <= f->k && ((size_t)x & 15) == 0) {
		#pragma unroll
		for (int i = 0; i < EACH; i += 2) {
			const double2 y = *(const global double2 *)(x + i);

			v[i] = y.x;
			v[i + 1] = y.y;
		}
	} else {
		#pragma unroll
		for (int i = 0; i < EACH; i++)
			v[i] = p + i < f->k ? x[i * f->step] : 0;
	}
}

/* Returns x 2^e, in two steps because 2^e may be no number. */
INLINE double scaled(double x, int e)
{
	return x * power(e / 2) * power(e - e / 2);
}

#endif
