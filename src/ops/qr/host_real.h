/* host_real.h - qr of one matrix by LAPACK, for one element type; included by
 * host.c through ops/lapack/each_type.h. */

/* The larger of the workspaces that the factorization and xORGQR ask for, in
 * elements. */
static size_t TYPED(work)(const struct lapack *l, const struct qr_sizes *z)
{
	const int m = (int)z->m, n = (int)z->n, k = (int)z->k;
	const int lda = (int)lapack_ld(z->m), q = (int)z->columns;
	real most[2] = { 1, 1 };

	if (k == 0)
		return 1;
	if (z->pivots)
		OF(l)->geqp3(LAPACK_COLUMNS, m, n, NULL, lda, NULL, NULL, most,
		             -1);
	else
		OF(l)->geqrf(LAPACK_COLUMNS, m, n, NULL, lda, NULL, most, -1);
	OF(l)->orgqr(LAPACK_COLUMNS, m, q, k, NULL, lda, NULL, most + 1, -1);
	return (size_t)(most[0] > most[1] ? most[0] : most[1]) + 1;
}

/* Copies R, the upper triangle of the column-major x, to the answer. */
static void TYPED(put_r)(const struct qr_sizes *z, const real *x, real *r)
{
	lapack_transpose(x, lapack_ld(z->m), z->n, z->columns, sizeof(real), r,
	                 z->n);
	for (size_t i = 1; i < z->columns; i++)
		memset(r + i * z->n, 0, size_min(i, z->n) * sizeof *r);
}

/* Copies what LAPACK has left of A, and tau, to the answer. */
static void TYPED(put_raw)(const struct lapack_call *c, size_t index,
                           const struct qr_sizes *z, const real *x,
                           const real *tau)
{
	real *h = lapack_out(c->a, QR_H, index);
	real *to = lapack_out(c->a, QR_TAU, index);

	if (h)
		lapack_transpose(x, lapack_ld(z->m), z->n, z->m, sizeof(real),
		                 h, z->n);
	if (to)
		memcpy(to, tau, z->k * sizeof *tau);
}

/* If A has no rows or no columns, Q is the identity and R has no elements. */
static void TYPED(put_identity)(const struct qr_sizes *z, real *q)
{
	for (size_t i = 0; q && i < z->m * z->columns; i++)
		q[i] = i % (z->columns + 1) == 0;
}

/* Factors one matrix by host_tall.h, if it can be. `room` has Q, if that is not
 * wanted, and then what host_tall.h needs. */
static bool TYPED(factor_tall)(const struct lapack_call *c, size_t index,
                               real *room)
{
	const struct plan *p = c->how;
	real *q = lapack_out(c->a, QR_Q, index);

	return p->tall && TYPED(host_tall)(&(struct host_tall){
		.c = c, .m = p->z.m, .n = p->z.n,
		.a = lapack_in(c->a, 0, index), .q = q ? q : room, .wanted = q,
		.r = lapack_out(c->a, QR_R, index),
		.room = room + (q ? 0 : p->z.m * p->z.n),
	});
}

/* Factors one matrix. `order` receives the permutation, counted from 1. */
static void TYPED(factor)(const struct lapack_call *c, size_t index,
                          int *order, void *room)
{
	const struct plan *p = c->how;
	const struct qr_sizes *z = &p->z;
	const int m = (int)z->m, n = (int)z->n, work = (int)p->work;
	const size_t ld = lapack_ld(z->m);
	real *x = room, *tau = x + ld * columns_of(z), *w = tau + z->k;
	real *q = lapack_out(c->a, QR_Q, index);
	real *r = lapack_out(c->a, QR_R, index);

	if (TYPED(factor_tall)(c, index, room))
		return;
	for (size_t j = 0; j < z->n; j++)
		order[j] = z->k > 0 ? 0 : (int)j + 1;
	if (z->k == 0) {
		TYPED(put_identity)(z, q);
		return;
	}
	lapack_transpose(lapack_in(c->a, 0, index), z->n, z->m, z->n,
	                 sizeof(real), x, ld);
	if (z->pivots)
		OF(c->l)->geqp3(LAPACK_COLUMNS, m, n, x, (int)ld, order, tau,
		                w, work);
	else
		OF(c->l)->geqrf(LAPACK_COLUMNS, m, n, x, (int)ld, tau, w, work);
	if (z->raw)
		TYPED(put_raw)(c, index, z, x, tau);
	if (r)
		TYPED(put_r)(z, x, r);
	if (!q)
		return;
	OF(c->l)->orgqr(LAPACK_COLUMNS, m, (int)z->columns, (int)z->k, x,
	                (int)ld, tau, w, work);
	lapack_transpose(x, ld, z->columns, z->m, sizeof(real), q, z->columns);
}
