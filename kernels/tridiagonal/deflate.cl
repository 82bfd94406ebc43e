/* deflate.cl - finds the eigenpairs of D + rho z z^T that need no equation to
 * be solved (Cuppen 1981; Dongarra and Sorensen 1987), for each node of a
 * level.
 *
 * D are the eigenvalues of the node's two halves, z the last row of the upper
 * half's eigenvectors and the first row of the lower half's, and rho makes z of
 * length 1. With tol = 8 eps max(|d|, |z|) an eigenpair is deflated if
 *
 *     rho |z_i| <= tol, or
 *     |(d_j - d_i) c s| <= tol for the rotation (c, s) that makes z_i zero,
 *
 * where d_j is, in ascending order, the next of the d whose z is not
 * negligible. Each deflation leaves an error of at most tol in the node's
 * matrix. The d that are not deflated are called poles. They differ by more
 * than tol.
 */
#include "tridiagonal/divide.h"

/* The arrays of a node (shared/divide_room.h), its number of rows, and rho and
 * tol as above. */
struct node {
	global wide *d, *z, *first, *last, *c, *s;
	global int *order, *kind, *kept, *left, *right;
	int size;
	wide rho, tol;
};

GROUP_FOLD(group_most, wide, fmax)

/* Loads the node's arrays in ascending order, and sets rho and tol. */
static void load(struct node *x, global const wide *values,
                 global const wide *first, global const wide *last,
                 wide coupling, wide eps, local wide *part)
{
	const int items = get_local_size(0), above = x->size / 2;
	const wide scale = sqrt((wide)0.5);
	wide most = 0;

	for (int i = get_local_id(0); i < x->size; i += items) {
		const int col = x->order[i], upper = col < above;
		const wide f = first[col], l = last[col];

		x->d[i] = values[col];
		x->z[i] = scale * (upper ? l : coupling < 0 ? -f : f);
		x->first[i] = upper ? f : 0;
		x->last[i] = upper ? 0 : l;
		x->kind[i] = upper ? DIVIDE_UPPER : DIVIDE_LOWER;
		most = fmax(most, fmax(fabs(x->d[i]), fabs(x->z[i])));
	}
	x->rho = 2 * fabs(coupling);
	x->tol = 8 * eps * group_most(most, part);
}

/* Returns the sum of `own` over all work-items before this one, and sets *all
 * to its sum over all work-items. */
