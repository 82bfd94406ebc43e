/* host.c - expm of real matrices by LAPACK and BLAS on the host, in the type of
 * the operand; host_typed.h has the algorithm. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/expm/expm.h"
#include "ops/lapack/exported.h"
#include "ops/lapack/stack.h"

#define number real
#define part real
#define scalar double
#define PARTS 1
#define LARGEST_PART(x) fabs(x)
#define MODULUS(x) fabs(x)
#define EXP(x) exp(x)
#define DIVIDED(x, s) ldexp(x, -(s))
#define BESIDE(a, b, d) expm_beside(a, b, d)
#define LAPACK_BODY "ops/expm/host_typed.h"
#include "ops/lapack/each_type.h"

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const void *const a = lapack_in(c->a, 0, index);
	void *const to = lapack_out(c->a, 0, index);

	return c->a->dtype == FLOAT32 ?
	       exponentiate_s(c->l, c->rows, a, room, to) :
	       exponentiate_d(c->l, c->rows, a, room, to);
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
