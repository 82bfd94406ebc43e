/* axis.cl - reductions on CPUs along an axis that is not the last.
 *
 *     part[c] = tree over lanes l of merge(x[l][c], x[l + 32][c], ...)
 *
 * x is outer x n x inner and n is cut into blocks; a task is a block of a
 * strip of columns, read row by row. See reduce/item.h. */
#include "reduce/item.h"

#define ROWS_AHEAD 2
#define HOP 8			/* rows of a lane merged at once */

/* Merges the next `hop` rows of lane l, in 16 columns. */
#define LANE_STEP(P, ELEMENT, MERGE)                                          \
	do {                                                                  \
		struct P##16 a = { vload16(0, s + l * width + c),             \
		                   vload16(0, e + l * width + c) };           \
		for (int q = 0; q < hop; q++) {                               \
			const long row = start + (j + q) * REDUCE_LANES + l;  \
			global const real *p = x + (first + row) * inner +    \
			                       c0 + c;                        \
			FETCH_AHEAD(p + ROWS_AHEAD * inner);                  \
			a = MERGE##16(a, ELEMENT##16(WIDE16(vload16(0, p)),   \
			                             (long16)(row), how));    \
		}                                                             \
		vstore16(a.s, 0, s + l * width + c);                          \
		vstore16(a.e, 0, e + l * width + c);                          \
	} while (0)

/* For any inner: a strip of columns at a time, row by row as they lie in
 * memory. Where a strip is a whole row, the rows of its 32 lanes are contiguous
 * and are read as one row. */
#define STRIDED(P, ELEMENT, MERGE, S, E)                                      \
{                                                                             \
	const long blocks = blocks_of(n);                                     \
	const long strips = (inner + REDUCE_STRIP - 1) / REDUCE_STRIP;        \
	struct how how = how_of(op, count, peak);                             \
                                                                              \
	FOR_MY (t, outer * blocks * strips) {                                 \
		const long c0 = t % strips * REDUCE_STRIP;                    \
		const long b = t / strips;	/* o blocks + block */        \
		const long first = b / blocks * n;                            \
		const long start = b % blocks * REDUCE_BLOCK;                 \
		const int len = (int)min((long)REDUCE_BLOCK, n - start);      \
		const int w = (int)min((long)REDUCE_STRIP, inner - c0);       \
		const int touch = w == inner && op < REDUCE_ARGMIN;           \
		const int covered = scaled ? 0 : touch ? w : w / 16 * 16;     \
		const int width = touch ? REDUCE_LANES * w : w;               \
		const int vectors = touch ? REDUCE_LANES * covered : covered; \
		const int steps = len / REDUCE_LANES;                         \
		P##_word s[REDUCE_LANES * REDUCE_STRIP];                      \
		P##_word e[REDUCE_LANES * REDUCE_STRIP];                      \
                                                                              \
		for (int i = 0; i < clamp(len, 1, REDUCE_LANES) * w; i++) {   \
			s[i] = S;                                             \
			e[i] = E;                                             \
		}                                                             \
		for (int j = 0, hop; j < steps; j += hop) {                   \
			hop = steps - j < HOP ? 1 : HOP;                      \
			for (int l = 0; l < (touch ? 1 : REDUCE_LANES); l++)  \
				for (int c = 0; c < vectors; c += 16)         \
					LANE_STEP(P, ELEMENT, MERGE);         \
		}                                                             \
		const int whole = steps * REDUCE_LANES;                       \
		for (int r = covered == w ? whole : 0; r < len; r++)          \
			for (int c = r < whole ? covered : 0; c < w; c++) {   \
				const long row = start + r;                   \
				how.scale = SCALE(b / blocks * inner + c0 +   \
				                  c);                         \
				struct P x1 = ELEMENT(WIDE(                   \
				    x[(first + row) * inner + c0 + c]),       \
				    row, how);                                \
				MERGE_AT(P, MERGE, r % REDUCE_LANES * w + c,  \
				         x1.s, x1.e);                         \
			}                                                     \
		TREE(P, MERGE, len, w);                                       \
		for (int c = 0; c < w; c++) {                                 \
			struct P all = { s[c], e[c] };                        \
			how.scale = SCALE(b / blocks * inner + c0 + c);       \
			STORE(P, b * inner + c0 + c, all, how);               \
		}                                                             \
		const long o = b / blocks;                                    \
		if (blocks > 1 &&                                             \
		    is_last(done + o * strips + t % strips, 1, blocks))        \
			for (long c = c0; c < c0 + w; c++) {                  \
				how.scale = SCALE(o * inner + c);             \
				FINISH(P, MERGE, S, E,                        \
				       part + o * blocks * inner + c, inner,  \
				       o * inner + c);                        \
			}                                                     \
	}                                                                     \
}

#define ROW(name, P, ELEMENT, MERGE, S, E)                                    \
	REDUCTION(name, P)                                                    \
	STRIDED(P, ELEMENT, MERGE, S, E)

ROW(reduce_sum_axis, ww, of_sum, ww_add, 0, 0)
ROW(reduce_norm1_axis, ww, of_norm1, ww_add, 0, 0)
ROW(reduce_norm2_axis, dd, of_norm2, dd_add, 0, 0)
ROW(reduce_prod_axis, ww, of_sum, ww_mul, 1, 0)
ROW(reduce_max_axis, ll, of_max, ll_max, LONG_MIN, 0)
ROW(reduce_norminf_axis, ll, of_norminf, ll_max, 0, 0)
ROW(reduce_arg_axis, ll, of_arg, ll_arg, LONG_MIN, LONG_MAX)
