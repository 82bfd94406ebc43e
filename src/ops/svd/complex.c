/* complex.c - A = U S V^H of complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. By xGESDD, and by ZGESVD where that does not
 * converge. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ops/lapack/complex.h"
#include "ops/svd/svd.h"

/* What all matrices of a call have in common. LAPACK computes all of the
 * vectors of the thin or the full decomposition, of which k are answered. */
struct plan {
	struct svd_sizes z;
	char job;
	size_t lefts, rights;
	size_t work, reals;		/* elements of workspaces */
};

/* complex64 computes only with matrices that need not be lowered. */
static int complex_lower_c(const cplx_c *a, size_t n)
{
	(void)a, (void)n;
	return 0;
}

static void complex_raise_reals_c(const float *s, size_t n, int k)
{
	(void)s, (void)n, (void)k;
}

static void complex_store_reals_c(const float *s, size_t n, enum dtype t,
                                  void *to)
{
	(void)t;
	memcpy(to, s, n * sizeof *s);
}

#define LAPACK_BODY "ops/svd/complex_typed.h"
#include "ops/lapack/each_complex.h"

/* Full vectors of an empty matrix are those of the identity. */
static struct failure_detail empty(const struct lapack_call *c, size_t index,
                                   cplx *u)
{
	const struct plan *h = complex_how(c);
	cplx *const vh = u + h->z.m * h->lefts;

	for (size_t i = 0; i < h->z.m * h->lefts; i++)
		u[i] = i % (h->z.m + 1) == 0;
	for (size_t i = 0; i < h->rights * h->z.n; i++)
		vh[i] = i % (h->rights + 1) == 0;
	put(c, index, NULL, u, vh);
	return (struct failure_detail){ .code = ERR_NONE };
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct plan *h = complex_how(c);
	bool left = c->a->dtype == COMPLEX128;
	struct failure_detail d;

	if (h->z.all == 0)
		return empty(c, index, room);
	if (!left)
		d = answer_c(c, index, room, &left);
	return left ? answer(c, index, room, &left) : d;
}

/* Sets h->work and h->reals to what is enough for both routines. */
static void ask(const struct lapack *l, struct plan *h)
{
	const int m = (int)h->z.m, n = (int)h->z.n;
	const int rows = (int)size_max(h->rights, 1);
	const size_t k = h->z.all, most = size_max(h->z.m, h->z.n);
	cplx need[2] = { 1, 1 };
	double reals;
	int integers;

	if (k == 0)
		return;
	l->z.gesdd(LAPACK_COLUMNS, h->job, m, n, NULL, m, NULL, NULL, m, NULL,
	           rows, need, -1, &reals, &integers);
	l->z.gesvd(LAPACK_COLUMNS, h->job, h->job, m, n, NULL, m, NULL, NULL,
	           m, NULL, rows, need + 1, -1, &reals);
	h->work = (size_t)fmax(creal(need[0]), creal(need[1])) + 1;
	h->reals = k * size_max(5 * k + 7, 2 * most + 2 * k + 1) + 7 * k;
}

int svd_complex(struct seq *s, struct args *a)
{
	struct plan h = { .z = svd_sizes_of(a) };
	const size_t m = h.z.m, n = h.z.n;
	const bool full = a->param[SVD_VECTORS] == SVD_FULL;
	const struct lapack *l = lapack_load(s, size_max(m, n), seq_err(s));

	if (!l)
		return -1;
	h.job = !h.z.vectors ? 'N' : full ? 'A' : 'S';
	h.lefts = !h.z.vectors ? 0 : full ? m : h.z.all;
	h.rights = !h.z.vectors ? 0 : full ? n : h.z.all;
	ask(l, &h);
	return complex_run(&(struct lapack_call){
		.rows = size_max(m, n), .operands = 1, .one = one, .how = &h,
		.room = COMPLEX_BYTES(m * n) + COMPLEX_BYTES(m * h.lefts) +
		        COMPLEX_BYTES(h.rights * n) +
		        COMPLEX_BYTES(4 * size_max(m, n)) +
		        COMPLEX_BYTES(h.work) + COMPLEX_BYTES(h.reals / 2) +
		        3 * COMPLEX_BYTES(h.z.all),
	}, s, a);
}
