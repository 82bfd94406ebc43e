/* host.c - pinv by LAPACK: the singular value decomposition, and the product of
 * V S^+ with U^T. The verdict on each matrix follows at once, because it needs
 * the singular values, which are not kept. */
#include <string.h>

#include "ops/lapack/stack.h"
#include "ops/pinv/pinv.h"
#include "ops/dense.h"
#include "ops/qr/probe.h"
#include "ops/svd/lapack.h"

/* What all matrices of a call have in common. */
struct plan {
	size_t m, n, k;			/* k = min(m, n) */
	double rcond;
	struct svd_problem p;
};

/* The singular values around the rank r, the number of those that do not count
 * as 0. */
struct values {
	double first, last, next;	/* s_1, s_r, and s_(r+1) or 0 */
	size_t rank;
};

#define LAPACK_BODY "ops/pinv/host_real.h"
#include "ops/lapack/each_type.h"

/* P = 2^shift P. */
static void scale(const struct lapack_call *c, size_t index, int shift)
{
	const struct plan *h = c->how;
	struct matrix p = c->a->out[0];
	const size_t count = h->m * h->n;

	for (size_t i = 0; i < count && shift != 0; i++)
		matrix_set(&p, index * count + i, ldexp(
		    matrix_get(&p, index * count + i), shift));
}

/* |A P A - A|_F / sqrt(n) over (|A|^2 |P| max(m, n) eps + s_(r+1)), in which
 * the first term allows for rounding and the second for the singular values
 * that count as 0. The norm is estimated by |A P A x - A x| for a vector x of
 * random signs, or with quality=full computed column by column. The singular
 * values are those of 2^shift A. `room` has 2 (m + n) elements. */
static double judge(const struct lapack_call *c, size_t index,
                    const struct values *v, int shift, double *room)
{
	const struct plan *h = c->how;
	const enum dtype t = h->p.dtype;
	const bool exact = c->a->quality == QUALITY_FULL;
	const double unit = probe_unit(v->first);
	const struct probed a = { t, lapack_in(c->a, 0, index), h->m, h->n,
	                          ldexp(unit, shift) };
	const struct probed p = { t, lapack_out(c->a, 0, index), h->n, h->m,
	                          ldexp(1 / unit, -shift) };
	double *x = room, *y = x + h->n, *w = y + h->m, *z = w + h->n;
	const double eps = dtype_epsilon(t) / 2 * (double)size_max(h->m, h->n);
	double sum = 0;

	if (v->rank == 0)
		return 0;
	for (size_t i = 0; i < (exact ? h->n : 1); i++) {
		probe_fill(x, h->n, exact, i);
		probe_times(&a, x, y);
		probe_times(&p, y, w);
		probe_times(&a, w, z);
		for (size_t k = 0; k < h->m; k++)
			sum += (z[k] - y[k]) * (z[k] - y[k]);
	}
	return sqrt(sum / (double)h->n) /
	       ((v->first * unit) * eps * (v->first / v->last) +
	        v->next * unit);
}

/* The bytes of a matrix's workspace: its singular values and vectors, followed
 * by memory that first LAPACK and then the verdict uses. */
static size_t room_of(const struct plan *h)
{
	const size_t each = dtype_bytes(h->p.dtype);

	return size_round_up((h->k + h->k * (h->m + h->n)) * each, 64) +
	       size_max(svd_lapack_room(&h->p),
	                2 * (h->m + h->n) * sizeof(double));
}

/* Computes the pseudoinverse of one matrix that has elements. */
static struct failure_detail solve(const struct lapack_call *c, size_t index,
                                   void *room)
{
	const struct plan *h = c->how;
	const size_t each = dtype_bytes(h->p.dtype);
	char *s = room, *u = s + h->k * each, *vh = u + h->m * h->k * each;
	char *rest = s + size_round_up((h->k + h->k * (h->m + h->n)) * each,
	                               64);
	struct svd_problem p = h->p;
	struct values v;
	int info;

	p.shift = svd_lapack_shift(p.dtype, lapack_in(c->a, 0, index), p.m,
	                           p.n);
	info = svd_lapack(c, &p, lapack_in(c->a, 0, index), s, u, vh,
	                  rest);
	if (info != 0)
		return (struct failure_detail){ .code = ERR_CONVERGENCE,
		                                .at = info };
	v = h->p.dtype == FLOAT32 ? values_s(h, (float *)s) :
	                            values_d(h, (double *)s);
	if (h->p.dtype == FLOAT32)
		multiply_s(c, index, v.rank, (float *)s, (float *)u,
		           (float *)vh);
	else
		multiply_d(c, index, v.rank, (double *)s, (double *)u,
		           (double *)vh);
	if (lapack_out(c->a, 0, index))
		scale(c, index, p.shift);
	if (c->ratios)
		c->ratios[index] = judge(c, index, &v, p.shift, (double *)rest);
	return (struct failure_detail){ 0 };
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct plan *h = c->how;

	return h->k > 0 ? solve(c, index, room) : (struct failure_detail){ 0 };
}

int pinv_host(struct seq *s, struct args *a)
{
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);
	struct plan h = {
		.m = m, .n = n, .k = size_min(m, n),
		.rcond = dense_rcond(a, PINV_RCOND),
		.p = { .dtype = a->dtype, .m = m, .n = n, .job = 'S' },
	};
	struct lapack_call c = {
		.rows = size_max(m, n), .operands = 1, .one = one, .how = &h,
		.judged = a->quality != QUALITY_NONE,
	};
	const struct lapack *l = lapack_load(s, c.rows, seq_err(s));

	if (!l)
		return -1;
	if (h.k > 0) {
		h.p.work = svd_lapack_work(l, &h.p);
		c.room = room_of(&h);
	}
	return lapack_run(&c, s, a);
}
