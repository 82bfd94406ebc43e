/* divide.cl - the steps of divide and conquer that only sort or move data: they
 * sort the eigenvalues of the nodes, rotate and permute the eigenvectors, and
 * write the result. The eigenvectors of each node of a level are a diagonal
 * block of Q, and after rotation and permutation one of P. Q and P have the
 * kernel's element type and are row-major and n x n. Arrays of n numbers are
 * `wide`. */
#include "tridiagonal/divide.h"

GROUP_FOLD(group_count, int, PLUS)

/* Returns whether x with index i comes before y with index j. Equal values are
 * ordered by their indices, so that every value has a place of its own. */
static int is_before(wide x, int i, wide y, int j)
{
	return x < y || (!(y < x) && i < j);
}

/* Sorts the values of each node, where the work-group of value i counts the
 * values before it. */
kernel void divide_order(global const wide *restrict room,
                         global int *restrict lists, int n, int size,
                         local int *part)
{
	const int row = get_group_id(0), i = row % size, base = row - i;
	const int id = get_local_id(0), items = get_local_size(0);
	global const wide *const v = ARRAY(VALUES);
	const wide x = v[i];
	int before = 0;

	for (int j = id; j < size; j += items)
		before += is_before(v[j], j, x, i);
	before = group_count(before, part);
	if (id == 0)
		LIST(ORDER)[before] = i;
}

/* Applies the rotations of a node to a row of Q. One work-item takes each run
 * of consecutive rotations, in which the right column of a rotation is the left
 * column of the next one. */
static void rotate_row(global real *q, global const int *order,
                       global const int *left, global const int *right,
                       global const wide *c, global const wide *s, int pairs)
{
	const int items = get_local_size(0);

	for (int i = get_local_id(0); i < pairs; i += items) {
		int at, j = i;
		wide x;

		if (left[i] < 0 || (i > 0 && left[i - 1] >= 0))
			continue;
		at = order[left[i]];
		x = q[at];
		for (; j < pairs && left[j] >= 0; j++) {
			const int next = order[right[j]];
			const wide y = q[next];

			q[at] = c[j] * x + s[j] * y;
			x = c[j] * y - s[j] * x;
			at = next;
		}
		q[at] = x;
	}
}

/* Sets P to the rotated columns of Q in the order of DIVIDE_SOURCE. Launched
 * with a work-group for each row. */
kernel void divide_gather(global const wide *restrict room,
                          global const int *restrict lists, int n, int size,
                          global real *q, global real *restrict p)
{
	const int row = get_group_id(0), base = row / size * size;
	const size_t at = (size_t)row * n + base;
	global const int *const source = LIST(SOURCE);
	const int pairs = COUNT(PAIRS);

	if (pairs > 0)
		rotate_row(q + at, LIST(ORDER), LIST(LEFT), LIST(RIGHT),
		           ARRAY(COS), ARRAY(SIN), pairs);
	barrier(CLK_GLOBAL_MEM_FENCE);
	for (int j = get_local_id(0); j < size; j += get_local_size(0))
		p[at + j] = q[at + source[j]];
}

/* Copies the deflated columns of every node, which come after the columns of
 * its poles, from P to Q. `first` is at most the least number of poles of a
 * node. */
kernel void divide_keep(global const int *restrict lists, int n, int size,
                        int first, global const real *restrict p,
                        global real *restrict q)
{
	const int j = first + (int)get_global_id(0), row = get_global_id(1);
	const int base = row / size * size;
	const size_t at = (size_t)row * n + base + j;

	if (j < size && row < n && j >= COUNT(POLES))
		q[at] = p[at];
}

/* Writes all eigenvalues in ascending order to DIVIDE_D. */
kernel void divide_values(global wide *restrict room,
                          global const int *restrict lists, int n)
{
	const int base = 0, i = get_global_id(0);

	if (i < n)
		ARRAY(D)[i] = ARRAY(VALUES)[LIST(ORDER)[i]];
}

/* Writes the eigenvectors of the most x most matrix in ascending order of their
 * eigenvalues, without the rows and columns by which T was extended. */
kernel void divide_vectors(global const real *restrict q,
                           global const int *restrict lists, int n, int most,
                           global real *restrict z)
{
	const int base = 0, j = get_global_id(0), row = get_global_id(1);

	if (j < most && row < most)
		z[(size_t)row * most + j] = q[(size_t)row * n + LIST(ORDER)[j]];
}
