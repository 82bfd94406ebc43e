/* verdict.c - what cholesky says of its answer: why a matrix has none, and how
 * exact the others are. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
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
	const double error = fabs(quadratic - square);

	return error == 0 ? 0 :
	       error / ((double)n * dtype_epsilon(t) * trace);
}

#define LAPACK_BODY "ops/cholesky/residual_real.h"
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

int cholesky_residual(struct seq *s, struct args *a)
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
