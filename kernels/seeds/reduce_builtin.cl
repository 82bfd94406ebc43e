/* reduce_builtin.cl - the chapter's reductions by the compiler's built-in
 * functions work_group_reduce_add, _max and _min where OpenCL C has them;
 * otherwise, and for products, which have no built-in, by a tree in local
 * memory.
 *
 *     part p = reduce over lanes of x[p w + lane]
 *     part p = reduce over lanes of (fold over i of x[p w each + i w + lane])
 *
 * Launch: a work-group of w = 2^k items per part, over all lines. */
#include "seeds/reduce.h"
#include "shared/seed_reduce_shape.h"
#include "lib/subgroup.h"	/* compiles this file as OpenCL C 3.0 */

#if defined(__opencl_c_work_group_collective_functions) ||                    \
    (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
#define ALL_dd_add(P, KIND) a.s = work_group_reduce_add(a.s);
#if defined(DTYPE_int64)
#define ALL_ll_add(P, KIND) FOLD_TREE(P, KIND, ll_add)
#else
#define ALL_ll_add(P, KIND) a.s = work_group_reduce_add(a.s);
#endif
#define ALL_ll_max(P, KIND) a.s = work_group_reduce_max(a.s);
#define ALL_ll_arg(P, KIND)                                                   \
	const long key = work_group_reduce_max(a.s);                          \
	a.e = work_group_reduce_min(a.s == key ? a.e : LONG_MAX);             \
	a.s = key;
#else
#define ALL_dd_add(P, KIND) FOLD_TREE(P, KIND, dd_add)
#define ALL_ll_add(P, KIND) FOLD_TREE(P, KIND, ll_add)
#define ALL_ll_max(P, KIND) FOLD_TREE(P, KIND, ll_max)
#define ALL_ll_arg(P, KIND) FOLD_TREE(P, KIND, ll_arg)
#endif
#define ALL_dd_mul(P, KIND) FOLD_TREE(P, KIND, dd_mul)
#define ALL_ll_mul(P, KIND) FOLD_TREE(P, KIND, ll_mul)

#define FOLD_BUILTIN(P, KIND, MERGE) ALL_##MERGE(P, KIND)

#define BUILTIN(name, P, KIND, ELEMENT, MERGE, S, E)                          \
	REDUCTION(name##_builtin, SEED_GROUP_ARGS(real, CELL_##KIND(P)))    \
	GROUPWISE(P, KIND, WIDE, ELEMENT, MERGE, S, E, 1, FOLD_BUILTIN)
SEED_ROWS(BUILTIN)

#define BUILTIN_FOLD(name, P, KIND, ELEMENT, MERGE, S, E)                     \
	REDUCTION(name##_builtin_fold,                                      \
	            SEED_GROUP_ARGS(CELL_##KIND(P), CELL_##KIND(P)))          \
	GROUPWISE(P, KIND, P##_of_##KIND, ELEMENT, MERGE, S, E, 1,            \
	          FOLD_BUILTIN)
SEED_FOLDS(BUILTIN_FOLD)

#define BLOCKED_BUILTIN(name, P, KIND, ELEMENT, MERGE, S, E)                  \
	REDUCTION(name##_blocked_builtin,                                   \
	            SEED_GROUP_ARGS(real, CELL_##KIND(P)))                    \
	GROUPWISE(P, KIND, WIDE, ELEMENT, MERGE, S, E, SEED_EACH,             \
	          FOLD_BUILTIN)
SEED_ROWS(BLOCKED_BUILTIN)
