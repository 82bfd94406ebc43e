/* gang.c - the steps of A = L L^T by several devices; see gang.h, columns.h and
 * ops/gang/panels.h. Each part sums its columns' shares of x^T A x and |L^T
 * x|^2, from which the first one estimates the residual (cholesky_ratio()). */
#include <math.h>
#include <stdlib.h>

#include "device/board.h"
#include "ops/cholesky/columns.h"
#include "ops/cholesky/gang.h"
#include "ops/lapack/stack.h"

enum { HEAD = 128 };			/* bytes before a panel on the board:
					 * the order of its minor that is not
					 * positive, or 0 */

/* What a part has for the others. */
struct share {
	double quadratic, square;	/* of x^T A x, of |L^T x|^2 */
	struct cholesky_place bad;
};

struct task {
	struct cholesky_columns f;
	size_t n, each;
	struct board x;
	int32_t order;			/* of the first leading minor that is
					 * not positive, or 0 */
};

static size_t slot_bytes(size_t n, size_t width, size_t each)
{
	return HEAD + n * width * each;
}

void cholesky_gang_plan(const struct args *a, int parts, struct gang_plan *g)
{
	const size_t n = matrix_rows(&a->in[0]), each = dtype_bytes(a->dtype);

	*g = (struct gang_plan){
		.asked = (int)args_real(a, CHOLESKY_DEVICES, 0), .out = 1,
	};
	if (a->in[0].ndim != 2 || dtype_is_complex(a->dtype) ||
	    a->quality == QUALITY_FULL)
		return;
	g->width = columns_plan(n, parts);
	g->head = board_head_bytes();
	g->board = board_bytes(parts, sizeof(struct share),
	                       slot_bytes(n, g->width, each));
	g->moved = (double)n * n / 2 * each;
}

static struct task task_of(const struct args *a)
{
	struct task t = { .f.c = columns_of(a), .each = dtype_bytes(a->dtype) };

	t.n = t.f.c.n;
	return t;
}

/* --- the verdict */

static double *sums_of(struct task *t, int below)
{
	return cholesky_sums_of(t->f.s, &(struct cholesky_sums){
		.b = t->f.c.b, .c = &t->f.c, .below = below });
}

/* Sums over A. A sum that is finite proves that all elements are. */
static void look_at(struct task *t, const struct args *a)
{
	struct share *const own = board_own(&t->x, t->x.part);
	double *sums = sums_of(t, 2);

	own->bad.row = -1;
	own->quadratic = 0;
	for (size_t c = 0; sums && c < t->f.c.own; c++) {
		const size_t j = columns_global(&t->f.c, c);

		own->quadratic += lapack_sign(j) * sums[c];
		if (!isfinite(sums[c]))
			cholesky_find_nonfinite(&a->in[0], j, &own->bad);
	}
	free(sums);
}

/* Returns the first part's report of an element that is not finite, the one in
 * the uppermost row if there are several; NULL: all are finite. */
static const struct cholesky_place *nonfinite(const struct task *t)
{
	const struct cholesky_place *first = NULL;

	for (int p = 0; p < t->x.parts; p++) {
		const struct share *own = board_own(&t->x, p);
		const struct cholesky_place *x = &own->bad;

		if (x->row >= 0 && (!first || x->row < first->row))
			first = x;
	}
	return first;
}

static void judge(struct task *t, struct args *a)
{
	struct share *const own = board_own(&t->x, t->x.part);
	double *sums = sums_of(t, 1);
	double quadratic = 0, square = 0, trace = 0;

	own->square = 0;
	for (size_t c = 0; sums && c < t->f.c.own; c++)
		own->square += sums[c] * sums[c];
	free(sums);
	if (!board_meet(&t->x) || t->x.part > 0)
		return;
	for (int p = 0; p < t->x.parts; p++) {
		const struct share *x = board_own(&t->x, p);

		quadratic += x->quadratic;
		square += x->square;
	}
	for (size_t i = 0; i < t->n; i++)
		trace += matrix_get(&a->in[0], i * (t->n + 1));
	a->verdict.residual = cholesky_ratio(a->dtype, t->n, quadratic, square,
	                                     trace);
}

/* --- the steps */

