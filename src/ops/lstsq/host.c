/* host.c - lstsq by LAPACK, and its verdict. Without the singular values, x is
 * computed by host_normal.c or host_qr.c if they prove the rank. Else A and B
 * are copied to column-major order, and xGELSD overwrites the copy of B with
 * X. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ops/dense.h"
#include "ops/lapack/stack.h"
#include "ops/lstsq/host.h"
#include "ops/lstsq/lstsq.h"
#include "ops/qr/probe.h"
#include "ops/solve/solve.h"

static size_t larger(const struct lstsq_plan *h)
{
	return size_max(h->m, h->n);
}

#define LAPACK_BODY "ops/lstsq/host_real.h"
#include "ops/lapack/each_type.h"

/* The matrix of operand i that system `index` has, by broadcasting. */
static const void *operand(const struct args *a, int i, size_t index)
{
	const struct matrix *m = &a->in[i];
	const size_t each = matrix_rows(m) * matrix_cols(m);

	return (const char *)matrix_data(m) + systems_matrix(a, i, index) *
	       each * dtype_bytes(m->dtype);
}

/* |A^T r| / (|A| (|A| |x| + |b|) (max(m, n, sides) eps + s_(rank+1) / s_1))
 * with r = b - A x, after LAPACK's xQRT17. The denominator allows for rounding
 * and for the singular values that count as 0. If `exact`, it is the largest
 * ratio of all right-hand sides, else the ratio of one linear combination of
 * them by random signs. `room` has sides + 2 m + 2 n elements. */
static double judge(const struct lstsq_plan *h, const struct lstsq_system *y,
                    enum dtype t, bool exact, double largest_b, double *room)
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

/* Returns the bytes of a system's workspace, without LAPACK's integers. All
 * ways to solve it use the same memory, and so does the verdict afterwards. */
static size_t rest_of(const struct lapack *l, const struct lstsq_plan *h)
{
	const size_t each = dtype_bytes(h->dtype);
	size_t numbers = h->sides + 2 * h->n + 2 * h->m;

	if (h->start)
		numbers = size_max(numbers, lstsq_normal_room(h));
	if (h->start && h->dtype == FLOAT64)
		numbers = size_max(numbers, lstsq_qr_room(l, h));
	return size_max((h->k + h->m * h->n + larger(h) * h->columns +
	                 h->work) * each, numbers * sizeof(double));
}

/* max |x_i| */
static double magnitude(enum dtype t, const void *x, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, t == FLOAT32 ? fabs(((const float *)x)[i]) :
		                                 fabs(((const double *)x)[i]));
	return most;
}

static void verdict(const struct lapack_call *c,
                    const struct lstsq_system *y, size_t index, double *room)
{
	const struct lstsq_plan *h = c->how;
	const enum dtype t = c->a->dtype;

	if (y->x && y->first > 0 && h->sides > 0)
		c->ratios[index] = judge(h, y, t,
		    c->a->quality == QUALITY_FULL,
		    magnitude(t, y->b, h->m * h->sides), room);
}

/* Solves a system without the singular values. Returns false if the rank is not
 * proved, or if they are wanted. */
static bool is_solved(const struct lapack_call *c, struct lstsq_system *y,
                      double *room)
{
	const struct lstsq_plan *h = c->how;
	enum lstsq_outcome outcome = LSTSQ_UNPROVED;

	if (h->start)
		outcome = lstsq_by_normal(c->l, h, y, room);
	if (outcome == LSTSQ_INACCURATE && h->dtype == FLOAT64)
		outcome = lstsq_by_qr(c->l, h, y, room);
	return outcome == LSTSQ_SOLVED;
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct lstsq_plan *h = c->how;
	struct lstsq_system y = {
		.a = operand(c->a, LSTSQ_A, index),
		.b = operand(c->a, LSTSQ_B, index),
		.x = lapack_out(c->a, LSTSQ_X, index),
	};
	void *const rest = (char *)room + h->integers;
	int64_t *const rank = lapack_out(c->a, LSTSQ_RANK, index);
	void *const s = lapack_out(c->a, LSTSQ_S, index);

	if (is_solved(c, &y, rest))
		y.info = 0;
	else if (c->a->dtype == FLOAT32)
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

/* Prepares the ways to solve without singular values, if these are not wanted.
 * Returns -1 with the sequence's error if there is no memory. */
static int prepare(struct lstsq_plan *h, struct seq *s, const struct args *a)
{
	if (h->k == 0 || dense_has(a, LSTSQ_S))
		return 0;
	h->start = malloc(EXTREMES_START(h->k) * sizeof *h->start);
	if (!h->start)
		return err_set(seq_err(s), ERR_MEMORY, "lstsq: no memory for "
		               "%zu random numbers", EXTREMES_START(h->k));
	extremes_start(h->start, h->k);
	return 0;
}

int lstsq_host(struct seq *s, struct args *a)
{
	const struct systems y = systems_of(NULL, a);
	const size_t m = matrix_rows(&a->in[LSTSQ_A]), n = y.n;
	struct lstsq_plan h = {
		.m = m, .n = n, .k = size_min(m, n), .sides = y.sides,
		.columns = size_max(y.sides, 1), .dtype = a->dtype,
		.rcond = dense_rcond(a, LSTSQ_RCOND),
	};
	struct lapack_call c = {
		.rows = size_max(m, n), .in = operand, .one = one, .how = &h,
		.operands = 1 << LSTSQ_A | 1 << LSTSQ_B,
		.judged = a->quality != QUALITY_NONE,
	};
	const struct lapack *l = lapack_load(s, c.rows, seq_err(s));
	int rc;

	if (!l || prepare(&h, s, a) < 0)
		return -1;
	if (a->dtype == FLOAT32)
		work_s(l, &h);
	else
		work_d(l, &h);
	c.room = h.integers + rest_of(l, &h);
	rc = lapack_run(&c, s, a);
	free(h.start);
	return rc;
}
