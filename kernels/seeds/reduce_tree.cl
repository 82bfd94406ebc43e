/* reduce_tree.cl - the chapter's reductions by work-groups: an element per item
 * and a tree (tree-1, and tree-2 with further stages), or SEED_EACH elements
 * per item followed by a serial fold or a tree.
 *
 *     part p = tree over lanes of x[p w + lane]
 *     part p = fold over lanes of (fold over i of x[p w each + i w + lane])
 *
 * Launch: a work-group of w = 2^k items per part, over all lines. */
#include "seeds/reduce.h"
#include "shared/seed_reduce_shape.h"

#define TREE(name, P, KIND, ELEMENT, MERGE, S, E)                             \
	REDUCTION(name##_tree, SEED_GROUP_ARGS(real, CELL_##KIND(P)))       \
	GROUPWISE(P, KIND, WIDE, ELEMENT, MERGE, S, E, 1, FOLD_TREE)
SEED_ROWS(TREE)

#define TREE_FOLD(name, P, KIND, ELEMENT, MERGE, S, E)                        \
	REDUCTION(name##_tree_fold,                                         \
	            SEED_GROUP_ARGS(CELL_##KIND(P), CELL_##KIND(P)))          \
	GROUPWISE(P, KIND, P##_of_##KIND, ELEMENT, MERGE, S, E, 1, FOLD_TREE)
SEED_FOLDS(TREE_FOLD)

#define BLOCKED_TREE(name, P, KIND, ELEMENT, MERGE, S, E)                     \
	REDUCTION(name##_blocked_tree,                                      \
	            SEED_GROUP_ARGS(real, CELL_##KIND(P)))                    \
	GROUPWISE(P, KIND, WIDE, ELEMENT, MERGE, S, E, SEED_EACH, FOLD_TREE)
SEED_ROWS(BLOCKED_TREE)

/* Item 0 folds the other items' cells; the second barrier keeps the next part's
 * cells from overwriting them before. */
#define FOLD_SERIALLY(P, KIND, MERGE)                                         \
	tree[me] = PACK_##KIND(a);                                            \
	barrier(CLK_LOCAL_MEM_FENCE);                                         \
	for (long i = 1; i < (me == 0 ? w : 0); i++)                          \
		a = MERGE(a, P##_of_##KIND(tree[i]));                         \
	barrier(CLK_LOCAL_MEM_FENCE);

#define BLOCKED_SERIAL(name, P, KIND, ELEMENT, MERGE, S, E)                   \
	REDUCTION(name##_blocked_serial,                                    \
	            SEED_GROUP_ARGS(real, CELL_##KIND(P)))                    \
	GROUPWISE(P, KIND, WIDE, ELEMENT, MERGE, S, E, SEED_EACH,             \
	          FOLD_SERIALLY)
SEED_ROWS(BLOCKED_SERIAL)
