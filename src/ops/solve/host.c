/* host.c - solve on the host for matrices of known structure (structure.h).
 * Each of A's matrices is factored, if its kind needs factors, and its norm and
 * rcond are computed, once; then every system is solved, refined and judged. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/failure.h"
#include "ops/lapack/estimate.h"
#include "ops/solve/host.h"
#include "shared/solve_told.h"

/* Workspace for a system or a matrix of n rows. */
struct room {
	long double *x, *y, *r, *more;	/* n each */
	double *w, *signs, *weight;	/* n each */
	void *b;			/* n elements */
	void *columns;			/* n x sides elements */
};

static size_t room_size(size_t n, size_t sides)
{
	return n * (4 * sizeof(long double) + 3 * sizeof(double)) +
	       (n + n * sides) * sizeof(double);
}

static struct room room_at(void *at, size_t n)
{
	struct room r = { .x = at };

	r.y = r.x + n;
	r.r = r.y + n;
	r.more = r.r + n;
	r.w = (double *)(r.more + n);
	r.signs = r.w + n;
	r.weight = r.signs + n;
	r.b = r.weight + n;
	r.columns = (double *)r.b + n;
	return r;
}

/* Replaces x by P x, or by P^T x if `back`. */
static void swap_rows(const struct prepared *p, long double *x, bool back)
{
	for (size_t k = 0; k < p->n; k++) {
		const size_t i = back ? p->n - 1 - k : k;
		const size_t with = (size_t)p->swaps[i];
		const long double v = x[i];

		x[i] = x[with];
		x[with] = v;
	}
}

/* Returns a power of two near the square root of |A|, by which right-hand sides
 * are multiplied where |A^-1| is estimated. Solutions are then about |A|^-1/2,
 * and their products with elements of A about |A|^1/2, times at most the
 * condition number: neither overflows, nor underflows, unless that is large. */
static double scale_of(long double norm, enum dtype t)
{
	const int least = t == FLOAT32 ? FLT_MIN_EXP : DBL_MIN_EXP;
	const int most = t == FLOAT32 ? FLT_MAX_EXP : DBL_MAX_EXP;
	int e;

	if (!(norm > 0) || !isfinite(norm))
		return 1;
	e = ilogbl(norm);
	return ldexp(1, (e < least ? least : e > most ? most : e) / 2);
}

/* What A is multiplied by if its norm overflows. */
#define DOWN 0x1p-64

#define LAPACK_BODY "ops/solve/host_real.h"
#include "ops/lapack/each_type.h"

/* --- the matrices */

/* Copies the interchanges of a matrix; returns ERR_MATHEMATICS if one of them
 * is not the number of a row. */
static struct failure_detail take_swaps(struct prepared *p,
                                        const struct matrix *pivots,
                                        size_t index)
{
	p->swaps = malloc((p->n + 1) * sizeof *p->swaps);
	if (!p->swaps)
		return (struct failure_detail){ .code = ERR_MEMORY };
	for (size_t i = 0; i < p->n; i++) {
		const double x = matrix_get(pivots, index * p->n + i);

		if (!(x >= 0 && x < (double)p->n && x == rint(x)))
			return (struct failure_detail){
				.code = ERR_MATHEMATICS, .at = (int32_t)i
			};
		p->swaps[i] = (int32_t)x;
	}
	return (struct failure_detail){ .code = ERR_NONE };
}

static bool is_float32(const struct lapack_call *c)
{
	return c->a->dtype == FLOAT32;
}

static struct failure_detail prepare(const struct lapack_call *c, size_t index,
                                     void *room)
{
	const struct host_solve *h = c->how;
	const struct matrix *m = solve_matrices(c->a);
	struct prepared *p = &h->matrix[index];
	struct failure_detail why = { .code = ERR_NONE };
	struct room r = room_at(room, c->rows);

	*p = (struct prepared){
		.kind = h->kind, .n = c->rows, .turned = solve_turned(c->a),
		.t = (const char *)matrix_data(m) + index * c->rows * c->rows *
		     dtype_bytes(m->dtype),
	};
	if ((is_float32(c) ? nonfinite_row_s : nonfinite_row_d)(p) < p->n)
		return (struct failure_detail){ .code = ERR_NONFINITE };
	if (p->kind == KIND_FACTORS)
		why = take_swaps(p, &c->a->in[SOLVE_PIVOTS], index);
	lapack_threads_for(c->l, c->rows, false);
	if (why.code == ERR_NONE)
		why = solve_factor(c->l, c->a->dtype, p);
	lapack_threads_for(c->l, c->rows, true);
	if (why.code == ERR_NONE && c->a->quality != QUALITY_NONE)
		(is_float32(c) ? measure_s : measure_d)(c->l, p, &r);
	return why;
}

