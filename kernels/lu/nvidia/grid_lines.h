/* grid_lines.h - messages between the work-groups of a grid while the kernel
 * runs: lines of 16 bytes. A line has two words, each with a tag in the same 8
 * bytes, which arrive together (the LL protocol of NVIDIA's NCCL, 2019); so it
 * needs neither a fence nor a flag:
 *
 *     word 0 | tag | word 1 | tag        tag: panel mod 255 + 1, place
 *
 * Multipliers are posted column by column, each column in a place of its own:
 * an item receives what the item with the same rows posted, and the pivot's
 * place. */
#ifndef KERNELS_LU_NVIDIA_GRID_LINES_H
#define KERNELS_LU_NVIDIA_GRID_LINES_H

#include "lu/nvidia/grid_rows.h"

#define PER_LINE (8 / (int)sizeof(real))
#define LINES (ROWS / PER_LINE)	/* of an item's multipliers, in a step */
#define MAX_POLLS (1 << 24)	/* of one line: takes seconds */

/* An item's first line of a step; the next one is p->height further. */
INLINE global ulong2 *lines_of(struct item me, const struct panel *p, int now)
{
	return p->messages + opaque((long)now * LINES * p->height + me.id);
}

/* Makes the line of the elements at x, with a tag in its words' upper
 * halves. */
INLINE ulong2 line_made(ulong tag, const real *x)
{
#ifdef DTYPE_float64
	const uint2 w = as_uint2(x[0]);
#else
	const uint2 w = as_uint2((float2)(x[0], x[1]));
#endif

	return (ulong2)(tag | w.x, tag | w.y);
}

INLINE void multipliers_post(struct item me, const struct panel *p, int now,
                             uint pivot, const real *l)
{
	const ulong tag = (ulong)(p->tag | pivot) << 32;
	global ulong2 *to = lines_of(me, p, now);

	UNROLL
	for (int i = 0; i < LINES; i++)
		line_write(to + i * p->height,
		           line_made(tag, l + i * PER_LINE));
}

INLINE uint line_tag(ulong2 v)
{
	return v.x >> 32;
}

INLINE bool line_is_of(ulong2 v, uint tag)
{
	return (line_tag(v) & ~NO_PLACE) == tag &&
	       ((uint)(v.y >> 32) & ~NO_PLACE) == tag;
}

/* Polls until the line has that tag. After MAX_POLLS the sender will never post
 * it: the kernel ends with a fault instead of hanging. */
INLINE ulong2 line_wait(ulong2 v, global const ulong2 *at, uint tag)
{
	for (int i = 0; !line_is_of(v, tag); i++) {
		if (i == MAX_POLLS)
			__asm__ volatile("trap;");
		v = line_read(at);
	}
	return v;
}

/* Reads a step's multipliers of the item's rows, posted or not. */
INLINE void multipliers_peek(ulong2 *line, struct item me,
                             const struct panel *p, int now)
{
	UNROLL
	for (int i = 0; i < LINES; i++)
		line[i] = line_read(lines_of(me, p, now) +
		                    i * p->height);
}

/* Polls until a step's multipliers of the item's rows are posted, puts them in
 * l, and returns the pivot's place. */
INLINE uint multipliers_receive(real *l, ulong2 *line, struct item me,
                                const struct panel *p, int now)
{
	UNROLL
	for (int i = 0; i < LINES; i++) {
		line[i] = line_wait(line[i], lines_of(me, p, now) +
		                    i * p->height, p->tag);
#ifdef DTYPE_float64
		l[i] = as_double((uint2)((uint)line[i].x, (uint)line[i].y));
#else
		l[2 * i] = as_float((uint)line[i].x);
		l[2 * i + 1] = as_float((uint)line[i].y);
#endif
	}
	return line_tag(line[0]) & NO_PLACE;
}

/* Receives the pivots' places of the columns right of this work-group's, and
 * applies these interchanges to its places. */
INLINE void places_receive(struct rows *rows, struct item me,
                           const struct panel *p)
{
	for (int from = p->end; from < p->width; from += 32) {
		const int now = from + me.lane;
		uint pivot = 0;

		if (now < p->width) {
			global const ulong2 *at = lines_of((struct item){ 0 },
			                                   p, now);

			pivot = line_tag(line_wait(line_read(at), at,
			                           p->tag)) & NO_PLACE;
		}
		warp_sync();
		for (int i = 0; i < min(32, p->width - from); i++)
			places_swap(rows, from + i, warp_word(pivot, i));
	}
}

#endif
