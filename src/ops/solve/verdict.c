/* verdict.c - turns what the kernels of solve report of each matrix into
 * failures and the call's verdict. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/failure.h"
#include "ops/lu/residual.h"
#include "ops/solve/iterative.h"
#include "ops/solve/structure.h"
#include "shared/solve_told.h"

static size_t tale_length(const struct solve_tale *t)
{
	return t->matrices * TOLD_LENGTH + t->others;
}

static size_t flags_size(const struct solve_tale *t)
{
	return (t->matrices + t->others) * sizeof(int32_t);
}

int solve_tale_init(struct solve_tale *t, struct seq *s,
                    const struct systems *y)
{
	const size_t wide = lu_wide_bytes(seq_sheet(s));
	const int32_t none = 0;

	*t = (struct solve_tale){ .matrices = y->a_stack,
	                          .others = y->b_stack };
	t->host = calloc(tale_length(t) + 1, sizeof *t->host);
	if (!t->host)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for %zu "
		               "verdicts", y->a_stack);
	t->told = seq_scratch(s, tale_length(t) * wide);
	t->bad = seq_scratch(s, flags_size(t));
	seq_fill(s, t->told, 0, tale_length(t) * wide, &none, sizeof none);
	seq_fill(s, t->bad, 0, flags_size(t), &none, sizeof none);
	return 0;
}

void solve_tale_fini(struct solve_tale *t)
{
	free(t->host);
}

void solve_tale_need(struct need *n, const struct sheet *d,
                     const struct systems *y)
{
	const struct solve_tale t = { .matrices = y->a_stack,
	                              .others = y->b_stack };

	need_buffer(n, tale_length(&t) * lu_wide_bytes(d));
	need_buffer(n, flags_size(&t));
}

/* Widens the floats at `to` in place, from the last to the first. */
static void widen(double *to, size_t n)
{
	const float *from = (const float *)to;

	while (n-- > 0)
		to[n] = from[n];
}

int solve_tale_read(struct solve_tale *t, struct seq *s)
{
	const size_t wide = lu_wide_bytes(seq_sheet(s));

	seq_read(s, t->told, 0, t->host, tale_length(t) * wide);
	if (wide == sizeof(float))
		widen(t->host, tale_length(t));
	return seq_failed(s) ? -1 : 0;
}

double solve_tale_of(const struct solve_tale *t, size_t matrix, int number)
{
	return t->host[matrix * TOLD_LENGTH + (size_t)number];
}

bool solve_goes_on(const struct solve_tale *t, size_t matrix)
{
	return solve_tale_of(t, matrix, TOLD_ACTIVE) > 0 ||
	       solve_tale_of(t, matrix, TOLD_BACK) > 0;
}

bool solve_any_goes_on(const struct solve_tale *t, int state)
{
	for (size_t i = 0; i < t->matrices; i++)
		if (solve_tale_of(t, i, state) > 0)
			return true;
	return false;
}

/* --- failures */

/* Records a failure of the system if it has one, and returns whether it has.
 * `minors` is solve_tale's array, read to the host, or NULL. */
static bool fail(struct args *a, const struct solve_tale *t,
                 const int32_t *minors, size_t system)
{
	const size_t m = systems_matrix(a, 0, system);
	const size_t b = systems_matrix(a, 1, system);
	const double column = solve_tale_of(t, m, TOLD_COLUMN);
	struct failure f = { .index = system };

	if (solve_tale_of(t, m, TOLD_NONFINITE) != 0 ||
	    t->host[t->matrices * TOLD_LENGTH + b] != 0)
		f = (struct failure){ system, solve_nonfinite(a, system) };
	else if (minors && minors[m])
		f.detail = (struct failure_detail){ .code = ERR_NOT_POSITIVE,
		                                    .at = minors[m] };
	else if (column >= 0)
		f.detail = (struct failure_detail){ .code = ERR_SINGULAR,
		                                    .at = (int32_t)column };
	else
		return false;
	args_fail(a, &f);
	return true;
}

/* `which`: the system of a stack. */
static void describe_nonfinite(const struct failure *f, const char *which,
                               struct err *e)
{
	const char *name = f->detail.at == SOLVE_A ? "a" :
	                   f->detail.at == SOLVE_B ? "b" : "factors";
	char pointer[16];

