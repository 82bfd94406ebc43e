/* complex_typed.h - complex.c for one of the two types
 * (ops/lapack/each_complex.h). */

struct TYPED(parts) {
	const struct qr_sizes *z;
	const number *a, *q, *r;
	const number *h, *tau;		/* in place of q; or NULL */
	const int *order;		/* columns, from 1; NULL: as they are */
	number *x, *y, *w;
	double norm;			/* |A| in the 1-norm */
};

/* x = H_j x or, if `conjugate` is set, H_j^H x, where H_j = I - tau_j v_j v_j^H
 * and v_j begins with 1 at element j. */
static void TYPED(reflect)(const struct TYPED(parts) *p, size_t j,
                           bool conjugate, number *x)
{
	const number *const v = p->h + j * p->z->m;
	number by = x[j];

	for (size_t i = j + 1; i < p->z->m; i++)
		by += REAL(conj)(v[i]) * x[i];
	by *= conjugate ? REAL(conj)(p->tau[j]) : p->tau[j];
	x[j] -= by;
	for (size_t i = j + 1; i < p->z->m; i++)
		x[i] -= v[i] * by;
}

/* w = Q x, by Q itself or by the reflections from the last to the first. x has
 * an element for each column of Q. */
static void TYPED(q_times)(const struct TYPED(parts) *p, const number *x,
                           number *w)
{
	const struct qr_sizes *z = p->z;

	if (!p->h) {
		TYPED(complex_times)(p->q, z->m, z->columns, x, w);
		return;
	}
	for (size_t i = 0; i < z->m; i++)
		w[i] = i < z->columns ? x[i] : 0;
	for (size_t j = z->k; j-- > 0; )
		TYPED(reflect)(p, j, false, w);
}

/* x = Q^H w. Overwrites w. */
static void TYPED(q_times_turned)(const struct TYPED(parts) *p, number *w,
                                  number *x)
{
	const struct qr_sizes *z = p->z;

	if (!p->h) {
		TYPED(complex_times_turned)(p->q, z->m, z->columns, w, x);
		return;
	}
	for (size_t j = 0; j < z->k; j++)
		TYPED(reflect)(p, j, true, w);
	memcpy(x, w, z->columns * sizeof *x);
}

/* r = A P x - Q R x */
static void TYPED(product_defect)(const void *how, const number *x, number *r)
{
	const struct TYPED(parts) *p = how;
	const size_t m = p->z->m, n = p->z->n, columns = p->z->columns;

	for (size_t j = 0; j < n; j++)
		p->x[p->order ? p->order[j] - 1 : (int)j] = x[j];
	TYPED(complex_times)(p->r, columns, n, x, p->y);
	TYPED(q_times)(p, p->y, p->w);
	TYPED(complex_times)(p->a, m, n, p->x, r);
	for (size_t i = 0; i < m; i++)
		r[i] -= p->w[i];
}

/* r = x - Q^H Q x */
static void TYPED(q_defect)(const void *how, const number *x, number *r)
{
	const struct TYPED(parts) *p = how;

	TYPED(q_times)(p, x, p->w);
	TYPED(q_times_turned)(p, p->w, r);
	for (size_t i = 0; i < p->z->columns; i++)
		r[i] = x[i] - r[i];
}

/* Judges Q, and Q R unless r is NULL. `room` has space for 5 vectors. */
static void TYPED(judge)(const struct lapack_call *c, size_t index,
                         struct TYPED(parts) *p, number *room)
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
		    TYPED(complex_defect)(c, z->m, z->n, TYPED(product_defect),
		                          p, room + 3 * most),
		    p->norm * (double)most * eps);
	v->orthogonality = complex_ratio(
	    TYPED(complex_defect)(c, z->columns, z->columns, TYPED(q_defect),
	                          p, room + 3 * most), (double)z->m * eps);
}

/* Stores R and keeps it in r, columns x n and column-major. */
static void TYPED(put_r)(const struct lapack_call *c, size_t index,
                         const struct qr_sizes *z, const number *x, number *r)
{
	void *const to = lapack_out(c->a, QR_R, index);

	for (size_t j = 0; j < z->n; j++)
		for (size_t i = 0; i < z->columns; i++)
			r[j * z->columns + i] = i <= j ? x[j * z->m + i] : 0;
	if (to)
		TYPED(complex_store)(r, z->columns, z->columns, z->n,
		                     c->a->dtype, to);
}

