/* spread_candidates.h - how the co-resident work-groups of spread.cl, each with
 * all columns of some rows of a panel, agree on a pivot.
 *
 * In every step the warps of a work-group propose their best rows, and the best
 * of these is posted as the work-group's message; all work-groups receive all
 * messages. A message consists of lines (messages.h) whose tags count steps.
 * Even and odd steps have a half of the buffer each. No message is overwritten
 * before all have received it: a work-group that posts step k + 2 has received
 * all of step k + 1, and each of these was posted by a work-group that had
 * received all of step k. No work-group waits for ever: each posts its message
 * of a step before it waits for others of that step.
 */
#ifndef KERNELS_LU_NVIDIA_SPREAD_CANDIDATES_H
#define KERNELS_LU_NVIDIA_SPREAD_CANDIDATES_H

#include "lu/nvidia/spread_rows.h"

#define LINES ((int)LU_MESSAGE(sizeof(real)) / 16)
#define LINES_A_LANE (LINES / 32)
#define IN_FLIGHT (4 / LINES_A_LANE)	/* messages read before a wait */

/* Finds the warp's candidate for step now, in the column that item b of every
 * team has first, and stores it for the work-group; returns its place to the
 * whole warp. */
INLINE uint search(const struct rows *rows, struct item me,
                   const struct panel *p, int now, int b,
                   local struct shared *s)
{
	const struct candidate c = own_best(rows, p, now, me.s == b);
	const uint lane = best_lane(c);

	if (me.lane == (int)lane)
		s->candidates[now & 1][0][me.warp] = c;
	return warp_word(c.place, lane);
}

/* Waits for the work-group; returns the warp that has the best of all
 * candidates. */
INLINE int best_warp(struct item me, local const struct candidate *candidates)
{
	struct candidate c = { 0, 0, NO_PLACE };

	group_sync();
	if (me.lane < WARPS)
		c = candidates[me.lane];
	return best_lane(c);
}

/* Stores the row of that place; the elements of an item lie together, those of
 * different items `step` elements apart. */
INLINE void place_write(const struct rows *rows, struct item me, uint place,
                        local real *to, int step)
{
	UNROLL
	for (int r = 0; r < ROWS; r++)
		if (rows->place[r] == place)
			row_write(rows->x[r], WIDE, to + me.s * step);
}

/* Returns the lane's first line in the message of work-group `group`. */
INLINE global ulong2 *message(struct item me, const struct groups *g, int now,
                              int group)
{
	return g->messages + opaque(((now & 1) * g->count + group) * LINES +
	                        me.lane);
}

INLINE void message_post(struct item me, const struct groups *g, int now,
                         uint place, local const uint *words)
{
	const uint tag = tag_of(g->p.j + now) | place;
	global ulong2 *to = message(me, g, now, g->group);

	UNROLL
	for (int i = 0; i < LINES_A_LANE; i++) {
		const int w = 2 * (32 * i + me.lane);

		line_write(to + 32 * i, line_of(tag, words[w], words[w + 1]));
	}
}

/* Returns the candidate in a message; the step's column is item b's first. */
INLINE struct candidate candidate_in(const ulong2 *line, int b, int pivoting)
{
	const uint place = line_place(line[0]);
#ifdef DTYPE_float64
	const ulong2 v = line[b * WIDE / 32];
	const uint lane = b * WIDE % 32;
	const real x = as_double((uint2)(warp_word((uint)v.x, lane),
	                                 warp_word((uint)v.y, lane)));
#else
	const real x = as_float(warp_word((uint)line[0].x,
	                                  b * WIDE / 2));
#endif

	return candidate_of(place != NO_PLACE && pivoting ? order_of(x) : 0,
	                    place);
}

/* Stores a message's row as place_write() would. */
INLINE void row_receive(struct item me, const ulong2 *line,
                        local struct row *to)
{
	UNROLL
	for (int i = 0; i < LINES_A_LANE; i++) {
		const int e = (32 * i + me.lane) * PER_LINE;
		local real *u = &to->u[e / WIDE][e % WIDE];
		real x[PER_LINE];

		line_elements(line[i], x);
		UNROLL
		for (int k = 0; k < PER_LINE; k++)
			u[k] = x[k];
	}
}

/* Receives this warp's share of the messages; stores the row of the best of
 * them in `to`. */
INLINE struct candidate messages_receive(struct item me,
                                         const struct groups *g, int now,
                                         int b, local struct row *to)
{
	const uint tag = tag_of(g->p.j + now);
	const int far = WARPS * LINES;	/* to this warp's next message */
	struct candidate best = { 0, 0, NO_PLACE };
	ulong2 line[IN_FLIGHT][LINES_A_LANE];

	for (int g0 = me.warp; g0 < g->count; g0 += IN_FLIGHT * WARPS) {
		global const ulong2 *from = message(me, g, now, g0);

		UNROLL
		for (int a = 0; a < IN_FLIGHT; a++)
			UNROLL
			for (int i = 0; i < LINES_A_LANE; i++)
				if (g0 + a * WARPS < g->count)
					line[a][i] = line_read(from + a * far +
					                       32 * i);
		UNROLL
		for (int a = 0; a < IN_FLIGHT; a++) {
			struct candidate c;

			if (g0 + a * WARPS >= g->count)
				break;
			UNROLL
			for (int i = 0; i < LINES_A_LANE; i++)
				line[a][i] = line_wait(line[a][i], from +
				    a * far + 32 * i, tag);
			c = candidate_in(line[a], b, g->p.pivoting);
			if (!is_before(c, best))
				continue;
			best = c;
			row_receive(me, line[a], to);
		}
	}
	return best;
}

/* Returns the pivot's row in step now, and its place in *pivot. `place` is the
 * place of this warp's candidate. */
INLINE local const struct row *agree(const struct rows *rows, struct item me,
                                     const struct groups *g, int now, int b,
                                     uint place, uint *pivot,
                                     local struct shared *s)
{
	const int turn = now & 1;
	const int first = best_warp(me, s->candidates[turn][0]);
	struct candidate c;
	int from;

	if (g->count == 1) {
		if (first == me.warp)
			place_write(rows, me, place, s->in[turn][0].u[0],
			            LINE);
		*pivot = s->candidates[turn][0][first].place;
		group_sync();
		return &s->in[turn][0];
	}
	if (first == me.warp) {
		place_write(rows, me, place, s->out, WIDE);
		warp_sync();
		message_post(me, g, now, place, (local const uint *)s->out);
	}
	c = messages_receive(me, g, now, b, &s->in[turn][me.warp]);
	if (me.lane == 0)
		s->candidates[turn][1][me.warp] = c;
	from = best_warp(me, s->candidates[turn][1]);
	*pivot = s->candidates[turn][1][from].place;
	return &s->in[turn][from];
}

#endif
