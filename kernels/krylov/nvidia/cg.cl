/* cg.cl - several iterations of conjugate gradients (src/ops/krylov/cg.c) in
 * one launch, on an NVIDIA GPU each of whose multiprocessors holds one of the
 * work-groups. These wait for each other twice in an iteration, which takes
 * less time than two launches do.
 *
 *     p = z + beta p,  q = A p                   parts of p^T q      meet
 *     alpha;  x = x + alpha p,  r = r - alpha q  of r^T r and r^T z  meet
 *     beta
 *
 * A work-group has as many slices of A (spmv_slices) as the next one, and the
 * elements of vectors that belong to their rows. It computes elements of p that
 * belong to other work-groups, too, from z and the previous p, which is
 * therefore kept. Each work-group computes the scalars for itself, from the
 * same parts in the same order. */
#define SPACE local
#include "krylov/scalars.h"
#include "lib/meet.h"
#include "lib/ptx.h"
#include "spmv/spmv.h"

#define WARPS (KRYLOV_RESIDENT_ITEMS / 32)

INLINE wide warp_sum(wide x)
{
	_Pragma("unroll")
	for (uint mask = 16; mask > 0; mask /= 2)
		x += as_double(ptx_across(as_ulong(x), mask));
	return x;
}

/* Stores the work-group's sum of x in *part. */
INLINE void group_sum(wide x, local wide *of_warps, global wide *part)
{
	const int item = get_local_id(0);

	x = warp_sum(x);
	if (item % 32 == 0)
		of_warps[item / 32] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (item < 32) {
		x = warp_sum(item < WARPS ? of_warps[item] : 0);
		if (item == 0)
			*part = x;
	}
}

/* Returns the sum of all work-groups' parts, to each item. */
INLINE wide sum_of_groups(global const wide *part)
{
	wide x = 0;

	for (int i = (int)get_local_id(0) % 32; i < (int)get_num_groups(0);
	     i += 32)
		x += part[i];
	return warp_sum(x);
}

/* The slices of A. */
struct slices {
	global const long *starts, *begin;
	global const real *a, *values;
	global const int *columns;
	int rows;
};

/* What p = z + beta p is computed from: z, the previous p, and beta. */
struct direction {
	global const real *z, *before;
	real beta;
};

INLINE real element(const struct direction *p, int i)
{
	return fma(p->beta, p->before[i], p->z[i]);
}

/* Returns element `row` of A p. */
INLINE wide product(const struct slices *f, int row, const struct direction *p)
{
	const long first = f->starts[row], end = f->starts[row + 1];
	const long slice = f->begin[row / SPMV_SLICE];
	const long width = (f->begin[row / SPMV_SLICE + 1] - slice) /
	    SPMV_SLICE;
	const int n = (int)min(end - first, width);
	wide sum = 0;

	_Pragma("unroll 4")
	for (int k = 0; k < n; k++) {
		const long at = slice + (long)k * SPMV_SLICE +
		    row % SPMV_SLICE;

		sum = fma((wide)f->values[at],
		          (wide)element(p, f->columns[at]), sum);
	}
	for (long k = first + n; k < end; k++)
		sum = fma((wide)f->a[k],
		          (wide)element(p, COLUMNS(f->starts, f->rows)[k]),
		          sum);
	return sum;
}

/* starts to columns: A as spmv_slices takes it. state: read by all work-groups
 * before they meet first, written by one when all have met last. part: three
 * numbers for each work-group. met: two counters, 0 before and after. d: the
 * reciprocals of A's diagonal if z = D r, or NULL if z is r. p: the previous p;
 * p and `next` change places with each iteration. Ends after `most` iterations,
 * an even number. Launch: as many work-groups as the device holds at once. */
__attribute__((reqd_work_group_size(KRYLOV_RESIDENT_ITEMS, 1, 1)))
kernel void krylov_cg_resident(
	global const long *restrict starts, global const real *restrict a,
	global const long *restrict begin, int rows,
	global const real *restrict values, global const int *restrict columns,
	global wide *state, global wide *part, volatile global int *met,
	global const real *restrict d, global real *z, global real *p,
	global real *next, global real *q, global real *x, global real *r,
	int most)
{
	local wide s[K_LENGTH], of_warps[WARPS];
	const struct slices f = { starts, begin, a, values, columns, rows };
	const int item = get_local_id(0), groups = get_num_groups(0);
	const int group = get_group_id(0);
	const int slices = (rows + SPMV_SLICE - 1) / SPMV_SLICE;
	const int share = (slices + groups - 1) / groups * SPMV_SLICE;
	const int first = group * share + item;
	const int end = min(rows, (group + 1) * share);
	int turns = 0;

	for (int i = item; i < K_LENGTH; i += KRYLOV_RESIDENT_ITEMS)
		s[i] = state[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int t = 0; t < most && s[K_DONE] == K_GOES_ON; t++) {
		const struct direction now = {
			z, t % 2 ? next : p, (real)s[K_BETA]
		};
		global real *to = t % 2 ? p : next;
		wide one = 0, two = 0;
		real alpha;

		for (int i = first; i < end; i += KRYLOV_RESIDENT_ITEMS) {
			const real v = element(&now, i);
			const real y = (real)product(&f, i, &now);

			to[i] = v;
			q[i] = y;
			one += (wide)v * y;
		}
		group_sum(one, of_warps, part + group);
		meet(met, ++turns);
		one = sum_of_groups(part);
		if (item == 0)
			cg_alpha(s, one);
		barrier(CLK_LOCAL_MEM_FENCE);
		if (s[K_DONE] != K_GOES_ON)
			break;
		alpha = (real)s[K_ALPHA];
		one = 0;
		for (int i = first; i < end; i += KRYLOV_RESIDENT_ITEMS) {
			const real v = fma(-alpha, q[i], r[i]);

			x[i] = fma(alpha, to[i], x[i]);
			r[i] = v;
			one += (wide)v * v;
			if (d)
				z[i] = d[i] * v;
			two += (wide)v * (d ? d[i] * v : v);
		}
		group_sum(one, of_warps, part + groups + group);
		barrier(CLK_LOCAL_MEM_FENCE);
		group_sum(two, of_warps, part + 2 * groups + group);
		meet(met, ++turns);
		one = sum_of_groups(part + groups);
		two = sum_of_groups(part + 2 * groups);
		if (item == 0)
			cg_beta(s, one, two);
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	meet_no_more(met, met + 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = item; group == 0 && i < K_LENGTH;
	     i += KRYLOV_RESIDENT_ITEMS)
		state[i] = s[i];
}
