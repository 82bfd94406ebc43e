/* iterative.c - see iterative.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "matrix/sparse.h"
#include "ops/failure.h"
#include "ops/krylov/krylov.h"
#include "ops/solve/iterative.h"

enum {
	LEAST = 1000, MOST = 10000,	/* the default of max_iterations lies
					 * between these, at EACH for a row */
	EACH = 10, RESTART = 30,
	SIDES = 16			/* see pack() */
};

/* --- shapes and costs */

static bool is_vector(const struct args *a)
{
	return a->in[SOLVE_B].ndim == 1;
}

static size_t sides_of(const struct args *a)
{
	return is_vector(a) ? 1 : matrix_cols(&a->in[SOLVE_B]);
}

/* Values for every right-hand side: the shape of b without its rows. */
static struct matrix each_side(const struct args *a, enum dtype t)
{
	const struct matrix *b = &a->in[SOLVE_B];
	struct matrix m = { .dtype = t };

	if (is_vector(a))
		return m;
	m.ndim = b->ndim - 1;
	for (int i = 0; i < b->ndim - 2; i++)
		m.dim[i] = b->dim[i];
	m.dim[m.ndim - 1] = matrix_cols(b);
	return m;
}

static struct krylov_wish wish_of(const struct args *a,
                                  const struct variant *v)
{
	const double n = (double)a->in[SOLVE_A].dim[0];
	const double most = fmin(fmax(EACH * n, LEAST), MOST);

	return (struct krylov_wish){
		.method = solve_method(a),
		.preconditioner = (enum krylov_preconditioner)
		                  a->param[SOLVE_P_PRECONDITIONER],
		.tol = args_real(a, SOLVE_P_TOL,
		                 a->dtype == FLOAT32 ? 1e-5 : 1e-8),
		.atol = args_real(a, SOLVE_P_ATOL, 0),
		.most = (int64_t)args_real(a, SOLVE_P_MAX_ITERATIONS, most),
		.restart = (int)fmin(args_real(a, SOLVE_P_RESTART, RESTART),
		                     fmax(n, 1)),
		.shared = !v || !v->how,
		.resident = v && v->how && *(const bool *)v->how,
		.history = args_wants(a, SOLVE_HISTORY),
	};
}

void solve_iterative_shape(struct args *a)
{
	const size_t most = (size_t)wish_of(a, NULL).most;
	struct matrix *h = &a->out[SOLVE_HISTORY];

	if (args_wants(a, SOLVE_ITERATIONS))
		a->out[SOLVE_ITERATIONS] = each_side(a, INT64);
	if (args_wants(a, SOLVE_CONVERGED))
		a->out[SOLVE_CONVERGED] = each_side(a, BOOL);
	if (!args_wants(a, SOLVE_HISTORY))
		return;
	*h = each_side(a, FLOAT64);
	h->dim[h->ndim++] = most + 1;
}

double solve_iterative_flops(const struct args *a)
{
	const struct matrix *m = &a->in[SOLVE_A];

	return 2 * (double)m->nnz + 10 * (double)m->dim[0];
}

double solve_iterative_bytes(const struct args *a)
{
	const struct matrix *m = &a->in[SOLVE_A];

	return (double)matrix_index_size(m) + (double)matrix_size(m) +
	       11 * (double)m->dim[0] * (double)dtype_bytes(a->dtype);
}

void solve_iterative_need(const struct args *a, const struct variant *v,
                          const struct sheet *d, struct need *n)
{
	const struct krylov_wish wish = wish_of(a, v);

	need_matrix(n, d, &a->in[SOLVE_B]);
	need_matrix(n, d, &a->out[SOLVE_X]);
	krylov_need(n, d, &a->in[SOLVE_A], &wish);
}

/* --- failures */

/* A failure's numbers: `at` the iterations, x the relative residual or the
 * witness, y the end and the right-hand side. */
static double pack(enum krylov_end end, size_t side)
{
	return (double)end + (double)side * SIDES;
}