/* --- the systems */

static struct failure_detail solve_one(const struct lapack_call *c,
                                       size_t index, void *room)
{
	const struct host_solve *h = c->how;
	const struct args *a = c->a;
	const struct systems y = systems_of(NULL, a);
	const size_t which = systems_matrix(a, SOLVE_A, index);
	const size_t each = y.n * y.sides, one = dtype_bytes(a->dtype);
	const char *b = (const char *)matrix_data(&a->in[SOLVE_B]) +
	                systems_matrix(a, SOLVE_B, index) * each * one;
	char *x = (char *)matrix_data(&a->out[0]) + index * each * one;
	struct room r = room_at(room, y.n);

	if (h->why[which].code == ERR_NONFINITE ||
	    lapack_find_nonfinite(a->dtype, b, each) < each)
		return solve_nonfinite(a, index);
	if (h->why[which].code != ERR_NONE)
		return h->why[which];
	lapack_threads_for(c->l, c->rows, y.sides <= SOLVE_FEW);
	if (is_float32(c))
		solve_s(c, &h->matrix[which], (const float *)b, (float *)x,
		        y.sides, &r, &h->look[index]);
	else
		solve_d(c, &h->matrix[which], (const double *)b, (double *)x,
		        y.sides, &r, &h->look[index]);
	return (struct failure_detail){ .code = ERR_NONE };
}

/* --- the call */

static void judge(struct args *a, const struct host_solve *h, size_t n)
{
	struct verdict *v = &a->verdict;
	const double eps = dtype_epsilon(a->dtype);

	for (size_t i = 0; i < a->stack; i++) {
		const struct host_look *k = &h->look[i];
		const size_t which = systems_matrix(a, SOLVE_A, i);

		if (args_has_failed(a, i))
			continue;
		v->residual = verdict_worse(v->residual, k->ratio /
		                            ((double)n * eps / 2));
		v->forward_error = verdict_worse(v->forward_error,
		    solve_forward(k->forward, k->ratio, h->matrix[which].rcond,
		                  (double)n));
		v->refinements = verdict_worse(v->refinements, k->steps);
		verdict_add_rcond(v, k->overflown ? 0 :
		                  h->matrix[which].rcond, eps);
	}
}

static bool any_indefinite(const struct host_solve *h, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (h->why[i].code == ERR_NOT_POSITIVE)
			return true;
	return false;
}

static int run(struct seq *s, struct args *a, struct host_solve *h,
               const struct systems *y, bool *definite)
{
	const double n = (double)y->n;
	struct lapack_call prepares = {
		.rows = y->n, .room = room_size(y->n, 0), .one = prepare,
		.flops = h->kind == KIND_SPD || h->kind == KIND_SYMMETRIC ?
		         n * n * n / 3 : 10 * n * n,
		.how = h,
	};
	struct lapack_call solves = {
		.rows = y->n, .room = room_size(y->n, y->sides),
		.flops = 20 * n * n * y->sides, .one = solve_one, .how = h,
	};

	if (lapack_each(&prepares, s, a, y->a_stack, h->why) < 0)
		return -1;
	*definite = solve_named(a) == KIND_SPD ||
	            !any_indefinite(h, y->a_stack);
	if (!*definite)
		return 0;
	if (lapack_run(&solves, s, a) < 0)
		return -1;
	if (a->quality != QUALITY_NONE)
		judge(a, h, y->n);
	return 0;
}

int solve_host(struct seq *s, struct args *a, enum solve_kind kind,
               bool *definite)
{
	const struct systems y = systems_of(NULL, a);
	struct host_solve h = {
		.kind = kind,
		.matrix = calloc(y.a_stack + 1, sizeof *h.matrix),
		.why = calloc(y.a_stack + 1, sizeof *h.why),
		.look = calloc(a->stack + 1, sizeof *h.look),
	};
	int rc = -1;

	*definite = true;
	if (y.n == 0 || a->stack == 0)
		a->verdict.residual = 0;
	if (h.matrix && h.why && h.look)
		rc = y.n == 0 ? seq_finish(s) : run(s, a, &h, &y, definite);
	else
		err_set(seq_err(s), ERR_MEMORY, "solve: no memory for %zu "
		        "systems", a->stack);
	for (size_t i = 0; h.matrix && i < y.a_stack; i++) {
		free(h.matrix[i].own);
		free(h.matrix[i].swaps);
	}
	free(h.matrix);
	free(h.why);
	free(h.look);
	return rc;
}
