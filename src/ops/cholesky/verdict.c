/* verdict.c - what cholesky says of its answer: why a matrix has none, and how
 * exact the others are. */
#include <float.h>
#include <math.h>

#include "ops/cholesky/cholesky.h"
#include "ops/lapack/stack.h"

struct failure_detail cholesky_nonfinite(size_t row, size_t column)
{
	return (struct failure_detail){ .code = ERR_NONFINITE,
	                                .x = (double)row,
	                                .y = (double)column };
}

struct failure_detail cholesky_not_positive(size_t order)
{
	return (struct failure_detail){ .code = ERR_NOT_POSITIVE,
	                                .at = (int32_t)order };
}

void cholesky_describe(const struct args *a, const struct failure *f,
                       struct err *e)
{
	char which[LAPACK_WHICH_TEXT];

	if (f->detail.code == ERR_NONFINITE)
		lapack_describe_nonfinite(a, f, e);
	else
		err_set_at(e, ERR_NOT_POSITIVE, "/a", "cholesky: %s is not "
		           "positive definite: its leading minor of order %d "
		           "is not positive", lapack_which(a, f, which),
		           (int)f->detail.at);
}

double cholesky_ratio(enum dtype t, size_t n, double quadratic, double square,
                      double trace)
{
	const double error = fabs(quadratic - square) +
	                     DBL_EPSILON / 2 * square;

	return error / ((double)n * dtype_epsilon(t) * trace);
}

#define LAPACK_BODY "ops/cholesky/residual_real.h"
#include "ops/lapack/each_type.h"

int cholesky_residual(struct seq *s, struct args *a)
{
	return lapack_residual(s, a, &(const struct lapack_ratio){
		exact_ratio_s, exact_ratio_d });
}
