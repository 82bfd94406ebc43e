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
 * where j is the next one in ascending order. The errors that this leaves in
 * the node's matrix are at most tol.
 */
#include "tridiagonal/divide.h"

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

/* The sum of the counts of all items before this one, and of all. */
static int4 count_before(int4 own, local int4 *sums, int4 *all)
{
	const int id = get_local_id(0), items = get_local_size(0);
	int4 before = 0;

	barrier(CLK_LOCAL_MEM_FENCE);
	sums[id] = own;
	barrier(CLK_LOCAL_MEM_FENCE);
	*all = 0;
	for (int i = 0; i < items; i++) {
		before += i < id ? sums[i] : 0;
		*all += sums[i];
	}
	return before;
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

/* Can the rotation of these two elements make z_p zero? */
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

static void rotate_pair(const struct node *x, int p, int r, int at)
{
	const wide length = hypot(x->z[p], x->z[r]);
	const wide c = x->z[r] / length, s = -x->z[p] / length;
	const wide d = x->d[p], e = x->d[r];

	x->c[at] = c;
	x->s[at] = s;
	x->left[at] = p;
	x->right[at] = r;
	x->z[r] = length;
	x->z[p] = 0;
	x->d[p] = d * c * c + e * s * s;
	x->d[r] = d * s * s + e * c * c;
	turn(&x->first[p], &x->first[r], c, s);
	turn(&x->last[p], &x->last[r], c, s);
	x->kind[r] |= x->kind[p];
	x->kind[p] = DIVIDE_DEFLATED;
}

/* Are two neighbours close? While no rotation has been made, each test is
 * independent of the others. */
static int any_close(const struct node *x, int kept, local int4 *sums)
{
	const int items = get_local_size(0);
	int4 own = 0, all;

	for (int i = get_local_id(0); i + 1 < kept; i += items)
		own.x |= is_close(x, x->kept[i], x->kept[i + 1]);
	count_before(own, sums, &all);
	return all.x;
}

/* Returns the number of rotations made. For one item. */
static int rotate_all(const struct node *x, int kept)
{
	int p = x->kept[0], made = 0;

	for (int i = 1; i < kept; i++) {
		const int r = x->kept[i];

		if (is_close(x, p, r))
			rotate_pair(x, p, r, made++);
		p = r;
	}
	return made;
}

/* Which column of P, and which pole, element i becomes. */
struct place {
	int pole, column;
};

/* The columns of P: those of upper elements alone, the full ones, those of
 * lower elements alone, and the deflated ones. at: the numbers of deflated,
 * upper, lower and full elements before this one. */
static struct place place_of(int kind, const int at[4], const int all[4])
{
	const int upper = all[DIVIDE_UPPER], full = all[DIVIDE_FULL];
	const int poles = upper + full + all[DIVIDE_LOWER];
	const int begin[4] = { poles, 0, upper + full, upper };

	return (struct place){ at[1] + at[2] + at[3], begin[kind] + at[kind] };
}

/* A work-group for each node; eps is that of the element type of Q. */
kernel void divide_deflate(global wide *room, global int *lists, int n,
                           int size, wide eps, local wide *part,
                           local int4 *sums)
{
	const int base = get_group_id(0) * size;
	const int id = get_local_id(0), items = get_local_size(0);
	struct node x = {
		ARRAY(D), ARRAY(Z), ARRAY(D_FIRST), ARRAY(D_LAST), ARRAY(COS),
		ARRAY(SIN), LIST(ORDER), LIST(KIND), LIST(KEPT), LIST(LEFT),
		LIST(RIGHT), size, 0, 0
	};
	const int each = (size + items - 1) / items;
	const int from = min(id * each, size), to = min(from + each, size);
	global wide *const values = ARRAY(VALUES), *const first = ARRAY(FIRST);
	global wide *const last = ARRAY(LAST);
	int4 own = 0, before, sum;
	int at[4], all[4], kept, made = 0;

	load(&x, values, first, last, ARRAY(COUPLING)[size / 2 - 1], eps, part);
	barrier(CLK_GLOBAL_MEM_FENCE);
	kept = list_kept(&x, sums);
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (any_close(&x, kept, sums) && id == 0)
		made = rotate_all(&x, kept);
	barrier(CLK_GLOBAL_MEM_FENCE);

	for (int i = from; i < to; i++)
		own += (int4)(x.kind[i] == 0, x.kind[i] == 1, x.kind[i] == 2,
		              x.kind[i] == 3);
	before = count_before(own, sums, &sum);
	vstore4(before, 0, at);
	vstore4(sum, 0, all);
	for (int i = from; i < to; i++) {
		const int kind = x.kind[i];
		const struct place p = place_of(kind, at, all);

		at[kind]++;
		LIST(SOURCE)[p.column] = x.order[i];
		if (kind == DIVIDE_DEFLATED) {
			values[p.column] = x.d[i];
			first[p.column] = x.first[i];
			last[p.column] = x.last[i];
			continue;
		}
		LIST(PACKED)[p.column] = p.pole;
		ARRAY(POLE)[p.pole] = x.d[i];
		ARRAY(WEIGHT)[p.pole] = x.z[i];
		ARRAY(POLE_FIRST)[p.pole] = x.first[i];
		ARRAY(POLE_LAST)[p.pole] = x.last[i];
	}
	if (id != 0)
		return;
	ARRAY(RHO)[0] = x.rho;
	LIST(COUNTS)[COUNT_POLES] = sum.s1 + sum.s2 + sum.s3;
	LIST(COUNTS)[COUNT_UPPER] = sum.s1;
	LIST(COUNTS)[COUNT_FULL] = sum.s3;
	LIST(COUNTS)[COUNT_LOWER] = sum.s2;
	LIST(COUNTS)[COUNT_ROTATIONS] = made;
}
