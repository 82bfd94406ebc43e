/* gang.c - the steps of A = L L^T by several devices; see gang.h and
 * ops/gang/panels.h. A panel is a block's columns from the diagonal down: L11,
 * which cholesky_in_place() factors, and L21 = A21 L11^-T. To apply it is to
 * update A22 -= L21 L21^T, one block of columns after the other, so that what
 * is above the diagonal is left out.
 *
 * Each part sums its columns' shares of x^T A x and |L^T x|^2, from which the
 * first one estimates the residual (cholesky_ratio()). */
#include <math.h>
#include <stdlib.h>

#include "device/board.h"
#include "ops/blas/trsm.h"
#include "ops/cholesky/cholesky.h"
#include "ops/cholesky/gang.h"
#include "ops/gang/panels.h"
#include "ops/lapack/stack.h"
#include "ops/lu/residual.h"

enum {
	HEAD = 128,			/* bytes before a panel on the board:
					 * the order of its minor that is not
					 * positive, or 0 */
	CHUNK = 1024,			/* rows that are summed by one item */
	ITEMS = 64,
};

/* What a part has for the others. */
struct share {
	double quadratic, square;	/* of x^T A x, of |L^T x|^2 */
	double row, column;		/* of an element that is not finite; or
					 * row -1 */
};

struct task {
	struct seq *s;
	size_t n, each;
	struct columns c;
	struct board x;
	int32_t order;			/* of the first leading minor that is
					 * not positive, or 0 */
	struct buf panel[2];		/* of even and of odd panels */
	struct blas_tensor tensor[2];	/* of each lane */
	struct blas_tensor down;	/* for L21 */
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
	struct task t = { .c = columns_of(a), .each = dtype_bytes(a->dtype) };

	t.n = t.c.n;
	return t;
}

static struct blas_trsm down_of(const struct task *t, size_t w, size_t rows)
{
	return (struct blas_trsm){ .stack = 1, .n = w, .sides = rows,
	                           .tensor = &t->down };
}

static void make_buffers(struct task *t)
{
	const struct blas_trsm down = down_of(t, t->c.width, t->n);
	const struct blas_gemm most = blas_trsm_most(&down, true);

	for (int i = 0; i < 2; i++) {
		const struct blas_gemm update = gang_panels_most(&t->c, i);

		t->panel[i] = seq_scratch(t->s, t->n * t->c.width * t->each);
		t->tensor[i] = blas_tensor_of(t->s, &update);
	}
	t->down = blas_tensor_of(t->s, &most);
}

/* --- the verdict */

static size_t chunks(const struct task *t)
{
	return size_blocks(t->n, CHUNK);
}

/* Sums over the part's columns, as kernels/cholesky/gang.cl says: chunks(t)
 * numbers for each, from malloc(); NULL after a failure. Waits. */
static double *sums_of(struct task *t, int below)
{
	const size_t all = chunks(t) * t->c.own;
	const int mark = seq_mark(t->s);
	const struct buf sums = seq_scratch(t->s, all *
	                                    lu_wide_bytes(seq_sheet(t->s)));
	double *host;

	seq_work(t->s, 0, 0.5 * t->n * t->c.own * t->each);
	seq_launch(t->s, "cholesky_gang_columns",
	           GRID2(t->c.own, chunks(t), ITEMS, 1), ARG_BUF(t->c.b),
	           ARG_INT(t->n), ARG_INT(t->c.own), ARG_INT(t->c.width),
	           ARG_INT(t->c.part), ARG_INT(t->c.parts), ARG_INT(below),
	           ARG_INT(CHUNK), ARG_BUF(sums));
	host = lu_wide_read(t->s, sums, all);
	seq_drop(t->s, mark);
	return host;
}

static double column_sum(const struct task *t, const double *sums, size_t c)
{
	double sum = 0;

	for (size_t q = 0; q < chunks(t); q++)
		sum += sums[q * t->c.own + c];
	return sum;
}

/* Finds the first element of column j that is not finite. */
static void find_nonfinite(const struct matrix *a, size_t j, struct share *x)
{
	const size_t n = matrix_rows(a);

	for (size_t i = j; i < n; i++)
		if (!isfinite(matrix_get(a, i * n + j)) &&
		    (x->row < 0 || (double)i < x->row)) {
			x->row = (double)i;
			x->column = (double)j;
			return;
		}
}

/* Sums over A. A sum that is finite proves that all elements are. */
static void look_at(struct task *t, const struct args *a)
{
	struct share *const own = board_own(&t->x, t->x.part);
	double *sums = sums_of(t, 2);

	own->row = -1;
	own->quadratic = 0;
	for (size_t c = 0; sums && c < t->c.own; c++) {
		const size_t j = columns_global(&t->c, c);
		const double sum = column_sum(t, sums, c);

		own->quadratic += lapack_sign(j) * sum;
		if (!isfinite(sum))
			find_nonfinite(&a->in[0], j, own);
	}
	free(sums);
}

/* Returns the first part's report of an element that is not finite, the one in
 * the uppermost row if there are several; NULL: all are finite. */
