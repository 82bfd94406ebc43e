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
 * Launch: work-group (chunk of NB right-hand sides, matrix) of NB x TEAMS
 * items. Item (side r, team) keeps the elements team, team + TEAMS, ... of its
 * right-hand side in registers. Beyond nb, T is continued by the identity
 * matrix. Backward substitution is forward substitution with rows and columns
 * counted from the last one.
 */
#include "lib/real.h"
#include "shared/blas_tile.h"

#define NB BLAS_NB
#define TEAMS BLAS_TEAMS
#define ITEMS (NB * TEAMS)
#define EACH (NB / TEAMS)

/* NVIDIA's compiler keeps an array in registers only if loops are unrolled;
 * PoCL's would take minutes to compile the barriers of unrolled loops. */
#ifdef cl_nv_pragma_unroll
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void blas_trsm(global const real *t, long t_at, long t_step, long t_row,
               long t_col, global real *x, long x_at, long x_step, long x_row,
               long x_col, int nb, int sides, int backward, int unit)
{
	local real tile[NB][NB + 1];
	local real found[2][NB];	/* a row of the solution */
	const int item = get_local_id(0), r = item % NB, team = item / NB;
	const int side = (int)get_group_id(0) * NB + r;
	const int end = nb - 1, turn = backward ? -1 : 1;
	const int first = backward ? end : 0;
	real own[EACH];

	t += t_at + get_group_id(1) * t_step;
	x += x_at + get_group_id(1) * x_step + side * x_col;
	for (int e = item; e < NB * NB; e += ITEMS) {
		const int i = t_col == 1 ? e / NB : e % NB;
		const int k = t_col == 1 ? e % NB : e / NB;

		tile[i][k] = i >= nb || k > i || (unit && i == k) ? i == k :
		             t[(first + turn * i) * t_row +
		               (first + turn * k) * t_col];
	}
	UNROLL
	for (int e = 0; e < EACH; e++) {
		const int i = e * TEAMS + team;

		own[e] = side < sides && i < nb ?
		         x[(first + turn * i) * x_row] : 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	UNROLL
	for (int e = 0; e < EACH; e++) {
		UNROLL
		for (int q = 0; q < TEAMS; q++) {
			const int k = e * TEAMS + q;

			if (team == q) {
				own[e] /= tile[k][k];
				found[k % 2][r] = own[e];
			}
			barrier(CLK_LOCAL_MEM_FENCE);
			const real now = found[k % 2][r];

			UNROLL
			for (int f = 0; f < EACH; f++) {
				const int i = f * TEAMS + team;

				if (f >= e && i > k)
					own[f] -= now * tile[i][k];
			}
		}
	}
	UNROLL
	for (int e = 0; e < EACH; e++) {
		const int i = e * TEAMS + team;

		if (side < sides && i < nb)
			x[(first + turn * i) * x_row] = own[e];
	}
}
