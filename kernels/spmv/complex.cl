/* complex.cl - y = A x or c + A x with complex elements, on any device, A
 * sparse in compressed rows (spmv.h). An element is a real and an imaginary
 * part, of type `real`; the products are summed in float64 where the device has
 * it. One work-item per row.
 * Launch: rows, in groups of 64.
 */
#include "spmv/spmv.h"

kernel void spmv_complex(global const long *starts, global const real *a,
                         global const real *x, global real *y,
                         global const real *c, int add, int rows)
{
	global const int *columns = COLUMNS(starts, rows);
	const int row = get_global_id(0);
	const size_t at = 2 * (size_t)row;
	wide re = 0, im = 0;

	if (row >= rows)		/* the grid is rounded up */
		return;
	for (long k = starts[row]; k < starts[row + 1]; k++) {
		const wide p = a[2 * k], q = a[2 * k + 1];
		const size_t j = 2 * (size_t)columns[k];
		const wide u = x[j], v = x[j + 1];

		re = fma(-q, v, fma(p, u, re));
		im = fma(q, u, fma(p, v, im));
	}
	y[at] = (real)(add ? (wide)c[at] + re : re);
	y[at + 1] = (real)(add ? (wide)c[at + 1] + im : im);
}
