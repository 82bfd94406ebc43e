/* gang.c - the steps of P A = L U by several devices; see gang.h and
 * ops/gang/panels.h. A panel is a block's columns from the diagonal down. It is
 * copied and factored as a matrix of its own. To apply it is to interchange
 * rows, to solve U12 = L11^-1 A12, and to update A22 -= L21 U12. Columns to the
 * left get later interchanges only when they are stored. */
#include "ops/lu/complex.h"
#include "ops/lu/gang.h"
#include "ops/lu/residual.h"

/* A panel on the board: its interchanges, and after them its rows. */
static size_t slot_head(size_t width)
{
	return size_round_up(width * sizeof(int32_t), 128);
}

size_t lu_gang_slot(size_t m, size_t width, enum dtype t)
{
	return slot_head(width) + m * width * dtype_bytes(t);
}

static bool is_judged(const struct args *a)
{
	return a->quality == QUALITY_ESTIMATE && args_wants(a, LU_LU) &&
	       (args_wants(a, LU_P) || args_wants(a, LU_PIVOTS));
}

static size_t own_bytes(const struct args *a, size_t m, size_t k)
{
	return is_judged(a) ? lu_gang_judge_bytes(m, k) : 0;
}

static bool is_suitable(const struct args *a)
{
	return a->in[0].ndim == 2 && !dtype_is_complex(a->dtype) &&
	       a->param[LU_PIVOT] == LU_PARTIAL &&
	       a->quality != QUALITY_FULL &&
	       !args_wants(a, LU_L) && !args_wants(a, LU_U) &&
	       args_wants(a, LU_LU);
}

void lu_gang_plan(const struct args *a, int parts, struct gang_plan *g)
{
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);
	const size_t each = dtype_bytes(a->dtype), k = size_min(m, n);

	*g = (struct gang_plan){
		.asked = (int)args_real(a, LU_DEVICES, 0), .out = 1u << LU_LU,
	};
	if (!is_suitable(a) || m == 0)
		return;
	g->width = columns_plan(k, parts);
	g->head = board_head_bytes();
	g->board = board_bytes(parts, own_bytes(a, m, k),
	                       lu_gang_slot(m, g->width, a->dtype));
	g->moved = ((double)m - k / 2.0) * k * each;
}

struct lu_gang lu_gang_of(const struct args *a)
{
	struct lu_gang g = {
		.each = dtype_bytes(a->dtype), .c = columns_of(a),
	};

	g.m = g.c.m;
	g.n = g.c.n;
	g.k = size_min(g.m, g.n);
	return g;
}

static size_t moved_bytes(const struct lu_gang *g, int lane)
{
	return 2 * g->c.width * g->each *
	       (lane == 0 ? g->c.width : columns_most(&g->c));
}

static void make_buffers(struct lu_gang *g)
{
	for (int i = 0; i < 2; i++) {
		const struct blas_gemm most = gang_panels_most(&g->c, i);

		g->panel[i] = seq_scratch(g->s, g->m * g->c.width * g->each);
		g->lists[i] = seq_scratch(g->s, 4 * g->c.width *
		                                sizeof(int32_t));
		g->moved[i] = seq_scratch(g->s, moved_bytes(g, i));
		g->tensor[i] = blas_tensor_of(g->s, &most);
	}
}

int lu_gang_open(struct lu_gang *g, struct seq *s, const struct args *a,
                 lu_factor_fn *by, size_t own)
{
	g->s = s;
	g->factor = by;
	board_open(&g->x, s, a->gang.board.memory, a->gang.part,
	           a->gang.parts, own,
	           lu_gang_slot(g->m, g->c.width, a->dtype));
	if (lu_pivots_init(&g->p, s, g->m, g->n) < 0)
		return -1;
	columns_load(s, &g->c, &a->in[0], false);
	make_buffers(g);
	return seq_failed(s) ? -1 : 0;
}

void lu_gang_close(struct lu_gang *g)
{
	lu_pivots_fini(&g->p);
}

static struct columns_rows rows_of(const struct lu_gang *g, size_t row,
                                   size_t col, struct buf list)
{
	return (struct columns_rows){ .b = g->c.b, .at = row * g->c.own + col,
	                              .ld = g->c.own, .list = list };
}

