/* agree.h - how work-groups on several multiprocessors agree on a pivot
 * within a kernel. All of them must run at once.
 *
 * In every step the warps of a group propose their best rows, and the best
 * of them posts its own; all groups read what all have posted. A message has
 * lines of 16 bytes: two words of the row, each with a tag in the same 8
 * bytes, which arrive together:
 *
 *     word 0 | tag | word 1 | tag        tag: step mod 255 + 1, place
 *
 * So it needs neither a fence nor a flag (the LL protocol of NVIDIA's NCCL,
 * 2019). It lies in the half of the post for even or odd steps: who writes
 * step k + 2 has read all of step k + 1, hence all have read step k.
 */
#ifndef KERNELS_LU_NVIDIA_AGREE_H
#define KERNELS_LU_NVIDIA_AGREE_H

#include "lu/nvidia/rows.h"

#define LINES ((int)LU_MESSAGE(sizeof(real)) / 16)
#define LINES_A_LANE (LINES / 32)
#define AT_ONCE (4 / LINES_A_LANE)	/* messages asked for before a wait */
#define PATIENCE (1 << 24)	/* looks at one message: seconds */

INLINE struct candidate candidate_of(order o, uint place)
{
#ifdef DTYPE_float64
	return (struct candidate){ o >> 32, (uint)o, place };
#else
	return (struct candidate){ o, 0, place };
#endif
}

INLINE bool is_before(struct candidate a, struct candidate b)
{
	return a.high > b.high || (a.high == b.high && (a.low > b.low ||
	       (a.low == b.low && a.place < b.place)));
}

/* The lane of the largest order, of equal ones that of the first place. */
INLINE uint first_lane(struct candidate c)
{
	uint who = warp_vote(c.high == warp_max(c.high));

	if (who & (who - 1)) {
		bool in = who >> get_local_id(0) % 32 & 1;
		uint at;

#ifdef DTYPE_float64
		const uint low = in ? c.low : 0;

		in &= low == warp_max(low);
#endif
		at = in ? c.place : ~0u;
		who = warp_vote(in & (at == warp_min(at)));
	}
	return 31 - clz(who & -who);
}

/* The warp's best row in the column that item b of every team has first,
 * for step now: said to the group; its place, for the whole warp. */
INLINE uint search(const struct rows *rows, struct item me,
                   const struct panel *p, int now, int b,
                   local struct shared *s)
{
	order o[ROWS], best = 0;
	uint place = NOBODY, lane;

	UNROLL
	for (int r = 0; r < ROWS; r++) {
		const uint at = rows->place[r];
		const bool live = (at >= (uint)now) & (at < NOBODY) &
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
	lane = first_lane(candidate_of(best, place));
	if (me.lane == (int)lane)
		s->said[now & 1][0][me.warp] = candidate_of(best, place);
	return warp_word(place, lane);
}

/* The warp of the best of what all of them have said. */
INLINE int first_warp(struct item me, local const struct candidate *said)
{
	struct candidate c = { 0, 0, NOBODY };

	group_sync();
	if (me.lane < WARPS)
		c = said[me.lane];
	return first_lane(c);
}

/* The row of that place to items' lines, `step` elements apart. */
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
	return (line_tag(v) & ~NOBODY) == step &&
	       ((uint)(v.y >> 32) & ~NOBODY) == step;
}

/* A lane's first line of a group's message. */
INLINE global ulong2 *message(struct item me, const struct panel *p, int now,
                              int group)
{
	return p->post + opaque(((now & 1) * p->groups + group) * LINES +
	                        me.lane);
}

INLINE void post(struct item me, const struct panel *p, int now, uint place,
                 local const uint *words)
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

/* The line once it is of that step. Who waits for seconds waits in vain: the
 * kernel ends in a fault. */
INLINE ulong2 line_wait(ulong2 v, global const ulong2 *p, uint step)
{
	for (int i = 0; !line_is_of(v, step); i++) {
		if (i == PATIENCE)
			__asm__ volatile("trap;");
		v = line_read(p);
	}
	return v;
}

/* Whom a message proposes, whose column is item b's first. */
INLINE struct candidate proposed(const ulong2 *line, int b, int pivoting)
{
	const uint place = line_tag(line[0]) & NOBODY;
#ifdef DTYPE_float64
	const ulong2 v = line[b * COLUMNS / 32];
	const uint lane = b * COLUMNS % 32;
	const real x = as_double((uint2)(warp_word((uint)v.x, lane),
	                                 warp_word((uint)v.y, lane)));
#else
	const real x = as_float(warp_word((uint)line[0].x,
	                                  b * COLUMNS / 2));
#endif

	return candidate_of(place != NOBODY && pivoting ? order_of(x) : 0,
	                    place);
}

/* A message's row, as row_write would. */
INLINE void line_keep(struct item me, const ulong2 *line,
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

/* The best of the messages that this warp reads, its row to `to`. */
INLINE struct candidate collect(struct item me, const struct panel *p,
                                int now, int b, local struct row *to)
{
	const uint step = tag_step(p->j + now);
	const int far = WARPS * LINES;	/* from one of its messages on */
	struct candidate best = { 0, 0, NOBODY };
	ulong2 line[AT_ONCE][LINES_A_LANE];

	for (int g0 = me.warp; g0 < p->groups; g0 += AT_ONCE * WARPS) {
		global const ulong2 *from = message(me, p, now, g0);

		UNROLL
		for (int a = 0; a < AT_ONCE; a++)
			UNROLL
			for (int i = 0; i < LINES_A_LANE; i++)
				if (g0 + a * WARPS < p->groups)
					line[a][i] = line_read(from + a * far +
					                       32 * i);
		UNROLL
		for (int a = 0; a < AT_ONCE; a++) {
			struct candidate c;

			if (g0 + a * WARPS >= p->groups)
				break;
			UNROLL
			for (int i = 0; i < LINES_A_LANE; i++)
				line[a][i] = line_wait(line[a][i], from +
				    a * far + 32 * i, step);
			c = proposed(line[a], b, p->pivoting);
			if (!is_before(c, best))
				continue;
			best = c;
			line_keep(me, line[a], to);
		}
	}
	return best;
}

/* The pivot's row in step now, of what warps have said; its place. Place is
 * that of this warp's best. */
INLINE local const struct row *agree(const struct rows *rows, struct item me,
                                     const struct panel *p, int now, int b,
                                     uint place, uint *pivot,
                                     local struct shared *s)
{
	const int turn = now & 1;
	const int first = first_warp(me, s->said[turn][0]);
	struct candidate c;
	int from;

	if (p->groups == 1) {
		if (first == me.warp)
			row_write(rows, me, place, s->in[turn][0].u[0], LINE);
		*pivot = s->said[turn][0][first].place;
		group_sync();
		return &s->in[turn][0];
	}
	if (first == me.warp) {
		row_write(rows, me, place, s->out, COLUMNS);
		warp_sync();
		post(me, p, now, place, (local const uint *)s->out);
	}
	c = collect(me, p, now, b, &s->in[turn][me.warp]);
	if (me.lane == 0)
		s->said[turn][1][me.warp] = c;
	from = first_warp(me, s->said[turn][1]);
	*pivot = s->said[turn][1][from].place;
	return &s->in[turn][from];
}

#endif
