/* complex.c - lstsq of complex matrices by LAPACK's ZGELSD on the host; see
 * ops/lapack/complex.h. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ops/dense.h"
#include "ops/lapack/complex.h"
#include "ops/lstsq/lstsq.h"
#include "ops/solve/solve.h"

/* What all systems of a call have in common. */
struct plan {
	size_t m, n, k, sides;
	double rcond;
	size_t work, reals, integers;	/* elements of workspaces */
};

/* One system, with its solution, and the singular values: the first one, and
 * the first that counts as 0, or 0. */
struct system {
	cplx *a, *b, *x;
	double first, next;
};

static const void *operand(const struct args *a, int i, size_t index)
{
	const struct matrix *m = &a->in[i];
	const size_t each = matrix_rows(m) * matrix_cols(m);

	return (const char *)matrix_data(m) + systems_matrix(a, i, index) *
	       each * dtype_bytes(m->dtype);
}

/* |A^H r| / (|A| (|A| |x| + |b|) (max(m, n, sides) eps + s_(rank+1) / s_1))
 * with r = b - A x, of the worst right-hand side: see host.c. room has 2 m + n
 * elements. */
static double judge(const struct plan *h, const struct system *y, enum dtype t,
                    cplx *room)
{
	cplx *const r = room, *const ax = r + h->m, *const g = ax + h->m;
	const double most = (double)size_max(size_max(h->m, h->n), h->sides);
	const double allowed = dtype_epsilon(t) / 2 * most + y->next / y->first;
	double worst = 0;

	for (size_t j = 0; j < h->sides; j++) {
		const cplx *const x = y->x + j * h->n;
		const cplx *const b = y->b + j * h->m;
		const double size = y->first * complex_norm2(x, h->n) +
		                    complex_norm2(b, h->m);

		complex_times(y->a, h->m, h->n, x, ax);
		for (size_t i = 0; i < h->m; i++)
			r[i] = b[i] - ax[i];
		complex_times_turned(y->a, h->m, h->n, r, g);
		worst = verdict_worse(worst, complex_ratio(
		    complex_norm2(g, h->n), y->first * size * allowed));
	}
	return worst;
}

/* Stores b below each other in columns of max(m, n) elements, where x
 * arises. */
static void widen(const struct plan *h, const cplx *b, cplx *to)
{
	const size_t ld = size_max(h->m, h->n);

	memset(to, 0, ld * size_max(h->sides, 1) * sizeof *to);
	for (size_t j = 0; j < h->sides; j++)
		memcpy(to + j * ld, b + j * h->m, h->m * sizeof *b);
}

