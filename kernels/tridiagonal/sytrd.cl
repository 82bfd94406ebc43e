/* sytrd.cl - T = Q^T A Q, tridiagonal, of a symmetric matrix A, by panels of
 * Householder reflections H = I - tau v v^T (Dongarra, Sorensen and Hammarling
 * 1989; LAPACK's xLATRD). Within a panel A stays as it is, and the matrix that
 * the panel's columns see is
 *
 *     A - V W^T - W V^T,    w = tau (A v - V (W^T v) - W (V^T v)) + alpha v,
 *                           alpha = -tau/2 (w^T v without its alpha term),
 *
 * with a column of V and W for each column of the panel. The host updates A by
 * one matrix product at the end of a panel.
 *
 *     sytrd_start     x = column 0 of A
 *     sytrd_times     y = A v, s = (W V)^T v and v^T y for the reflection that
 *                     maps column p, which is in x, to (d, e, 0, ...)
 *     sytrd_column    w, and x = column p + 1
 *     sytrd_clean     reflector i becomes row i of an upper triangular matrix
 *
 * A column takes two launches, sytrd_times and sytrd_column. Work-groups of a
 * launch need nothing from each other: a sum over all rows is left as one
 * partial sum for each work-group, and all work-groups of the next launch add
 * these up.
 *
 * A is n x n with rows of ld elements, a multiple of BUNDLE; both triangles are
 * filled, so that rows are read in place of columns. V and W lie by rows of ld
 * elements, too: rows 2 j and 2 j + 1 of P are v_j and w_j, those of Q w_j and
 * v_j. So V W^T + W V^T = P^T Q. Reflector p overwrites row p of A from column
 * p + 1 on. Elements of x before column p + 1, and all elements in the padding
 * of rows, are 0.
 *
 * If a column is 0 below its subdiagonal, tau, v and w are 0. t holds the
 * results: the diagonal d of T, its off-diagonal e and tau, n numbers each, and
 * then the scale of the current reflection.
 */
#include "tridiagonal/column.h"

/* Launched in one dimension, with a work-item for each element of x. */
kernel void sytrd_start(global const real *restrict a, int n,
                        global real *restrict x, global wide *restrict t)
{
	const int r = get_global_id(0);

	if (r < n)
		x[r] = r == 0 ? 0 : a[r];
	if (r == 0)
		t[0] = a[0];
}

/* Launched with a work-group for each of all_blocks() blocks. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void sytrd_times(global real *a, int n, int ld, int p, int count,
                 global real *x, global real *pp, global real *q,
                 global real *y, global real *s, global wide *products,
                 global wide *t)
{
	local struct sums l;
	const struct column c = { a, n, ld, p, x, pp, q, count, y, s, products,
	                          t };
	struct reflection h;
	struct head head;

	column_head(&head, &c, get_group_id(0));
	column_times(&c, &head, get_group_id(0), 1, &h, &l);
	if (get_group_id(0) == 0 && get_local_id(0) == 0) {
		t[n + p] = h.beta;
		t[2 * n + p] = h.tau;
		t[3 * n] = h.scale;
	}
}

/* Launched with a work-group for every ROWS rows of w. Writes rows `count` and
 * count + 1 of P and of Q. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void sytrd_column(global real *a, int n, int ld, int p, int count,
                  global real *x, global real *pp, global real *q,
                  global real *y, global real *s, global wide *products,
                  global wide *t)
{
	local struct sums l;
	const struct column c = { a, n, ld, p, x, pp, q, count, y, s, products,
	                          t };
	const struct reflection h = { t[n + p], t[2 * n + p], t[3 * n] };
	const real own_y = column_y(&c, get_group_id(0));
	struct common u;
	struct near near;

	column_near(&near, &c, get_group_id(0));
	u = column_common(&c, &near, h, &l);
	column_next(&c, &u, &near, own_y, get_group_id(0), &l);
}

/* Launched in one dimension, with a work-item for each of the `count` elements
 * of A, padding included. */
kernel void sytrd_clean(global real *a, int ld, long count)
{
	const size_t at = get_global_id(0);

	if (at < count && at % ld <= at / ld)
		a[at] = 0;
}
