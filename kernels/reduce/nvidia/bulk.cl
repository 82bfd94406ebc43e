/* bulk.cl - reductions of contiguous lines on NVIDIA's GPUs, in the order of
 * reduce/line.cl.
 *
 * A warp takes a block; its lanes are the block's lanes. Bulk copies bring the
 * elements to local memory in pieces of REDUCE_BULK_BYTES, into a ring of
 * REDUCE_BULK_AHEAD pieces per warp that also prefetches the next blocks: no
 * warp waits for another, or for memory while it merges. Lines begin at
 * multiples of 16 bytes.
 *
 * Where there are many lines (whole), a warp takes all blocks of a line and
 * merges their parts itself: lane i % 32 keeps part i. Otherwise parts go to
 * global memory, and the last work-group to finish reduces the levels above.
 * Parts are not counted as they are made, because a fence waits for all copies
 * that the warp has under way and would empty the ring each time. done: 0 at
 * first. Launch: any number of work-groups. */
#include "lib/last.h"
#include "lib/ptx.h"
#define REDUCE_SPACE local
#include "reduce/lane.h"

#define WARPS REDUCE_BULK_WARPS
#define AHEAD REDUCE_BULK_AHEAD
#define BYTES REDUCE_BULK_BYTES
#define ELEMENTS ((int)(BYTES / sizeof(real)))	/* of a piece */
#define PARTS ((int)(BYTES / sizeof(ulong2)))
#define BATCH_PARTS 8

/* A warp's position: `left` bytes from `from` on are to be fetched of the
 * current block; then follow its blocks from `block` on, `run` neighbours in
 * every step-th run. */
struct walk {
	global const uchar *from;
	int left;
	uint block, run, step, all, blocks;	/* blocks: of a line */
	uint ring, signals;			/* in local memory */
	uint taken;				/* pieces merged so far */
};

/* Block b of all lines: `len` elements of its line, from element `start` on. */
struct span {
	uint line, index;
	int len;
};

INLINE struct span span_of(const struct walk *w, uint b, long n)
{
	struct span s;

	s.line = w->blocks == 1 ? b : b / w->blocks;
	s.index = b - s.line * w->blocks;
	s.len = (int)min((long)REDUCE_BLOCK,
	                 n - (long)s.index * REDUCE_BLOCK);
	return s;
}

/* The warp's block after b. */
INLINE uint next_block(const struct walk *w, uint b)
{
	return (b + 1) % w->run ? b + 1 : b + 1 - w->run + w->step * w->run;
}

/* Starts the copy of the next piece, if there is one, to that slot of the
 * ring. */
INLINE void fetch(struct walk *w, int place, int lane,
                  global const real *x, long n)
{
	const uint signal = w->signals + 8 * place;
	uint bytes;

	if (w->left == 0) {
		if (w->block >= w->all)
			return;
		const struct span s = span_of(w, w->block, n);

		w->from = (global const uchar *)
		    (x + s.line * n + (long)s.index * REDUCE_BLOCK);
		w->left = s.len * (int)sizeof(real);
		w->block = next_block(w, w->block);
	}
	bytes = min(w->left, BYTES);
	if (lane == 0) {
		ptx_signal_expect(signal, bytes);
		ptx_copy_bulk(w->ring + place * BYTES, w->from, bytes, signal);
	}
	w->from += bytes;
	w->left -= bytes;
}

INLINE void fetch_ahead(struct walk *w, int lane, global const real *x, long n)
{
#pragma unroll 1
	for (int i = 0; i < AHEAD; i++)
		fetch(w, (w->taken + i) % AHEAD, lane, x, n);
}

/* Waits for the next piece; returns its slot. */
INLINE int piece_of(const struct walk *w)
{
	const int place = w->taken % AHEAD;

	ptx_signal_wait(w->signals + 8 * place, w->taken / AHEAD % 2);
	return place;
}

/* Releases a piece's slot, and fetches the next piece into it. */
INLINE void done_with(struct walk *w, int place, int lane,
                      global const real *x, long n)
{
	ptx_warp_barrier();
	fetch(w, place, lane, x, n);
	w->taken++;
}

