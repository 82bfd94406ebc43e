/* complex.c - A P = Q R of complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. */
#include <complex.h>
#include <string.h>

#include "ops/lapack/complex.h"
#include "ops/qr/qr.h"

enum { BLOCK = 64 };			/* columns of LAPACK's blocks */

struct parts {
	const struct qr_sizes *z;
	const cplx *a, *q, *r;
	const cplx *h, *tau;		/* in place of q; or NULL */
	const int *order;		/* columns, from 1; NULL: as they are */
	cplx *x, *y, *w;
};

/* x = H_j x or, if `conjugate` is set, H_j^H x, where H_j = I - tau_j v_j v_j^H
 * and v_j begins with 1 at element j. */
static void reflect(const struct parts *p, size_t j, bool conjugate, cplx *x)
{
	const cplx *const v = p->h + j * p->z->m;
	cplx by = x[j];

	for (size_t i = j + 1; i < p->z->m; i++)
		by += conj(v[i]) * x[i];
	by *= conjugate ? conj(p->tau[j]) : p->tau[j];
	x[j] -= by;
	for (size_t i = j + 1; i < p->z->m; i++)
		x[i] -= v[i] * by;
}

/* w = Q x, by Q itself or by the reflections from the last to the first. x has
 * an element for each column of Q. */
static void q_times(const struct parts *p, const cplx *x, cplx *w)
{
	const struct qr_sizes *z = p->z;

	if (!p->h) {
		complex_times(p->q, z->m, z->columns, x, w);
		return;
	}
	for (size_t i = 0; i < z->m; i++)
		w[i] = i < z->columns ? x[i] : 0;
	for (size_t j = z->k; j-- > 0; )
		reflect(p, j, false, w);
}

/* x = Q^H w. Overwrites w. */
static void q_times_turned(const struct parts *p, cplx *w, cplx *x)
{
	const struct qr_sizes *z = p->z;

	if (!p->h) {
		complex_times_turned(p->q, z->m, z->columns, w, x);
		return;
	}
	for (size_t j = 0; j < z->k; j++)
		reflect(p, j, true, w);
	memcpy(x, w, z->columns * sizeof *x);
}

/* r = A P x - Q R x */
static void product_defect(const void *how, const cplx *x, cplx *r)
{
	const struct parts *p = how;
	const size_t m = p->z->m, n = p->z->n, columns = p->z->columns;

	for (size_t j = 0; j < n; j++)
		p->x[p->order ? p->order[j] - 1 : (int)j] = x[j];
	complex_times(p->r, columns, n, x, p->y);
	q_times(p, p->y, p->w);
	complex_times(p->a, m, n, p->x, r);
	for (size_t i = 0; i < m; i++)
		r[i] -= p->w[i];
}

/* r = x - Q^H Q x */
static void q_defect(const void *how, const cplx *x, cplx *r)
{
	const struct parts *p = how;

	q_times(p, x, p->w);
	q_times_turned(p, p->w, r);
	for (size_t i = 0; i < p->z->columns; i++)
		r[i] = x[i] - r[i];
}

/* Judges Q, and Q R unless r is NULL. `room` has space for 5 vectors. */
static void judge(const struct lapack_call *c, size_t index,
                  struct parts *p, cplx *room)
{
	const struct qr_sizes *z = p->z;
	const size_t most = size_max(z->m, z->n);
	const double eps = dtype_epsilon(c->a->dtype);
	struct verdict *v = complex_told(c, index);

	p->x = room;
	p->y = room + most;
	p->w = room + 2 * most;
	if (p->r)
		v->residual = complex_ratio(
		    complex_defect(c, z->m, z->n, product_defect, p,
		                   room + 3 * most),
		    complex_norm1(p->a, z->m, z->n) * (double)most * eps);
	v->orthogonality = complex_ratio(
	    complex_defect(c, z->columns, z->columns, q_defect, p,
	                   room + 3 * most), (double)z->m * eps);
}

/* Stores R and keeps it in r, columns x n and column-major. */
static void put_r(const struct lapack_call *c, size_t index,
                  const struct qr_sizes *z, const cplx *x, cplx *r)
{
	void *const to = lapack_out(c->a, QR_R, index);

	for (size_t j = 0; j < z->n; j++)
		for (size_t i = 0; i < z->columns; i++)
			r[j * z->columns + i] = i <= j ? x[j * z->m + i] : 0;
	if (to)
		complex_store(r, z->columns, z->columns, z->n, c->a->dtype, to);
}

/* Stores h and tau, and judges them if both are answered. */
static void give_raw(const struct lapack_call *c, size_t index,
                     struct parts *p, cplx *h, cplx *tau, cplx *r, cplx *room)
{
	const struct qr_sizes *z = p->z;
	const enum dtype t = c->a->dtype;
	void *const to = lapack_out(c->a, QR_H, index);
	void *const to_tau = lapack_out(c->a, QR_TAU, index);