/* Stores X, whose columns begin h->n elements apart. */
static void put(const struct lapack_call *c, size_t index, cplx *x, int rank,
                const double *s)
{
	const struct plan *h = complex_how(c);
	void *const to_x = lapack_out(c->a, LSTSQ_X, index);
	void *const to_s = lapack_out(c->a, LSTSQ_S, index);
	int64_t *const to_rank = lapack_out(c->a, LSTSQ_RANK, index);

	if (to_x)
		complex_store(x, h->n, h->n, h->sides, c->a->dtype, to_x);
	if (to_s)
		complex_store_reals(s, h->k, c->a->dtype, to_s);
	if (to_rank)
		*to_rank = rank;
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct plan *h = complex_how(c);
	const enum dtype t = c->a->dtype;
	const size_t ld = size_max(size_max(h->m, h->n), 1);
	const size_t sides = size_max(h->sides, 1);
	struct complex_room r = { room };
	cplx *const a = complex_array(&r, h->m * h->n, sizeof *a);
	cplx *const b = complex_array(&r, h->m * sides, sizeof *b);
	cplx *const x = complex_array(&r, ld * sides, sizeof *x);
	cplx *const w = complex_array(&r, size_max(h->work, 3 * ld), sizeof *w);
	double *const rwork = complex_array(&r, h->reals, sizeof *rwork);
	double *const s = complex_array(&r, h->k, sizeof *s);
	int *const iwork = complex_array(&r, h->integers, sizeof *iwork);
	struct system y = { a, b, x, 0, 0 };
	int rank = 0, info = 0;
	int of_a, of_b;			/* A and B are divided by 2^of_a and
					 * 2^of_b */

	complex_load(operand(c->a, LSTSQ_A, index), t, h->m, h->n, a);
	of_a = complex_lower(a, h->m * h->n);
	complex_load(operand(c->a, LSTSQ_B, index), t, h->m, h->sides, b);
	of_b = complex_lower(b, h->m * h->sides);
	widen(h, b, x);
	if (h->k > 0)
		/* LAPACK takes an rcond of 0 for eps. */
		info = c->l->z.gelsd(LAPACK_COLUMNS, (int)h->m, (int)h->n,
		    (int)sides, a, (int)h->m, x, (int)ld, s,
		    fmax(h->rcond, 1e-300), &rank, w, (int)h->work, rwork,
		    iwork);
	if (info != 0)
		return (struct failure_detail){ .code = ERR_CONVERGENCE,
		                                .at = info };
	for (size_t j = 1; j < h->sides; j++)
		memmove(x + j * h->n, x + j * ld, h->n * sizeof *x);
	/* x = 0 is the exact solution with A = 0. */
	if (complex_is_judged(c))
		complex_told(c, index)->residual = 0;
	if (complex_is_judged(c) && h->k > 0 && s[0] != 0 && h->sides > 0) {
		y.first = s[0];
		y.next = (size_t)rank < h->k ? s[rank] : 0;
		complex_round(x, h->n * h->sides, t);
		complex_load(operand(c->a, LSTSQ_A, index), t, h->m, h->n, a);
		complex_lower(a, h->m * h->n);
		complex_told(c, index)->residual = judge(h, &y, t, w);
	}
	complex_raise(x, h->n * h->sides, of_b - of_a);
	complex_raise_reals(s, h->k, of_a);
	put(c, index, x, rank, s);
	return (struct failure_detail){ .code = ERR_NONE };
}

static void ask(const struct lapack *l, struct plan *h)
{
	const int m = (int)h->m, n = (int)h->n;
	double reals = 1;
	cplx need = 1;
	int rank, integers = 1;

	if (h->k > 0)
		l->z.gelsd(LAPACK_COLUMNS, m, n, (int)size_max(h->sides, 1),
		           NULL, m, NULL, m > n ? m : n, NULL, -1, &rank, &need,
		           -1, &reals, &integers);
	h->work = (size_t)creal(need) + 1;
	h->reals = (size_t)reals + 1;
	h->integers = (size_t)integers + 1;
}

int lstsq_complex(struct seq *s, struct args *a)
{
	const struct systems y = systems_of(NULL, a);
	const size_t m = matrix_rows(&a->in[LSTSQ_A]), n = y.n;
	const size_t most = size_max(size_max(m, n), 1);
	const size_t sides = size_max(y.sides, 1);
	struct plan h = { .m = m, .n = n, .k = size_min(m, n),
	                  .sides = y.sides,
	                  .rcond = dense_rcond(a, LSTSQ_RCOND) };
	const struct lapack *l = lapack_load(s, most, seq_err(s));

	if (!l)
		return -1;
	ask(l, &h);
	return complex_run(&(struct lapack_call){
		.rows = most, .in = operand, .one = one, .how = &h,
		.operands = 1 << LSTSQ_A | 1 << LSTSQ_B,
		.room = COMPLEX_BYTES(m * n) + COMPLEX_BYTES(m * sides) +
		        COMPLEX_BYTES(most * sides) +
		        COMPLEX_BYTES(h.work + 3 * most) +
		        COMPLEX_BYTES(h.reals) + COMPLEX_BYTES(h.k) +
		        COMPLEX_BYTES(h.integers),
	}, s, a);
}