/* Applies panel k to the part's columns c0 to c1 - 1. */
static void apply(void *gang, size_t k, int lane, size_t c0, size_t c1)
{
	struct lu_gang *const g = gang;
	const size_t j = k * g->c.width, w = columns_width(&g->c, k);
	const struct columns_rows columns = rows_of(g, 0, c0,
	                                            (struct buf){ 0 });

	lu_panel_apply(g->s, &(struct lu_panel){
		.m = g->m, .j = j, .w = w, .r = size_min(w, g->m - j),
		.lu = g->panel[k % 2], .lists = g->lists[k % 2],
		.second = 2 * g->c.width, .moves = g->moves[k % 2],
	}, &(struct lu_panel_room){
		.moved = g->moved[lane], .tensor = &g->tensor[lane],
		.groups = gang_panels_groups(g->s, lane),
	}, &columns, c1 - c0);
}

/* Factors panel k of this part, and posts it. */
static void factor(void *gang, size_t k)
{
	struct lu_gang *const g = gang;
	const size_t j = k * g->c.width, w = columns_width(&g->c, k);
	const size_t rows = g->m - j, size = rows * w * g->each;
	const int mark = seq_mark(g->s);
	struct factors f = { .stack = 1, .m = rows, .n = w, .pivoting = true,
	                     .beside = true,
	                     .a = seq_scratch(g->s, size),
	                     .lu = g->panel[k % 2] };
	const struct columns_rows own = rows_of(g, j, columns_at(&g->c, k),
	                                        (struct buf){ 0 });
	char *slot;

	factors_alloc(g->s, &f);
	lu_panel_factor(g->s, g->factor, &f, &own);
	slot = board_slot(&g->x, k);
	if (slot) {
		board_read(&g->x, f.swaps, 0, slot, factors_swaps(&f));
		board_read(&g->x, f.lu, 0, slot + slot_head(g->c.width),
		              size);
		board_post(&g->x, k);
	}
	seq_drop(g->s, mark);
}

/* Takes panel k from the board; the part that factored it has it. */
static bool take(void *gang, size_t k)
{
	struct lu_gang *const g = gang;
	const size_t j = k * g->c.width, w = columns_width(&g->c, k);
	const size_t room = g->m, second = 2 * g->c.width * sizeof(int32_t);
	const char *slot = board_take(&g->x, k), *panel;
	const struct buf lists = g->lists[k % 2];
	ptrdiff_t n;

	if (!slot)
		return false;
	panel = slot + slot_head(g->c.width);
	if (!columns_has(&g->c, k))
		board_write(&g->x, g->panel[k % 2], 0, panel,
		               (g->m - j) * w * g->each);
	n = lu_pivots_take(&g->p, g->s, j, size_min(w, g->m - j),
	                        (const int32_t *)slot, panel, w, room);
	board_release(&g->x, k);
	if (n < 0)
		return false;
	g->moves[k % 2] = (size_t)n;
	board_write(&g->x, lists, 0, g->p.list, (size_t)n *
	               sizeof(int32_t));
	board_write(&g->x, lists, second, g->p.list + room, (size_t)n *
	               sizeof(int32_t));
	return !seq_failed(g->s);
}

void lu_gang_factor(struct lu_gang *g)
{
	gang_panels_run(g->s, &g->c, &(struct gang_panels){
		size_blocks(g->k, g->c.width), factor, take, apply, g,
		.share = 1 });
}

/* Copies the part's block b, its rows in their final order. `list` has room for
 * m numbers. */
static void copy_block(struct lu_gang *g, size_t b, struct buf list,
                       const struct columns_rows *to)
{
	const size_t j = b * g->c.width, w = columns_width(&g->c, b);
	const struct columns_rows from = rows_of(g, 0, columns_at(&g->c, b),
	                                         list);

	seq_write(g->s, list, 0, lu_pivots_after(&g->p, size_min(j + w,
	          g->k)), g->m * sizeof(int32_t));
	columns_copy(g->s, g->m, w, &from, to);
}

