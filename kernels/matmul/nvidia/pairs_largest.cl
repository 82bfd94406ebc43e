/* pairs_largest.cl - finds the largest element of each row of A and of each
 * column of B, by which pairs.h scales them. */
#include "matmul/nvidia/pairs_lines.h"

#if defined(DTYPE_float32)

/* Returns the largest of the bits of the elements' absolute values. */
INLINE uint largest_of(float8 v)
{
	const uint8 bits = as_uint8(v) & 0x7fffffffu;
	const uint4 x = max(bits.lo, bits.hi);
	const uint2 y = max(x.lo, x.hi);

	return max(y.x, y.y);
}

/* Also clears the words about tails and blocks of C. `blocks` is the number of
 * words after `tails`. */
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
kernel void matmul_pairs_largest(
	const global float *restrict a, const global float *restrict b,
	global uint *restrict room, const global int2 *restrict place,
	int first, int stack, long a_at, long b_at, long a_size, long b_size,
	int m, int n, int k, long a_row, long a_col, long b_row, long b_col,
	int lines, int chunk, int blocks)
{
	local uint part[LINES];
	const struct side f = side_of(a, b, place, first, stack, a_at, b_at,
	    a_size, b_size, m, n, k, a_row, a_col, b_row, b_col);
	const struct lines to = lines_of(room, lines, get_num_groups(1));
	const int item = get_local_id(0), begin = get_group_id(1) * chunk;
	const int all = get_num_groups(0) * ITEMS;
	uint most[OCTETS] = { 0 };

	if (get_group_id(1) == 0)
		for (int i = get_global_id(0); i < lines + blocks; i += all)
			to.tails[i] = 0;
	if (item < LINES)
		part[item] = 0;
	ptx_barrier();
	for (int p = begin; p < min(begin + chunk, k); p += DEPTH) {
		float8 v[OCTETS];

		load(v, &f, p);
		#pragma unroll
		for (int i = 0; i < OCTETS; i++)
			most[i] = max(most[i], largest_of(v[i]));
	}
	#pragma unroll
	for (int i = 0; i < OCTETS; i++)
		atomic_max(part + octet_at(&f, item + i * ITEMS).x, most[i]);
	ptx_barrier();
	if (item < LINES)
		to.largest[get_group_id(1) * lines + f.first + item] =
		    item < f.lines ? part[item] : 0;
}

#endif
