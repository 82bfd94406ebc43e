/* streamed.c - the steps of A = L L^T of a matrix in the host's memory; see
 * streamed.h and columns.h. The columns are divided into strips, and the matrix
 * is factored from left to right (left-looking):
 *
 *     load a strip, from the diagonal down; apply all panels to its left, which
 *     are uploaded one after the other; factor its own panels (right-looking),
 *     each of which is stored when it is complete
 *
 * Panel g + 1 is uploaded in lane 0 while panel g is applied in lane 1. After a
 * failure the other strips are only looked at: an element that is not finite is
 * told before a minor that is not positive, as by the other variants. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/cholesky/columns.h"
#include "ops/cholesky/streamed.h"
#include "ops/gang/strips.h"
#include "ops/lapack/stack.h"
#include "ops/room.h"

struct task {
	struct cholesky_columns f;	/* the strip: row 0 is its diagonal's
					 * first row */
	size_t n, each;
	struct strips cut;
	size_t at;			/* the strip's first column */
	const struct matrix *a, *l;	/* in the host's memory */
	bool judged;
	double quadratic, square;	/* x^T A x, |L^T x|^2 */
	struct cholesky_place bad;
	size_t order;			/* of the first leading minor that is
					 * not positive, or 0 */
};

/* Rows from `row` on of `cols` columns from `col` on. */
static struct region region_of(const struct task *t, size_t row, size_t col,
                               size_t cols)
{
	return (struct region){ row * t->n + col, t->n - row, cols, t->n };
}

/* --- the panels to the left of the strip */

/* Uploads panel g, from the strip's first row on. */
static void send(void *task, size_t g)
{
	struct task *const t = task;
	const size_t w = t->cut.width;
	const struct region at = region_of(t, t->at, g * w, w);

	seq_load(t->f.s, t->l, &at, t->f.panel[g % 2]);
}

static void apply_left(void *task, size_t g)
{
	struct task *const t = task;
	const size_t w = t->cut.width;
	const struct blas_part rows = { .b = t->f.panel[g % 2], .ld = w };

	cholesky_columns_apply(&t->f, &rows, w, 1, 0, t->f.c.own);
}

/* --- the strip's own panels: struct gang_panels, of one part */

static void factor(void *task, size_t k)
{
	struct task *const t = task;
	const size_t j = k * t->cut.width, w = columns_width(&t->f.c, k);
	const struct columns_rows panel = { .b = t->f.panel[k % 2], .ld = w };
	const struct columns_rows own = {
		.b = t->f.c.b, .at = j * t->f.c.own + j, .ld = t->f.c.own,
	};

	cholesky_columns_factor(&t->f, k);
	if (t->judged)
		columns_copy(t->f.s, t->f.c.m - j, w, &panel, &own);
}

/* Stores the panel of w columns from column j on; above its diagonal block the
 * answer is 0. */
static void store(const struct task *t, struct buf panel, size_t j, size_t w)
{
	const struct region at = region_of(t, j, j, w);
	const size_t each = t->each;
	char *const top = (char *)matrix_data(t->l) + j * each;

	seq_store(t->f.s, panel, t->l, &at);
	for (size_t i = 0; i < j; i++)
		memset(top + i * t->n * each, 0, w * each);
}

static bool take(void *task, size_t k)
{
	struct task *const t = task;
	const size_t j = t->at + k * t->cut.width;
	int32_t order = 0;

	seq_lane_read(t->f.s, t->f.state, 0, &order, sizeof order);
	if (!seq_goes_on(t->f.s))
		return false;
	if (order)
		t->order = j + (size_t)order;
	else
		store(t, t->f.panel[k % 2], j, columns_width(&t->f.c, k));
	return !order && !seq_failed(t->f.s);
}

static void apply(void *task, size_t k, int lane, size_t c0, size_t c1)
{
	struct task *const t = task;
	const size_t j = k * t->cut.width, w = columns_width(&t->f.c, k);
	const struct blas_part rows = { .b = t->f.panel[k % 2],
	                                .at = (c0 - j) * w, .ld = w };

	cholesky_columns_apply(&t->f, &rows, w, lane, c0, c1);
}

/* --- the verdict */

static double *sums_of(const struct task *t, int below)
{
	return cholesky_sums_of(t->f.s, &(struct cholesky_sums){
		.b = t->f.c.b, .c = &t->f.c, .first = t->at, .below = below });
}

/* Sums over the strip of A. A sum that is finite proves that all elements
 * are. */
static void look_at_a(struct task *t)
{
	double *const sums = sums_of(t, 2);

	for (size_t c = 0; sums && c < t->f.c.own; c++) {
		t->quadratic += lapack_sign(t->at + c) * sums[c];
		if (!isfinite(sums[c]))
			cholesky_find_nonfinite(t->a, t->at + c, &t->bad);
	}
	free(sums);
}

