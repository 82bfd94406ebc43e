/* ormtr.cl - the triangular T of the compact WY form of Householder
 * reflections,
 *
 *     H_0 H_1 ... = I - V T V^T    (Schreiber and Van Loan 1989),
 *
 * from G = V^T V: t_jj = tau_j, and column j of T above its diagonal is
 * -tau_j T g_j (LAPACK's xLARFT).
 *
 * There is a G and a T for every ORMTR_BLOCK reflections, stored one after
 * another with ORMTR_BLOCK x ORMTR_BLOCK elements each. A work-group computes
 * one diagonal block of ORMTR_LEAF x ORMTR_LEAF elements of a T, with zeros
 * below the diagonal. tau_j is element at_taus + j of taus for j < count, and 0
 * for the others.
 */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/tridiagonal_tile.h"

#define SLICES (SYTRD_ITEMS / ORMTR_LEAF)

kernel __attribute__((reqd_work_group_size(SYTRD_ITEMS, 1, 1)))
void ormtr_triangle(global const real *restrict g,
                    global const wide *restrict taus, int at_taus, int count,
                    global real *restrict t)
{
	local real triangle[ORMTR_LEAF][ORMTR_LEAF + 1];
	local wide part[SYTRD_ITEMS];
	const int leaves = ORMTR_BLOCK / ORMTR_LEAF, group = get_group_id(0);
	const int id = get_local_id(0), i = id % ORMTR_LEAF;
	const int slice = id / ORMTR_LEAF;
	const size_t at = (size_t)(group / leaves) * ORMTR_BLOCK *
	    ORMTR_BLOCK + group % leaves * ORMTR_LEAF * (ORMTR_BLOCK + 1);

	for (int k = slice; k < ORMTR_LEAF; k += SLICES)
		triangle[k][i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int j = 0; j < ORMTR_LEAF; j++) {
		const int reflector = group * ORMTR_LEAF + j;
		const wide tau = reflector < count ?
		    taus[at_taus + reflector] : 0;
		wide sum = 0;

		for (int k = i + slice; k < j; k += SLICES)
			sum += (wide)triangle[i][k] *
			       g[at + (size_t)k * ORMTR_BLOCK + j];
		part[id] = sum;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (slice == 0) {
			for (int k = 1; k < SLICES; k++)
				sum += part[k * ORMTR_LEAF + i];
			triangle[i][j] = i < j ? -tau * sum :
			                 i == j ? tau : 0;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int k = slice; k < ORMTR_LEAF; k += SLICES)
		t[at + (size_t)k * ORMTR_BLOCK + i] = triangle[k][i];
}