void lu_gang_order(struct lu_gang *g)
{
	const int mark = seq_mark(g->s);
	const struct buf list = seq_scratch(g->s, g->m * sizeof(int32_t));
	const struct buf room = seq_scratch(g->s, g->m * g->c.width * g->each);

	for (size_t b = g->c.part; b < columns_blocks(&g->c);
	     b += g->c.parts) {
		const size_t w = columns_width(&g->c, b);
		const struct columns_rows sorted = { .b = room, .ld = w };
		const struct columns_rows own = rows_of(g, 0,
		    columns_at(&g->c, b), (struct buf){ 0 });

		copy_block(g, b, list, &sorted);
		columns_copy(g->s, g->m, w, &sorted, &own);
	}
	seq_drop(g->s, mark);
}

/* Writes the part's blocks into the answer, in their final order of rows. */
static void store(struct lu_gang *g, struct matrix *lu)
{
	const struct buf list = seq_scratch(g->s, g->m * sizeof(int32_t));

	for (size_t b = g->c.part; b < columns_blocks(&g->c) &&
	     !seq_failed(g->s); b += g->c.parts) {
		const size_t j = b * g->c.width, w = columns_width(&g->c, b);
		const int mark = seq_mark(g->s);
		const struct region at = { j, g->m, w, g->n };
		const struct columns_rows to = {
			.b = seq_output_region(g->s, lu, &at), .ld = w,
		};

		copy_block(g, b, list, &to);
		if (g->judged)
			lu_gang_judge_block(g, b, to.b);
		seq_finish(g->s);
		seq_drop(g->s, mark);
	}
}

static void compute(struct lu_gang *g, struct args *a)
{
	if (g->judged)
		lu_gang_judge_a(g);
	lu_gang_factor(g);
	if (g->judged)
		lu_gang_judge_u(g);
	store(g, &a->out[LU_LU]);
	if (g->judged)
		lu_gang_judge_end(g, a);
}

int lu_gang_run(struct seq *s, struct args *a, lu_factor_fn *by)
{
	struct lu_gang g = lu_gang_of(a);

	g.judged = is_judged(a);
	seq_hold(s, false);
	if (lu_gang_open(&g, s, a, by, own_bytes(a, g.m, g.k)) == 0)
		compute(&g, a);
	if (g.x.part == 0 && !seq_failed(s))
		lu_pivots_answer(&g.p, a);
	seq_wait(s);
	lu_gang_close(&g);
	return seq_finish(s);
}

static void need_judge(struct need *n, const struct lu_gang *g,
                       const struct sheet *d)
{
	const size_t wide = lu_wide_bytes(d);

	need_buffer(n, columns_most(&g->c) * wide);
	for (int i = 0; i < 3; i++)	/* A x, norm, L w */
		need_buffer(n, g->m * wide);
	for (int i = 0; i < 2; i++)	/* the shares of U x; U x */
		need_buffer(n, g->k * wide);
}

void lu_gang_factor_need(const struct args *a, const struct sheet *d,
                         lu_need_fn *by, struct need *n)
{
	const struct lu_gang g = lu_gang_of(a);
	const struct factors panel = { .stack = 1, .m = g.m, .n = g.c.width,
	                               .beside = true };

	need_buffer(n, g.m * columns_most(&g.c) * g.each);
	for (int i = 0; i < 2; i++) {
		const struct blas_gemm most = gang_panels_most(&g.c, i);

		need_buffer(n, g.m * g.c.width * g.each);
		need_buffer(n, 4 * g.c.width * sizeof(int32_t));
		need_buffer(n, moved_bytes(&g, i));
		blas_gemm_need(n, d, a->dtype, &most);
	}
	/* While a panel is factored; the columns of a block that are loaded or
	 * stored take less. */
	need_buffer(n, g.m * g.c.width * g.each);
	need_buffer(n, factors_swaps(&panel));
	need_buffer(n, g.m * sizeof(int32_t));
	by(n, d, a->dtype, &panel);
}

void lu_gang_need(const struct args *a, const struct sheet *d,
                  lu_need_fn *by, struct need *n)
{
	const struct lu_gang g = lu_gang_of(a);

	lu_gang_factor_need(a, d, by, n);
	if (is_judged(a))
		need_judge(n, &g, d);
}
