/* streamed.c - the steps of P A = L U of a matrix in the host's memory; see
 * streamed.h. The columns are divided into strips, and the matrix is factored
 * from left to right (left-looking):
 *
 *     load a strip; apply all panels to its left, which are uploaded one after
 *     the other; factor its own panels (right-looking); store it
 *
 * Panels are applied in the order and with the interchanges of a right-looking
 * factorization, so that rows of a panel that lies in the host's memory are in
 * the order in which it was factored. At the end each panel gets the
 * interchanges of all later ones.
 *
 * Panel g + 1 is uploaded in lane 0 while panel g is applied in lane 1. */
#include <stdlib.h>

#include "ops/gang/strips.h"
#include "ops/lu/complex.h"
#include "ops/lu/streamed.h"

static struct columns_rows rows_of(const struct lu_streamed *t, size_t row,
                                   size_t col)
{
	return (struct columns_rows){ .b = t->c.b, .ld = t->c.own,
	                              .at = row * t->c.own + col };
}

static struct region region_of(const struct lu_streamed *t, size_t row,
                               size_t col, size_t cols)
{
	return (struct region){ row * t->n + col, t->m - row, cols, t->n };
}

/* Applies the panel that begins at column j, of w columns, and whose buffers
 * have number `even`, to columns c0 to c1 - 1 of the strip. */
static void apply_to(struct lu_streamed *t, size_t j, size_t w, size_t even,
                     const struct lu_panel_room *room, size_t c0, size_t c1)
{
	const struct columns_rows columns = rows_of(t, 0, c0);

	lu_panel_apply(t->s, &(struct lu_panel){
		.m = t->m, .j = j, .w = w, .r = size_min(w, t->m - j),
		.lu = t->panel[even], .lists = t->lists[even],
		.second = 2 * t->width, .moves = t->moves[even],
	}, room, &columns, c1 - c0);
}

/* Uploads the lists of n rows that lu_pivots_moves() has made. */
static void send_lists(struct lu_streamed *t, size_t even, size_t n)
{
	t->moves[even] = n;
	seq_lane_write(t->s, t->lists[even], 0, t->p.list,
	               n * sizeof(int32_t));
	seq_lane_write(t->s, t->lists[even], 2 * t->width * sizeof(int32_t),
	               t->p.list + t->m, n * sizeof(int32_t));
}

/* --- the panels to the left of the strip */

/* Uploads panel g. */
static void send(void *streamed, size_t g)
{
	struct lu_streamed *const t = streamed;
	const size_t j = g * t->width, r = size_min(t->width, t->m - j);
	const struct region at = region_of(t, j, j, t->width);

	seq_load(t->s, t->lu, &at, t->panel[g % 2]);
	send_lists(t, g % 2, lu_pivots_moves(&t->p, j, r, t->m));
}

static void apply_left(void *streamed, size_t g)
{
	struct lu_streamed *const t = streamed;

	apply_to(t, g * t->width, t->width, g % 2, &(struct lu_panel_room){
		.moved = t->moved[1], .tensor = &t->tensor[1],
	}, 0, t->c.own);
}

/* --- the strip's own panels: struct gang_panels, of one part */

static void factor(void *streamed, size_t k)
{
	struct lu_streamed *const t = streamed;
	const size_t w = columns_width(&t->c, k), j = t->at + k * t->width;
	const int mark = seq_mark(t->s);
	const struct factors f = { .stack = 1, .m = t->m - j, .n = w,
	                           .pivoting = true, .beside = true,
	                           .a = t->copy, .lu = t->panel[k % 2],
	                           .swaps = t->swaps };
	const struct columns_rows own = rows_of(t, j, k * t->width);

	lu_panel_factor(t->s, t->factor, &f, &own);
	seq_drop(t->s, mark);
}

static bool take(void *streamed, size_t k)
{
	struct lu_streamed *const t = streamed;
	const size_t w = columns_width(&t->c, k), j = t->at + k * t->width;
	const size_t r = size_min(w, t->m - j);
	ptrdiff_t n;

	seq_lane_read(t->s, t->swaps, 0, t->host_swaps, r * sizeof(int32_t));
	seq_lane_read(t->s, t->panel[k % 2], 0, t->top, r * w * t->each);
	if (!seq_goes_on(t->s))
		return false;
	n = lu_pivots_take(&t->p, t->s, j, r, t->host_swaps, t->top, w, t->m);
	if (n < 0)
		return false;
	send_lists(t, k % 2, (size_t)n);
	return !seq_failed(t->s);
}

static void apply(void *streamed, size_t k, int lane, size_t c0, size_t c1)
{
	struct lu_streamed *const t = streamed;

	apply_to(t, t->at + k * t->width, columns_width(&t->c, k), k % 2,
	         &(struct lu_panel_room){
		.moved = t->moved[lane], .tensor = &t->tensor[lane],
		.groups = gang_panels_groups(t->s, lane),
	}, c0, c1);
}

/* --- strips */

/* Returns the share of factoring m x n elements in the call's work, 0 to 1. */
static double share_of(const struct lu_streamed *t, size_t m, size_t n)
{
	const double all = lu_flops(t->m, t->n);

	return all > 0 ? t->all * lu_flops(m, n) / all : 0;
}