/* Returns whether the work-group is the last of all to call this function. */
INLINE bool is_last_group(volatile global int *done, local int *last,
                          uint groups)
{
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		*last = is_last(done, 1, groups);
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	return *last;
}

#define OF_WORD(P, w) OF_WORD_##P(w)
#define OF_WORD_dd(w) as_double(w)
#define OF_WORD_ll(w) as_long(w)
#if defined(INTEGERS)
#define OF_WORD_ww(w) as_long(w)
#else
#define OF_WORD_ww(w) as_double(w)
#endif

/* tree_: folds all lanes into lane 0. parts_: merges a with every 32nd part of
 * a piece. level_: reduces `many` parts in global memory to one. */
#define FOLDS(name, P, MERGE, S, E)                                           \
INLINE struct P tree_##name(struct P a)                                       \
{                                                                             \
	_Pragma("unroll 1")                                                   \
	for (uint h = REDUCE_LANES / 2; h; h /= 2) {                          \
		const struct P b = {                                          \
			OF_WORD(P, ptx_across(as_ulong(a.s), h)),             \
			OF_WORD(P, ptx_across(as_ulong(a.e), h)),             \
		};                                                            \
                                                                              \
		a = MERGE(a, b);                                              \
	}                                                                     \
	return a;                                                             \
}                                                                             \
                                                                              \
INLINE struct P parts_##name(struct P a, local const ulong2 *y, int here,     \
                             int lane)                                        \
{                                                                             \
	_Pragma("unroll 1")                                                   \
	for (int j = lane; j < here; j += BATCH_PARTS * REDUCE_LANES) {       \
		ulong2 v[BATCH_PARTS];                                        \
                                                                              \
		_Pragma("unroll")                                             \
		for (int u = 0; u < BATCH_PARTS; u++)                         \
			v[u] = y[j + (j + u * REDUCE_LANES < here ?           \
			              u * REDUCE_LANES : 0)];                 \
		_Pragma("unroll")                                             \
		for (int u = 0; u < BATCH_PARTS; u++) {                       \
			const struct P b = { OF_WORD(P, v[u].x),              \
			                     OF_WORD(P, v[u].y) };            \
                                                                              \
			if (j + u * REDUCE_LANES < here)                      \
				a = MERGE(a, b);                              \
		}                                                             \
	}                                                                     \
	return a;                                                             \
}                                                                             \
                                                                              \
INLINE struct P level_##name(struct walk *w, global const struct P *parts,    \
                             int many, local const uchar *ring, int lane)     \
{                                                                             \
	struct P a = { S, E };                                                \
                                                                              \
	w->from = (global const uchar *)parts;                                \
	w->left = many * (int)sizeof(struct P);                               \
	fetch_ahead(w, lane, 0, 0);                                           \
	_Pragma("unroll 1")                                                   \
	for (int at = 0; at < many; at += PARTS) {                            \
		const int place = piece_of(w);                                \
                                                                              \
		a = parts_##name(a, (local const ulong2 *)                    \
		                 (ring + place * BYTES),                      \
		                 min(PARTS, many - at), lane);                \
		done_with(w, place, lane, 0, 0);                              \
	}                                                                     \
	return tree_##name(a);                                                \
}

FOLDS(sum, ww, ww_add, 0, 0)
FOLDS(norm2, dd, dd_add, 0, 0)
FOLDS(prod, ww, ww_mul, 1, 0)
FOLDS(max, ll, ll_max, LONG_MIN, 0)
FOLDS(arg, ll, ll_arg, LONG_MIN, LONG_MAX)

