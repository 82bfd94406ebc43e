/* line.cl - reductions of contiguous lines in one launch: 32 lanes per block.
 *
 *     part = tree over lanes l of merge(x[l], x[l + 32], x[l + 64], ...)
 *
 * x is outer lines of n. Local id 0 is the lane, local id 1 the slot: each slot
 * takes a block, and its items read BATCH elements before they merge the first.
 * Launch: 32 x slots items per work-group, with any number of groups and slots,
 * which do not change the order. Where a line has more than one block, done[],
 * 0 at first, has a counter for each block of the levels above, which counts
 * that block's finished parts; the group that counts the last one reduces the
 * block. The parts of level 1 are followed by those of level 2; a line of at
 * most REDUCE_BLOCK^3 elements has no level 4. */
#include "lib/last.h"
#define REDUCE_SPACE global
#include "reduce/lane.h"

#define PARTS REDUCE_LINE_PARTS		/* read by an item at a time */

/* Folds the slot's lanes into a of lane 0. The first barrier is global because
 * all lanes read the norm that lane 0 then overwrites (see SCALE). */
#define TREE(P, MERGE)                                                        \
	do {                                                                  \
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);          \
		tree[item] = a;                                               \
		for (int h = REDUCE_LANES / 2; h; h /= 2) {                   \
			barrier(CLK_LOCAL_MEM_FENCE);                         \
			a = MERGE(tree[item], tree[item ^ h]);                \
			barrier(CLK_LOCAL_MEM_FENCE);                         \
			tree[item] = a;                                       \
		}                                                             \
	} while (0)

/* Sets a of item 0 to the part of a block of `many` parts. All items copy parts
 * to local memory, the next ones while the lanes of slot 0 merge. */
#define BLOCK(P, MERGE, S, E, parts, many)                                    \
	do {                                                                  \
		global const struct P *y = (parts);                           \
		const int all = (int)(many), step = items * PARTS;            \
		P##_word next_s[PARTS], next_e[PARTS];                        \
                                                                              \
		a.s = S;                                                      \
		a.e = E;                                                      \
		NEXT(0);                                                      \
		for (int from = 0; from < all; from += step) {                \
			const int here = min(step, all - from);               \
                                                                              \
			barrier(CLK_LOCAL_MEM_FENCE);                         \
			for (int u = 0; u < PARTS; u++) {                     \
				tree[item + u * items].s = next_s[u];         \
				tree[item + u * items].e = next_e[u];         \
			}                                                     \
			barrier(CLK_LOCAL_MEM_FENCE);                         \
			NEXT(from + step);                                    \
			for (int j = item < REDUCE_LANES ? item : here;       \
			     j < here; j += REDUCE_LANES)                     \
				a = MERGE(a, tree[j]);                        \
		}                                                             \
		TREE(P, MERGE);                                               \
	} while (0)

/* The number of parts that block k of the next level has. */
static inline long many_of(long parts, long k)
{
	return min((long)REDUCE_BLOCK, parts - k * REDUCE_BLOCK);
}

#define NEXT(from)                                                            \
	for (int u = 0; u < PARTS; u++) {                                     \
		const int at = min((from) + item + u * items, all - 1);       \
                                                                              \
		next_s[u] = y[at].s;                                          \
		next_e[u] = y[at].e;                                          \
	}

#define LINEWISE(name, P, MERGE, S, E)                                        \
kernel void reduce_##name##_line(REDUCE_ARGS(real, P),                        \
    volatile global int *done, local struct P *tree)                          \
{                                                                             \
	local int last[REDUCE_LINE_SLOTS];                                    \
	const int lane = (int)get_local_id(0), slot = (int)get_local_id(1);   \
	const int slots = (int)get_local_size(1);                             \
	const int items = slots * REDUCE_LANES;                               \
	const int item = slot * REDUCE_LANES + lane;                          \
	const long blocks = blocks_of(n), upper = blocks_of(blocks);          \
	struct how how = how_of(op, count, peak);                             \
	struct P a;                                                           \
                                                                              \
	for (long t = (first_group + (long)get_group_id(1)) * slots;          \
	     t < outer * blocks; t += (long)groups * slots) {                 \
		const long b = t + slot, o = blocks == 1 ? b : b / blocks;    \
		const long start = (b - o * blocks) * REDUCE_BLOCK;           \
		const int mine = o < outer;                                   \
		const int len = mine ?                                        \
		    (int)min((long)REDUCE_BLOCK, n - start) : 0;              \
                                                                              \
		how.scale = mine ? SCALE(o) : 1;                              \
		a.s = S;                                                      \
		a.e = E;                                                      \
		a = lane_##name(a, x + o * n + start, len, lane, start, how); \
		TREE(P, MERGE);                                               \
		if (lane == 0) {                                              \
			const long k = (b - o * blocks) / REDUCE_BLOCK;       \
                                                                              \
			if (mine) {                                           \
				STORE(P, b, a, how);                          \
			}                                                     \
			last[slot] = mine && blocks > 1 &&                    \
			    is_last(done + o * upper + k, 1,                  \
			            many_of(blocks, k));                      \
		}                                                             \
		barrier(CLK_LOCAL_MEM_FENCE);                                 \
		for (int i = 0; i < slots; i++)                               \
			if (last[i])                                          \
				ABOVE(P, MERGE, S, E, t + i);                 \
		barrier(CLK_LOCAL_MEM_FENCE);                                 \
	}                                                                     \
}

/* Reduces the levels above block b, which was the last of its level-2 block to
 * be finished. */
#define ABOVE(P, MERGE, S, E, b)                                              \
	do {                                                                  \
		const long line = (b) / blocks;                               \
		const long first = ((b) - line * blocks) / REDUCE_BLOCK;      \
		global struct P *from = part + line * blocks +                \
		                        first * REDUCE_BLOCK;                 \
		global struct P *to = part + outer * blocks + line * upper;   \
		long many = many_of(blocks, first), left = upper;             \
                                                                              \
		for (;;) {                                                    \
			BLOCK(P, MERGE, S, E, from, many);                    \
			if (item == 0 && left > 1) {                          \
				to[first] = a;                                \
				last[i] = is_last(done + outer * upper + line, \
				                  1, left);                   \
			} else if (item == 0) {                               \
				how.scale = SCALE(line);                      \
				P##_store(out, line, a, how);                 \
				last[i] = 0;                                  \
			}                                                     \
			barrier(CLK_LOCAL_MEM_FENCE);                         \
			if (!last[i])                                         \
				break;                                        \
			from = to;                                            \
			many = left;                                          \
			left = 1;                                             \
		}                                                             \
	} while (0)

LINEWISE(sum, ww, ww_add, 0, 0)
LINEWISE(norm1, ww, ww_add, 0, 0)
LINEWISE(norm2, dd, dd_add, 0, 0)
LINEWISE(prod, ww, ww_mul, 1, 0)
LINEWISE(max, ll, ll_max, LONG_MIN, 0)
LINEWISE(norminf, ll, ll_max, 0, 0)
LINEWISE(arg, ll, ll_arg, LONG_MIN, LONG_MAX)
