/* host.c - A = L L^T by LAPACK on the host, for every matrix of the stack. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/cholesky/cholesky.h"
#include "ops/lapack/stack.h"

enum { STRIP = 16 };			/* rows that are transposed at a time */

/* What is computed of STRIP rows of A, and of as many columns of L. */
struct strip {
	double quadratic;		/* their part of x^T A x */
	double square;			/* their part of |L^T x|^2 */
	bool nonfinite;			/* an element of A is not finite */
};

static size_t strips_of(size_t n)
{
	return size_blocks(n, STRIP);
}

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

	if (n > 0 && n <= CHOLESKY_LANES_ROWS && a->stack > 0)
		return cholesky_lanes(s, a);
	return lapack_run(&(struct lapack_call){
		.rows = n, .flops = (double)n * n * n / 3,
		.room = strips_of(n) * sizeof(struct strip) +
		        n * dtype_bytes(a->dtype),
		.one = one, .judged = judged, .divided = true,
	}, s, a);
}