static void factor(void *task, size_t k)
{
	struct task *const t = task;
	struct seq *const s = t->f.s;
	const struct columns *const c = &t->f.c;
	const size_t j = k * c->width, w = columns_width(c, k);
	const struct columns_rows panel = { .b = t->f.panel[k % 2], .ld = w };
	const struct columns_rows own = {
		.b = c->b, .at = j * c->own + columns_at(c, k), .ld = c->own,
	};
	char *slot;

	cholesky_columns_factor(&t->f, k);
	columns_copy(s, t->n - j, w, &panel, &own);
	slot = board_slot(&t->x, k);
	if (!slot)
		return;
	board_read(&t->x, t->f.state, 0, slot, sizeof(int32_t));
	board_read(&t->x, panel.b, 0, slot + HEAD, (t->n - j) * w * t->each);
	board_post(&t->x, k);
}

static bool take(void *task, size_t k)
{
	struct task *const t = task;
	const size_t j = k * t->f.c.width, w = columns_width(&t->f.c, k);
	const char *slot = board_take(&t->x, k);
	int32_t order;

	if (!slot)
		return false;
	order = *(const int32_t *)slot;
	if (order)
		t->order = (int32_t)j + order;
	else if (!columns_has(&t->f.c, k))
		board_write(&t->x, t->f.panel[k % 2], 0, slot + HEAD,
		            (t->n - j) * w * t->each);
	board_release(&t->x, k);
	return !order && !seq_failed(t->f.s);
}

static void apply(void *task, size_t k, int lane, size_t c0, size_t c1)
{
	struct task *const t = task;
	const size_t j = k * t->f.c.width, w = columns_width(&t->f.c, k);
	const struct blas_part rows = {
		.b = t->f.panel[k % 2],
		.at = (columns_global(&t->f.c, c0) - j) * w, .ld = w,
	};

	cholesky_columns_apply(&t->f, &rows, w, lane, c0, c1);
}

/* Writes the part's blocks into the answer, with zeros above the diagonal. */
static void store(struct task *t, const struct matrix *l)
{
	struct seq *const s = t->f.s;
	const struct columns *const c = &t->f.c;

	for (size_t b = c->part; b < columns_blocks(c) && !seq_failed(s);
	     b += c->parts) {
		const size_t j = b * c->width, w = columns_width(c, b);
		const int mark = seq_mark(s);
		const struct columns_rows to = {
			.b = seq_output_region(s, l, &(struct region){
			    j, t->n, w, t->n }), .at = j * w, .ld = w,
		};
		const struct columns_rows from = {
			.b = c->b, .ld = c->own,
			.at = j * c->own + columns_at(c, b),
		};

		if (j > 0)
			seq_fill(s, to.b, 0, j * w * t->each, &(float){ 0 },
			         sizeof(float));
		columns_copy(s, t->n - j, w, &from, &to);
		seq_finish(s);
		seq_drop(s, mark);
	}
}

static void fail(struct args *a, struct failure_detail why)
{
	args_fail(a, &(struct failure){ .index = 0, .detail = why });
}

static void compute(struct task *t, struct args *a)
{
	struct seq *const s = t->f.s;
	const struct cholesky_place *bad;

	columns_load(s, &t->f.c, &a->in[0], true);
	cholesky_columns_make(&t->f, seq_sheet(s), a->dtype, NULL);
	look_at(t, a);
	if (!board_meet(&t->x))
		return;
	bad = nonfinite(t);
	if (!bad)
		gang_panels_run(s, &t->f.c, &(struct gang_panels){
			columns_blocks(&t->f.c), factor, take, apply, t,
			.share = 1 });
	if (bad)
		fail(a, cholesky_nonfinite((size_t)bad->row,
		                           (size_t)bad->column));
	else if (t->order)
		fail(a, cholesky_not_positive((size_t)t->order));
	else
		store(t, &a->out[0]);
	if (!bad && !t->order && a->quality == QUALITY_ESTIMATE)
		judge(t, a);
}

int cholesky_gang(struct seq *s, struct args *a)
{
	struct task t = task_of(a);

	t.f.s = s;
	board_open(&t.x, s, a->gang.board.memory, a->gang.part, a->gang.parts,
	           sizeof(struct share),
	           slot_bytes(t.n, t.f.c.width, t.each));
	compute(&t, a);
	seq_wait(s);
	return seq_finish(s);
}

void cholesky_gang_need(const struct args *a, const struct sheet *d,
                        struct need *n)
{
	struct task t = task_of(a);

	need_buffer(n, t.n * columns_most(&t.f.c) * t.each);
	cholesky_columns_make(&t.f, d, a->dtype, n);
	/* One of these at a time: a block that is loaded or stored, sums. */
	need_buffer(n, size_max(t.n * t.f.c.width * t.each,
	                        cholesky_sums_bytes(&t.f.c, d)));
}