/* part: the parts of all blocks, then those of level 2. */
#define BULK(name, fold, P, MERGE, S, E)                                      \
kernel __attribute__((reqd_work_group_size(REDUCE_LANES * WARPS, 1, 1)))      \
void reduce_##name##_bulk(REDUCE_ARGS(real, P), volatile global int *done,    \
                          int whole)                                          \
{                                                                             \
	local uchar rings[WARPS][AHEAD * BYTES] __attribute__((aligned(128))); \
	local ulong signals[WARPS][AHEAD];                                    \
	local int last;                                                       \
	const int lane = (int)get_local_id(0) % REDUCE_LANES;                 \
	const int warp = (int)get_local_id(0) / REDUCE_LANES;                 \
	const long blocks = blocks_of(n), upper = blocks_of(blocks);          \
	const uint run = whole ? blocks : 1;                                  \
	const uint first = ((uint)(first_group + get_group_id(0)) +           \
	                    warp * groups) * run;                             \
	local const uchar *ring = rings[warp];                                \
	struct walk w = { 0, 0, first, run, groups * WARPS, outer * blocks,   \
	                  blocks, ptx_local(ring), ptx_local(signals[warp]),  \
	                  0 };                                                \
	struct how how = how_of(op, count, peak);                             \
	struct P up = { S, E };                                               \
                                                                              \
	for (int i = 0; i < AHEAD && lane == 0; i++)                          \
		ptx_signal_init(w.signals + 8 * i, 1);                        \
	ptx_fence_local();                                                    \
	ptx_warp_barrier();                                                   \
	fetch_ahead(&w, lane, x, n);                                          \
	for (uint b = first; b < w.all; b = next_block(&w, b)) {              \
		const struct span s = span_of(&w, b, n);                      \
		const long start = (long)s.index * REDUCE_BLOCK;              \
		struct P a = { S, E };                                        \
                                                                              \
		how.scale = SCALE(s.line);                                    \
		_Pragma("unroll 1")                                           \
		for (int at = 0; at < s.len; at += ELEMENTS) {                \
			const int place = piece_of(&w);                       \
                                                                              \
			a = lane_##name(a, (local const real *)               \
			                (ring + place * BYTES),               \
			                min(ELEMENTS, s.len - at), lane,      \
			                start + at, how);                     \
			done_with(&w, place, lane, x, n);                     \
		}                                                             \
		a = tree_##fold(a);                                           \
		if (blocks == 1) {                                            \
			if (lane == 0)                                        \
				P##_store(out, s.line, a, how);               \
		} else if (!whole) {                                          \
			if (lane == 0)                                        \
				part[b] = a;                                  \
		} else {                                                      \
			a.s = OF_WORD(P, ptx_of_first(as_ulong(a.s)));      \
			a.e = OF_WORD(P, ptx_of_first(as_ulong(a.e)));      \
			if (s.index % REDUCE_LANES == lane)                   \
				up = MERGE(up, a);                            \
			if (s.index + 1 < blocks)                             \
				continue;                                     \
			up = tree_##fold(up);                                 \
			if (lane == 0)                                        \
				P##_store(out, s.line, up, how);              \
			up.s = S;                                             \
			up.e = E;                                             \
		}                                                             \
	}                                                                     \
	if (whole)                                                            \
		return;                                                       \
	if (!is_last_group(done, &last, groups))                              \
		return;                                                       \
	global struct P *from = part, *to = part + outer * blocks;            \
                                                                              \
	_Pragma("unroll 1")                                                   \
	for (long many = blocks, above = upper;; many = above, above = 1) {   \
		ptx_fence_bulk();                                             \
		_Pragma("unroll 1")                                           \
		for (uint k = warp; k < outer * above; k += WARPS) {          \
			const uint line = k / (uint)above;                    \
			const long at = (k - line * above) * REDUCE_BLOCK;    \
			const struct P a = level_##fold(&w, from + line * many \
			    + at, (int)min((long)REDUCE_BLOCK, many - at),    \
			    ring, lane);                                      \
                                                                              \
			how.scale = SCALE(line);                              \
			ptx_warp_barrier();                                   \
			if (lane == 0 && above > 1)                           \
				to[k] = a;                                    \
			else if (lane == 0)                                   \
				P##_store(out, line, a, how);                 \
		}                                                             \
		if (above == 1)                                               \
			break;                                                \
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);          \
		from = to;                                                    \
	}                                                                     \
}

BULK(sum, sum, ww, ww_add, 0, 0)
BULK(norm1, sum, ww, ww_add, 0, 0)
BULK(norm2, norm2, dd, dd_add, 0, 0)
BULK(prod, prod, ww, ww_mul, 1, 0)
BULK(max, max, ll, ll_max, LONG_MIN, 0)
BULK(norminf, max, ll, ll_max, 0, 0)
BULK(arg, arg, ll, ll_arg, LONG_MIN, LONG_MAX)
