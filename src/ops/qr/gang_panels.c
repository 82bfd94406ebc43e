/* gang_panels.c - panels of A = Q R by several devices; see gang.h and
 * ops/gang/panels.h. A panel is a block's columns from the diagonal down. Its
 * owner copies it, factors the copy by blocks of QR_NB reflections (block.h),
 * and hands over
 *
 *     H_1 H_2 ... = I - V T V^T    (compact WY; Schreiber and Van Loan 1989),
 *
 * of which every part applies the transpose to its columns of A. For Q the
 * panels are handed over once more, from the last to the first, and applied to
 * columns of the identity. */
#include "ops/blas/reflect.h"
#include "ops/qr/gang.h"

enum { NB = QR_NB, ITEMS = 64 };

/* Panel k: its place on the diagonal, rows, columns, and reflections; the rows
 * of V have ld elements. `side` says which of the two buffers it is in. */
struct qr_panel { size_t at, rows, cols, r, ld; int side; };

static struct qr_panel panel_of(const struct qr_gang *g, size_t k, size_t turn)
{
	const size_t at = k * g->c.width, rows = g->z.m - at;
	const size_t cols = columns_width(&g->c, k), r = size_min(rows, cols);

	return (struct qr_panel){ at, rows, cols, r, size_round_up(r, NB),
	                       turn % 2 };
}

static size_t square_bytes(const struct qr_gang *g)
{
	return g->c.width * g->c.width * g->each;
}

size_t qr_gang_slot(const struct qr_gang *g)
{
	return square_bytes(g) + g->z.m * g->c.width * g->each;
}

/* The bytes of V and of T. */
static size_t v_bytes(const struct qr_gang *g, const struct qr_panel *p)
{
	return p->rows * p->ld * g->each;
}

static size_t t_bytes(const struct qr_gang *g, const struct qr_panel *p)
{
	return p->r * g->c.width * g->each;
}

/* Where the T of panel k, which this part has, is kept. */
static size_t t_place(const struct qr_gang *g, size_t k)
{
	return k / g->c.parts * square_bytes(g);
}

/* The element of the part's columns at which panel k begins. */
static size_t place_of(const struct qr_gang *g, const struct qr_panel *p,
                       size_t k)
{
	return p->at * g->c.own + columns_at(&g->c, k);
}

/* --- a panel */

static struct blas_gemm product(const struct qr_gang *g, size_t m, size_t n,
                                size_t k, double alpha)
{
	return (struct blas_gemm){ .stack = 1, .m = m, .n = n, .k = k,
	                           .alpha = alpha,
	                           .tensor = &g->tensor[0][0] };
}

/* T of the first i columns, and of the next ones, is known: completes that of
 * both, with T_12 = -T_1 (V_1^T V_2) T_2. */
static void join(const struct qr_gang *g, const struct qr_panel *p, size_t i)
{
	const size_t ld = g->c.width, next = size_min(NB, p->r - i);
	const struct blas_gemm inner = product(g, i, next, next, 1);
	const struct blas_gemm outer = product(g, i, next, i, -1);
	const struct blas_part t1 = { .b = g->t[p->side], .ld = ld };
	const struct blas_part t2 = { .b = t1.b, .at = i * (ld + 1),
	                              .ld = ld };
	const struct blas_part t12 = { .b = t1.b, .at = i, .ld = ld };
	const struct blas_part v12 = { .b = g->gram, .at = i, .ld = ld };
	const struct blas_part x = { .b = g->product[0][0], .ld = next };

	blas_gemm(g->s, &inner, &v12, &t2, &x);
	blas_gemm(g->s, &outer, &t1, &x, &t12);
}

