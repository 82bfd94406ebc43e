/* host.c - expm by LAPACK and BLAS on the host. Matrices lie there as they do
 * in the request, by rows, and LAPACK sees their transposes: the exponential of
 * A^T is that of A, transposed. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/expm/expm.h"
#include "ops/lapack/stack.h"

/* The kinds tell which of the triangles beside the diagonal are zero. */
enum triangle { FULL, UPPER, LOWER, DIAGONAL };

/* Is element (i, j) in the half that is zero, which is j < i for UPPER? */
static bool is_beyond(enum triangle t, size_t i, size_t j)
{
	return t == DIAGONAL ? i != j : t == UPPER ? j < i :
	       t == LOWER ? j > i : false;
}

#define LAPACK_BODY "ops/expm/host_real.h"
#include "ops/lapack/each_type.h"

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	return c->a->dtype == FLOAT32 ? one_s(c, index, room) :
	                                one_d(c, index, room);
}

int expm_host(struct seq *s, struct args *a)
{
	const size_t n = matrix_cols(&a->in[0]);
	struct lapack_call c = {
		.rows = n, .operands = 1, .one = one,
		.flops = a->op->flops(a) / (double)size_max(a->stack, 1),
		.room = a->dtype == FLOAT32 ? room_s(n) : room_d(n),
	};

	if (matrix_elements(&a->in[0]) == 0)
		return seq_finish(s);
	return lapack_run(&c, s, a);
}
