/* agree.h - how co-resident work-groups, each with all columns of some rows of
 * a panel, agree on a pivot while the kernel runs.
 *
 * In every step the warps of a work-group propose their best rows, and the best
 * of these is posted as the work-group's message; all work-groups receive all
 * messages. A message consists of lines of 16 bytes: two words of the row, each
 * with a tag in the same 8 bytes, which arrive together:
 *
 *     word 0 | tag | word 1 | tag        tag: step mod 255 + 1, place
 *
 * So it needs neither a fence nor a flag (the LL protocol of NVIDIA's NCCL,
 * 2019). Even and odd steps have a half of the buffer each. No message is
 * overwritten before all have received it: a work-group that posts step k + 2
 * has received all of step k + 1, and each of these was posted by a work-group
 * that had received all of step k. No work-group waits for ever: each posts its
 * message of a step before it waits for others of that step.
 */
#ifndef KERNELS_LU_NVIDIA_AGREE_H
#define KERNELS_LU_NVIDIA_AGREE_H

#include "lu/nvidia/rows.h"

#define LINES ((int)LU_MESSAGE(sizeof(real)) / 16)
#define LINES_A_LANE (LINES / 32)
#define IN_FLIGHT (4 / LINES_A_LANE)	/* messages read before a wait */
#define MAX_POLLS (1 << 24)	/* of one message: takes seconds */

INLINE bool is_before(struct candidate a, struct candidate b)
{
	return a.high > b.high || (a.high == b.high && (a.low > b.low ||
	       (a.low == b.low && a.place < b.place)));
}

/* Finds the warp's candidate for step now, in the column that item b of every
 * team has first, and stores it for the work-group; returns its place to the
 * whole warp. */
INLINE uint search(const struct rows *rows, struct item me,
                   const struct panel *p, int now, int b,
                   local struct shared *s)
{
	order o[ROWS], best = 0;
	uint place = NO_PLACE, lane;

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];
		const bool live = (at >= (uint)now) & (at < NO_PLACE) &
		                  (me.s == b) & p->pivoting;

		o[r] = live ? order_of(rows->x[r][0]) : 0;
		best = max(best, o[r]);
	}
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];

		if ((me.s == b) & (at >= (uint)now) & (o[r] == best))
			place = min(place, at);
	}
	lane = best_lane(candidate_of(best, place));
	if (me.lane == (int)lane)
		s->candidates[now & 1][0][me.warp] = candidate_of(best, place);
	return warp_word(place, lane);
}

/* The warp that has the best of all candidates. Waits for the work-group. */
INLINE int best_warp(struct item me, local const struct candidate *candidates)
{
	struct candidate c = { 0, 0, NO_PLACE };

	group_sync();
	if (me.lane < WARPS)
		c = candidates[me.lane];
	return best_lane(c);
}

/* Stores the row of that place by items' lines, `step` elements apart. */
INLINE void row_write(const struct rows *rows, struct item me, uint place,
                      local real *to, int step)
{
	to += me.s * step;
	UNROLL
	for (int r = 0; r < ROWS; r++) {
		if (rows->place[r] != place)
			continue;
		UNROLL
		for (int c = 0; c < COLUMNS; c += PER_CHUNK)
			*(local chunk *)(to + c) = CHUNK(rows->x[r] + c);
	}
}

INLINE uint tag_step(int step)
{
	return (uint)(step % 255 + 1) << 24;
}

INLINE uint line_tag(ulong2 v)
{
	return v.x >> 32;
}

INLINE bool line_is_of(ulong2 v, uint step)
{
	return (line_tag(v) & ~NO_PLACE) == step &&
	       ((uint)(v.y >> 32) & ~NO_PLACE) == step;
}

/* A lane's first line of a group's message. */
INLINE global ulong2 *message(struct item me, const struct panel *p, int now,
                              int group)
{
	return p->messages + opaque(((now & 1) * p->groups + group) * LINES +
	                        me.lane);
}

INLINE void message_post(struct item me, const struct panel *p, int now,
                         uint place, local const uint *words)
{
	const ulong tag = (ulong)(tag_step(p->j + now) | place) << 32;
	global ulong2 *to = message(me, p, now, p->group);

	UNROLL
	for (int i = 0; i < LINES_A_LANE; i++) {
		const int w = 2 * (32 * i + me.lane);

		line_write(to + 32 * i, (ulong2)(tag | words[w],
		                                 tag | words[w + 1]));
	}
}