static int4 count_before(int4 own, local int4 *sums, int4 *all)
{
	const int id = get_local_id(0), items = get_local_size(0);

	barrier(CLK_LOCAL_MEM_FENCE);
	sums[id] = own;
	for (int w = 1; w < items; w *= 2) {
		int4 other = 0;

		barrier(CLK_LOCAL_MEM_FENCE);
		if (id >= w)
			other = sums[id - w];
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[id] += other;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	*all = sums[items - 1];
	return sums[id] - own;
}

/* Lists the elements whose z is not negligible, and returns their number. */
static int list_kept(const struct node *x, local int4 *sums)
{
	const int each = (x->size + get_local_size(0) - 1) / get_local_size(0);
	const int from = min((int)get_local_id(0) * each, x->size);
	const int to = min(from + each, x->size);
	int4 own = 0, all, at;

	for (int i = from; i < to; i++) {
		if (x->rho * fabs(x->z[i]) <= x->tol)
			x->kind[i] = DIVIDE_DEFLATED;
		own.x += x->kind[i] != DIVIDE_DEFLATED;
	}
	at = count_before(own, sums, &all);
	for (int i = from; i < to; i++)
		if (x->kind[i] != DIVIDE_DEFLATED)
			x->kept[at.x++] = i;
	return all.x;
}

/* Returns whether the rotation of elements p and r that makes z_p zero leaves
 * an off-diagonal element of at most tol, so that p is deflated. */
static int is_close(const struct node *x, int p, int r)
{
	const wide a = x->z[p], b = x->z[r];

	return fabs((x->d[r] - x->d[p]) * a * b) <= x->tol * (a * a + b * b);
}

static void turn(global wide *x, global wide *y, wide c, wide s)
{
	const wide old = *x;

	*x = c * old + s * *y;
	*y = c * *y - s * old;
}

/* Makes z_p zero by a rotation with element r, which deflates p, and records
 * the rotation as number `at`. */
static void rotate_pair(const struct node *x, int p, int r, int at)
{
	const wide length = hypot(x->z[p], x->z[r]);
	const wide c = x->z[r] / length, s = -x->z[p] / length;
	const wide d = x->d[p], e = x->d[r];

	x->c[at] = c;
	x->s[at] = s;
	x->left[at] = p;
	x->z[r] = length;
	x->z[p] = 0;
	x->d[p] = d * c * c + e * s * s;
	x->d[r] = d * s * s + e * c * c;
	turn(&x->first[p], &x->first[r], c, s);
	turn(&x->last[p], &x->last[r], c, s);
	x->kind[r] |= x->kind[p];
	x->kind[p] = DIVIDE_DEFLATED;
}

/* Finds the pairs of neighbours that are close, and returns their number. Pair
 * i is elements kept[i] and kept[i + 1]. right[i] becomes kept[i + 1] if the
 * pair is close, else -1; left[i] becomes -1, which means that there is no
 * rotation yet. */
static int find_close(const struct node *x, int kept, local int4 *sums)
{
	const int items = get_local_size(0);
	int4 own = 0, all;

	for (int i = get_local_id(0); i + 1 < kept; i += items) {
		const int r = x->kept[i + 1];
		const int close = is_close(x, x->kept[i], r);

		x->left[i] = -1;
		x->right[i] = close ? r : -1;
		own.x += close;
	}
	count_before(own, sums, &all);
	return all.x;
}

/* Rotates the close pairs. One work-item takes each run of consecutive close
 * pairs, because they share elements. A rotation changes both elements, so that
 * the next pair is tested again. */
static void rotate_runs(const struct node *x, int pairs)
{
	const int items = get_local_size(0);

	for (int i = get_local_id(0); i < pairs; i += items) {
		if (i > 0 && x->right[i - 1] >= 0)
			continue;
		for (int j = i; j < pairs && x->right[j] >= 0; j++)
			if (is_close(x, x->kept[j], x->right[j]))
				rotate_pair(x, x->kept[j], x->right[j], j);
	}
}

/* The numbers of the pole and of the column of P that an element becomes. A
 * deflated element has no pole. */
struct place {
	int pole, column;
};

/* Returns the place of an element of this kind. P has the columns with nonzero
 * elements in the upper half only, then the full ones, then those of the lower
 * half only, and last the deflated ones. at[kind] is the number of elements of
 * a kind before this one, all[kind] their number in the node. */
static struct place place_of(int kind, const int at[4], const int all[4])
{
	const int upper = all[DIVIDE_UPPER], full = all[DIVIDE_FULL];
	const int poles = upper + full + all[DIVIDE_LOWER];
	const int begin[4] = { poles, 0, upper + full, upper };

	return (struct place){ at[1] + at[2] + at[3], begin[kind] + at[kind] };
}

/* Gives every element its place, and returns how many are of each kind. */
static int4 place_all(const struct node *x, global wide *room,
                      global int *lists, int n, int base, local int4 *sums)
{
	const int each = (x->size + get_local_size(0) - 1) / get_local_size(0);
	const int from = min((int)get_local_id(0) * each, x->size);
	const int to = min(from + each, x->size);
	int4 own = 0, sum;
	int at[4], all[4];

	for (int i = from; i < to; i++)
		own += (int4)(x->kind[i] == 0, x->kind[i] == 1,
		              x->kind[i] == 2, x->kind[i] == 3);
	vstore4(count_before(own, sums, &sum), 0, at);
	vstore4(sum, 0, all);
	for (int i = from; i < to; i++) {
		const struct place p = place_of(x->kind[i], at, all);

		at[x->kind[i]]++;
		LIST(SOURCE)[p.column] = x->order[i];
		if (x->kind[i] == DIVIDE_DEFLATED) {
			ARRAY(VALUES)[p.column] = x->d[i];
			ARRAY(FIRST)[p.column] = x->first[i];
			ARRAY(LAST)[p.column] = x->last[i];
		} else {
			LIST(PACKED)[p.column] = p.pole;
			ARRAY(POLE)[p.pole] = x->d[i];
			ARRAY(WEIGHT)[p.pole] = x->z[i];
			ARRAY(POLE_FIRST)[p.pole] = x->first[i];
			ARRAY(POLE_LAST)[p.pole] = x->last[i];
		}
	}
	return sum;
}

/* Launched with a work-group for each node. eps is the machine epsilon of the
 * element type of Q. */
kernel void divide_deflate(global wide *room, global int *lists, int n,
                           int size, wide eps, local wide *part,
                           local int4 *sums)
{
	const int base = get_group_id(0) * size;
	struct node x = {
		ARRAY(D), ARRAY(Z), ARRAY(D_FIRST), ARRAY(D_LAST), ARRAY(COS),
		ARRAY(SIN), LIST(ORDER), LIST(KIND), LIST(KEPT), LIST(LEFT),
		LIST(RIGHT), size, 0, 0
	};
	int kept, pairs;
	int4 sum;

	load(&x, ARRAY(VALUES), ARRAY(FIRST), ARRAY(LAST),
	     ARRAY(COUPLING)[size / 2 - 1], eps, part);
	barrier(CLK_GLOBAL_MEM_FENCE);
	kept = list_kept(&x, sums);
	barrier(CLK_GLOBAL_MEM_FENCE);
	pairs = find_close(&x, kept, sums) > 0 ? kept - 1 : 0;
	barrier(CLK_GLOBAL_MEM_FENCE);
	rotate_runs(&x, pairs);
	barrier(CLK_GLOBAL_MEM_FENCE);
	sum = place_all(&x, room, lists, n, base, sums);
	if (get_local_id(0) != 0)
		return;
	ARRAY(RHO)[0] = x.rho;
	COUNT(POLES) = sum.s1 + sum.s2 + sum.s3;
	COUNT(UPPER) = sum.s1;
	COUNT(FULL) = sum.s3;
	COUNT(LOWER) = sum.s2;
	COUNT(PAIRS) = pairs;
}
