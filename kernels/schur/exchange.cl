/* exchange.cl - kernels that copy and exchange parts of the n x n, row-major
 * Hessenberg matrix T for the QR algorithm:
 *
 *     schur_begin    T = H with zeros below the subdiagonal, Z = I
 *     schur_look     tells the host T's diagonal, its subdiagonal, and a block
 *     schur_put      replaces a block by the host's
 *     schur_take     copies a part of T elsewhere
 *     schur_flip     mirrors T at its antidiagonal, which makes left
 *                    eigenvectors right ones
 *     schur_unflip   turns these into left eigenvectors of T
 */
#include "lib/real.h"

/* Sets z to I only if has_z is set; else z is not used, and may be t. */
kernel void schur_begin(global const real *h, int n, int has_z,
                        global real *t, global real *z)
{
	const size_t at = get_global_id(0), i = at / n, j = at % n;

	if (i >= n)
		return;
	t[at] = i <= j + 1 ? h[at] : 0;
	if (has_z)
		z[at] = i == j;
}

/* Returns whether a subdiagonal element counts as 0: it changes the eigenvalues
 * of its 2 x 2 block by no more than rounding errors (Ahues and Tisseur 1997;
 * the test of xLAHQR). t points to the diagonal element above it. */
static bool is_negligible(global const real *t, int n, real least)
{
	const real below = fabs(t[n]), above = fabs(t[1]);
	const real d = fabs(t[0] - t[n + 1]), end = fabs(t[n + 1]);
	const real size = fabs(t[0]) + end;
	const real ab = fmax(below, above), ba = fmin(below, above);
	const real aa = fmax(end, d), bb = fmin(end, d);

	return below <= least ||
	       (size > 0 && below <= REAL_EPSILON * size &&
	        ba * (ab / (aa + ab)) <=
	        fmax(least, REAL_EPSILON * (bb * (aa / (aa + ab)))));
}

/* Sets the negligible elements of T's subdiagonal in the rows after `low` up to
 * `bottom` to 0. Writes n + n + rows^2 numbers to told: T's diagonal; the
 * subdiagonal, where element i is T(i, i - 1); and the block of `rows` rows and
 * columns from row `from` on, column-major, with zeros in place of its
 * subdiagonal. Launch: n + rows^2 items. */
kernel void schur_look(global real *t, int n, int low, int bottom, int from,
                       int rows, real least, global real *told)
{
	const int id = get_global_id(0), e = id - n;

	if (id < n) {
		global real *const x = t + (size_t)id * n + id;
		const bool zero = id > low && id <= bottom &&
		                  is_negligible(x - n - 1, n, least);

		told[id] = x[0];
		told[n + id] = id == 0 || zero ? 0 : x[-1];
		if (zero)
			x[-1] = 0;
	} else if (e < rows * rows) {
		/* The block's copy leaves out the subdiagonal, because other
		 * work-items may be writing it. */
		told[2 * n + e] = e % rows == e / rows + 1 ? 0 :
		    t[(size_t)(from + e % rows) * n + from + e / rows];
	}
}

/* block is rows x rows and column-major; it replaces the block of T whose first
 * row and column is `from`. */
kernel void schur_put(global const real *block, int rows, global real *t,
                      int n, int from)
{
	const int e = get_global_id(0);

	if (e < rows * rows)
		t[(size_t)(from + e % rows) * n + from + e / rows] = block[e];
}

/* Copies a rows x cols block, whose first element is t[at], to `to`, row-major
 * without gaps. */
kernel void schur_take(global const real *t, long at, int n, int rows,
                       int cols, global real *to)
{
	const size_t e = get_global_id(0);

	if (e < (size_t)rows * cols)
		to[e] = t[at + e / cols * n + e % cols];
}

kernel void schur_flip(global const real *restrict t, int n,
                       global real *restrict to)
{
	const size_t at = get_global_id(0), i = at / n, j = at % n;

	if (i < n)
		to[at] = t[(n - 1 - j) * n + n - 1 - i];
}

/* The rows of y are the right eigenvectors of the mirrored T, and `values` its
 * eigenvalues, as for schur_solve (vectors.cl). A left eigenvector of T has the
 * conjugate components of one of these in reverse order. */
kernel void schur_unflip(global const real *restrict y, int n,
                         global const real *restrict values,
                         global real *restrict to)
{
	const size_t at = get_global_id(0), j = at / n, i = at % n;
	real im;
	size_t row;

	if (j >= n)
		return;
	im = values[n + j];
	row = im == 0 ? n - 1 - j : im > 0 ? n - 2 - j : n - j;
	to[row * n + n - 1 - i] = im < 0 ? -y[at] : y[at];
}
