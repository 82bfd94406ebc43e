/* lu.cl - P A = L U on a CPU: blocked, right-looking, partial pivoting.
 *
 *          j   nb
 *      +---+----+--------+
 *      |   |    |  U12   |   panel    P T1 = L1 U11 (lu/panel.h)
 *      |   | T1 +--------+   strip    U12 = L11^-1 (P T)12
 *      |   |    |  T22   |            T22 -= L21 U12
 *      +---+----+--------+
 *
 * All of it happens in T (lu/cpu.h), whose blocks need no packing: L21 is read
 * by rows of a block, element after element, and U12 vector after vector.
 * lu_load copies A to T; lu_store copies L and U to the result, L's rows in the
 * order that the interchanges of later panels ask for, which lu_order finds.
 *
 * lu_factor factors T, or some of its panels. Its work-items, one for each
 * core, draw tasks in turn. Step g has these, in this order:
 *
 *     strips of panel g + 1 │ panel g + 1 │ the other strips
 *
 * so that one core factors the next panel while the others update (look-ahead,
 * Strazdins, 1998). A strip waits for panel g and for its own task of step g -
 * 1, a panel for its strips: for tasks drawn earlier, which therefore run or
 * are done.
 */
#include "lu/panel.h"
#include "lu/strip.h"

#define ROWS_A_ITEM 16		/* of lu_load and lu_store */
#define SPARE 16		/* rows below the matrix that are cleared */

/* T = A, in `blocks` blocks; the last item also clears the rows below. */
SINGLE_ITEM kernel void lu_load(global const real *restrict a, long a_at,
                                int m, int n, global real *restrict t, int ld,
                                int blocks, int first_group)
{
	const int row = (first_group + get_global_id(0)) * ROWS_A_ITEM;
	const int end = min(row + ROWS_A_ITEM, m);
	const int below = end < m ? end : m + SPARE;

	a += a_at;
	for (int c = 0; c < blocks; c++) {
		global real *to = block_of(t, ld, c);

		for (int i = row; i < end; i++)
			PUT(load_part(a + (size_t)i * n + c * VW, n - c * VW),
			    to + (size_t)i * VW);
		for (int i = end; i < below; i++)
			PUT((realv)0, to + (size_t)i * VW);
	}
}

/* The matrix, and how far its panels and strips are. */
struct factoring {
	global real *t;
	int ld, m, n, nb;	/* nb: columns of a panel */
	int pivots, strips;
	int pivoting;
	global int *swaps;
	global int *ready;	/* panels that are factored */
	global int *passed;	/* [strip]: panels applied to it */
};

/* What was written before count_up() is seen after wait_until(). */
static void count_up(global int *count)
{
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	atomic_inc(count);
}

static void wait_until(global int *count, int value)
{
	while (*(volatile global int *)count < value)
		;
	atomic_add(count, 0);
	mem_fence(CLK_GLOBAL_MEM_FENCE);
}

static int strips_of_panel(const struct factoring *f)
{
	return f->nb / (STRIP * VW);
}

static void panel_task(const struct factoring *f, int g)
{
	const int j = g * f->nb, columns = min(f->nb, f->n - j);
	const struct panel s = { f->m - j, columns, (columns + VW - 1) / VW,
	                         f->ld };
	const int first = g * strips_of_panel(f);

	for (int i = 0; g > 0 && i * STRIP < s.blocks; i++)
		wait_until(f->passed + first + i, g);
	panel_factor(block_of(f->t, f->ld, j / VW) + (size_t)j * VW, &s,
	             f->pivoting, j, f->swaps + j);
	count_up(f->ready);
}

static void strip_task(const struct factoring *f, int g, int strip)
{
	const int j = g * f->nb;

	wait_until(f->ready, g + 1);
	wait_until(f->passed + strip, g);
	strip_advance(f->t, f->ld, f->m, j, min(f->nb, f->pivots - j),
	              f->swaps, block_of(f->t, f->ld, STRIP * strip), 1);
	count_up(f->passed + strip);
}

/* The tasks of step g, until none is left to draw. */
static void step_tasks(const struct factoring *f, int g, global int *drawn)
{
	const int of_matrix = (f->n + STRIP * VW - 1) / (STRIP * VW);
	const int first = min((g + 1) * strips_of_panel(f), of_matrix);
	const int panels = (g + 1) * f->nb < f->pivots;
	const int ahead = min(strips_of_panel(f), of_matrix - first);
	const int tasks = f->strips - first + panels;

	for (;;) {
		const int task = atomic_inc(drawn);

		if (task >= tasks)
			return;
		if (panels && task == ahead)
			panel_task(f, g + 1);
		else
			strip_task(f, g, first + task -
			                 (panels && task > ahead));
	}
}

/* Steps first to last; before step 0, panel 0. Strips right of the matrix's n
 * columns are right-hand sides, to which panels are applied, too. state, zeros
 * at first, has these counters: tasks drawn in each step, and for panel 0;
 * panels factored; panels applied to each strip. */
SINGLE_ITEM kernel void lu_factor(global real *t, int ld, int m, int n,
                                  int strips, int nb, int pivoting,
                                  global int *swaps, long swap_at,
                                  global int *state, int first, int last)
{
	const int pivots = min(m, n), panels = (pivots + nb - 1) / nb;
	const struct factoring f = {
		t, ld, m, n, nb, pivots, strips, pivoting, swaps + swap_at,
		state + panels + 1, state + panels + 2,
	};

	if (first == 0 && atomic_inc(state + panels) == 0)
		panel_task(&f, 0);
	for (int g = first; g < last; g++)
		step_tasks(&f, g, state + g);
}

/* --- L and U to the result */

/* order[g][i]: the row of panel g that later interchanges bring to its row
 * i. */
SINGLE_ITEM kernel void lu_order(global const int *restrict swaps,
                                 long swap_at, int m, int pivots, int nb,
                                 global int *restrict order)
{
	const int g = get_global_id(0), first = g * nb;

	swaps += swap_at;
	order += (size_t)g * m;
	for (int i = 0; i < m; i++)
		order[i] = i;
	for (int k = first + nb; k < pivots; k++) {
		const int t = order[k];

		order[k] = order[swaps[k]];
		order[swaps[k]] = t;
	}
}

/* Item (ROWS_A_ITEM rows); nb is a multiple of VW. */
SINGLE_ITEM kernel void lu_store(global const real *restrict t, int ld,
                                 int m, int n, int pivots, int nb,
                                 global const int *restrict order,
                                 global real *restrict lu, long lu_at,
                                 int first_group)
{
	const int row = (first_group + get_global_id(0)) * ROWS_A_ITEM;
	const int end = min(row + ROWS_A_ITEM, m);

	lu += lu_at;
	for (int c = 0; c < n; c += VW) {
		global const real *from = t + (size_t)c * ld;
		global const int *p = order + (size_t)(c / nb) * m;

		for (int i = row; i < end; i++)
			store_part(VLOAD(from + (size_t)(c < pivots ? p[i] :
			                                 i) * VW),
			           lu + (size_t)i * n + c, n - c);
	}
}