	snprintf(pointer, sizeof pointer, "/%s", name);
	err_set_at(e, ERR_NONFINITE, pointer, "solve: operand %s has a NaN or "
	           "an infinity in row %.0f, column %.0f, counted from 0%s%s",
	           name, f->detail.x, f->detail.y, *which ? ": " : "", which);
}

void solve_describe(const struct args *a, const struct failure *f,
                    struct err *e)
{
	char which[64] = "matrix";

	if (solve_is_iterative(a)) {
		solve_iterative_describe(a, f, e);
		return;
	}
	if (a->stack > 1)
		snprintf(which, sizeof which, "system %zu of the stack",
		         f->index);
	if (f->detail.code == ERR_NOT_POSITIVE)
		err_set_at(e, ERR_NOT_POSITIVE, "/a", "solve: %s is not "
		           "positive definite: its leading minor of order %d "
		           "is not positive", which, (int)f->detail.at);
	else if (f->detail.code == ERR_MATHEMATICS)
		err_set_at(e, ERR_MATHEMATICS, "/pivots", "solve: %s: pivot "
		           "%d, counted from 0, is no row", which,
		           (int)f->detail.at);
	else if (f->detail.code == ERR_NONFINITE)
		describe_nonfinite(f, a->stack > 1 ? which : "", e);
	else
		err_set_at(e, ERR_SINGULAR, "/a", "solve: %s is singular: the "
		           "pivot of column %d, counted from 0%s, is exactly "
		           "zero", which, (int)f->detail.at,
		           a->stack > 1 ? " as systems are" : "");
}

/* --- the verdict on a matrix that did not fail */

/* |A^-1 r| >= |r| / |A|, so that the largest error is at least ratio / n times
 * the largest element of x. A smaller bound has underflowed on the way, where x
 * is subnormal; |A^-1 r| <= |A^-1| |r| does not. Estimates are seldom more than
 * three times too small. */
double solve_forward(double forward, double ratio, double rcond, double n)
{
	return !(forward < ratio / (4 * n)) ? forward : n * ratio / rcond;
}

static void judge(struct args *a, const struct solve_tale *t, size_t m)
{
	struct verdict *v = &a->verdict;
	const double n = (double)matrix_cols(&a->in[0]);
	const double eps = dtype_epsilon(a->dtype);
	const double condition = solve_tale_of(t, m, TOLD_CONDITION);
	const double told = solve_tale_of(t, m, TOLD_RESIDUAL);
	/* A norm that overflows leaves no ratio of a finite x. */
	const bool measured = isnan(told) ||
	                      isfinite(solve_tale_of(t, m, TOLD_NORM));
	const double ratio = measured ? told : INFINITY;
	/* The ratio of an x with NaN or infinities is NaN; that of an x which
	 * underflows to 0 is infinite. */
	const double rcond = isfinite(condition) && !isnan(ratio) ?
	                     fmin(1 / condition, 1) : 0;

	v->refinements = verdict_worse(v->refinements,
	                               solve_tale_of(t, m, TOLD_STEPS));
	if (solve_tale_of(t, m, TOLD_STALLED) > 0)
		v->stalled = 1;
	v->residual = verdict_worse(v->residual, ratio / (n * eps / 2));
	v->forward_error = verdict_worse(v->forward_error, isinf(ratio) ?
	                                 INFINITY :
	                                 solve_forward(solve_tale_of(t, m,
	                                     TOLD_FORWARD), ratio, rcond, n));
	if (measured)
		verdict_add_rcond(v, rcond, eps);
}

static void conclude(struct args *a, const struct solve_tale *t,
                     const int32_t *minors)
{
	for (size_t i = 0; i < a->stack; i++)
		if (!fail(a, t, minors, i) && a->quality != QUALITY_NONE)
			judge(a, t, systems_matrix(a, 0, i));
}

int solve_conclude(struct seq *s, struct args *a, const struct solve_tale *t)
{
	int32_t *minors;

	if (t->minors.id == 0) {
		conclude(a, t, NULL);
		return 0;
	}
	minors = calloc(t->matrices + 1, sizeof *minors);
	if (!minors)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for %zu "
		               "verdicts", t->matrices);
	seq_read(s, t->minors, 0, minors, t->matrices * sizeof *minors);
	conclude(a, t, minors);
	free(minors);
	return seq_failed(s) ? -1 : 0;
}
