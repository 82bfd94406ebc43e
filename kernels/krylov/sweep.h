/* sweep.h - a row of the sweeps with incomplete factors (factors.cl). Included
 * by kernels only. */
#ifndef KERNELS_KRYLOV_SWEEP_H
#define KERNELS_KRYLOV_SWEEP_H

#include "krylov/krylov.h"
#include "spmv/spmv.h"

static wide rest(wide sum, global const real *lu, global const int *columns,
                 global const real *z, int k, int end)
{
	for (; k < end; k++)
		sum = fma(-(wide)lu[k], (wide)z[columns[k]], sum);
	return sum;
}

/* Returns element i of the solution of L z = r from the elements before it. */
static inline real lower_row(int i, global const long *starts,
                             global const int *columns,
                             global const int *corner, global const real *lu,
                             global const real *r, global const real *z)
{
	return rest(r[i], lu, columns, z, (int)starts[i], corner[i]);
}

/* Returns element i of the solution of U x = z from the elements behind it,
 * which have replaced those of z. */
static inline real upper_row(int i, global const long *starts,
                             global const int *columns,
                             global const int *corner, global const real *lu,
                             global const real *pivot, global const real *z)
{
	return pivot[i] * rest(z[i], lu, columns, z, corner[i] + 1,
	                       (int)starts[i + 1]);
}

#endif