static void look_at_l(struct task *t)
{
	double *const sums = sums_of(t, 1);

	for (size_t c = 0; sums && c < t->f.c.own; c++)
		t->square += sums[c] * sums[c];
	free(sums);
}

static double residual(const struct task *t, enum dtype type)
{
	double trace = 0;

	for (size_t i = 0; i < t->n; i++)
		trace += matrix_get(t->a, i * (t->n + 1));
	return t->n ? cholesky_ratio(type, t->n, t->quadratic, t->square,
	                             trace) : 0;
}

/* --- strips */

static bool has_failed(const struct task *t)
{
	return t->bad.row >= 0 || t->order;
}

static struct columns strip_of(const struct task *t)
{
	const size_t own = size_min(t->cut.most, t->n - t->at);

	return (struct columns){ .m = t->n - t->at, .n = own, .own = own,
	                         .width = t->cut.width, .parts = 1,
	                         .b = t->f.c.b };
}

/* Returns the share of the work, 0 to 1, that the first `cols` of m columns
 * take: column x is updated by the x columns to its left in m - x rows. */
static double share_of(double cols, double m)
{
	const double r = cols / m;

	return r * r * (3 - 2 * r);
}

static void factor_strip(struct task *t)
{
	const double n = (double)t->n, rest = (double)t->f.c.m;
	const double own = share_of((double)t->f.c.own, rest) *
	                   pow(rest / n, 3);
	const double from = share_of((double)t->at, n);
	const double to = share_of((double)(t->at + t->f.c.own), n);

	seq_progress_within(t->f.s, from, to - own);
	strips_apply(t->f.s, t->at / t->cut.width, send, apply_left, t);
	gang_panels_run(t->f.s, &t->f.c, &(struct gang_panels){
		columns_blocks(&t->f.c), factor, take, apply, t,
		.before = to - own, .share = own });
	if (t->judged && !t->order)
		look_at_l(t);
}

static void compute(struct task *t)
{
	for (t->at = 0; t->at < t->n && seq_goes_on(t->f.s);
	     t->at += t->f.c.own) {
		struct region at;

		t->f.c = strip_of(t);
		at = region_of(t, t->at, t->at, t->f.c.own);
		seq_load(t->f.s, t->a, &at, t->f.c.b);
		look_at_a(t);
		if (!has_failed(t))
			factor_strip(t);
	}
}

/* --- the plan */

static void make(struct task *t, const struct sheet *d, enum dtype type,
                 struct need *need)
{
	t->f.c = strip_of(t);
	t->f.c.b = room_make(t->f.s, need, t->n * t->f.c.own * t->each);
	cholesky_columns_make(&t->f, d, type, need);
	if (need)
		need_buffer(need, cholesky_sums_bytes(&t->f.c, d));
}

struct fitting {
	const struct task *t;
	const struct sheet *d;
	enum dtype type;
};

static bool fits(const void *fitting, const struct strips *x)
{
	const struct fitting *const f = fitting;
	struct task t = *f->t;
	struct need n = { 0 };

	t.cut = *x;
	make(&t, f->d, f->type, &n);
	return need_fits(&n, f->d);
}

static struct task task_of(const struct args *a, const struct sheet *d)
{
	struct task t = {
		.n = matrix_rows(&a->in[0]), .each = dtype_bytes(a->dtype),
		.judged = a->quality == QUALITY_ESTIMATE, .bad.row = -1,
	};

	t.cut = strips_plan(t.n, t.n, fits, &(struct fitting){ &t, d,
	                                                       a->dtype });
	return t;
}

static void answer(const struct task *t, struct args *a)
{
	if (has_failed(t))
		args_fail(a, &(struct failure){ .index = 0, .detail =
		    t->bad.row >= 0 ?
		    cholesky_nonfinite((size_t)t->bad.row,
		                       (size_t)t->bad.column) :
		    cholesky_not_positive(t->order) });
	else if (t->judged)
		a->verdict.residual = residual(t, a->dtype);
}

int cholesky_streamed(struct seq *s, struct args *a)
{
	struct task t = task_of(a, seq_sheet(s));

	t.f.s = s;
	t.a = &a->in[0];
	t.l = &a->out[0];
	matrix_data(t.a);	/* In a pipeline, both are now in the host's */
	matrix_data(t.l);	/* memory. */
	seq_hold(s, false);
	make(&t, seq_sheet(s), a->dtype, NULL);
	compute(&t);
	seq_wait(s);
	if (!seq_failed(s))
		answer(&t, a);
	return seq_finish(s);
}

void cholesky_streamed_need(const struct args *a, const struct variant *v,
                            const struct sheet *d, struct need *n)
{
	struct task t = task_of(a, d);

	(void)v;
	make(&t, d, a->dtype, n);
}

int cholesky_streamed_takes(const struct args *a, struct err *e)
{
	return strips_takes(a, "the exact residual, for which LAPACK must hold "
	                    "the matrix", e);
}
