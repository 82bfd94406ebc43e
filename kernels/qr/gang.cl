/* gang.cl - the steps of A = Q R by several devices (src/ops/qr/gang.h) that no
 * other kernel does. A device holds some blocks of `width` columns side by side
 * in rows of `own` elements (ops/gang/columns.h). A panel of them has `rows`
 * rows, and begins at element `at` of the device's columns, on the diagonal.
 *
 *     qr_gang_scale     a_ij = 2^-e_j a_ij                     an item for each
 *                                                              element
 *     qr_gang_t         T of NB reflections each, from V^T V
 *                       and tau: t_jj = tau_j, and for i < j
 *                       t_ij = -tau_j sum t_il (V^T V)_lj
 *                       over l from i to j - 1 (Schreiber
 *                       and Van Loan 1989)                     a group for each
 *                                                              NB reflections
 *     qr_gang_keep      stores a panel: R on and above the
 *                       diagonal, V below it                   an item for each
 *                                                              element
 *     qr_gang_v         V of a stored panel, with its ones and
 *                       zeros                                  the same
 *     qr_gang_r         columns of R: r_ij = 2^e_j w_ij        the same
 *     qr_gang_identity  columns of the identity                the same
 */
#include "lib/real.h"
#include "lib/wide.h"
#include "shared/qr_block.h"

#include "qr/exponent.h"

#define NB QR_NB

kernel void qr_gang_scale(global real *restrict a, int own,
                          global const int *restrict exponents, long count)
{
	const size_t i = get_global_id(0);

	if (i < count)
		a[i] = ldexp(a[i], -exponent_of(exponents[i % own]));
}

/* gram is V^T V and t becomes T, both with rows of ld elements; of T only the
 * diagonal blocks are written. r is the number of reflections. */
kernel __attribute__((reqd_work_group_size(NB, 1, 1)))
void qr_gang_t(global const real *restrict gram, global const real *tau, int r,
               int ld, global real *restrict t)
{
	local wide row[NB][NB + 1];
	const int i = get_local_id(0), first = get_group_id(0) * NB;
	const int nb = min(NB, r - first);

	tau += first;
	gram += (size_t)first * ld + first;
	t += (size_t)first * ld + first;
	for (int j = 0; j < nb; j++) {
		wide sum = 0;

		for (int l = i; l < j; l++)
			sum += row[i][l] * gram[(size_t)l * ld + j];
		row[i][j] = j < i ? 0 : j == i ? tau[j] : -tau[j] * sum;
	}
	for (int j = 0; j < nb && i < nb; j++)
		t[(size_t)i * ld + j] = row[i][j];
}

/* w has `cols` columns, the first r of which have reflections in v. */
kernel void qr_gang_keep(global const real *restrict w, int cols,
                         global const real *restrict v, int ldv, int r,
                         long count, global real *restrict a, long at, int own)
{
	const size_t e = get_global_id(0), i = e / cols;
	const int j = e % cols;

	if (e < count)
		a[at + i * own + j] = i > j && j < r ? v[i * ldv + j] : w[e];
}

kernel void qr_gang_v(global const real *restrict a, long at, int own, int r,
                      int ldv, long count, global real *restrict v)
{
	const size_t e = get_global_id(0), i = e / ldv;
	const int j = e % ldv;

	if (e < count)
		v[e] = j >= r || i < j ? 0 : i == j ? 1 : a[at + i * own + j];
}

/* r has `cols` columns of R, the first of which is column `first` of R and
 * column `from` of the device's columns. */
kernel void qr_gang_r(global const real *restrict a, int own, int from,
                      int first, int cols,
                      global const int *restrict exponents, long count,
                      global real *restrict r)
{
	const size_t e = get_global_id(0), i = e / cols;
	const int j = e % cols;

	if (e < count)
		r[e] = i > first + j ? 0 :
		       ldexp(a[i * own + from + j],
		             exponent_of(exponents[from + j]));
}

kernel void qr_gang_identity(int own, int width, int part, int parts,
                             long count, global real *restrict q)
{
	const size_t e = get_global_id(0), i = e / own;
	const int c = e % own;

	if (e < count)
		q[e] = i == (size_t)(c / width * parts + part) * width +
		            c % width;
}
