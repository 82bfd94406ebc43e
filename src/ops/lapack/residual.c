/* residual.c - the ratios of quality=full, by LAPACK on the host. */
#include "ops/lapack/stack.h"

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct lapack_ratio *r = c->how;

	if (c->rows > 0 && !args_has_failed(c->a, index))
		c->ratios[index] = c->a->dtype == FLOAT32 ?
		                   r->s(c, index, room) :
		                   r->d(c, index, room);
	return (struct failure_detail){ .code = ERR_NONE };
}

int lapack_residual(struct seq *s, struct args *a,
                    const struct lapack_ratio *ratio)
{
	const size_t n = matrix_rows(&a->in[0]);

	if (a->quality != QUALITY_FULL)
		return seq_finish(s);
	return lapack_run(&(struct lapack_call){
		.rows = n, .flops = 2.0 * n * n * n,
		.room = n * (sizeof(double) + n * dtype_bytes(a->dtype)),
		.one = one, .how = ratio, .judged = true,
	}, s, a);
}
