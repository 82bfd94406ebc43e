/* matmul.cl - C = A B as in "Speeding up Matrix Multiplication on GPGPU"
 * (2021): a work-group computes B neighbouring elements of a row of C, and
 * reads the row of A once for all of them. Operands as in matmul.cl.
 *
 *     local tile           reads B elements at a time through local memory
 *     sub-group broadcast  each lane reads an element and broadcasts it
 *
 * Items beyond the last column repeat it, and write nothing. Beyond k, A counts
 * as zero and B as its last row, so that all items reach all barriers. */
#include "lib/real.h"
#include "seeds/place.h"
#include "lib/subgroup.h"

SG_NUMBER(real)

/* What an item computes; all items of its work-group have the same row of A. */
struct item {
	global const real *a, *b;	/* the row, the column */
	long row, column;		/* of the stack's C */
	bool inside;
};

static struct item item_of(global const real *a, global const real *b,
    global const int2 *place, int stack, int m, int n, int k, long a_row,
    long b_col, size_t group)
{
	struct item t;

	t.row = seed_row_of(group, n);
	t.column = seed_column_of(group, n);
	t.inside = t.column < n;
	const size_t product = t.row / m;
	const int2 at = stack > 1 ? place[product] : (int2)(0, 0);
	t.a = a + (size_t)at.x * m * k + t.row % m * a_row;
	t.b = b + (size_t)at.y * k * n + min(t.column, (long)n - 1) * b_col;
	return t;
}

SEED_KERNEL(SEED_GROUP)
kernel void matmul_local_tile(
	global const real *a, global const real *b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, int first_group)
{
	local real tile[SEED_GROUP];
	const struct item t = item_of(a, b, place, stack, m, n, k, a_row,
	                              b_col, first_group + get_group_id(0));
	const int own = get_local_id(0);
	real sum = 0;

	for (int p0 = 0; p0 < k; p0 += SEED_GROUP) {
		const int p = min(p0 + own, k - 1);

		tile[own] = p0 + own < k ? t.a[p * a_col] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int q = 0; q < min(SEED_GROUP, k - p0); q++)
			sum += tile[q] * t.b[(p0 + q) * b_row];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (t.inside)
		c[t.row * n + t.column] = sum;
}

SEED_KERNEL(SEED_GROUP) SG_KERNEL
kernel void matmul_subgroup_broadcast(
	global const real *a, global const real *b, global real *c,
	global const int2 *place, int stack, int m, int n, int k, long a_row,
	long a_col, long b_row, long b_col, int first_group)
{
	local real lanes[SEED_GROUP];
	const struct item t = item_of(a, b, place, stack, m, n, k, a_row,
	                              b_col, first_group + get_group_id(0));
	const int lane = sg_lane(), width = sg_size();
	real sum = 0;

	for (int p0 = 0; p0 < k; p0 += width) {
		const int p = min(p0 + lane, k - 1);
		const real tile = t.a[p * a_col];

		for (int q = 0; q < min(width, k - p0); q++)
			sum += sg_broadcast_real(tile, q, lanes) *
			       t.b[(p0 + q) * b_row];
	}
	if (t.inside)
		c[t.row * n + t.column] = sum;
}
