/* host.c - A = L L^T by LAPACK on the host, for every matrix of the stack. */
#include <stdlib.h>
#include <string.h>

#include "ops/cholesky/cholesky.h"
#include "ops/lapack/stack.h"

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

	return lapack_run(&(struct lapack_call){
		.rows = n, .flops = (double)n * n * n / 3,
		.room = judged ? 2 * n * dtype_bytes(a->dtype) : 0,
		.one = one, .judged = judged,
	}, s, a);
}
