/* f64_load.h - how slabs of the operands of a product in float64 are copied to
 * local memory: a warpgroup copies them asynchronously, STAGES ahead, with
 * zeros beyond the edges; pairs of elements where they are contiguous and
 * aligned, else one by one, for any steps between them. Local memory has the
 * operand's order, but quads of elements are exchanged so that lanes which read
 * at the same time read from different banks. */
#if defined(DTYPE_float64)

#define MULTIPLIERS (32 * (ROWS / WARP_M) * (COLS / WARP_N))
#define LOADERS 128
#define ITEMS (MULTIPLIERS + LOADERS)
#define PART_A (ROWS * SLAB)
#define STAGE ((ROWS + COLS) * SLAB)

/* A work-group's ring in local memory: slabs, each with two signals: its copies
 * have arrived, and it has been multiplied and is free. */
struct stages {
	local double *slab;
	uint full, empty;		/* of the first slab; 8 bytes each */
};

/* The position of slab t in the ring: its stage, and how often the ring has
 * been used up before. */
struct turn {
	int stage, round;
};

INLINE struct turn turn_after(struct turn x)
{
	const bool last = x.stage + 1 == STAGES;
	const struct turn next = { last ? 0 : x.stage + 1, x.round + last };

	return next;
}

/* An operand of a tile. Lines are rows of A or columns of B. */
struct factor {
	const global double *x;		/* the tile's first element */
	long line_step, k_step;
	int last, depth;		/* lines end with `last`, k at depth */
	bool pairs;
};

/* Returns the index of an element in its operand's half of a slab; `along`: k
 * is contiguous. Lanes that read at the same time have k = q of lines g of A,
 * or lines 2 g of B. */
INLINE int place(int line, int k, int lines, bool along, bool twice)
{
	return along ? line * SLAB + (k ^ (line >> twice & 3) << 2) :
	    k * lines + (line ^ (k & 3) << 2);
}

/* Returns how many of `count` elements from `at` on are not beyond the last. */
INLINE int within(int count, int at, int last)
{
	return clamp(last + 1 - at, 0, count);
}

/* Copies slab t in units of `unit` elements, some of which may be beyond an
 * edge unless `whole` is set. Addresses are computed again for each slab, which
 * saves registers; this warpgroup has time for it. */
INLINE void copy_units(uint to, const struct factor *f, int t, int lines,
                       bool along, bool twice, int unit, bool whole)
{
	const int item = ptx_opaque(get_local_id(0)) - MULTIPLIERS;
	const int row = (along ? SLAB : lines) / unit;	/* units side by side */
	const int line = along ? item / row : item % row * unit;
	const int k = along ? item % row * unit : item / row;
	const int lines_on = along ? LOADERS / row : 0;
	const int k_on = along ? 0 : LOADERS / row;
	const long on = lines_on * f->line_step + k_on * f->k_step;
	const global double *x = f->x + line * f->line_step +
	    (t * SLAB + k) * f->k_step;

	#pragma unroll
	for (int i = 0; i < lines * SLAB / unit / LOADERS; i++, x += on) {
		const int l = line + i * lines_on, p = k + i * k_on;
		const uint at = to + 8 * place(l, p, lines, along, twice);
		const int there = whole ? unit :
		    within(along ? 1 : unit, l, f->last) *
		    within(along ? unit : 1, t * SLAB + p, f->depth - 1);

		if (unit == 2)
			ptx_copy16_part(at, x, 8 * there);
		else
			ptx_copy8(at, x, there);
	}
}

INLINE void copy_lines(uint to, const struct factor *f, int t, int lines,
                       bool along, bool twice)
{
	const bool whole = f->last >= lines - 1 && (t + 1) * SLAB <= f->depth;

	if (!f->pairs)
		copy_units(to, f, t, lines, along, twice, 1, false);
	else if (whole)
		copy_units(to, f, t, lines, along, twice, 2, true);
	else
		copy_units(to, f, t, lines, along, twice, 2, false);
}

INLINE void copy(uint to, const struct factor *f, int t, int lines, bool twice)
{
	if (f->k_step == 1)
		copy_lines(to, f, t, lines, true, twice);
	else
		copy_lines(to, f, t, lines, false, twice);
}

INLINE struct factor factor_of(const global double *x, long line_step,
                               long k_step, int last, int depth)
{
	const struct factor f = {
		x, line_step, k_step, last, depth,
		((long)x & 15) == 0 && (k_step == 1 ? line_step % 2 == 0 :
		    line_step == 1 && k_step % 2 == 0),
	};
	return f;
}

/* Copies the slabs of all of the work-group's tiles, one tile after another. */
INLINE void load(const struct stages *at, const struct product *x)
{
	struct turn now = { 0, 0 };

	for (struct share w = share_first(x); w.tile < tiles_of(x);
	     w = share_after(x, w)) {
		const struct tile t = tile_of(x, w.tile);
		const struct factor a = factor_of(
		    x->a + (long)t.from.x * x->m * x->k + t.i0 * x->a_row +
		    t.p0 * x->a_col, x->a_row, x->a_col, x->m - 1 - t.i0,
		    t.depth);
		const struct factor b = factor_of(
		    x->b + (long)t.from.y * x->k * x->n + t.j0 * x->b_col +
		    t.p0 * x->b_row, x->b_col, x->b_row, x->n - 1 - t.j0,
		    t.depth);

		if (!is_wanted(x, &t))
			continue;
		for (int s = w.from; s < w.to; s++) {
			const uint to = ptx_local(at->slab + now.stage * STAGE);

			if (now.round > 0)
				ptx_signal_wait(at->empty + 8 * now.stage,
				                now.round + 1 & 1);
			copy(to, &a, s, ROWS, false);
			copy(to + 8 * PART_A, &b, s, COLS, true);
			ptx_copies_arrive(at->full + 8 * now.stage);
			now = turn_after(now);
		}
	}
	ptx_copies_wait(0);
}

#endif
