/* narrow.cl - P A = L U of a stack of matrices that are no wider than a
 * panel, on a CPU. */
#include "lu/panel.h"

static void panel_load(global real *p, const struct panel *s,
                       global const real *a, int lda)
{
	for (int i = 0; i < s->rows; i++)
		for (int c = 0; c < s->blocks; c++)
			PUT(load_part(a + (size_t)i * lda + c * VW,
			              s->columns - c * VW),
			    panel_row(p, s, c, i));
	for (int i = s->rows; i < s->rows + MR; i++)
		for (int c = 0; c < s->blocks; c++)
			PUT((realv)0, panel_row(p, s, c, i));
}

static void panel_store(global real *p, const struct panel *s,
                        global real *a, int lda)
{
	for (int i = 0; i < s->rows; i++)
		for (int c = 0; c < s->blocks; c++)
			store_part(VLOAD(panel_row(p, s, c, i)),
			           a + (size_t)i * lda + c * VW,
			           s->columns - c * VW);
}

/* Matrices `from` to `count` of a stack, each no wider than a panel: item i
 * takes from + i, from + i + items, … and has a part of T to itself. */
SINGLE_ITEM kernel void lu_narrow(global const real *restrict a, int m, int n,
                                  int pivoting, int count,
                                  global real *restrict t, int ld,
                                  global int *restrict swaps,
                                  global real *restrict lu, int from)
{
	const struct panel s = { m, n, (n + VW - 1) / VW, ld };
	global real *p = t + get_global_id(0) * (size_t)s.blocks * ld * VW;

	for (size_t i = from + get_global_id(0); i < count;
	     i += get_global_size(0)) {
		const size_t at = i * m * (size_t)n;

		panel_load(p, &s, a + at, n);
		panel_factor(p, &s, pivoting, 0, swaps + i * min(m, n));
		panel_store(p, &s, lu + at, n);
	}
}