	if (to)
		complex_store(h, z->m, z->m, z->n, t, to);
	if (to_tau)
		complex_store(tau, z->k, z->k, 1, t, to_tau);
	if (!to || !to_tau || !complex_is_judged(c))
		return;
	complex_round(h, z->m * z->n, t);
	complex_round(tau, z->k, t);
	complex_round(r, z->columns * z->n, t);
	p->h = h;
	p->tau = tau;
	p->r = r;
	judge(c, index, p, room);
}

static void put_q(const struct lapack_call *c, size_t index,
                  const struct qr_sizes *z, cplx *q)
{
	void *const to = lapack_out(c->a, QR_Q, index);

	if (to)
		complex_store(q, z->m, z->m, z->columns, c->a->dtype, to);
}

static void put_order(const struct lapack_call *c, size_t index,
                      const int *order, size_t n)
{
	int64_t *const p = lapack_out(c->a, QR_P, index);

	for (size_t j = 0; p && j < n; j++)
		p[j] = order[j] - 1;
}

/* With no rows or no columns Q is the identity and R has no elements. */
static struct failure_detail empty(const struct lapack_call *c, size_t index,
                                   const struct qr_sizes *z, cplx *q,
                                   int *order)
{
	for (size_t i = 0; i < z->m * z->columns; i++)
		q[i] = i % (z->m + 1) == 0;
	for (size_t j = 0; j < z->n; j++)
		order[j] = (int)j + 1;
	put_q(c, index, z, q);
	put_order(c, index, order, z->n);
	return (struct failure_detail){ .code = ERR_NONE };
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct qr_sizes *z = complex_how(c);
	const size_t columns = size_max(z->n, z->columns);
	const int m = (int)z->m, n = (int)z->n;
	const int work = (BLOCK + 1) * (int)columns;
	struct complex_room at = { room };
	cplx *const x = complex_array(&at, z->m * columns, sizeof *x);
	cplx *const a = complex_array(&at, z->m * z->n, sizeof *a);
	cplx *const r = complex_array(&at, z->columns * z->n, sizeof *r);
	cplx *const tau = complex_array(&at, z->k, sizeof *tau);
	cplx *const w = complex_array(&at, (size_t)work, sizeof *w);
	cplx *const more = complex_array(&at, 5 * size_max(z->m, z->n),
	                                 sizeof *more);
	double *const rwork = complex_array(&at, 2 * z->n, sizeof *rwork);
	int *const order = complex_array(&at, z->n, sizeof *order);
	struct parts p = { .z = z, .a = a, .order = z->pivots ? order : NULL };

	if (z->k == 0)
		return empty(c, index, z, x, order);
	complex_load(lapack_in(c->a, 0, index), c->a->dtype, z->m, z->n, a);
	memcpy(x, a, z->m * z->n * sizeof *x);
	memset(order, 0, z->n * sizeof *order);
	if (z->pivots)
		c->l->z.geqp3(LAPACK_COLUMNS, m, n, x, m, order, tau, w, work,
		              rwork);
	else
		c->l->z.geqrf(LAPACK_COLUMNS, m, n, x, m, tau, w, work);
	put_r(c, index, z, x, r);
	put_order(c, index, order, z->n);
	if (z->raw)
		give_raw(c, index, &p, x, tau, r, more);
	if (!c->a->out[QR_Q].memory)
		return (struct failure_detail){ .code = ERR_NONE };
	c->l->z.ungqr(LAPACK_COLUMNS, m, (int)z->columns, (int)z->k, x, m, tau,
	              w, work);
	put_q(c, index, z, x);
	if (complex_is_judged(c)) {
		complex_round(x, z->m * z->columns, c->a->dtype);
		complex_round(r, z->columns * z->n, c->a->dtype);
		p.q = x;
		p.r = c->a->out[QR_R].memory ? r : NULL;
		judge(c, index, &p, more);
	}
	return (struct failure_detail){ .code = ERR_NONE };
}

int qr_complex(struct seq *s, struct args *a)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const size_t columns = size_max(z.n, z.columns);

	return complex_run(&(struct lapack_call){
		.rows = size_max(z.m, z.n), .operands = 1, .one = one,
		.how = &z,
		.room = COMPLEX_BYTES(z.m * columns) +
		        COMPLEX_BYTES(z.m * z.n) +
		        COMPLEX_BYTES(z.columns * z.n) + COMPLEX_BYTES(z.k) +
		        COMPLEX_BYTES((BLOCK + 1) * columns) +
		        COMPLEX_BYTES(5 * size_max(z.m, z.n)) +
		        2 * COMPLEX_BYTES(z.n),
	}, s, a);
}
