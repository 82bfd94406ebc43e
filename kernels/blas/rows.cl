/* rows.cl - copies rows between parts of row-major matrices, by lists of
 * numbers of rows: to[to_rows[r]][c] = from[from_rows[r]][c] for r < rows, c <
 * cols. Without a list, row number r is r itself; a list begins at element
 * `first` of its buffer. The rows that are read must not overlap those that are
 * written: rows are interchanged by two launches, through a buffer between
 * them. Item (column, row). */
#include "lib/real.h"

kernel void blas_rows(global const real *from, long from_at, long from_ld,
                      global const int *from_rows, long from_first,
                      global real *to, long to_at, long to_ld,
                      global const int *to_rows, long to_first, int rows,
                      int cols)
{
	const int c = get_global_id(0), r = get_global_id(1);

	if (c >= cols || r >= rows)
		return;
	to[to_at + (to_rows ? to_rows[to_first + r] : r) * to_ld + c] =
		from[from_at + (from_rows ? from_rows[from_first + r] : r) *
		               from_ld + c];
}
