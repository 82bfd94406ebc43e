/* verdict.c - what inverse says of its answer: why a matrix has none, and how
 * exact the others are. */
#include <math.h>

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

void inverse_judge(struct args *a, const struct inverse_look *l)
{
	const double n = (double)matrix_rows(&a->in[0]);
	const double eps = dtype_epsilon(a->dtype);
	const long double condition = l->norm * l->norm_of_inverse;
	const double rcond = isfinite(condition) ?
	                     (double)fminl(1 / condition, 1) : 0;
	const double ratio = l->defect == 0 ? 0 :
	    (double)(l->defect / n / (n * eps * condition));

	a->verdict.residual = verdict_worse(a->verdict.residual, ratio);
	verdict_add_rcond(&a->verdict, rcond, eps);
}

#define LAPACK_BODY "ops/inverse/residual_real.h"
#include "ops/lapack/each_type.h"

int inverse_residual(struct seq *s, struct args *a)
{
	return lapack_residual(s, a, &(const struct lapack_ratio){
		exact_ratio_s, exact_ratio_d });
}
