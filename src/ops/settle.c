/* settle.c - see op.h: brings operands into the form that their operation
 * wants, before the call is checked. */
#include <stdio.h>

#include "matrix/sparse.h"
#include "ops/op.h"

int args_check_rounded(const struct args *a, struct err *e)
{
	char pointer[64];

	for (int i = 0; a->op->inputs[i].name; i++) {
		if (!a->in[i].rounded || a->op->indices >> i & 1)
			continue;
		snprintf(pointer, sizeof pointer, "/%s",
		         a->op->inputs[i].name);
		return err_set_at(e, ERR_FORMAT, pointer, "%s: %s has "
		    "integers that cannot be kept exact: beyond int64, or of "
		    "a sparse matrix beyond 2^53; dtype=float64 rounds them",
		    a->op->name, a->op->inputs[i].name);
	}
	return 0;
}

static int settle_layout(struct args *a, int i, struct memory_pool *p,
                         struct err *e)
{
	const bool sparse = a->op->sparse_too >> i & 1 &&
	                    a->in[i].layout == DENSE;
	const enum layout wanted = sparse ? CSR : a->op->inputs[i].layout;
	struct matrix *m = &a->in[i];

	if (m->layout == DENSE && wanted == CSR && a->op->zeros_count &&
	    a->op->zeros_count(a))
		return sparse_convert_all(m, p, e);
	return sparse_convert(m, wanted, p, e);
}

bool args_keeps_layout(const struct args *a, int i)
{
	if (!(a->op->sparse_too >> i & 1))
		return false;
	if (a->in[i].layout == DENSE)
		return !a->op->becomes_sparse || !a->op->becomes_sparse(a, i);
	return !a->op->stays_sparse || a->op->stays_sparse(a, i);
}

int args_settle_layout(struct args *a, struct memory_pool *p, struct err *e)
{
	for (int i = 0; a->op->inputs[i].name; i++)
		if (a->in[i].ndim == 2 && !args_keeps_layout(a, i) &&
		    settle_layout(a, i, p, e) < 0)
			return -1;
	return 0;
}
