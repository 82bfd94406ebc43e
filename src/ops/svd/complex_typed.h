/* complex_typed.h - complex.c for one of the two types
 * (ops/lapack/each_complex.h). */

struct TYPED(parts) {
	const struct plan *h;
	const number *a, *u, *vh;
	const real *s;
	number *y, *w;
	double norm;			/* |A| in the 1-norm */
};

/* Stores in y the first z.k elements of V^H x, times the singular values. */
static void TYPED(weigh)(const struct TYPED(parts) *p, const number *x)
{
	TYPED(complex_times)(p->vh, p->h->rights, p->h->z.n, x, p->y);
	for (size_t i = 0; i < p->h->rights; i++)
		p->y[i] *= i < p->h->z.all ? p->s[i] : 0;
}

/* r = A x - U S V^H x */
static void TYPED(product_defect)(const void *how, const number *x, number *r)
{
	const struct TYPED(parts) *p = how;
	const struct svd_sizes *z = &p->h->z;

	TYPED(weigh)(p, x);
	TYPED(complex_times)(p->u, z->m, z->all, p->y, p->w);
	TYPED(complex_times)(p->a, z->m, z->n, x, r);
	for (size_t i = 0; i < z->m; i++)
		r[i] -= p->w[i];
}

/* r = x - U^H U x */
static void TYPED(u_defect)(const void *how, const number *x, number *r)
{
	const struct TYPED(parts) *p = how;

	TYPED(complex_times)(p->u, p->h->z.m, p->h->lefts, x, p->w);
	TYPED(complex_times_turned)(p->u, p->h->z.m, p->h->lefts, p->w, r);
	for (size_t i = 0; i < p->h->lefts; i++)
		r[i] = x[i] - r[i];
}

/* r = x - V^H V x */
static void TYPED(v_defect)(const void *how, const number *x, number *r)
{
	const struct TYPED(parts) *p = how;

	TYPED(complex_times_turned)(p->vh, p->h->rights, p->h->z.n, x, p->w);
	TYPED(complex_times)(p->vh, p->h->rights, p->h->z.n, p->w, r);
	for (size_t i = 0; i < p->h->rights; i++)
		r[i] = x[i] - r[i];
}

/* Judges all that LAPACK computed, rounded as it is answered; `room` has space
 * for 4 vectors. */
static void TYPED(judge)(const struct lapack_call *c, size_t index,
                         struct TYPED(parts) *p, number *room)
{
	const struct plan *h = p->h;
	const size_t m = h->z.m, n = h->z.n, most = size_max(m, n);
	const double eps = dtype_epsilon(c->a->dtype);
	struct verdict *v = complex_told(c, index);
	double of_u, of_v;

	p->y = room;
	p->w = room + most;
	room += 2 * most;
	v->residual = complex_ratio(TYPED(complex_defect)(c, m, n,
	                                TYPED(product_defect), p, room),
	                            p->norm * (double)most * eps);
	of_u = TYPED(complex_defect)(c, h->lefts, h->lefts, TYPED(u_defect), p,
	                             room) / ((double)m * eps);
	of_v = TYPED(complex_defect)(c, h->rights, h->rights, TYPED(v_defect),
	                             p, room) / ((double)n * eps);
	v->orthogonality = verdict_worse(of_u, of_v);
}

/* Stores A / 2^k in a, and returns k: see complex_lower(). */
static int TYPED(load)(const struct lapack_call *c, size_t index, number *a)
{
	const struct plan *h = complex_how(c);

	TYPED(complex_load)(lapack_in(c->a, 0, index), c->a->dtype, h->z.m,
	                    h->z.n, a);
	return TYPED(complex_lower)(a, h->z.m * h->z.n);
}

