/* spmv.cl - y = A x on CPUs, A sparse in compressed rows.
 *
 * The entries and the ends of the rows form one path, each row's end after
 * its entries; a work-group takes SPMV_SHARE steps of this path, wherever rows
 * begin, so that neither long rows nor many empty ones unbalance the work
 * (D. Merrill, M. Garland, Merge-based Parallel Sparse Matrix-Vector
 * Multiplication, 2016). The sums of rows that no share has whole go to
 * part[], and a last item adds these in order: the same bits on every run and
 * device.
 *
 *     path       x x x | x x | | x x x ...     | the end of a row
 *     share      +---------+-------+-----
 */
#include "spmv/spmv.h"

/* The number of rows that end within the first d steps. */
static int rows_at(global const long *starts, int rows, long d)
{
	int low = 0, high = rows;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (starts[middle + 1] + middle < d)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static wide dot(global const real *a, global const int *j,
                global const real *x, long n)
{
	wide s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	long k = 0;

	for (; k + 4 <= n; k += 4) {
		s0 = fma((wide)a[k], (wide)x[j[k]], s0);
		s1 = fma((wide)a[k + 1], (wide)x[j[k + 1]], s1);
		s2 = fma((wide)a[k + 2], (wide)x[j[k + 2]], s2);
		s3 = fma((wide)a[k + 3], (wide)x[j[k + 3]], s3);
	}
	for (; k < n; k++)
		s0 = fma((wide)a[k], (wide)x[j[k]], s0);
	return (s0 + s1) + (s2 + s3);
}

/* Share g: part[2 g] is the sum of the row that began before it, part[2 g + 1]
 * that of the row that continues after it; begin[g] is its first row, and
 * whether that began before. Where `with` is given, dots[g] is the sum over the
 * share's entries of with_i a_ij x_j, so that all of these add up to
 * with^T A x. */
static inline void share(global const long *starts, global const real *a,
                         global const real *x, global real *y,
                         global const real *c, int add, int rows, long nnz,
                         global wide *part, global int2 *begin,
                         global const real *with, global wide *dots)
{
	global const int *columns = COLUMNS(starts, rows);
	const long g = get_global_id(0);
	const long to = min((g + 1) * SPMV_SHARE, rows + nnz);
	const int last = rows_at(starts, rows, to);
	int i = rows_at(starts, rows, g * SPMV_SHARE);
	long k = g * SPMV_SHARE - i;

	wide sum = 0, row;

	begin[g] = (int2)(i, i < rows && k > starts[i]);
	if (i < last && begin[g].y) {
		row = dot(a + k, columns + k, x, starts[i + 1] - k);
		part[2 * g] = row;
		sum = with ? with[i] * row : 0;
		k = starts[++i];
	}
	for (; i < last; i++) {
		const long end = starts[i + 1];

		row = dot(a + k, columns + k, x, end - k);
		store(y, c, add, i, row);
		if (with)
			sum = fma((wide)with[i], row, sum);
		k = end;
	}
	row = dot(a + k, columns + k, x, to - last - k);
	part[2 * g + 1] = row;
	if (with)
		dots[g] = i < rows ? fma((wide)with[i], row, sum) : sum;
}

#define SHARE                                                                  \
	global const long *starts, global const real *a, global const real *x, \
	global real *y, global const real *c, int add, int rows, long nnz,     \
	global wide *part, global int2 *begin

SINGLE_ITEM kernel void spmv_shares(SHARE)
{
	share(starts, a, x, y, c, add, rows, nnz, part, begin, 0, 0);
}

SINGLE_ITEM kernel void spmv_shares_dot(SHARE, global const real *with,
                                        global wide *dots)
{
	share(starts, a, x, y, c, add, rows, nnz, part, begin, with, dots);
}

/* Adds the parts of the rows that no share has whole; one item. */
SINGLE_ITEM kernel void spmv_join(
	global real *y, global const real *c, int add, int rows, int shares,
	global const wide *part, global const int2 *begin)
{
	wide sum = 0;

	for (int g = 0; g < shares; g++) {
		const int next = g + 1 < shares ? begin[g + 1].x : rows;

		if (begin[g].x < next) {
			if (begin[g].y)
				store(y, c, add, begin[g].x, sum + part[2 * g]);
			sum = 0;
		}
		sum += part[2 * g + 1];
	}
}