static void make_t(const struct qr_gang *g, const struct qr_panel *p)
{
	const size_t ld = g->c.width;
	const struct blas_gemm gram = product(g, p->r, p->r, p->rows, 1);
	const struct blas_part v = { .b = g->panel[p->side], .ld = p->ld };
	const struct blas_part to = { .b = g->gram, .ld = ld };
	struct blas_part vt = v;

	vt.transposed = true;
	blas_gemm(g->s, &gram, &vt, &v, &to);
	seq_fill(g->s, g->t[p->side], 0, t_bytes(g, p), &(float){ 0 },
	         sizeof(float));
	seq_launch(g->s, "qr_gang_t", GRID1(size_round_up(p->r, NB), NB),
	           ARG_BUF(g->gram), ARG_BUF(g->tau), ARG_INT(p->r),
	           ARG_INT(ld), ARG_BUF(g->t[p->side]));
	for (size_t i = NB; i < p->r; i += NB)
		join(g, p, i);
}

/* Factors the panel's copy in g->b.w. V of all its columns stands side by side,
 * with zeros above the diagonal. */
static void factor_copy(const struct qr_gang *g, const struct qr_panel *p)
{
	struct qr_block b = g->b;

	b.m = p->rows;
	b.n = p->cols;
	b.k = p->r;
	b.ld = p->ld;
	b.v = g->panel[p->side];
	b.tau = g->tau;
	b.each = g->c.width;
	for (size_t i = 0; i < p->r; i += NB) {
		const size_t next = size_min(i + NB, p->r);
		const struct blas_part c = { .b = b.w, .at = i * b.n + next,
		                             .ld = b.n };

		qr_block_factor(&b, i);
		qr_block_apply(&b, i, NB, &c, b.n - next, true);
	}
}

static void keep(const struct qr_gang *g, const struct qr_panel *p, size_t k)
{
	const size_t count = p->rows * p->cols;

	seq_launch(g->s, "qr_gang_keep", GRID1(count, ITEMS),
	           ARG_BUF(g->b.w), ARG_INT(p->cols),
	           ARG_BUF(g->panel[p->side]), ARG_INT(p->ld), ARG_INT(p->r),
	           ARG_LONG(count), ARG_BUF(g->c.b),
	           ARG_LONG(place_of(g, p, k)), ARG_INT(g->c.own));
	if (g->has_q)
		seq_copy(g->s, g->t[p->side], 0, g->t_own, t_place(g, k),
		         t_bytes(g, p));
}

/* --- between parts */

static void post(struct qr_gang *g, const struct qr_panel *p, size_t slot)
{
	char *const to = board_slot(&g->x, slot);

	if (!to)
		return;
	board_read(&g->x, g->t[p->side], 0, to, t_bytes(g, p));
	board_read(&g->x, g->panel[p->side], 0, to + square_bytes(g),
	           v_bytes(g, p));
	board_post(&g->x, slot);
}

/* Takes panel k; the part that has posted it has it. */
static bool take_from(struct qr_gang *g, const struct qr_panel *p, size_t k,
                      size_t slot)
{
	const char *const from = board_take(&g->x, slot);

	if (!from)
		return false;
	if (!columns_has(&g->c, k)) {
		board_write(&g->x, g->t[p->side], 0, from, t_bytes(g, p));
		board_write(&g->x, g->panel[p->side], 0,
		            from + square_bytes(g), v_bytes(g, p));
	}
	board_release(&g->x, slot);
	return !seq_failed(g->s);
}

/* Applies a panel to columns c0 to c1 - 1 of the part's columns in c. */
static void apply_to(struct qr_gang *g, const struct qr_panel *p, int lane,
                     const struct columns *c, size_t c0, size_t c1,
                     bool transposed)
{
	const size_t strip = qr_gang_strip(g, lane);
	const struct blas_reflect h = {
		.stack = 1, .rows = p->rows, .nb = p->r,
		.v = { .b = g->panel[p->side], .ld = p->ld },
		.t = { .b = g->t[p->side], .ld = g->c.width },
		.tensor = { &g->tensor[lane][0], &g->tensor[lane][1] },
		/* No panel is factored beside the products for Q. */
		.groups = transposed ? gang_panels_groups(g->s, lane) : 0,
		.x = { g->product[lane][0], g->product[lane][1] },
	};

	for (; c0 < c1; c0 += strip) {
		const struct blas_part to = { .b = c->b, .ld = c->own,
		                              .at = p->at * c->own + c0 };

		blas_reflect_left(g->s, &h, transposed, &to,
		                  size_min(strip, c1 - c0));
	}
}

