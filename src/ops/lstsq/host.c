/* host.c - lstsq by LAPACK: A and B are copied to column-major order, where
 * xGELSD leaves X in place of B; and the verdict. */
#include <stdint.h>
#include <string.h>

#include "ops/lapack/stack.h"
#include "ops/lstsq/lstsq.h"
#include "ops/dense.h"
#include "ops/qr/probe.h"
#include "ops/solve/solve.h"

struct plan {
	size_t m, n, k, sides;		/* k = min(m, n) */
	size_t columns;			/* LAPACK's sides: at least 1 */
	double rcond;
	size_t work, integers;		/* LAPACK's workspace, in elements */
};

/* One system: its matrices, and what LAPACK said of them. */
struct system {
	const void *a, *b;		/* row-major, as they came */
	void *x;			/* row-major, n x sides; or NULL */
	int rank, info;
	double first, next;		/* s_1, s_(rank + 1) or 0 */
};

static size_t larger(const struct plan *h)
{
	return size_max(h->m, h->n);
}

#define LAPACK_BODY "ops/lstsq/host_real.h"
#include "ops/lapack/each_type.h"

/* Matrix `index` of the answer's stack, broadcast. */
static const void *operand(const struct args *a, int i, size_t index)
{
	const struct matrix *m = &a->in[i];
	const size_t each = matrix_rows(m) * matrix_cols(m);

	return (const char *)matrix_data(m) + systems_matrix(a, i, index) *
	       each * dtype_bytes(m->dtype);
}

/* |A^T (b - A x)| / (|A| (|A| |x| + |b|)), over what rounding and the singular
 * values that are left out explain (LAPACK's xQRT17); of one combination of
 * the sides by random signs, or the largest of all sides. */
static double judge(const struct plan *h, const struct system *y, enum dtype t,
                    bool exact, double largest_b, double *room)
{
	const double unit = probe_unit(y->first), of_b = probe_unit(largest_b);
	const struct probed a = { t, y->a, h->m, h->n, unit };
	const struct probed b = { t, y->b, h->m, h->sides, of_b };
	const struct probed x = { t, y->x, h->n, h->sides, of_b / unit };
	double *w = room, *xw = w + h->sides, *r = xw + h->n;
	double *axw = r + h->m, *g = axw + h->m, most = 0;
	const double eps = dtype_epsilon(t) / 2 *
	                   (double)size_max(larger(h), h->sides);
	const double allowed = eps + y->next / y->first;

	for (size_t c = 0; c < (exact ? h->sides : 1); c++) {
		double size, ratio;

		probe_fill(w, h->sides, exact, c);
		probe_times(&x, w, xw);
		probe_times(&b, w, r);
		size = probe_norm(r, h->m) +
		       y->first * unit * probe_norm(xw, h->n);
		probe_times(&a, xw, axw);
		for (size_t i = 0; i < h->m; i++)
			r[i] -= axw[i];
		probe_turned(&a, r, g);
		ratio = probe_norm(g, h->n);
		if (ratio > 0)
			ratio /= y->first * unit * size * allowed;
		most = ratio > most || isnan(ratio) ? ratio : most;
	}
	return most;
}

static size_t rest_of(const struct plan *h, size_t each)
{
	return size_max((h->k + h->m * h->n + larger(h) * h->columns +
	                 h->work) * each,
	                (h->sides + 2 * h->n + 2 * h->m) * sizeof(double));
}

static double magnitude(enum dtype t, const void *x, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, t == FLOAT32 ? fabs(((const float *)x)[i]) :
		                                 fabs(((const double *)x)[i]));
	return most;
}

static void verdict(const struct lapack_call *c, const struct system *y,
                    size_t index, double *room)
{
	const struct plan *h = c->how;
	const enum dtype t = c->a->dtype;

	if (y->x && y->first > 0 && h->sides > 0)
		c->ratios[index] = judge(h, y, t,
		    c->a->quality == QUALITY_FULL,
		    magnitude(t, y->b, h->m * h->sides), room);
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct plan *h = c->how;
	struct system y = {
		.a = operand(c->a, LSTSQ_A, index),
		.b = operand(c->a, LSTSQ_B, index),
		.x = lapack_out(c->a, LSTSQ_X, index),
	};
	void *const rest = (char *)room + h->integers;
	int64_t *const rank = lapack_out(c->a, LSTSQ_RANK, index);
	void *const s = lapack_out(c->a, LSTSQ_S, index);

	if (c->a->dtype == FLOAT32)
		answer_s(c, &y, s, room, rest);
	else
		answer_d(c, &y, s, room, rest);
	if (y.info != 0)
		return (struct failure_detail){ .code = ERR_CONVERGENCE,
		                                .at = y.info };
	if (rank)
		*rank = y.rank;
	if (c->ratios)
		verdict(c, &y, index, rest);
	return (struct failure_detail){ 0 };
}

int lstsq_host(struct seq *s, struct args *a)
{
	const struct systems y = systems_of(NULL, a);
	const size_t m = matrix_rows(&a->in[LSTSQ_A]), n = y.n;
	struct plan h = {
		.m = m, .n = n, .k = size_min(m, n), .sides = y.sides,
		.columns = size_max(y.sides, 1),
		.rcond = dense_rcond(a, LSTSQ_RCOND),
	};
	struct lapack_call c = {
		.rows = size_max(m, n), .in = operand, .one = one, .how = &h,
		.operands = 1 << LSTSQ_A | 1 << LSTSQ_B,
		.judged = a->quality != QUALITY_NONE,
	};
	const struct lapack *l = lapack_load(c.rows, seq_err(s));

	if (!l)
		return -1;
	if (a->dtype == FLOAT32)
		work_s(l, &h);
	else
		work_d(l, &h);
	c.room = h.integers + rest_of(&h, dtype_bytes(a->dtype));
	return lapack_run(&c, s, a);
}
