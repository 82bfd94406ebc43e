/* trsm.cl - X = T^-1 X for a triangular block T of up to NB rows and many
 * right-hand sides, for a stack, on any device.
 *
 *     T  nb x nb:     element (i, k) at t_at + i t_row + k t_col
 *     X  nb x sides:  element (i, c) at x_at + i x_row + c x_col
 *
 * These are the places in the first matrix; those in the next one lie t_step
 * and x_step elements further on. T is lower triangular, or, if `backward`,
 * upper triangular. If `unit`, its diagonal is not read.
 *
 * Launch: work-group (chunk of SIDES right-hand sides, matrix) of SIDES items.
 * An item keeps a right-hand side in registers. Beyond nb, T is continued by
 * the identity matrix. Backward substitution is forward substitution with rows
 * and columns counted from the last one.
 */
#include "blas/triangle.h"

#define NB BLAS_NB
#define SIDES BLAS_SIDES

/* Element (i, k) of T, continued by the identity matrix. */
static real element(global const real *t, long row, long col, int nb,
                    bool unit, int i, int k)
{
	return i >= nb || k > i || (unit && i == k) ? i == k :
	       t[i * row + k * col];
}

kernel __attribute__((reqd_work_group_size(SIDES, 1, 1)))
void blas_trsm(global const real *t, long t_at, long t_step, long t_row,
               long t_col, global real *x, long x_at, long x_step, long x_row,
               long x_col, int nb, int sides, int backward, int unit,
               local real4 *room)
{
	local int inexact;
	const int item = get_local_id(0), end = backward ? nb - 1 : 0;
	const int side = (int)get_group_id(0) * SIDES + item;
	const long turn = backward ? -1 : 1;
	real own[NB], loaded[NB * NB / SIDES];

	t += t_at + get_group_id(1) * t_step + end * (t_row + t_col);
	x += x_at + get_group_id(1) * x_step + side * x_col + end * x_row;
	UNROLL
	for (int q = 0; q < NB * NB / SIDES; q++) {
		const int e = q * SIDES + item;

		loaded[q] = element(t, turn * t_row, turn * t_col, nb, unit,
		    t_col == 1 ? e / NB : e % NB, t_col == 1 ? e % NB : e / NB);
	}
	UNROLL
	for (int i = 0; i < NB; i++)
		own[i] = side < sides && i < nb ? x[i * turn * x_row] : 0;
	if (item == 0)
		inexact = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	UNROLL
	for (int q = 0; q < NB * NB / SIDES; q++) {
		const int e = q * SIDES + item;
		const int i = t_col == 1 ? e / NB : e % NB;
		const int k = t_col == 1 ? e % NB : e / NB;

		triangle_put((local real *)room, i, k, loaded[q]);
		if (i == k && isinf(1 / loaded[q]))
			inexact = 1;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	triangle_solve(room, own, !inexact);
	UNROLL
	for (int i = 0; i < NB; i++)
		if (side < sides && i < nb)
			x[i * turn * x_row] = own[i];
}
