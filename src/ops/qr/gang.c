/* gang.c - A = Q R by several devices: which calls, their memory, the steps;
 * see gang.h. */
#include "ops/qr/device.h"
#include "ops/qr/gang.h"
#include "ops/room.h"

enum {
	ITEMS = 64,
	/* Matrices with this many times as many rows as columns, and at most
	 * NARROW of these, are not factored by panels on one GPU (gram.c). */
	TALL = 4, NARROW = 1024,
};

static bool is_suitable(const struct args *a, int asked)
{
	const struct qr_sizes z = qr_sizes_of(a);

	return a->in[0].ndim == 2 && !dtype_is_complex(a->dtype) &&
	       !z.raw && !z.pivots && a->quality != QUALITY_FULL && z.m > 0 &&
	       (asked > 0 || z.n > NARROW || z.m < TALL * z.n);
}

/* Returns a call's sizes, without any buffers. */
static struct qr_gang gang_of(const struct args *a)
{
	struct qr_gang g = {
		.a = a, .z = qr_sizes_of(a), .each = dtype_bytes(a->dtype),
		.has_q = args_wants(a, QR_Q), .has_r = args_wants(a, QR_R),
		.c = columns_of(a),
	};

	g.panels = size_blocks(g.z.k, g.c.width);
	g.q = columns_deal(a, g.z.m, g.z.columns);
	g.judged = g.has_q && a->quality == QUALITY_ESTIMATE;
	return g;
}

void qr_gang_plan(const struct args *a, int parts, struct gang_plan *p)
{
	struct args of_gang = *a;
	struct qr_gang g;
	double v;

	*p = (struct gang_plan){
		.asked = (int)args_real(a, QR_DEVICES, 0),
		.out = 1u << QR_Q | 1u << QR_R,
	};
	if (is_suitable(a, p->asked))
		p->width = columns_plan(dense_least(a), parts);
	if (p->width == 0)
		return;
	of_gang.gang = (struct gang){ .parts = parts, .width = p->width };
	g = gang_of(&of_gang);
	v = ((double)g.z.m - g.z.k / 2.0) * g.z.k * g.each;
	p->head = board_head_bytes();
	p->board = board_bytes(parts, qr_gang_own(&g), qr_gang_slot(&g));
	p->moved = g.has_q ? 2 * v : v;
}

/* --- memory */

size_t qr_gang_strip(const struct qr_gang *g, int lane)
{
	const size_t most = size_max(columns_most(&g->c),
	                             g->has_q ? columns_most(&g->q) : 0);

	return lane == 0 ? g->c.width : size_min(most, QR_GANG_STRIP);
}

static struct buf room(const struct qr_gang *g, size_t elements)
{
	return room_make(g->s, g->need, elements * g->each);
}

/* The memory of products V^T C, and of C -= V X. */
static void make_products(struct qr_gang *g, const struct sheet *d, int lane)
{
	const size_t m = g->z.m, n = qr_gang_strip(g, lane);
	const struct blas_gemm most[] = {
		{ .stack = 1, .m = g->c.width, .n = n, .k = m, .alpha = 1 },
		{ .stack = 1, .m = m, .n = n, .k = g->c.width, .alpha = -1,
		  .beta = 1 },
	};

	for (size_t i = 0; i < COUNT(most); i++) {
		g->product[lane][i] = room(g, g->c.width * n);
		if (g->need)
			blas_gemm_need(g->need, d, g->a->dtype, &most[i]);
		else
			g->tensor[lane][i] = blas_tensor_of(g->s, &most[i]);
	}
}

/* Makes all buffers but that of A's columns or, with g->need, adds their
 * memory. */
static void make_buffers(struct qr_gang *g, const struct sheet *d)
{
	const size_t m = g->z.m, w = g->c.width;
	const size_t own = size_blocks(g->panels, g->c.parts);
	const struct buf panel = room(g, m * w);

	if (g->need)
		qr_block_need(g->need, d, g->a->dtype, 1, m, w, w);
	else
		g->b = qr_block_of(g->s, 1, m, w, w, panel);
	g->panel[0] = g->b.v;
	g->panel[1] = room(g, m * w);
	g->t[0] = room(g, w * w);
	g->t[1] = room(g, w * w);
	g->gram = room(g, w * w);
	g->tau = room(g, w);
	if (g->has_q) {
		g->t_own = room(g, own * w * w);
		g->q.b = room(g, m * g->q.own);
	}
	g->exponents = room_make(g->s, g->need, g->c.own * sizeof(int32_t));
	for (int lane = 0; lane < 2; lane++)
		make_products(g, d, lane);
}

