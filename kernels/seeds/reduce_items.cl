/* reduce_items.cl - the chapter's reductions by independent work-items: serial
 * and chunk, strided and strided-many, and the finish of all twelve.
 *
 *     chunk     part p: elements p size ... (p + 1) size - 1
 *     strided   part p: elements p, p + parts, p + 2 parts, ...
 *
 * Launch: an item per part, over all lines, in groups of any size. The finish
 * takes an item per line, where the chapter folds on the host. */
#include "seeds/reduce.h"

#define ITEMWISE(P, KIND, ELEMENT, MERGE, S, E, first, end, step)             \
{                                                                             \
	const long size = (n + parts - 1) / parts;                            \
	struct how how = how_of(op, count, peak);                             \
                                                                              \
	(void)size;                                                           \
	FOR_ITEMS (t, lines * parts) {                                        \
		const long l = t / parts, p = t % parts;                      \
		const long at = line_at(l, n, inner), last = (end);           \
		struct P a = { S, E };                                        \
                                                                              \
		how.scale = SCALE(l);                                         \
		for (long j = (first); j < last; j += (step))                 \
			a = MERGE(a, ELEMENT(WIDE(x[at + j * inner]), j,      \
			                     how));                           \
		part[t] = PACK_##KIND(a);                                     \
	}                                                                     \
}

#define CHUNK(name, P, KIND, ELEMENT, MERGE, S, E)                            \
	REDUCTION(name##_chunk, SEED_ARGS(real, CELL_##KIND(P)))            \
	ITEMWISE(P, KIND, ELEMENT, MERGE, S, E, p * size,                     \
	         min(n, (p + 1) * size), 1)
SEED_ROWS(CHUNK)

#define STRIDED(name, P, KIND, ELEMENT, MERGE, S, E)                          \
	REDUCTION(name##_strided, SEED_ARGS(real, CELL_##KIND(P)))          \
	ITEMWISE(P, KIND, ELEMENT, MERGE, S, E, p, n, parts)
SEED_ROWS(STRIDED)

#define FINISH(name, P, KIND, ELEMENT, MERGE, S, E)                           \
	REDUCTION(name##_finish, SEED_ARGS(CELL_##KIND(P),                  \
	                                     CELL_##KIND(P)))                 \
{                                                                             \
	struct how how = how_of(op, count, peak);                             \
                                                                              \
	FOR_ITEMS (l, lines) {                                                \
		struct P a = { S, E };                                        \
                                                                              \
		how.scale = SCALE(l);                                         \
		for (long p = 0; p < n; p++)                                  \
			a = MERGE(a, P##_of_##KIND(x[l * n + p]));            \
		P##_store(out, l, a, how);                                    \
	}                                                                     \
}
SEED_FOLDS(FINISH)