/* Overwrites a. Returns LAPACK's INFO. */
static int TYPED(decompose)(const struct lapack_call *c, size_t index,
                            number *a, real *s, number *u, number *vh,
                            struct complex_room *r)
{
	const struct plan *h = complex_how(c);
	const int m = (int)h->z.m, n = (int)h->z.n, work = (int)h->work;
	const int rows = (int)size_max(h->rights, 1);
	number *const w = complex_array(r, h->work, sizeof *w);
	real *const rwork = complex_array(r, h->reals, sizeof *rwork);
	int *const iwork = complex_array(r, 8 * h->z.all, sizeof *iwork);
	int info = OF(c->l)->gesdd(LAPACK_COLUMNS, h->job, m, n, a, m, s, u,
	                           m, vh, rows, w, work, rwork, iwork);

	if (info <= 0 || NUMBER_DTYPE == COMPLEX64)
		return info;
	atomic_store(c->fallback, true);
	TYPED(load)(c, index, a);
	return OF(c->l)->gesvd(LAPACK_COLUMNS, h->job, h->job, m, n, a, m, s,
	                       u, m, vh, rows, w, work, rwork);
}

static void TYPED(put)(const struct lapack_call *c, size_t index,
                       const real *s, const number *u, const number *vh)
{
	const struct plan *h = complex_how(c);
	const enum dtype t = c->a->dtype;
	void *const to_s = lapack_out(c->a, SVD_S, index);
	void *const to_u = lapack_out(c->a, SVD_U, index);
	void *const to_vh = lapack_out(c->a, SVD_VH, index);

	if (to_s)
		TYPED(complex_store_reals)(s, h->z.k, t, to_s);
	if (to_u)
		TYPED(complex_store)(u, h->z.m, h->z.m, h->z.columns, t, to_u);
	if (to_vh)
		TYPED(complex_store)(vh, h->rights, h->z.rows, h->z.n, t,
		                     to_vh);
}

/* Decomposes one matrix. In complex64 only, sets *left for one that is left to
 * complex128: near the ends of float32's range, or if it does not converge. */
static struct failure_detail TYPED(answer)(const struct lapack_call *c,
                                           size_t index, void *room,
                                           bool *left)
{
	const struct plan *h = complex_how(c);
	const struct svd_sizes *z = &h->z;
	struct complex_room r = { room };
	number *const a = complex_array(&r, z->m * z->n, sizeof *a);
	number *const u = complex_array(&r, z->m * h->lefts, sizeof *u);
	number *const vh = complex_array(&r, h->rights * z->n, sizeof *vh);
	number *const more = complex_array(&r, 4 * size_max(z->m, z->n),
	                                   sizeof *more);
	real *const s = complex_array(&r, z->all, sizeof *s);
	struct TYPED(parts) p = { .h = h, .a = a, .u = u, .vh = vh, .s = s };
	const bool narrow = NUMBER_DTYPE == COMPLEX64;
	int info, k;

	k = TYPED(load)(c, index, a);
	p.norm = TYPED(complex_norm1)(a, z->m, z->n, z->m);
	*left = narrow && !complex_is_moderate(p.norm);
	if (*left)
		return (struct failure_detail){ .code = ERR_NONE };
	info = TYPED(decompose)(c, index, a, s, u, vh, &r);
	*left = narrow && (info != 0 ||
	    lapack_find_nonfinite(FLOAT32, s, z->all) < z->all);
	if (info != 0)
		return (struct failure_detail){ .code = ERR_CONVERGENCE,
		                                .at = info };
	if (complex_is_judged(c) && h->job != 'N' && !*left) {
		TYPED(load)(c, index, a);
		TYPED(complex_round)(u, z->m * h->lefts, c->a->dtype);
		TYPED(complex_round)(vh, h->rights * z->n, c->a->dtype);
		TYPED(judge)(c, index, &p, more);
	}
	TYPED(complex_raise_reals)(s, z->all, k);
	TYPED(put)(c, index, s, u, vh);
	return (struct failure_detail){ .code = ERR_NONE };
}
