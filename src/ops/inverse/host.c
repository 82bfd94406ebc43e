/* host.c - A^-1 by LAPACK on the host, for every matrix of the stack. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/inverse/inverse.h"
#include "ops/lapack/stack.h"

enum { BLOCK = 64 };			/* LAPACK's workspace is n x BLOCK */

/* Returns the bytes of workspace for a matrix of n rows: n doubles, LAPACK's
 * workspace, v and y, and pivots. Each of these begins at a multiple of 8
 * bytes. */
static size_t room_of(size_t n, size_t each)
{
	return n * sizeof(double) + size_round_up((BLOCK + 2) * n, 2) * each +
	       n * sizeof(int);
}

#define LAPACK_BODY "ops/inverse/host_real.h"
#include "ops/lapack/each_type.h"

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	if (c->rows == 0)
		return (struct failure_detail){ .code = ERR_NONE };
	return c->a->dtype == FLOAT32 ? invert_s(c, index, room) :
	                                invert_d(c, index, room);
}

int inverse_host(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[0]);
	struct inverse_look *looks = calloc(a->stack + 1, sizeof *looks);
	struct lapack_call c = {
		.rows = n, .flops = 2.0 * n * n * n, .operands = 1,
		.room = room_of(n, dtype_bytes(a->dtype)), .one = one,
		.how = looks,
	};
	int rc;

	if (!looks)
		return err_set(seq_err(s), ERR_MEMORY, "inverse: no memory for "
		               "%zu verdicts", a->stack);
	rc = lapack_run(&c, s, a);
	for (size_t i = 0; rc == 0 && a->quality != QUALITY_NONE &&
	     i < a->stack; i++)
		if (!args_has_failed(a, i))
			inverse_judge(a, &looks[i]);
	free(looks);
	return rc;
}