/* Stores h and tau, and judges them if both are answered. */
static void TYPED(give_raw)(const struct lapack_call *c, size_t index,
                            struct TYPED(parts) *p, number *h, number *tau,
                            number *r, number *room)
{
	const struct qr_sizes *z = p->z;
	const enum dtype t = c->a->dtype;
	void *const to = lapack_out(c->a, QR_H, index);
	void *const to_tau = lapack_out(c->a, QR_TAU, index);

	if (to)
		TYPED(complex_store)(h, z->m, z->m, z->n, t, to);
	if (to_tau)
		TYPED(complex_store)(tau, z->k, z->k, 1, t, to_tau);
	if (!to || !to_tau || !complex_is_judged(c))
		return;
	TYPED(complex_round)(h, z->m * z->n, t);
	TYPED(complex_round)(tau, z->k, t);
	TYPED(complex_round)(r, z->columns * z->n, t);
	p->h = h;
	p->tau = tau;
	p->r = r;
	TYPED(judge)(c, index, p, room);
}

static void TYPED(put_q)(const struct lapack_call *c, size_t index,
                         const struct qr_sizes *z, const number *q)
{
	void *const to = lapack_out(c->a, QR_Q, index);

	if (to)
		TYPED(complex_store)(q, z->m, z->m, z->columns, c->a->dtype,
		                     to);
}

/* Decomposes one matrix. In complex64, returns false for one that is left to
 * complex128. */
static bool TYPED(decompose)(const struct lapack_call *c, size_t index,
                             void *room)
{
	const struct qr_sizes *z = complex_how(c);
	const size_t columns = size_max(z->n, z->columns);
	const int m = (int)z->m, n = (int)z->n;
	const int work = (BLOCK + 1) * (int)columns;
	struct complex_room at = { room };
	number *const x = complex_array(&at, z->m * columns, sizeof *x);
	number *const a = complex_array(&at, z->m * z->n, sizeof *a);
	number *const r = complex_array(&at, z->columns * z->n, sizeof *r);
	number *const tau = complex_array(&at, z->k, sizeof *tau);
	number *const w = complex_array(&at, (size_t)work, sizeof *w);
	number *const more = complex_array(&at, 5 * size_max(z->m, z->n),
	                                   sizeof *more);
	real *const rwork = complex_array(&at, 2 * z->n, sizeof *rwork);
	int *const order = complex_array(&at, z->n, sizeof *order);
	struct TYPED(parts) p = {
		.z = z, .a = a, .order = z->pivots ? order : NULL,
	};

	TYPED(complex_load)(lapack_in(c->a, 0, index), c->a->dtype, z->m, z->n,
	                    a);
	p.norm = TYPED(complex_norm1)(a, z->m, z->n, z->m);
	if (NUMBER_DTYPE == COMPLEX64 && !complex_is_moderate(p.norm))
		return false;
	memcpy(x, a, z->m * z->n * sizeof *x);
	memset(order, 0, z->n * sizeof *order);
	if (z->pivots)
		OF(c->l)->geqp3(LAPACK_COLUMNS, m, n, x, m, order, tau, w,
		                work, rwork);
	else
		OF(c->l)->geqrf(LAPACK_COLUMNS, m, n, x, m, tau, w, work);
	if (NUMBER_DTYPE == COMPLEX64 && lapack_find_nonfinite(COMPLEX64, x,
	    z->m * z->n) < z->m * z->n)
		return false;
	TYPED(put_r)(c, index, z, x, r);
	put_order(c, index, order, z->n);
	if (z->raw)
		TYPED(give_raw)(c, index, &p, x, tau, r, more);
	if (!c->a->out[QR_Q].memory)
		return true;
	OF(c->l)->ungqr(LAPACK_COLUMNS, m, (int)z->columns, (int)z->k, x, m,
	                tau, w, work);
	TYPED(put_q)(c, index, z, x);
	if (complex_is_judged(c)) {
		TYPED(complex_round)(x, z->m * z->columns, c->a->dtype);
		TYPED(complex_round)(r, z->columns * z->n, c->a->dtype);
		p.q = x;
		p.r = c->a->out[QR_R].memory ? r : NULL;
		TYPED(judge)(c, index, &p, more);
	}
	return true;
}
