/* verdict.c - what inverse says of its answer: why a matrix has none, and how
 * exact the others are. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/inverse/inverse.h"
#include "ops/lapack/stack.h"

void inverse_describe(const struct args *a, const struct failure *f,
                      struct err *e)
{
	char which[LAPACK_WHICH_TEXT];

	if (f->detail.code == ERR_NONFINITE)
		lapack_describe_nonfinite(a, f, e);
	else
		err_set_at(e, ERR_SINGULAR, "/a", "inverse: %s is singular: a "
		           "pivot of its LU factorization is exactly zero",
		           lapack_which(a, f, which));
}

/* The larger, where a is NAN if nothing is known yet; a b that is NaN counts as
 * infinity. */
static double worse(double a, double b)
{
	b = isnan(b) ? INFINITY : b;
	return isnan(a) || b > a ? b : a;
}

void inverse_judge(struct args *a, const struct inverse_look *l)
{
	const double n = (double)matrix_rows(&a->in[0]);
	const double eps = dtype_epsilon(a->dtype);
	const double condition = l->norm * l->norm_of_inverse;
	const double rcond = isfinite(condition) ? fmin(1 / condition, 1) : 0;
	const double ratio = l->defect == 0 ? 0 :
	                     l->defect / n / (n * eps * condition);

	a->verdict.residual = worse(a->verdict.residual, ratio);
	a->verdict.rcond = fmin(a->verdict.rcond, rcond);
	if (rcond < eps)
		a->verdict.ill_conditioned = 1;
}

#define LAPACK_BODY "ops/inverse/residual_real.h"
#include "ops/lapack/each_type.h"

static struct failure_detail exact(const struct lapack_call *c, size_t index,
                                   void *room)
{
	if (!args_has_failed(c->a, index))
		c->ratios[index] = c->a->dtype == FLOAT32 ?
		    exact_ratio_s(c, index, room) :
		    exact_ratio_d(c, index, room);
	return (struct failure_detail){ .code = ERR_NONE };
}

int inverse_residual(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);

	if (a->quality != QUALITY_FULL)
		return seq_finish(s);
	return lapack_run(&(struct lapack_call){
		.rows = n, .flops = 2.0 * n * n * n,
		.room = size_round_up(n * n, 2) * dtype_bytes(a->dtype) +
		        n * sizeof(double),
		.one = exact, .judged = true,
	}, s, a);
}
