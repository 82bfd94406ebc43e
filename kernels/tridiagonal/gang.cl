/* gang.cl - the columns of the tridiagonal reduction by several devices
 * (src/ops/eigen/gang.h). Each device holds some rows of A, `own` of them,
 * which are dealt out in blocks of `width` rows. The head of sytrd.cl describes
 * the mathematics and the other arrays, which all devices hold as a whole. For
 * a column they launch
 *
 *     sytrd_own_times   y = A v for the device's own rows, and s = (W V)^T v,
 *                       for the reflection that maps column p, which is in x,
 *                       to (d, e, 0, ...)
 *     sytrd_gather      y in the order of A's rows, of the elements that all
 *                       devices have sent, and partial sums of v^T y
 *
 * and then sytrd_column. After a panel they launch
 *
 *     sytrd_own_rows    the elements of P that belong to the device's own rows
 *
 * to update their rows of A.
 */
#include "tridiagonal/column.h"

/* The rows are the device's own rows of A from row `from` on, and after those
 * the `count` rows of Q; each work-group multiplies TEAMS of them by v. The
 * elements of y go to `y_parts`, which has an element for each own row and,
 * after those, the subdiagonal element of T. There is at least one
 * work-group. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void sytrd_own_times(global const real *a, int own, int from, int n, int ld,
                     int p, int count, global const real *x,
                     global const real *q, global real *s, global wide *t,
                     global real *y_parts, long at)
{
	local struct sums l;
	const int id = get_local_id(0), lane = id % SYTRD_TEAM, first = p + 1;
	const int team = id / SYTRD_TEAM, row = from + get_group_id(0) * TEAMS +
	                                        team;
	const global real *by = row < own ? a + (size_t)row * ld :
	    q + (size_t)(row - own < count ? row - own : 0) * ld;
	const int end = row - own < count ? n : 0;
	const real corner = by[first];
	bundle sum = 0;
	struct reflection h;

	for (int k = first / BUNDLE * BUNDLE + BUNDLE * lane; k < end;
	     k += STEP)
		sum += *(const global bundle *)(by + k) *
		       *(const global bundle *)(x + k);
	team_sums(BUNDLE_SUM(sum), norm_share(x, first, n), &l);
	h = reflection_of(x[first], sum_of_teams(l.more_teams));
	if (lane == 0) {
		const real y = h.scale * (l.teams[team] - h.beta * corner);

		if (row < own)
			y_parts[at + row] = y;
		else if (row - own < count)
			s[row - own] = y;
	}
	if (get_global_id(0) == 0) {
		y_parts[at + own] = h.beta;
		t[n + p] = h.beta;
		t[2 * n + p] = h.tau;
		t[3 * n] = h.scale;
	}
}

/* Launched with a work-item for each row below the diagonal of column p. The
 * elements of a device's own rows lie one after another in `y_parts`, those of
 * each device `step` elements after the ones of the device before it. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void sytrd_gather(global const real *y_parts, long step, int width, int parts,
                  int n, int p, global const real *x, global const wide *t,
                  global real *y, global wide *products)
{
	local wide part[ITEMS];
	const int id = get_local_id(0), first = p + 1;
	const int r = first + get_global_id(0), block = r / width;
	const wide scale = t[3 * n];
	wide sum = 0;

	part[id] = 0;
	if (r < n) {
		const real own = y_parts[block % parts * step +
		                         block / parts * width + r % width];
		const real v = r == first ? scale != 0 : scale * x[r];

		y[r] = own;
		part[id] = (wide)v * own;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id % TEAMS || r >= n)
		return;
	for (int i = 0; i < TEAMS; i++)
		sum += part[id + i];
	products[get_global_id(0) / TEAMS] = sum;
}

/* to[k][i] = P[k][r_i] for own row i, which is row r_i of A. Rows of `to` have
 * to_ld elements. Launched in two dimensions, with a work-item for each
 * element. */
kernel void sytrd_own_rows(global const real *pp, int ld, int own, int width,
                           int part, int parts, int rows, int to_ld,
                           global real *to)
{
	const int i = get_global_id(0), k = get_global_id(1);

	if (i < own && k < rows)
		to[(size_t)k * to_ld + i] = pp[(size_t)k * ld + i % width +
		    (i / width * parts + part) * width];
}
