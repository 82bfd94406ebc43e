/* streamed.c - the steps of solve for a matrix in the host's memory; see
 * streamed.h. For the norm and for B - A X the device gets A, or A^T, a strip
 * of columns at a time. */
#include <stdlib.h>

#include "matrix/pages.h"
#include "ops/lu/sums.h"
#include "ops/solve/iterative.h"
#include "ops/solve/streamed.h"

enum { UNIT = 64 };			/* strips are a multiple of it wide */

/* --- memory */

/* Makes the buffers of t->h.s or, if t->need is set, counts them. */
static void make(struct solve_streamed *t, const struct sheet *d)
{
	const size_t n = t->h.n, each = t->h.each;

	for (int i = 0; i < 2; i++)
		t->strip[i] = room_make(t->h.s, t->need, n * t->most * each);
	t->x = room_make(t->h.s, t->need, n * t->h.most * each);
	t->own = room_make(t->h.s, t->need, t->most * t->h.some * each);
	t->share = room_make(t->h.s, t->need,
	                     solve_part_share_bytes(&t->h, d));
	if (t->need)
		solve_part_need(t->need, &t->h, d, t->most);
}

static struct need need_of(const struct solve_streamed *t,
                           const struct sheet *d)
{
	struct solve_streamed counted = *t;
	struct need n = { 0 };

	counted.need = &n;
	make(&counted, d);
	return n;
}

struct fitting {
	const struct solve_streamed *t;
	const struct sheet *d;
};

static bool fits(const void *fitting, const struct strips *x)
{
	const struct fitting *const f = fitting;
	struct solve_streamed t = *f->t;
	struct need n;

	t.most = x->most;
	n = need_of(&t, f->d);
	return need_fits(&n, f->d);
}

/* Returns an estimate of the factorization's share in the work: it has 2/3 n
 * operations for each element, and for each element that the solves of some
 * right-hand sides upload a device has time for a hundred or more. */
static double share_of(const struct solve_hosted *h)
{
	const double n = (double)h->n;
	const double rounds = (double)size_blocks(h->sides, SOLVE_SIDES);

	return n / (n + 1000 * rounds + 1);
}

static struct solve_streamed task_of(const struct args *a,
                                     const struct sheet *d)
{
	const struct matrix *m = &a->in[SOLVE_A];
	struct solve_streamed t = {
		.h = solve_hosted_of(a, SOLVE_SIDES), .a = m,
		.lu = lu_streamed_of(m, a->dtype, false, d),
		.turned = solve_turned(a),
	};

	t.lu.turned = t.turned;
	t.lu.all = t.h.factored = share_of(&t.h);
	t.most = strips_most(t.h.n, UNIT, fits, &(struct fitting){ &t, d });
	return t;
}

/* The buffers of the factorization and those of the solves are not there at the
 * same time. */
void solve_streamed_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n)
{
	struct solve_streamed t;
	struct need one, two;

	(void)v;
	if (!solve_hosted_suits(a))
		return;
	t = task_of(a, d);
	one = lu_streamed_need_of(&t.lu, d);
	two = need_of(&t, d);
	need_scratch(n, size_max(one.bytes, two.bytes),
	             size_max(one.largest, two.largest));
}

int solve_streamed_takes(const struct args *a, struct err *e)
{
	if (strips_takes(a, NULL, e) < 0)
		return -1;
	if (a->in[SOLVE_A].ndim == MATRIX_ABSENT)
		return strips_refuse(a, "/factors", "with given factors", e);
	if (solve_is_iterative(a))
		return strips_refuse(a, "/method", "iterations", e);
	if (solve_named(a) != KIND_GENERAL)
		return strips_refuse(a, "/structure", "with a named structure "
		                     "other than general", e);
	if (a->in[SOLVE_B].ndim > 2)
		return strips_refuse(a, "/b", "stacks of right-hand sides",
		                     e);
	return 0;
}

/* --- the norm of A; B - A X */

/* Loads strip k of A, or of A^T. */
static struct solve_part load(struct solve_streamed *t, size_t k)
{
	struct seq *const s = t->h.s;
	const struct solve_part p = { .c = solve_streamed_strip(t, k),
	                              .a = t->strip[0], .own = t->own,
	                              .share = t->share };
	const size_t n = t->h.n, j = k * t->most;

	if (t->turned)
		strips_load_turned(s, t->a, j, p.c.own, t->strip[1], p.a);
	else
		seq_load(s, t->a, &(struct region){ j, n, p.c.own, n }, p.a);
	return p;
}

static bool look(void *task)
{
	struct solve_streamed *const t = task;
	const int mark = seq_mark(t->h.s);
	struct buf bad;
	bool finite;

	make(t, seq_sheet(t->h.s));
	bad = solve_part_bad(&t->h);
	for (size_t k = 0; k * t->most < t->h.n && seq_goes_on(t->h.s); k++) {
		const struct solve_part p = load(t, k);

		t->h.norm = lu_larger(t->h.norm,
		                      solve_part_norm(&t->h, &p, bad));
	}
	finite = !solve_part_is_bad(&t->h, bad);
	seq_drop(t->h.s, mark);
	return finite;
}

static void rest(void *task, size_t cols)
{
	struct solve_streamed *const t = task;
	double *const share = lu_sums_room(t->h.s, 3 * t->h.n * cols);

	if (!share)
		return;
	solve_rest_begin(&t->h, cols);
	for (size_t k = 0; k * t->most < t->h.n && seq_goes_on(t->h.s); k++) {
		const struct solve_part p = load(t, k);

		solve_part_share(&t->h, &p, cols, share);
		solve_rest_add(&t->h, share, cols);
	}
	solve_rest_end(&t->h, cols);
	free(share);
}

/* --- the factors */

static ptrdiff_t factor(void *task)
{
	struct solve_streamed *const t = task;
	struct seq *const s = t->h.s;
	const int mark = seq_mark(s);

	lu_streamed_factor(&t->lu, s, t->a, &t->factors);
	seq_drop(s, mark);
	if (seq_failed(s))
		return -1;
	make(t, seq_sheet(s));
	t->h.order = lu_pivots_after(&t->lu.p, 0);
	return t->lu.p.zero;
}

/* --- the call */

static const struct solve_holder holder = {
	look, factor, solve_streamed_substitute,
	solve_streamed_substitute_transposed, rest
};

static void run(struct solve_streamed *t, struct seq *s, struct args *a)
{
	struct memory m = { .bytes = matrix_size(t->a), .fd = -1 };

	m.data = pages_new(m.bytes);
	if (m.data) {
		t->factors = *t->a;
		t->factors.memory = &m;
		solve_hosted_run(&t->h, a);
	} else {
		err_set(seq_err(s), ERR_MEMORY, "solve: no memory for factors "
		        "of %zu bytes", m.bytes);
	}
	seq_wait(s);
	lu_streamed_end(&t->lu);
	free(m.data);
}

int solve_streamed(struct seq *s, struct args *a)
{
	struct solve_streamed t = task_of(a, seq_sheet(s));

	/* In a pipeline, all are now in the host's memory. */
	for (int i = SOLVE_A; i <= SOLVE_B; i++)
		matrix_data(&a->in[i]);
	matrix_data(&a->out[SOLVE_X]);
	seq_hold(s, false);
	t.h.answers = true;
	if (t.h.n == 0 && t.h.judged)
		a->verdict.residual = 0;
	else if (t.h.n > 0 && solve_hosted_open(&t.h, s, &holder, &t) == 0)
		run(&t, s, a);
	solve_hosted_close(&t.h);
	return seq_finish(s);
}
