/* lu_spread.h - how work-groups on several multiprocessors of an NVIDIA GPU
 * agree on a pivot, within a kernel. All of them must run at once.
 *
 * In every step each group posts its best row, and reads what all have
 * posted. A message has lines of 16 bytes: two words of the row, each with
 * a tag in the same 8 bytes, which arrive together:
 *
 *     word 0 | tag | word 1 | tag        tag: step mod 255 + 1, place
 *
 * So a message needs neither a fence nor a flag (the LL protocol of NVIDIA's
 * NCCL, 2019). It lies in the half of the post for even or odd steps: who
 * writes step k + 2 has read all of step k + 1, hence all have read step k.
 */
#ifndef KERNELS_LU_SPREAD_H
#define KERNELS_LU_SPREAD_H

#define WORDS ((int)(NB * sizeof(real) / sizeof(uint)))
#define LINES (WORDS / 2)
#define LINES_A_LANE (LINES / 32)
#define WARPS (ITEMS / 32)
#define AT_ONCE (2 / LINES_A_LANE)	/* messages asked for before a wait */
#define PATIENCE (1 << 24)	/* looks at one message: seconds */

INLINE ulong2 line_read(global const ulong2 *p)
{
	ulong2 v;

	__asm__ volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
	                 : "=l"(v.x), "=l"(v.y) : "l"(p) : "memory");
	return v;
}

INLINE void line_write(global ulong2 *p, ulong2 v)
{
	__asm__ volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};"
	                 : : "l"(p), "l"(v.x), "l"(v.y) : "memory");
}

INLINE uint warp_word(uint x, uint lane)
{
	uint y;

	__asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
	                 : "=r"(y) : "r"(x), "r"(lane));
	return y;
}

INLINE void warp_sync(void)
{
	__asm__ volatile("bar.warp.sync 0xffffffff;" : : : "memory");
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

/* The line once it is of that step. Who waits for seconds waits in vain:
 * the kernel ends in a fault. */
INLINE ulong2 line_wait(ulong2 v, global const ulong2 *p, uint step)
{
	for (int i = 0; !line_is_of(v, step); i++) {
		if (i == PATIENCE)
			__asm__ volatile("trap;");
		v = line_read(p);
	}
	return v;
}

/* The message of a group in that step. */
INLINE global ulong2 *message(const struct team *t, int step,
                                     int group)
{
	return t->post + ((step & 1) * t->groups + group) * LINES + sg_lane();
}

/* This warp's slot of u, as the row of that place. */
INLINE void post(const struct team *t, int step, uint place,
                        local const uint *words)
{
	const ulong tag = (ulong)(tag_step(step) | place) << 32;

	for (int i = 0; i < LINES_A_LANE; i++) {
		const int w = 2 * (32 * i + sg_lane());

		line_write(message(t, step, t->group) + 32 * i,
		           (ulong2)(tag | words[w], tag | words[w + 1]));
	}
}

/* Whom a message proposes. */
INLINE struct candidate proposed(const ulong2 *line, int b, int pivoting)
{
	const uint place = line_tag(line[0]) & NOBODY;
#ifdef DTYPE_float64
	const uint low = warp_word((uint)line[0].x, b);
	const uint high = warp_word((uint)line[0].y, b);
	const real x = as_double((ulong)high << 32 | low);
#else
	const real x = as_float(warp_word(b % 2 ? line[0].y : line[0].x,
	                                b / 2));
#endif

	return (struct candidate){
		place != NOBODY && pivoting ? order_of(x) : 0, place
	};
}

/* The best of the messages that this warp reads, its row in words. */
INLINE struct candidate collect(const struct team *t, struct step k,
                                local uint *words)
{
	const int member = sg_item() / 32;
	struct candidate best = { 0, NOBODY };
	const int step = t->j + k.first + k.b;
	ulong2 row[LINES_A_LANE], line[AT_ONCE][LINES_A_LANE];

	for (int g0 = member; g0 < t->groups; g0 += AT_ONCE * WARPS) {
		_Pragma("unroll")
		for (int a = 0; a < AT_ONCE; a++)
			_Pragma("unroll")
			for (int i = 0; i < LINES_A_LANE; i++)
				if (g0 + a * WARPS < t->groups)
					line[a][i] = line_read(message(t, step,
					    g0 + a * WARPS) + 32 * i);
		_Pragma("unroll")
		for (int a = 0; a < AT_ONCE; a++) {
			struct candidate c;

			if (g0 + a * WARPS >= t->groups)
				break;
			_Pragma("unroll")
			for (int i = 0; i < LINES_A_LANE; i++)
				line[a][i] = line_wait(line[a][i], message(t,
				    step, g0 + a * WARPS) + 32 * i,
				    tag_step(step));
			c = proposed(line[a], k.b, t->pivoting);
			if (!is_before(c, best))
				continue;
			best = c;
			_Pragma("unroll")
			for (int i = 0; i < LINES_A_LANE; i++)
				row[i] = line[a][i];
		}
	}
	if (best.place == NOBODY)
		return best;
	_Pragma("unroll")
	for (int i = 0; i < LINES_A_LANE; i++) {
		words[2 * (32 * i + sg_lane())] = row[i].x;
		words[2 * (32 * i + sg_lane()) + 1] = row[i].y;
	}
	return best;
}

/* As pivot_alone: the best of the warp, of the group, of all groups. */
INLINE uint pivot_together(const struct rows *rows, struct step k,
                           const struct team *t, local const real **u,
                           local struct shared *s)
{
	const int member = sg_item() / 32;
	local uint *words = (local uint *)s->u[member];
	const struct candidate own = sg_first(own_best(rows, k, t->pivoting),
	                                      s);
	struct candidate best, c;
	uint slot;

	tell(own, 0, s);
	barrier(CLK_LOCAL_MEM_FENCE);
	best = sg_first(hear(0, s), s);
	if (best.place == own.place && (best.place != NOBODY || member == 0)) {
		row_write(rows, best.place, s->u[member]);
		warp_sync();
		post(t, t->j + k.first + k.b, best.place, words);
	}
	warp_sync();
	tell(collect(t, k, words), 1, s);
	barrier(CLK_LOCAL_MEM_FENCE);
	c = hear(1, s);
	best = sg_first(c, s);
	slot = place_min(c.place == best.place ? sg_lane() : NOBODY, s);
	*u = s->u[slot];
	return best.place;
}

INLINE uint pivot_find(const struct rows *rows, struct step k,
                       const struct team *t, local const real **u,
                       local struct shared *s)
{
	return t->groups == 1 ? pivot_alone(rows, k, t->pivoting, u, s) :
	                        pivot_together(rows, k, t, u, s);
}

#endif
