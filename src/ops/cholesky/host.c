/* host.c - A = L L^T by LAPACK on the host, for every matrix of the stack. */
#include <stdlib.h>
#include <string.h>

#include "ops/cholesky/cholesky.h"
#include "ops/lapack/stack.h"

enum { LANES = 8 };			/* sums that are kept side by side */

#define LAPACK_BODY "ops/cholesky/host_real.h"
#include "ops/lapack/each_type.h"

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	return c->a->dtype == FLOAT32 ? factor_s(c, index, room) :
	                                factor_d(c, index, room);
}

int cholesky_host(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);
	const bool judged = a->quality == QUALITY_ESTIMATE;
	double *ratios = calloc(a->stack + 1, sizeof *ratios);
	struct lapack_call c = {
		.rows = n, .flops = (double)n * n * n / 3,
		.room = judged ? 2 * n * dtype_bytes(a->dtype) : 0,
		.one = one, .how = ratios,
	};
	int rc;

	if (!ratios)
		return err_set(seq_err(s), ERR_MEMORY, "cholesky: no memory "
		               "for %zu verdicts", a->stack);
	rc = lapack_run(&c, s, a);
	if (rc == 0 && judged)
		a->verdict.residual = args_worst(a, ratios, 1);
	free(ratios);
	return rc;
}
