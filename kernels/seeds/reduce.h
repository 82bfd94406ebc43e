/* reduce.h - what the chapter's reductions share ("Reduction", oneAPI GPU
 * Optimization Guide): the rows of reduce.h, each folded in the variant's own
 * order, without compensation, as in the chapter.
 *
 *     part[l][p] = fold of the elements of line l that belong to part p
 *     out[l]     = fold of part[l][0], part[l][1], ...      (the finish)
 *
 * x is outer x n x inner, its middle axis reduced: lines = outer inner, and
 * element j of line l is at index line_at(l) + j inner. Each line has `parts`
 * parts. A part is stored as a cell: the word s alone, or, for argmin and
 * argmax, the pair. Included by kernels only. */
#ifndef KERNELS_SEEDS_REDUCE_H
#define KERNELS_SEEDS_REDUCE_H

#include "reduce/reduce.h"

/* Integers need both words where one word may not hold the answer. */
#if defined(DTYPE_int64)
#define SUM_CELL PAIR
#else
#define SUM_CELL WORD
#endif
#if defined(INTEGERS)
#define PROD_CELL PAIR
#else
#define PROD_CELL WORD
#endif
#define SEED_ROWS(X) SEED_ROWS_OF(X, SUM_CELL, PROD_CELL)
#define SEED_FOLDS(X) SEED_FOLDS_OF(X, SUM_CELL, PROD_CELL)

/* kernel, part, cell, element, merge, the neutral part */
#define SEED_ROWS_OF(X, SUM, PROD)                                            \
	X(seed_reduce_sum, ww, SUM, of_sum, ww_add, 0, 0)                     \
	X(seed_reduce_norm1, ww, SUM, of_norm1, ww_add, 0, 0)                 \
	X(seed_reduce_norm2, dd, WORD, of_norm2, dd_add, 0, 0)                \
	X(seed_reduce_prod, ww, PROD, of_sum, ww_mul, 1, 0)                   \
	X(seed_reduce_max, ll, WORD, of_max, ll_max, LONG_MIN, 0)             \
	X(seed_reduce_norminf, ll, WORD, of_norminf, ll_max, 0, 0)            \
	X(seed_reduce_arg, ll, PAIR, of_arg, ll_arg, LONG_MIN, LONG_MAX)

/* The same for cells. */
#define SEED_FOLDS_OF(X, SUM, PROD)                                           \
	X(seed_reduce_sum, ww, SUM, OF_PART, ww_add, 0, 0)                    \
	X(seed_reduce_norm2, dd, WORD, OF_PART, dd_add, 0, 0)                 \
	X(seed_reduce_prod, ww, PROD, OF_PART, ww_mul, 1, 0)                  \
	X(seed_reduce_max, ll, WORD, OF_PART, ll_max, LONG_MIN, 0)            \
	X(seed_reduce_arg, ll, PAIR, OF_PART, ll_arg, LONG_MIN, LONG_MAX)

#define CELL_WORD(P) P##_word
#define CELL_PAIR(P) struct P
#define PACK_WORD(a) ((a).s)
#define PACK_PAIR(a) (a)
#define dd_of_WORD(c) dd_of_word(c)
#define ll_of_WORD(c) ll_of_word(c)
#define ll_of_PAIR(c) (c)
#if defined(INTEGERS)
#define ww_of_WORD(c) ll_of_word(c)
#define ww_of_PAIR(c) (c)
#else
#define ww_of_WORD(c) dd_of_word(c)
#endif

static inline struct dd dd_of_word(double s)
{
	struct dd r = { s, 0 };
	return r;
}

static inline struct ll ll_of_word(long s)
{
	struct ll r = { s, 0 };
	return r;
}

#define REDUCTION(name, args) kernel void name(args)

#define SEED_ARGS(IN, CELL)                                                   \
	global const IN *restrict x, global CELL *restrict part,              \
	global void *restrict out, PEAK_ARG,                                  \
	const long lines, const long n, const long inner, const long parts,   \
	const long count, const int op, const int scaled

/* For kernels with a tree in local memory. */
#define SEED_GROUP_ARGS(IN, CELL) SEED_ARGS(IN, CELL), local CELL *tree

#define FOR_ITEMS(t, tasks)                                                   \
	for (long t = (long)get_global_id(0); t < (tasks);                    \
	     t += (long)get_global_size(0))

#define FOR_GROUPS(t, tasks)                                                  \
	for (long t = (long)get_group_id(0); t < (tasks);                     \
	     t += (long)get_num_groups(0))

static inline long line_at(long l, long n, long inner)
{
	return l / inner * n * inner + l % inner;
}

/* Folds all lanes into a of lane 0; tree has a cell per lane. Every lane takes
 * part in every step: compilers miscompile conditional writes between
 * barriers. */
#define FOLD_TREE(P, KIND, MERGE)                                             \
	tree[me] = PACK_##KIND(a);                                            \
	for (int h = (int)get_local_size(0) / 2; h; h /= 2) {                 \
		barrier(CLK_LOCAL_MEM_FENCE);                                 \
		a = MERGE(P##_of_##KIND(tree[me]),                            \
		          P##_of_##KIND(tree[me ^ h]));                       \
		barrier(CLK_LOCAL_MEM_FENCE);                                 \
		tree[me] = PACK_##KIND(a);                                    \
	}

/* A work-group folds `each` elements per item, neighbouring items reading
 * neighbouring elements, and then its items by FOLD; beyond the end elements
 * are neutral. */
#define GROUPWISE(P, KIND, LOAD, ELEMENT, MERGE, S, E, each, FOLD)            \
{                                                                             \
	const long me = (long)get_local_id(0), w = (long)get_local_size(0);   \
	struct how how = how_of(op, count, peak);                             \
                                                                              \
	FOR_GROUPS (t, lines * parts) {                                       \
		const long l = t / parts, at = line_at(l, n, inner);          \
		const long start = t % parts * w * (each);                    \
		const long end = min(n, start + w * (each));                  \
		struct P a = { S, E };                                        \
                                                                              \
		how.scale = SCALE(l);                                         \
		for (long j = start + me; j < end; j += w)                    \
			a = MERGE(a, ELEMENT(LOAD(x[at + j * inner]), j,      \
			                     how));                           \
		FOLD(P, KIND, MERGE)                                          \
		if (me == 0)                                                  \
			part[t] = PACK_##KIND(a);                             \
	}                                                                     \
}

#endif