static void fail(struct args *a, size_t system, size_t side,
                 const struct krylov_told *t)
{
	const bool positive = t->end == END_NOT_POSITIVE ||
	                      t->end == END_NOT_POSITIVE_M;

	args_fail(a, &(struct failure){ .index = system, .detail = {
		.code = positive ? ERR_NOT_POSITIVE : ERR_CONVERGENCE,
		.at = (int32_t)t->iterations,
		.x = positive ? t->witness : t->residual,
		.y = pack(t->end, side),
	} });
}

/* Sentences with the number of iterations and x, in that order. */
static const char *const sentences[] = {
	[END_LIMIT] = "did not converge in %d iterations: |b - A x| / |b| is "
	    "%.3g",
	[END_STAGNATED] = "stagnates: after %d iterations |b - A x| / |b| "
	    "stays at %.3g",
	[END_NOT_POSITIVE] = "finds that a is not positive definite: after %d "
	    "iterations p' A p is %.3g; minres and gmres take such matrices",
	[END_NOT_POSITIVE_M] = "finds that the preconditioner is not positive "
	    "definite: after %d iterations r' M^-1 r is %.3g",
	[END_BREAKDOWN] = "broke down after %d iterations, where |b - A x| / "
	    "|b| is %.3g",
	[END_INCONSISTENT] = "finds no solution: after %d iterations |b - A x| "
	    "/ |b| is %.3g and A (b - A x) negligible",
	[END_BEYOND] = "diverges: after %d iterations |b - A x| / |b| is %.3g",
	[END_OVERFLOW] = "finds an x that overflows: after %d iterations "
	    "|b - A x| / |b| is %.3g",
	[END_UNDERFLOW] = "finds an x that underflows: after %d iterations "
	    "|b - A x| / |b| is %.3g where its elements are subnormal",
};

void solve_iterative_describe(const struct args *a, const struct failure *f,
                              struct err *e)
{
	const char *const *names = a->op->params[SOLVE_P_METHOD].choices;
	const unsigned packed = f->detail.y >= 0 && f->detail.y < 1e9 ?
	                        (unsigned)f->detail.y : 0;
	const unsigned end = packed % SIDES;
	char what[128] = "", which[64] = "", tol[48] = "";

