/* factors.cl - incomplete factors of a sparse matrix A in compressed rows: A is
 * about L U, where L, with ones on its diagonal, and U have entries only where
 * A has some (J. A. Meijerink, H. A. van der Vorst 1977). For a symmetric A, U
 * is D L^T, so that L D L^T is the incomplete factorization of Cholesky's kind.
 *
 * index: as spmv's kernels have it (spmv/spmv.h). lu: the factors' entries, in
 * A's places. corner[i] is the place of row i's diagonal entry, pivot[i] the
 * reciprocal of U's.
 *
 * A row depends on earlier rows (or later ones, in the upper sweep). order
 * lists the rows by levels; level l, which begins at level[l], depends only on
 * levels before it. A launch computes the levels `from` up to before `to`: with
 * any number of work-groups if it is one level, else with one work-group,
 * between whose levels a barrier stands. Without order there is one level of
 * all rows, and a single work-item takes them in ascending or, in the upper
 * sweep, descending order.
 */
#include "krylov/sweep.h"

#define LEVELS global const int *order, global const int *level, int from, \
	int to, int rows

#define EACH_LEVEL(l) for (int l = from; l < to; l++)
#define EACH_ROW(at, l) for (int at = level[l] + (int)get_global_id(0); \
	at < level[(l) + 1]; at += (int)get_global_size(0))
#define END_LEVEL barrier(CLK_GLOBAL_MEM_FENCE)

/* Row i loses its entries below the diagonal: l_ik = a_ik / u_kk for k < i, and
 * a_ij -= l_ik u_kj at the places j > k that row i has. */
static void eliminate(global const long *starts, global const int *columns,
                      int i, global real *lu, global const int *corner,
                      global const real *pivot)
{
	const int end = (int)starts[i + 1];

	for (int at = (int)starts[i]; at < corner[i]; at++) {
		const int k = columns[at];
		const real l = lu[at] * pivot[k];
		int mine = at + 1;

		lu[at] = l;
		for (int u = corner[k] + 1; u < (int)starts[k + 1]; u++) {
			while (mine < end && columns[mine] < columns[u])
				mine++;
			if (mine < end && columns[mine] == columns[u])
				lu[mine] = fma(-l, lu[u], lu[mine]);
		}
	}
}

/* lu holds A's entries, the diagonal ones times 1 + shift. fault becomes the
 * least row whose pivot is zero or not finite or, with `positive`, not
 * positive; it is at least `rows` before. */
kernel void krylov_factor(global const long *starts, LEVELS,
                          global const int *corner, global real *lu,
                          global real *pivot, int positive,
                          volatile global int *fault)
{
	global const int *columns = COLUMNS(starts, rows);

	EACH_LEVEL(l) {
		EACH_ROW(at, l) {
			const int i = order ? order[at] : at;
			real u;

			eliminate(starts, columns, i, lu, corner, pivot);
			u = lu[corner[i]];
			if (u == 0 || !isfinite(1 / u) ||
			    (positive && !(u > 0)))
				atomic_min(fault, i);
			pivot[i] = 1 / u;
		}
		END_LEVEL;
	}
}

/* lu = a; the diagonal entries times 1 + shift. Launch: an item per row. */
kernel void krylov_factor_begin(global const long *starts, int rows,
                                global const real *restrict a,
                                global const int *corner, wide shift,
                                global real *restrict lu)
{
	const int i = get_global_id(0);

	if (i >= rows)
		return;
	for (long k = starts[i]; k < starts[i + 1]; k++)
		lu[k] = k == corner[i] ? (real)(a[k] * (1 + shift)) : a[k];
}

/* L z = r. */
kernel void krylov_lower(STATE, global const long *starts, LEVELS,
                         global const int *corner, global const real *lu,
                         global const real *r, global real *z)
{
	global const int *columns = COLUMNS(starts, rows);

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH_LEVEL(l) {
		EACH_ROW(at, l) {
			const int i = order ? order[at] : at;

			z[i] = lower_row(i, starts, columns, corner, lu, r, z);
		}
		END_LEVEL;
	}
}

/* U z = z. */
kernel void krylov_upper(STATE, global const long *starts, LEVELS,
                         global const int *corner, global const real *lu,
                         global const real *pivot, global real *z)
{
	global const int *columns = COLUMNS(starts, rows);

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH_LEVEL(l) {
		EACH_ROW(at, l) {
			const int i = order ? order[at] : rows - 1 - at;

			z[i] = upper_row(i, starts, columns, corner, lu, pivot,
			                 z);
		}
		END_LEVEL;
	}
}