static void factor_strip(struct lu_streamed *t)
{
	const size_t rows = t->at < t->k ? t->m - t->at : 0;
	const double from = share_of(t, t->m, t->at);
	const double to = share_of(t, t->m, t->at + t->c.own);
	const double own = share_of(t, rows, t->c.own);
	const size_t pivots = size_min(t->c.own, rows);

	seq_progress_within(t->s, from, to - own);
	strips_apply(t->s, size_blocks(size_min(t->at, t->k), t->width), send,
	             apply_left, t);
	gang_panels_run(t->s, &t->c, &(struct gang_panels){
		size_blocks(pivots, t->width), factor, take, apply, t,
		.before = to - own, .share = own });
}

/* Loads the strip of A^T, a panel's columns at a time. */
static void load_turned(struct lu_streamed *t)
{
	for (size_t c = 0; c < t->c.own; c += t->width) {
		const size_t w = size_min(t->width, t->c.own - c);
		const struct columns_rows from = { .b = t->panel[1], .ld = w };
		const struct columns_rows to = rows_of(t, 0, c);

		strips_load_turned(t->s, t->a, t->at + c, w, t->panel[0],
		                   t->panel[1]);
		columns_copy(t->s, t->m, w, &from, &to);
	}
}

static void compute_strip(struct lu_streamed *t)
{
	const struct region at = region_of(t, 0, t->at, t->c.own);

	if (t->turned)
		load_turned(t);
	else
		seq_load(t->s, t->a, &at, t->c.b);
	if (t->judged)
		lu_streamed_judge_a(t);
	factor_strip(t);
	if (t->judged)
		lu_streamed_judge_u(t);
	seq_store(t->s, t->c.b, t->lu, &at);
}

/* --- the final order of rows */

/* Brings the panel that begins at column j into the final order of rows. */
static void order_panel(struct lu_streamed *t, size_t j)
{
	const size_t w = size_min(t->width, t->n - j), rows = t->m - j;
	const struct region at = region_of(t, j, j, w);
	const struct columns_rows from = { .b = t->panel[0], .ld = w,
	                                   .list = t->copy };
	const struct columns_rows to = { .b = t->panel[1], .ld = w };

	lu_pivots_after(&t->p, size_min(j + w, t->k));
	for (size_t i = j; i < t->m; i++)
		t->p.list[i] -= (int32_t)j;
	seq_write(t->s, t->copy, 0, t->p.list + j, rows * sizeof(int32_t));
	seq_load(t->s, t->lu, &at, t->panel[0]);
	columns_copy(t->s, rows, w, &from, &to);
	if (t->judged)
		lu_streamed_judge_block(t, j, w, t->panel[1]);
	seq_store(t->s, t->panel[1], t->lu, &at);
}

static void order(struct lu_streamed *t)
{
	if (t->judged)
		lu_streamed_judge_l(t);
	for (size_t j = 0; j < t->k && seq_goes_on(t->s); j += t->width)
		if (t->judged || j + t->width < t->k)
			order_panel(t, j);
}

static void compute(struct lu_streamed *t)
{
	for (t->at = 0; t->at < t->n && seq_goes_on(t->s);
	     t->at += t->c.own) {
		t->c.own = t->c.n = size_min(t->most, t->n - t->at);
		compute_strip(t);
	}
	order(t);
}

static int begin(struct lu_streamed *t)
{
	if (lu_pivots_init(&t->p, t->s, t->m, t->n) < 0)
		return -1;
	t->host_swaps = calloc(t->width, sizeof *t->host_swaps);
	t->top = calloc(t->width * t->width, t->each);
	if (!t->host_swaps || !t->top)
		return err_set(seq_err(t->s), ERR_MEMORY, "lu: no memory for "
		               "panels of %zu columns", t->width);
	if (t->judged && lu_streamed_judge_begin(t) < 0)
		return -1;
	lu_streamed_make(t, seq_sheet(t->s));
	return seq_failed(t->s) ? -1 : 0;
}

void lu_streamed_factor(struct lu_streamed *t, struct seq *s,
                        const struct matrix *a, const struct matrix *lu)
{
	t->s = s;
	t->a = a;
	t->lu = lu;
	if (begin(t) == 0 && t->k > 0)
		compute(t);
}

void lu_streamed_end(struct lu_streamed *t)
{
	lu_pivots_fini(&t->p);
	free(t->host_swaps);
	free(t->top);
	free(t->sums);
}

int lu_streamed_run(struct seq *s, struct args *a)
{
	struct lu_streamed t = lu_streamed_call(a, seq_sheet(s));

	matrix_data(&a->in[0]);		/* In a pipeline, both are now in the */
	matrix_data(&a->out[LU_LU]);	/* host's memory. */
	seq_hold(s, false);
	lu_streamed_factor(&t, s, &a->in[0], &a->out[LU_LU]);
	if (t.judged && t.k == 0)
		a->verdict.residual = 0;
	else if (t.judged && seq_finish(s) == 0)
		lu_streamed_judge_end(&t, a);
	seq_wait(s);
	if (!seq_failed(s))
		lu_pivots_answer(&t.p, a);
	lu_streamed_end(&t);
	return seq_finish(s);
}