	if (end >= COUNT(sentences) || !sentences[end]) {
		err_set_at(e, ERR_CONVERGENCE, "/a", "solve: no convergence");
		return;
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(what, sizeof what, sentences[end], (int)f->detail.at,
	         f->detail.x);
#pragma GCC diagnostic pop
	if (a->stack > 1 || sides_of(a) > 1)
		snprintf(which, sizeof which, " (system %zu, right-hand side "
		         "%u)", f->index, packed / SIDES);
	if (f->detail.code == ERR_CONVERGENCE)
		snprintf(tol, sizeof tol, ", tol is %.3g",
		         wish_of(a, NULL).tol);
	err_set_at(e, f->detail.code, "/a", "solve: %s%s %s%s",
	           solve_names_iteration(a) ? names[solve_method(a)] :
	           "the iteration",
	           which, what, tol);
}

/* --- the call */

struct call {
	struct args *a;
	struct krylov k;
	struct krylov_side side;
	size_t sides, longest;		/* of all histories so far */
};

/* Finds the largest magnitude of a right-hand side. */
static int find_peak(struct call *c, struct err *e)
{
	const struct matrix *b = &c->a->in[SOLVE_B];
	struct krylov_side *y = &c->side;

	y->peak = 0;
	for (size_t i = 0; i < c->k.n; i++) {
		const double x = matrix_get(b, y->at + i * y->stride);

		if (!isfinite(x))
			return err_set_at(e, ERR_NONFINITE, "/b", "solve: "
			    "element %zu of b, counted from 0, is %g, must be "
			    "finite", y->at + i * y->stride, x);
		y->peak = fmax(y->peak, fabs(x));
	}
	return 0;
}

/* Writes a history, and NaN behind it. */
static void put_history(struct call *c, size_t which, struct krylov_told *t)
{
	struct matrix *h = &c->a->out[SOLVE_HISTORY];
	const size_t room = h->memory ? h->dim[h->ndim - 1] : 0;
	const size_t n = (size_t)t->iterations + 1;

	for (size_t i = 0; t->history && i < room; i++)
		matrix_set(h, which * room + i, i < n ? t->history[i] : NAN);
	if (n > c->longest)
		c->longest = n;
}

static void judge(struct args *a, const struct krylov_told *t)
{
	const double n = (double)a->in[SOLVE_A].dim[0];
	struct verdict *v = &a->verdict;

	if (a->quality == QUALITY_NONE)
		return;
	v->residual = verdict_worse(v->residual, t->backward /
	                            (n * dtype_epsilon(a->dtype) / 2));
	v->relative_residual = verdict_worse(v->relative_residual,
	                                     t->residual);
	v->recurrence_residual = verdict_worse(v->recurrence_residual,
	                                       t->recurrence);
}

static void put(struct call *c, size_t which, struct krylov_told *t)
{
	struct args *a = c->a;

	if (a->out[SOLVE_ITERATIONS].memory)
		matrix_set(&a->out[SOLVE_ITERATIONS], which,
		           (double)t->iterations);
	if (a->out[SOLVE_CONVERGED].memory)
		matrix_set(&a->out[SOLVE_CONVERGED], which,
		           t->end == END_CONVERGED);
	put_history(c, which, t);
	judge(a, t);
}

/* Solves for right-hand side `side` of a system. *failed: it has no answer. */
static int solve_side(struct call *c, size_t system, size_t side, bool *failed)
{
	const bool partial = c->a->param[SOLVE_P_ALLOW_PARTIAL] != 0;
	struct krylov_told t = { 0 };
	int rc;

	c->side.stride = c->sides;
	c->side.at = system * c->k.n * c->sides + side;
	rc = find_peak(c, seq_err(c->k.s));
	if (rc == 0)
		rc = krylov_solve(&c->k, &c->side, &t);
	if (rc == 0 && t.end != END_CONVERGED && !partial) {
		fail(c->a, system, side, &t);
		*failed = true;
	} else if (rc == 0) {
		put(c, system * c->sides + side, &t);
	}
	krylov_told_fini(&t);
	return rc;
}

/* The histories' rows move together: the longest one sets their length. */
static void pack_histories(struct call *c)
{
	struct matrix *h = &c->a->out[SOLVE_HISTORY];
	const size_t room = h->memory ? h->dim[h->ndim - 1] : 0;

	if (c->longest >= room || room == 0)
		return;
	for (size_t r = 1; r < c->a->stack * c->sides; r++)
		for (size_t i = 0; i < c->longest; i++)
			matrix_set(h, r * c->longest + i,
			           matrix_get(h, r * room + i));
	h->dim[h->ndim - 1] = c->longest;
	c->a->shorter |= 1u << SOLVE_HISTORY;
	c->a->fewer = room - c->longest;
}

static int solve_all(struct call *c)
{
	c->side.b = seq_input(c->k.s, &c->a->in[SOLVE_B]);
	c->side.answer = seq_output(c->k.s, &c->a->out[SOLVE_X]);
	c->longest = 1;
	for (size_t i = 0; i < c->a->stack; i++) {
		bool failed = false;

		for (size_t j = 0; j < c->sides && !failed; j++)
			if (solve_side(c, i, j, &failed) < 0)
				return -1;
	}
	pack_histories(c);
	return seq_finish(c->k.s);
}

int solve_iterative(struct seq *s, struct args *a)
{
	const struct krylov_wish wish = wish_of(a, a->variant);
	struct call c = { .a = a, .sides = sides_of(a) };
	int rc;

	if (a->in[SOLVE_A].dim[0] == 0 || c.sides == 0 || a->stack == 0) {
		for (size_t i = 0; i < a->stack * c.sides; i++)
			put(&c, i, &(struct krylov_told){ .end =
			                                  END_CONVERGED });
		return seq_finish(s);
	}
	rc = krylov_init(&c.k, s, &a->in[SOLVE_A], &wish);
	if (rc == 0)
		rc = solve_all(&c);
	if (rc == 0 && c.k.factors.shift > 0)
		a->verdict.shift = c.k.factors.shift;
	krylov_fini(&c.k);
	return rc;
}
