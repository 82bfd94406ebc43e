/* item.h - what the CPU's reduction kernels share: a work-item, alone in its
 * work-group, takes a run of tasks. Where a line has more than one block,
 * done[], 0 at first, counts the line's finished parts, and the item that
 * counts the last one reduces the levels above: a second launch would take as
 * long as reading half a megabyte. Launch: GRID1(any number, 1), which does not
 * change the order. Included by kernels only. */
#ifndef KERNELS_REDUCE_ITEM_H
#define KERNELS_REDUCE_ITEM_H

#include "lib/last.h"
#include "reduce/reduce.h"

#if defined(INTEGERS)
#define ww2 ll2
#define ww4 ll4
#define ww8 ll8
#define ww16 ll16
#define ww_add16 ll_add16
#define ww_mul16 ll_mul16
#define wide2 long2
#define wide4 long4
#define wide8 long8
#define wide16 long16
#define WIDE16(v) convert_long16(v)
#else
#define ww2 dd2
#define ww4 dd4
#define ww8 dd8
#define ww16 dd16
#define ww_add16 dd_add16
#define ww_mul16 dd_mul16
#define wide2 double2
#define wide4 double4
#define wide8 double8
#define wide16 double16
#define WIDE16(v) convert_double16(v)
#endif

ARITHMETIC(2)
ARITHMETIC(4)
ARITHMETIC(8)
ARITHMETIC(16)

/* Loops over the item's part of all tasks. */
#define FOR_MY(t, tasks)                                                      \
	for (long g = first_group + (long)get_global_id(0),                   \
	     t = (tasks) * g / groups, last = (tasks) * (g + 1) / groups;     \
	     t < last; t++)

#define MERGE_AT(P, MERGE, to, S, E)                                          \
	do {                                                                  \
		struct P old = { s[to], e[to] }, more = { (S), (E) };         \
		struct P new = MERGE(old, more);                              \
		s[to] = new.s;                                                \
		e[to] = new.e;                                                \
	} while (0)

/* Folds the lanes of each of w columns into lane 0: lanes 16 apart, then 8, 4,
 * 2, 1. Lane l of column c is at index l w + c. */
#define TREE(P, MERGE, lanes, w)                                              \
	for (int h = REDUCE_LANES / 2; h; h /= 2)                             \
		for (int l = 0; l < h && l + h < (lanes); l++)                \
			for (int c = 0; c < (w); c++)                         \
				MERGE_AT(P, MERGE, l * (w) + c,               \
				         s[(l + h) * (w) + c],                \
				         e[(l + h) * (w) + c])

/* Computes answer i from the parts of its blocks, which are `step` apart: level
 * by level, each overwriting the one before. */
#define FINISH(P, MERGE, S, E, parts, step, i)                                \
	do {                                                                  \
		global struct P *x1 = (parts);                                \
                                                                              \
		for (long left = blocks; left > 1; left = blocks_of(left))    \
			for (long k = 0; k < blocks_of(left); k++)            \
				LEVEL(P, MERGE, S, E, x1, step);              \
		P##_store(out, (i), x1[0], how);                              \
	} while (0)

#define LEVEL(P, MERGE, S, E, x1, step)                                       \
	do {                                                                  \
		const long from = k * REDUCE_BLOCK;                           \
		const int many = (int)min((long)REDUCE_BLOCK, left - from);   \
		P##_word s[REDUCE_LANES], e[REDUCE_LANES];                    \
                                                                              \
		for (int l = 0; l < REDUCE_LANES; l++) {                      \
			s[l] = S;                                             \
			e[l] = E;                                             \
		}                                                             \
		for (int r = 0; r < many; r++) {                              \
			struct P y = x1[(from + r) * (step)];                 \
			MERGE_AT(P, MERGE, r % REDUCE_LANES, y.s, y.e);       \
		}                                                             \
		TREE(P, MERGE, many, 1);                                      \
		x1[k * (step)].s = s[0];                                      \
		x1[k * (step)].e = e[0];                                      \
	} while (0)

#define REDUCTION(name, P)                                                    \
	SINGLE_ITEM kernel void name(REDUCE_ARGS(real, P),                    \
	                             volatile global int *done)

#endif