/* Polls until the line is of that step. After MAX_POLLS the sender will never
 * post it: the kernel ends with a fault instead of hanging. */
INLINE ulong2 line_wait(ulong2 v, global const ulong2 *p, uint step)
{
	for (int i = 0; !line_is_of(v, step); i++) {
		if (i == MAX_POLLS)
			__asm__ volatile("trap;");
		v = line_read(p);
	}
	return v;
}

/* The candidate in a message; the step's column is item b's first. */
INLINE struct candidate candidate_in(const ulong2 *line, int b, int pivoting)
{
	const uint place = line_tag(line[0]) & NO_PLACE;
#ifdef DTYPE_float64
	const ulong2 v = line[b * COLUMNS / 32];
	const uint lane = b * COLUMNS % 32;
	const real x = as_double((uint2)(warp_word((uint)v.x, lane),
	                                 warp_word((uint)v.y, lane)));
#else
	const real x = as_float(warp_word((uint)line[0].x,
	                                  b * COLUMNS / 2));
#endif

	return candidate_of(place != NO_PLACE && pivoting ? order_of(x) : 0,
	                    place);
}

/* Stores a message's row as row_write() would. */
INLINE void row_receive(struct item me, const ulong2 *line,
                      local struct row *to)
{
	UNROLL
	for (int i = 0; i < LINES_A_LANE; i++) {
		const int e = 32 * i + me.lane;
#ifdef DTYPE_float64
		to->u[e / COLUMNS][e % COLUMNS] =
		    as_double((uint2)((uint)line[i].x, (uint)line[i].y));
#else
		local float *u = &to->u[2 * e / COLUMNS][2 * e % COLUMNS];

		u[0] = as_float((uint)line[i].x);
		u[1] = as_float((uint)line[i].y);
#endif
	}
}

/* Receives this warp's share of the messages; stores the row of the best of
 * them in `to`. */
INLINE struct candidate messages_receive(struct item me, const struct panel *p,
                                int now, int b, local struct row *to)
{
	const uint step = tag_step(p->j + now);
	const int far = WARPS * LINES;	/* to this warp's next message */
	struct candidate best = { 0, 0, NO_PLACE };
	ulong2 line[IN_FLIGHT][LINES_A_LANE];

	for (int g0 = me.warp; g0 < p->groups; g0 += IN_FLIGHT * WARPS) {
		global const ulong2 *from = message(me, p, now, g0);

		UNROLL
		for (int a = 0; a < IN_FLIGHT; a++)
			UNROLL
			for (int i = 0; i < LINES_A_LANE; i++)
				if (g0 + a * WARPS < p->groups)
					line[a][i] = line_read(from + a * far +
					                       32 * i);
		UNROLL
		for (int a = 0; a < IN_FLIGHT; a++) {
			struct candidate c;

			if (g0 + a * WARPS >= p->groups)
				break;
			UNROLL
			for (int i = 0; i < LINES_A_LANE; i++)
				line[a][i] = line_wait(line[a][i], from +
				    a * far + 32 * i, step);
			c = candidate_in(line[a], b, p->pivoting);
			if (!is_before(c, best))
				continue;
			best = c;
			row_receive(me, line[a], to);
		}
	}
	return best;
}

/* The pivot's row in step now, and its place in *pivot. `place` is that of this
 * warp's candidate. */
INLINE local const struct row *agree(const struct rows *rows, struct item me,
                                     const struct panel *p, int now, int b,
                                     uint place, uint *pivot,
                                     local struct shared *s)
{
	const int turn = now & 1;
	const int first = best_warp(me, s->candidates[turn][0]);
	struct candidate c;
	int from;

	if (p->groups == 1) {
		if (first == me.warp)
			row_write(rows, me, place, s->in[turn][0].u[0], LINE);
		*pivot = s->candidates[turn][0][first].place;
		group_sync();
		return &s->in[turn][0];
	}
	if (first == me.warp) {
		row_write(rows, me, place, s->out, COLUMNS);
		warp_sync();
		message_post(me, p, now, place, (local const uint *)s->out);
	}
	c = messages_receive(me, p, now, b, &s->in[turn][me.warp]);
	if (me.lane == 0)
		s->candidates[turn][1][me.warp] = c;
	from = best_warp(me, s->candidates[turn][1]);
	*pivot = s->candidates[turn][1][from].place;
	return &s->in[turn][from];
}

#endif
