/* host.c - qr by LAPACK. A is copied to column-major order, in columns of
 * lapack_ld() elements; xGEQRF overwrites the copy with R and the reflectors,
 * from which xORGQR makes Q. Tall matrices that are not ill-conditioned are
 * factored by host_tall.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ops/lapack/stack.h"
#include "ops/qr/host_raw.h"
#include "ops/qr/host_tall.h"
#include "ops/qr/qr.h"

/* What all matrices of a call have in common. */
struct plan {
	struct qr_sizes z;
	size_t work;			/* elements of LAPACK's workspace */
	bool tall;			/* host_tall_fits() */
	struct verdict *told;		/* for each matrix; NULL: h and tau are
					 * not judged */
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

/* Judges h and tau, in the places where factor() has left them: x at `rest`,
 * and then tau. The vectors for it are at the end of the room. */
static void judge(const struct lapack_call *c, size_t index, void *room,
                  const int *order, const char *rest)
{
	const struct plan *p = c->how;
	const size_t ld = lapack_ld(p->z.m), numbers = HOST_RAW_ROOM(&p->z);
	const size_t x = ld * columns_of(&p->z) * dtype_bytes(c->a->dtype);
	void *const end = (char *)room + c->room;

	host_raw_judge(&(struct host_raw){
		.z = &p->z, .dtype = c->a->dtype,
		.a = lapack_in(c->a, 0, index), .h = rest, .tau = rest + x,
		.ld = ld, .order = order,
		.full = c->a->quality == QUALITY_FULL,
		.room = (double *)end - numbers }, &p->told[index]);
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct plan *p = c->how;
	const struct qr_sizes *z = &p->z;
	int *order = room;
	void *rest = (char *)room + size_round_up(z->n * sizeof *order, 64);

	memset(order, 0, z->n * sizeof *order);
	if (c->a->dtype == FLOAT32)
		factor_s(c, index, order, rest);
	else
		factor_d(c, index, order, rest);
	if (p->told && z->k > 0)
		judge(c, index, room, order, rest);
	if (z->pivots && c->a->out[QR_P].memory)
		put_order(order, z->n, lapack_out(c->a, QR_P, index));
	return (struct failure_detail){ 0 };
}

/* Is h answered with tau, so that both can be judged? */
static bool is_raw_judged(const struct args *a)
{
	return a->quality != QUALITY_NONE && dense_has(a, QR_H) &&
	       dense_has(a, QR_TAU);
}

/* Runs the call with a verdict for each matrix, and keeps the worst of those
 * that have not failed. */
static int run_judged(struct lapack_call *c, struct plan *p, struct seq *s,
                      struct args *a)
{
	struct verdict *const v = &a->verdict;
	int rc;

	p->told = calloc(a->stack + 1, sizeof *p->told);
	if (!p->told)
		return err_set(seq_err(s), ERR_MEMORY, "qr: no memory for %zu "
		               "verdicts", a->stack);
	rc = lapack_run(c, s, a);
	for (size_t i = 0; i < a->stack && rc == 0; i++) {
		if (args_has_failed(a, i))
			continue;
		v->residual = verdict_worse(v->residual, p->told[i].residual);
		v->orthogonality = verdict_worse(v->orthogonality,
		                                 p->told[i].orthogonality);
	}
	free(p->told);
	return rc;
}

/* The elements that a matrix needs beside the answer. */
static size_t elements_of(const struct plan *p)
{
	const struct qr_sizes *z = &p->z;
	const size_t own = lapack_ld(z->m) * columns_of(z) + z->k + p->work + 1;

	return p->tall ? size_max(own, z->m * z->n + host_tall_room(z)) : own;
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
	p.tall = c.divided = host_tall_fits(&p.z);
	c.room = size_round_up(p.z.n * sizeof(int), 64) +
	         elements_of(&p) * dtype_bytes(a->dtype);
	if (!is_raw_judged(a))
		return lapack_run(&c, s, a);
	c.room = size_round_up(c.room, 64) + HOST_RAW_ROOM(&p.z) *
	         sizeof(double);
	return run_judged(&c, &p, s, a);
}