static const struct share *nonfinite(const struct task *t)
{
	const struct share *first = NULL;

	for (int p = 0; p < t->x.parts; p++) {
		const struct share *x = board_own(&t->x, p);

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
	for (size_t c = 0; sums && c < t->c.own; c++)
		own->square += pow(column_sum(t, sums, c), 2);
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
	const size_t j = k * t->c.width, w = columns_width(&t->c, k);
	const size_t rows = t->n - j;
	const int mark = seq_mark(t->s);
	const struct buf state = seq_scratch(t->s, 2 * sizeof(int32_t));
	const struct columns_rows own = {
		.b = t->c.b, .at = j * t->c.own + columns_at(&t->c, k),
		.ld = t->c.own,
	};
	const struct columns_rows panel = { .b = t->panel[k % 2], .ld = w };
	const struct blas_part l11 = { .b = panel.b, .ld = w };
	const struct blas_part l21 = { .b = panel.b, .at = w * w, .ld = w,
	                               .transposed = true };
	const struct blas_trsm down = down_of(t, w, rows - w);
	char *slot;

	columns_copy(t->s, rows, w, &own, &panel);
	seq_fill(t->s, state, 0, 2 * sizeof(int32_t), &(int32_t){ 0 },
	         sizeof(int32_t));
	cholesky_in_place(t->s, w, 1, panel.b, state);
	blas_trsm(t->s, &down, &l11, &l21);
	columns_copy(t->s, rows, w, &panel, &own);
	slot = board_slot(&t->x, k);
	if (slot) {
		board_read(&t->x, state, 0, slot, sizeof(int32_t));
		board_read(&t->x, panel.b, 0, slot + HEAD, rows * w * t->each);
		board_post(&t->x, k);
	}
	seq_drop(t->s, mark);
}

static bool take(void *task, size_t k)
{
	struct task *const t = task;
	const size_t j = k * t->c.width, w = columns_width(&t->c, k);
	const char *slot = board_take(&t->x, k);
	int32_t order;

	if (!slot)
		return false;
	order = *(const int32_t *)slot;
	if (order)
		t->order = (int32_t)j + order;
	else if (!columns_has(&t->c, k))
		board_write(&t->x, t->panel[k % 2], 0, slot + HEAD,
		            (t->n - j) * w * t->each);
	board_release(&t->x, k);
	return !order && !seq_failed(t->s);
}

static void apply(void *task, size_t k, int lane, size_t c0, size_t c1)
{
	struct task *const t = task;
	const size_t j = k * t->c.width, w = columns_width(&t->c, k);

	for (size_t c = c0; c < c1; c += t->c.width) {
		const size_t at = columns_global(&t->c, c);
		const size_t cols = size_min(t->c.width, c1 - c);
		struct blas_part rows = { .b = t->panel[k % 2],
		                          .at = (at - j) * w, .ld = w };
		struct blas_part columns = rows;
		const struct blas_part a22 = { .b = t->c.b, .ld = t->c.own,
		                               .at = at * t->c.own + c };

		columns.transposed = true;
		blas_gemm(t->s, &(struct blas_gemm){ .stack = 1,
		          .m = t->n - at, .n = cols, .k = w, .alpha = -1,
		          .beta = 1, .tensor = &t->tensor[lane],
		          .groups = gang_panels_groups(t->s, lane) },
		          &rows, &columns, &a22);
	}
}

/* Writes the part's blocks into the answer, with zeros above the diagonal. */
static void store(struct task *t, const struct matrix *l)
{
	for (size_t b = t->c.part; b < columns_blocks(&t->c) &&
	     !seq_failed(t->s); b += t->c.parts) {
		const size_t j = b * t->c.width, w = columns_width(&t->c, b);
		const int mark = seq_mark(t->s);
		const struct columns_rows to = {
			.b = seq_output_region(t->s, l, &(struct region){
			    j, t->n, w, t->n }), .at = j * w, .ld = w,
		};
		const struct columns_rows from = {
			.b = t->c.b, .ld = t->c.own,
			.at = j * t->c.own + columns_at(&t->c, b),
		};

		if (j > 0)
			seq_fill(t->s, to.b, 0, j * w * t->each, &(float){ 0 },
			         sizeof(float));
		columns_copy(t->s, t->n - j, w, &from, &to);
		seq_finish(t->s);
		seq_drop(t->s, mark);
	}
}

static void fail(struct args *a, struct failure_detail why)
{
	args_fail(a, &(struct failure){ .index = 0, .detail = why });
}

static void compute(struct task *t, struct args *a)
{
	const struct share *bad;

	columns_load(t->s, &t->c, &a->in[0], true);
	make_buffers(t);
	look_at(t, a);
	if (!board_meet(&t->x))
		return;
	bad = nonfinite(t);
	if (!bad)
		gang_panels_run(t->s, &t->c, &(struct gang_panels){
			columns_blocks(&t->c), factor, take, apply, t,
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

	t.s = s;
	board_open(&t.x, s, a->gang.board.memory, a->gang.part, a->gang.parts,
	           sizeof(struct share), slot_bytes(t.n, t.c.width, t.each));
	compute(&t, a);
	seq_wait(s);
	return seq_finish(s);
}

void cholesky_gang_need(const struct args *a, const struct sheet *d,
                        struct need *n)
{
	const struct task t = task_of(a);
	const size_t block = t.n * t.c.width * t.each;
	const struct blas_trsm down = down_of(&t, t.c.width, t.n);
	const struct blas_gemm most = blas_trsm_most(&down, true);

	need_buffer(n, t.n * columns_most(&t.c) * t.each);
	for (int i = 0; i < 2; i++) {
		const struct blas_gemm update = gang_panels_most(&t.c, i);

		need_buffer(n, block);
		blas_gemm_need(n, d, a->dtype, &update);
	}
	blas_gemm_need(n, d, a->dtype, &most);
	/* One of these at a time: a block that is loaded or stored, the sums,
	 * the state of a panel. */
	need_buffer(n, size_max(block, chunks(&t) * columns_most(&t.c) *
	                               lu_wide_bytes(d)));
}
