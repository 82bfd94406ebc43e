/* lapack.c - see lapack.h. LAPACK takes the row-major A for the column-major
 * A^T, and A^T = V S U^T. What it returns as its U is therefore V, which in
 * row-major order is our V^T, and its V^T is in row-major order our U: nothing
 * has to be transposed. */
#include "ops/svd/lapack.h"

#include <math.h>
#include <string.h>

#include "base/size.h"

static size_t least(const struct svd_problem *p)
{
	return size_min(p->m, p->n);
}

size_t svd_lefts(const struct svd_problem *p)
{
	return p->job == 'N' ? 0 : p->job == 'A' ? p->m : least(p);
}

size_t svd_rights(const struct svd_problem *p)
{
	return p->job == 'N' ? 0 : p->job == 'A' ? p->n : least(p);
}

#define LAPACK_BODY "ops/svd/lapack_real.h"
#include "ops/lapack/each_type.h"

int svd_lapack_shift(enum dtype t, const void *a, size_t m, size_t n)
{
	return t == FLOAT32 ? shift_s(a, m, n) : shift_d(a, m, n);
}

size_t svd_lapack_work(const struct lapack *l, const struct svd_problem *p)
{
	return p->dtype == FLOAT32 ? work_s(l, p) : work_d(l, p);
}

static size_t integers_size(const struct svd_problem *p)
{
	return size_round_up(8 * least(p) * sizeof(int), 64);
}

size_t svd_lapack_room(const struct svd_problem *p)
{
	return integers_size(p) + dtype_bytes(p->dtype) *
	       (lapack_ld(p->n) * (p->m + svd_rights(p)) +
	        lapack_ld(svd_lefts(p)) * p->m + p->work);
}

int svd_lapack(const struct lapack_call *c, const struct svd_problem *p,
               const void *a, void *s, void *u, void *vh, void *room)
{
	void *rest = (char *)room + integers_size(p);

	return p->dtype == FLOAT32 ?
	       decompose_s(c, p, a, s, u, vh, room, rest) :
	       decompose_d(c, p, a, s, u, vh, room, rest);
}

void svd_describe(const struct args *a, const struct failure *f,
                  struct err *e)
{
	char which[LAPACK_WHICH_TEXT];

	if (f->detail.code == ERR_NONFINITE)
		lapack_describe_nonfinite(a, f, e);
	else
		err_set(e, ERR_CONVERGENCE, "%s: %s: neither divide and "
		        "conquer nor the QR iteration found its singular "
		        "values: %d superdiagonals did not converge to 0",
		        a->op->name, lapack_which(a, f, which), f->detail.at);
}
