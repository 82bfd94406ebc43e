/* complex.c - A = U S V^H of complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. By ZGESDD, and by ZGESVD where that does not
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

struct parts {
	const struct plan *h;
	const cplx *a, *u, *vh;
	const double *s;
	cplx *y, *w;
};

/* Stores in y the first z.k elements of V^H x, times the singular values. */
static void weigh(const struct parts *p, const cplx *x)
{
	complex_times(p->vh, p->h->rights, p->h->z.n, x, p->y);
	for (size_t i = 0; i < p->h->rights; i++)
		p->y[i] *= i < p->h->z.all ? p->s[i] : 0;
}

/* r = A x - U S V^H x */
static void product_defect(const void *how, const cplx *x, cplx *r)
{
	const struct parts *p = how;
	const struct svd_sizes *z = &p->h->z;

	weigh(p, x);
	complex_times(p->u, z->m, z->all, p->y, p->w);
	complex_times(p->a, z->m, z->n, x, r);
	for (size_t i = 0; i < z->m; i++)
		r[i] -= p->w[i];
}

/* r = x - U^H U x */
static void u_defect(const void *how, const cplx *x, cplx *r)
{
	const struct parts *p = how;

	complex_times(p->u, p->h->z.m, p->h->lefts, x, p->w);
	complex_times_turned(p->u, p->h->z.m, p->h->lefts, p->w, r);
	for (size_t i = 0; i < p->h->lefts; i++)
		r[i] = x[i] - r[i];
}

/* r = x - V^H V x */
static void v_defect(const void *how, const cplx *x, cplx *r)
{
	const struct parts *p = how;

	complex_times_turned(p->vh, p->h->rights, p->h->z.n, x, p->w);
	complex_times(p->vh, p->h->rights, p->h->z.n, p->w, r);
	for (size_t i = 0; i < p->h->rights; i++)
		r[i] = x[i] - r[i];
}

/* Judges all that LAPACK computed, rounded as it is answered; `room` has space
 * for 4 vectors. */
static void judge(const struct lapack_call *c, size_t index, struct parts *p,
                  cplx *room)
{
	const struct plan *h = p->h;
	const size_t m = h->z.m, n = h->z.n, most = size_max(m, n);
	const double eps = dtype_epsilon(c->a->dtype);
	struct verdict *v = complex_told(c, index);
	double of_u, of_v;

	p->y = room;
	p->w = room + most;
	room += 2 * most;
	v->residual = complex_ratio(complex_defect(c, m, n, product_defect, p,
	                                           room),
	    complex_norm1(p->a, m, n) * (double)most * eps);
	of_u = complex_defect(c, h->lefts, h->lefts, u_defect, p, room) /
	       ((double)m * eps);
	of_v = complex_defect(c, h->rights, h->rights, v_defect, p, room) /
	       ((double)n * eps);
	v->orthogonality = verdict_worse(of_u, of_v);
}

/* Stores A / 2^k in a, and returns k: see complex_lower(). */
static int load(const struct lapack_call *c, size_t index, cplx *a)
{
	const struct plan *h = complex_how(c);

	complex_load(lapack_in(c->a, 0, index), c->a->dtype, h->z.m, h->z.n,
	             a);
	return complex_lower(a, h->z.m * h->z.n);
}

/* Returns LAPACK's INFO. */
static int decompose(const struct lapack_call *c, size_t index, cplx *a,
                     double *s, cplx *u, cplx *vh, struct complex_room *r)
{
	const struct plan *h = complex_how(c);
	const int m = (int)h->z.m, n = (int)h->z.n, work = (int)h->work;
	const int rows = (int)size_max(h->rights, 1);
	cplx *const w = complex_array(r, h->work, sizeof *w);
	double *const rwork = complex_array(r, h->reals, sizeof *rwork);
	int *const iwork = complex_array(r, 8 * h->z.all, sizeof *iwork);
	int info = c->l->z.gesdd(LAPACK_COLUMNS, h->job, m, n, a, m, s, u, m,
	                         vh, rows, w, work, rwork, iwork);

	if (info <= 0)
		return info;
	atomic_store(c->fallback, true);
	load(c, index, a);
	return c->l->z.gesvd(LAPACK_COLUMNS, h->job, h->job, m, n, a, m, s, u,
	                     m, vh, rows, w, work, rwork);
}

static void put(const struct lapack_call *c, size_t index, const double *s,
                cplx *u, cplx *vh)
{
	const struct plan *h = complex_how(c);
	const enum dtype t = c->a->dtype;
	void *const to_s = lapack_out(c->a, SVD_S, index);
	void *const to_u = lapack_out(c->a, SVD_U, index);
	void *const to_vh = lapack_out(c->a, SVD_VH, index);

	if (to_s)
		complex_store_reals(s, h->z.k, t, to_s);
	if (to_u)
		complex_store(u, h->z.m, h->z.m, h->z.columns, t, to_u);
	if (to_vh)
		complex_store(vh, h->rights, h->z.rows, h->z.n, t, to_vh);
}

/* Full vectors of an empty matrix are those of the identity. */
static struct failure_detail empty(const struct lapack_call *c, size_t index,
                                   cplx *u, cplx *vh)
{
	const struct plan *h = complex_how(c);

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
	const struct svd_sizes *z = &h->z;
	struct complex_room r = { room };
	cplx *const a = complex_array(&r, z->m * z->n, sizeof *a);
	cplx *const u = complex_array(&r, z->m * h->lefts, sizeof *u);
	cplx *const vh = complex_array(&r, h->rights * z->n, sizeof *vh);
	cplx *const more = complex_array(&r, 4 * size_max(z->m, z->n),
	                                 sizeof *more);
	double *const s = complex_array(&r, z->all, sizeof *s);
	struct parts p = { .h = h, .a = a, .u = u, .vh = vh, .s = s };
	int info, k;

	if (z->all == 0)
		return empty(c, index, u, vh);
	k = load(c, index, a);
	info = decompose(c, index, a, s, u, vh, &r);
	if (info != 0)
		return (struct failure_detail){ .code = ERR_CONVERGENCE,
		                                .at = info };
	if (complex_is_judged(c) && h->job != 'N') {
		load(c, index, a);
		complex_round(u, z->m * h->lefts, c->a->dtype);
		complex_round(vh, h->rights * z->n, c->a->dtype);
		judge(c, index, &p, more);
	}
	complex_raise_reals(s, z->all, k);
	put(c, index, s, u, vh);
	return (struct failure_detail){ .code = ERR_NONE };
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