/* --- A */

static void factor(void *gang, size_t k)
{
	struct qr_gang *const g = gang;
	const struct qr_panel p = panel_of(g, k, k);

	columns_copy(g->s, p.rows, p.cols,
	             &(struct columns_rows){ .b = g->c.b, .ld = g->c.own,
	                                     .at = place_of(g, &p, k) },
	             &(struct columns_rows){ .b = g->b.w, .ld = p.cols });
	factor_copy(g, &p);
	make_t(g, &p);
	keep(g, &p, k);
	post(g, &p, k);
}

static bool take(void *gang, size_t k)
{
	struct qr_gang *const g = gang;
	const struct qr_panel p = panel_of(g, k, k);

	return take_from(g, &p, k, k);
}

static void apply(void *gang, size_t k, int lane, size_t c0, size_t c1)
{
	struct qr_gang *const g = gang;
	const struct qr_panel p = panel_of(g, k, k);

	apply_to(g, &p, lane, &g->c, c0, c1, true);
}

void qr_gang_factor(struct qr_gang *g)
{
	gang_panels_run(g->s, &g->c, &(struct gang_panels){
		.n = g->panels, .factor = factor, .take = take, .apply = apply,
		.arg = g, .share = g->has_q ? 0.5 : 1 });
}

/* --- Q */

/* Brings back V and T of panel k, which this part has factored. */
static void bring_back(struct qr_gang *g, const struct qr_panel *p, size_t k)
{
	const size_t count = p->rows * p->ld;

	seq_launch(g->s, "qr_gang_v", GRID1(count, ITEMS), ARG_BUF(g->c.b),
	           ARG_LONG(place_of(g, p, k)), ARG_INT(g->c.own),
	           ARG_INT(p->r), ARG_INT(p->ld), ARG_LONG(count),
	           ARG_BUF(g->panel[p->side]));
	seq_copy(g->s, g->t_own, t_place(g, k), g->t[p->side], 0,
	         t_bytes(g, p));
}

/* Applies panel k to the columns of Q from column k width on; those before it
 * are still 0 in all rows of the panel. Turn by turn a panel is handed over in
 * lane 0 while lane 1 applies the one before; lane 0 has followed the panel
 * before that, whose buffers are used again. */
static bool turn_q(struct qr_gang *g, size_t turn)
{
	const size_t k = g->panels - 1 - turn, slot = g->panels + turn;
	const struct qr_panel p = panel_of(g, k, turn);

	if (columns_has(&g->c, k)) {
		bring_back(g, &p, k);
		post(g, &p, slot);
	}
	if (!take_from(g, &p, k, slot))
		return false;
	seq_follow(g->s, 1);
	seq_lane(g->s, 1);
	seq_follow(g->s, 0);
	apply_to(g, &p, 1, &g->q, columns_at(&g->q, k), g->q.own, false);
	seq_lane(g->s, 0);
	seq_progress(g->s, 0.5 + 0.5 * (double)(turn + 1) /
	                         (double)g->panels);
	return !seq_failed(g->s);
}

void qr_gang_make_q(struct qr_gang *g)
{
	const size_t count = g->z.m * g->q.own;
	size_t turn = 0;

	seq_launch(g->s, "qr_gang_identity", GRID1(count, ITEMS),
	           ARG_INT(g->q.own), ARG_INT(g->q.width), ARG_INT(g->q.part),
	           ARG_INT(g->q.parts), ARG_LONG(count), ARG_BUF(g->q.b));
	while (turn < g->panels && turn_q(g, turn))
		turn++;
	seq_follow(g->s, 1);
}
