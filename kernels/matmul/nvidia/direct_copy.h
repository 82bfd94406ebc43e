/* direct_copy.h - how direct.cl copies slabs of A and B to local memory, in
 * the operand's order: k contiguous (`along`), or lines contiguous. */
/* An operand of a tile, whose first element is at x. Lines are rows of A or
 * columns of B. */
struct factor {
	const global float *x;
	long line_step, k_step;
	int lines, depth;		/* lines and elements of k from x on */
	bool quads;			/* contiguous and aligned by four */
};

/* Returns the index of an element in its operand's half of a slab; `along`: k
 * is contiguous. Items read quads of k, or of lines, at k = 4 (item % 4). */
INLINE int place(int line, int k, int lines, bool along)
{
	return along ? k / BLOCK * BLOCK * lines + line * BLOCK + k % BLOCK :
	    k * lines + (line ^ (k & 12) << 1);
}

/* Copies slab t in units of `unit` elements. */
INLINE void copy_units(uint to, const struct factor *f, int t, int lines,
                       bool along, int unit)
{
	const int item = get_local_id(0);
	const int row = (along ? SLAB : lines) / unit;	/* units side by side */
	const int line = along ? item / row : item % row * unit;
	const int k = along ? item % row * unit : item / row;
	const int lines_on = along ? ITEMS / row : 0;
	const int k_on = along ? 0 : ITEMS / row;
	const long on = lines_on * f->line_step + k_on * f->k_step;
	const global float *x = f->x + line * f->line_step +
	    (t * SLAB + k) * f->k_step;

	#pragma unroll
	for (int i = 0; i < lines * SLAB / unit / ITEMS; i++, x += on) {
		const int l = line + i * lines_on, p = k + i * k_on;
		const int of_lines = f->lines - l;
		const int of_k = f->depth - t * SLAB - p;
		const int n = min(unit, min(along ? of_k : of_k * unit,
		                            along ? of_lines * unit :
		                                    of_lines));
		const uint at = to + 4 * place(l, p, lines, along);

		if (unit == 4)
			ptx_copy16_part(at, x, 4 * max(n, 0));
		else
			ptx_copy4(at, x, n > 0);
	}
}

INLINE void copy(uint to, const struct factor *f, int t, int lines, bool along)
{
	if (f->quads)
		copy_units(to, f, t, lines, along, 4);
	else
		copy_units(to, f, t, lines, along, 1);
}
