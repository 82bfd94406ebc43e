/* reduce.cl - reductions on any device and along any axis, also of lines that
 * are cut into several buffers: a work-group of 32 lanes per block, a launch
 * per level (line.cl does all levels in one).
 *
 *     part = tree over lanes l of merge(x[l], x[l + 32], x[l + 64], ...)
 *
 * x is outer x n x inner; the middle axis is reduced in blocks. Local id 0 is
 * the column, local id 1 the lane; launch: columns x 32 items per work-group,
 * with any number of groups, which does not change the order. A launch takes
 * `some` blocks of every line, from block `first` on, where x begins. Every
 * lane takes part in every step of the tree, though only those below h matter:
 * compilers miscompile conditional writes between barriers. The barriers are
 * global as well, because all lanes read the norm that lane 0 then overwrites
 * (see SCALE). */
#include "reduce/reduce.h"

#define GROUPWISE(P, LOAD, ELEMENT, MERGE, S, E)                              \
{                                                                             \
	const int w = (int)get_local_size(0), column = (int)get_local_id(0);  \
	const int lane = (int)get_local_id(1), me = lane * w + column;        \
	const long blocks = blocks_of(n), strips = (inner + w - 1) / w;       \
	struct how how = how_of(op, count, peak);                             \
                                                                              \
	for (long t = first_group + (long)get_group_id(0);                    \
	     t < outer * some * strips; t += groups) {                        \
		const long c = t % strips * w + column;                       \
		const long o = t / strips / some;                             \
		const long b = o * blocks + first + t / strips % some;        \
		const long start = b % blocks * REDUCE_BLOCK;                 \
		const long len = min((long)REDUCE_BLOCK, n - start);          \
		const long at = (o * n + start - first * REDUCE_BLOCK) *      \
		                inner + c;                                    \
		const int mine = c < inner;                                   \
		struct P a = { S, E };                                        \
                                                                              \
		how.scale = mine ? SCALE(o * inner + c) : 1;                   \
		for (long j = lane; j < (mine ? len : 0); j += REDUCE_LANES)  \
			a = MERGE(a, ELEMENT(LOAD(x[at + j * inner]),         \
			                     start + j, how));                \
		tree[me] = a;                                                 \
		for (int h = REDUCE_LANES / 2; h; h /= 2) {                   \
			barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  \
			a = MERGE(tree[me], tree[(lane ^ h) * w + column]);   \
			barrier(CLK_LOCAL_MEM_FENCE);                         \
			tree[me] = a;                                         \
		}                                                             \
		if (mine && lane == 0) {                                      \
			STORE(P, b * inner + c, a, how);                      \
		}                                                             \
	}                                                                     \
}

#define GROUP_ARGS(IN, P) REDUCE_ARGS(IN, P), local struct P *tree, \
	const long first, const long some

kernel void reduce_sum_group(GROUP_ARGS(real, ww))
GROUPWISE(ww, WIDE, of_sum, ww_add, 0, 0)
kernel void reduce_norm1_group(GROUP_ARGS(real, ww))
GROUPWISE(ww, WIDE, of_norm1, ww_add, 0, 0)
kernel void reduce_norm2_group(GROUP_ARGS(real, dd))
GROUPWISE(dd, WIDE, of_norm2, dd_add, 0, 0)
kernel void reduce_prod_group(GROUP_ARGS(real, ww))
GROUPWISE(ww, WIDE, of_sum, ww_mul, 1, 0)
kernel void reduce_max_group(GROUP_ARGS(real, ll))
GROUPWISE(ll, WIDE, of_max, ll_max, LONG_MIN, 0)
kernel void reduce_norminf_group(GROUP_ARGS(real, ll))
GROUPWISE(ll, WIDE, of_norminf, ll_max, 0, 0)
kernel void reduce_arg_group(GROUP_ARGS(real, ll))
GROUPWISE(ll, WIDE, of_arg, ll_arg, LONG_MIN, LONG_MAX)

/* The levels above: the parts are the elements. */
kernel void reduce_sum_group_fold(GROUP_ARGS(struct ww, ww))
GROUPWISE(ww, AS_IS, OF_PART, ww_add, 0, 0)
kernel void reduce_norm2_group_fold(GROUP_ARGS(struct dd, dd))
GROUPWISE(dd, AS_IS, OF_PART, dd_add, 0, 0)
kernel void reduce_prod_group_fold(GROUP_ARGS(struct ww, ww))
GROUPWISE(ww, AS_IS, OF_PART, ww_mul, 1, 0)
kernel void reduce_max_group_fold(GROUP_ARGS(struct ll, ll))
GROUPWISE(ll, AS_IS, OF_PART, ll_max, LONG_MIN, 0)
kernel void reduce_arg_group_fold(GROUP_ARGS(struct ll, ll))
GROUPWISE(ll, AS_IS, OF_PART, ll_arg, LONG_MIN, LONG_MAX)