void qr_gang_need(const struct args *a, const struct sheet *d, struct need *n)
{
	struct qr_gang g = gang_of(a);

	g.need = n;
	g.c.own = columns_most(&g.c);
	g.q.own = columns_most(&g.q);
	need_buffer(n, g.z.m * g.c.own * g.each);
	make_buffers(&g, d);
	/* A block of A, of R or of Q on its way. */
	need_buffer(n, g.z.m * g.c.width * g.each);
	if (g.judged)
		qr_gang_judge_need(&g, d);
}

/* --- the steps */

static void scale(struct qr_gang *g)
{
	const size_t count = g->z.m * g->c.own;

	seq_launch(g->s, "qr_gang_scale", GRID1(count, ITEMS),
	           ARG_BUF(g->c.b), ARG_INT(g->c.own), ARG_BUF(g->exponents),
	           ARG_LONG(count));
}

/* Writes the part's columns of R into the answer. */
static void store_r(struct qr_gang *g, const struct matrix *r)
{
	for (size_t b = g->c.part; b < columns_blocks(&g->c) &&
	     !seq_failed(g->s); b += g->c.parts) {
		const size_t j = b * g->c.width, w = columns_width(&g->c, b);
		const size_t rows = g->z.columns, count = rows * w;
		const int mark = seq_mark(g->s);
		const struct buf to = seq_output_region(g->s, r,
		    &(struct region){ j, rows, w, g->c.n });

		seq_launch(g->s, "qr_gang_r", GRID1(count, ITEMS),
		           ARG_BUF(g->c.b), ARG_INT(g->c.own),
		           ARG_INT(columns_at(&g->c, b)), ARG_INT(j),
		           ARG_INT(w), ARG_BUF(g->exponents), ARG_LONG(count),
		           ARG_BUF(to));
		qr_gang_judge_r(g, b, to);
		seq_finish(g->s);
		seq_drop(g->s, mark);
	}
}

/* Writes the part's columns of Q into the answer. */
static void store_q(struct qr_gang *g, const struct matrix *q)
{
	for (size_t b = g->q.part; b < columns_blocks(&g->q) &&
	     !seq_failed(g->s); b += g->q.parts) {
		const size_t j = b * g->q.width, w = columns_width(&g->q, b);
		const int mark = seq_mark(g->s);
		const struct columns_rows from = {
			.b = g->q.b, .at = columns_at(&g->q, b),
			.ld = g->q.own,
		};
		const struct columns_rows to = {
			.b = seq_output_region(g->s, q, &(struct region){
			    j, g->z.m, w, g->q.n }), .ld = w,
		};

		columns_copy(g->s, g->z.m, w, &from, &to);
		seq_finish(g->s);
		seq_drop(g->s, mark);
	}
}

static void factor(struct qr_gang *g, struct args *a)
{
	qr_gang_judge_a(g);
	scale(g);
	qr_gang_factor(g);
	if (g->has_q)
		qr_gang_make_q(g);
	if (g->has_r)
		store_r(g, &a->out[QR_R]);
	if (!qr_gang_judge_q(g))
		return;
	if (g->has_q)
		store_q(g, &a->out[QR_Q]);
	qr_gang_judge_end(g, a);
}

static void compute(struct qr_gang *g, struct args *a)
{
	const struct sheet *d = seq_sheet(g->s);
	int finite;

	columns_load(g->s, &g->c, &a->in[0], false);
	make_buffers(g, d);
	finite = qr_gang_look(g);
	if (finite > 0)
		factor(g, a);
	else if (finite == 0)
		qr_fail_nonfinite(a, 0);
}

int qr_gang(struct seq *s, struct args *a)
{
	struct qr_gang g = gang_of(a);

	if (!qr_block_fits(seq_sheet(s)))
		return err_set(seq_err(s), ERR_PARAMETER, "qr: the work-groups "
		               "of device %s are too small for one of several "
		               "devices: ask for devices=1",
		               seq_sheet(s)->name);
	g.s = s;
	seq_hold(s, false);
	board_open(&g.x, s, a->gang.board.memory, a->gang.part, a->gang.parts,
	           qr_gang_own(&g), qr_gang_slot(&g));
	compute(&g, a);
	seq_wait(s);
	return seq_finish(s);
}
