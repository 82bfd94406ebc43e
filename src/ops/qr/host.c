/* host.c - qr by LAPACK. A is copied to column-major order, in columns of
 * lapack_ld() elements; xGEQRF overwrites the copy with R and the reflectors,
 * from which xORGQR makes Q. */
#include <stdint.h>
#include <string.h>

#include "ops/lapack/stack.h"
#include "ops/qr/qr.h"

/* What all matrices of a call have in common. */
struct plan {
	struct qr_sizes z;
	size_t work;			/* elements of LAPACK's workspace */
};

/* The columns of the copy of A, in whose place Q is made. */
static size_t columns_of(const struct qr_sizes *z)
{
	return size_max(z->n, z->columns);
}

#define LAPACK_BODY "ops/qr/host_real.h"
#include "ops/lapack/each_type.h"

/* LAPACK's column numbers begin at 1, ours at 0. */
static void put_order(const int *from, size_t n, int64_t *p)
{
	for (size_t i = 0; i < n; i++)
		p[i] = from[i] - 1;
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct qr_sizes *z = &((const struct plan *)c->how)->z;
	int *order = room;
	void *rest = (char *)room + size_round_up(z->n * sizeof *order, 64);

	memset(order, 0, z->n * sizeof *order);
	if (c->a->dtype == FLOAT32)
		factor_s(c, index, order, rest);
	else
		factor_d(c, index, order, rest);
	if (z->pivots && c->a->out[QR_P].memory)
		put_order(order, z->n, lapack_out(c->a, QR_P, index));
	return (struct failure_detail){ 0 };
}

int qr_host(struct seq *s, struct args *a)
{
	struct plan p = { .z = qr_sizes_of(a) };
	struct lapack_call c = {
		.rows = size_max(p.z.m, p.z.n), .operands = 1, .one = one,
		.how = &p,
	};
	const struct lapack *l = lapack_load(s, c.rows, seq_err(s));

	if (!l)
		return -1;
	p.work = a->dtype == FLOAT32 ? work_s(l, &p.z) : work_d(l, &p.z);
	c.room = size_round_up(p.z.n * sizeof(int), 64) +
	         (lapack_ld(p.z.m) * columns_of(&p.z) + p.z.k + p.work + 1) *
	         dtype_bytes(a->dtype);
	return lapack_run(&c, s, a);
}
