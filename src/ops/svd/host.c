/* host.c - svd by LAPACK. A row-major matrix A is A^T in column-major order,
 * and A^T = V S U^T: so LAPACK's U is our V^T and its V^T our U, both in the
 * order of the answer. */
#include <stdatomic.h>
#include <string.h>

#include "ops/lapack/stack.h"
#include "ops/svd/svd.h"

struct plan {
	struct svd_sizes z;
	char job;			/* LAPACK's: all, some or no vectors */
	size_t work;			/* LAPACK's workspace, in elements */
	atomic_bool *fallback;		/* was xGESVD needed? */
};

/* Vectors of either side that LAPACK computes. */
static size_t lefts(const struct plan *p)
{
	return p->job == 'N' ? 0 : p->job == 'A' ? p->z.m : p->z.all;
}

static size_t rights(const struct plan *p)
{
	return p->job == 'N' ? 0 : p->job == 'A' ? p->z.n : p->z.all;
}

#define LAPACK_BODY "ops/svd/host_real.h"
#include "ops/lapack/each_type.h"

static size_t integers_size(const struct svd_sizes *z)
{
	return size_round_up(8 * z->all * sizeof(int), 64);
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct plan *p = c->how;
	void *rest = (char *)room + integers_size(&p->z);
	const int info = c->a->dtype == FLOAT32 ?
	                 decompose_s(c, index, room, rest) :
	                 decompose_d(c, index, room, rest);

	return info == 0 ? (struct failure_detail){ 0 } :
	       (struct failure_detail){ .code = ERR_CONVERGENCE, .at = info };
}

int svd_host(struct seq *s, struct args *a)
{
	static const char jobs[] = { [SVD_THIN] = 'S', [SVD_FULL] = 'A',
	                             [SVD_NONE] = 'N' };
	atomic_bool fallback = false;
	struct plan p = {
		.z = svd_sizes_of(a), .fallback = &fallback,
		.job = jobs[(int)a->param[SVD_VECTORS]],
	};
	struct lapack_call c = {
		.rows = size_max(p.z.m, p.z.n), .operands = 1, .one = one,
		.flops = a->stack ? a->op->flops(a) / (double)a->stack : 0,
		.how = &p,
	};
	const struct lapack *l = lapack_load(c.rows, seq_err(s));
	int rc;

	if (!l)
		return -1;
	p.work = a->dtype == FLOAT32 ? work_s(l, &p) : work_d(l, &p);
	c.room = integers_size(&p.z) + dtype_bytes(a->dtype) *
	         (p.z.m * p.z.n + p.z.all + p.z.m * lefts(&p) +
	          p.z.n * rights(&p) + p.work + 1);
	rc = lapack_run(&c, s, a);
	if (atomic_load(&fallback))
		a->verdict.fallback = 1;
	return rc;
}
