/* reduce_load.cl - the chapter's reduction by block loads of sub-groups:
 * an item reads vectors of 8 whose components are a sub-group's width apart,
 * so that a sub-group's load is one run of 8 size elements.
 *
 *     v[c]      = x[start + (8 i + c) size + lane]
 *     part p[c] = tree over items of (fold over i of v[c])
 *
 * A part has 8 cells, which the finish folds as well. Launch: a work-group of
 * 2^k items, at least 32, per part, over all lines. */
#include "seeds/reduce.h"
#include "shared/seed_reduce_shape.h"
#include "lib/subgroup.h"

SG_TYPE(real)

#if defined(INTEGERS)
#define ww8 ll8
#define ww_add8 ll_add8
#define ww_mul8 ll_mul8
#define wide8 long8
#define WIDE8(v) convert_long8(v)
#else
#define ww8 dd8
#define ww_add8 dd_add8
#define ww_mul8 dd_mul8
#define wide8 double8
#define WIDE8(v) convert_double8(v)
#endif

ARITHMETIC(8)

static inline struct ll ll_of_pair(long s, long e)
{
	struct ll r = { s, e };
	return r;
}

/* An item's 8 cells in local memory: first the words of all items, then their
 * second words. */
#define PUT_WORD(a) vstore8((a).s, me, tree)
#define PUT_PAIR(a) (vstore8((a).s, me, tree), vstore8((a).e, me + w, tree))
#define GET_WORD(i) { vload8((i), tree), 0 }
#define GET_PAIR(i) { vload8((i), tree), vload8((i) + w, tree) }
#define CELL_AT_WORD(c) tree[c]
#define CELL_AT_PAIR(c) ll_of_pair(tree[c], tree[SEED_LOAD * w + c])

/* For a group whose elements are all within the line and contiguous. */
#define LOAD_WHOLE(c)                                                         \
	sg_load_real(x + at + start + (i * SEED_LOAD + (c)) * size, 0)
/* For any other group: beyond the line it reads the last element, unused. */
#define LOAD_ANY(c)                                                           \
	x[at + min(start + (i * SEED_LOAD + (c)) * size + lane, n - 1) * inner]

#define FOLD_LOADS(P, ELEMENT, MERGE, S, E, LOAD, more)                       \
	for (long i = 0; i < SEED_EACH_LOADED / SEED_LOAD && (more); i++) {   \
		const long8 j = iota + (start + i * SEED_LOAD * size);        \
		const struct P##8 none = { S, E };                            \
		real v[SEED_LOAD];                                            \
                                                                              \
		for (int c = 0; c < SEED_LOAD; c++)                           \
			v[c] = LOAD(c);                                       \
		struct P##8 b = ELEMENT##8(WIDE8(vload8(0, v)), j, how);      \
		b.s = j < n ? b.s : none.s;                                   \
		b.e = j < n ? b.e : none.e;                                   \
		a = MERGE##8(a, b);                                           \
	}

#define LOADED(P, KIND, ELEMENT, MERGE, S, E)                                 \
{                                                                             \
	const long me = (long)sg_item(), w = (long)get_local_size(0);         \
	const long size = (long)sg_size(), lane = (long)sg_lane();            \
	const long8 iota = (long8)(0, 1, 2, 3, 4, 5, 6, 7) * size + lane;     \
	struct how how = how_of(op, count, peak);                             \
                                                                              \
	FOR_GROUPS (t, lines * parts) {                                       \
		const long l = t / parts, at = line_at(l, n, inner);          \
		const long first = t % parts * w * SEED_EACH_LOADED;          \
		const long start = first +                                    \
		                   me / size * size * SEED_EACH_LOADED;       \
		struct P##8 a = { S, E };                                     \
                                                                              \
		how.scale = SCALE(l);                                         \
		if (inner == 1 && first + w * SEED_EACH_LOADED <= n)          \
			FOLD_LOADS(P, ELEMENT, MERGE, S, E, LOAD_WHOLE, 1)    \
		else                                                          \
			FOLD_LOADS(P, ELEMENT, MERGE, S, E, LOAD_ANY,         \
			           start + i * SEED_LOAD * size < n)          \
		PUT_##KIND(a);                                                \
		for (int h = (int)w / 2; h; h /= 2) {                         \
			barrier(CLK_LOCAL_MEM_FENCE);                         \
			const struct P##8 other = GET_##KIND(me ^ h);         \
			a = MERGE##8(a, other);                               \
			barrier(CLK_LOCAL_MEM_FENCE);                         \
			PUT_##KIND(a);                                        \
		}                                                             \
		for (int c = 0; c < (me == 0 ? SEED_LOAD : 0); c++)           \
			part[t * SEED_LOAD + c] = CELL_AT_##KIND(c);          \
	}                                                                     \
}

#define LOAD_ARGS(P, KIND)                                                    \
	SEED_ARGS(real, CELL_##KIND(P)), local CELL_WORD(P) *tree

#define BLOCK_LOADED(name, P, KIND, ELEMENT, MERGE, S, E)                     \
	SG_KERNEL REDUCTION(name##_subgroup_load, LOAD_ARGS(P, KIND))         \
	LOADED(P, KIND, ELEMENT, MERGE, S, E)
SEED_ROWS(BLOCK_LOADED)
