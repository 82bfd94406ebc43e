/* host_real.h - svd of one matrix by LAPACK, for one element type; included by
 * host.c through ops/lapack/each_type.h. */

/* The elements of workspace that either routine asks for. */
static size_t TYPED(work)(const struct lapack *l, const struct plan *p)
{
	const int m = (int)p->z.m, n = (int)p->z.n, left = (int)lefts(p);
	const int ld = left > 0 ? left : 1;
	real most[2] = { 1, 1 };

	if (p->z.all == 0)
		return 1;
	OF(l)->gesdd(LAPACK_COLUMNS, p->job, n, m, NULL, n, NULL, NULL, n,
	             NULL, ld, most, -1, NULL);
	OF(l)->gesvd(LAPACK_COLUMNS, p->job, p->job, n, m, NULL, n, NULL, NULL,
	             n, NULL, ld, most + 1, -1);
	return (size_t)(most[0] > most[1] ? most[0] : most[1]) + 1;
}

/* Where no singular value is, full matrices of vectors are the identity. */
static void TYPED(put_identity)(real *x, size_t n)
{
	for (size_t i = 0; x && i < n * n; i++)
		x[i] = i % (n + 1) == 0;
}

/* The first columns and rows, where the answer holds no more. */
static void TYPED(put_some)(const struct plan *p, const real *u, const real *v,
                            real *to_u, real *to_v)
{
	const size_t left = lefts(p), columns = p->z.columns;

	if (to_u && to_u != u)
		for (size_t i = 0; i < p->z.m; i++)
			memcpy(to_u + i * columns, u + i * left,
			       columns * sizeof(real));
	if (to_v && to_v != v)
		memcpy(to_v, v, p->z.rows * p->z.n * sizeof(real));
}

static int TYPED(decompose)(const struct lapack_call *c, size_t index,
                            int *integers, void *room)
{
	const struct plan *p = c->how;
	const struct svd_sizes *z = &p->z;
	const int m = (int)z->m, n = (int)z->n, work = (int)p->work;
	const int ld = lefts(p) > 0 ? (int)lefts(p) : 1;
	const size_t size = z->m * z->n;
	const void *a = lapack_in(c->a, 0, index);
	real *to_u = lapack_out(c->a, SVD_U, index);
	real *to_v = lapack_out(c->a, SVD_VH, index);
	real *to_s = lapack_out(c->a, SVD_S, index);
	real *x = room, *s = x + size, *u = s + z->all;
	real *v = u + z->m * lefts(p), *w = v + z->n * rights(p);
	int info;

	if (z->all == 0) {
		TYPED(put_identity)(p->job == 'A' ? to_u : NULL, z->m);
		TYPED(put_identity)(p->job == 'A' ? to_v : NULL, z->n);
		return 0;
	}
	u = to_u && z->columns == lefts(p) ? to_u : u;
	v = to_v && z->rows == rights(p) ? to_v : v;
	memcpy(x, a, size * sizeof(real));
	info = OF(c->l)->gesdd(LAPACK_COLUMNS, p->job, n, m, x, n, s, v, n, u,
	                       ld, w, work, integers);
	if (info != 0) {
		atomic_store(p->fallback, true);
		memcpy(x, a, size * sizeof(real));
		info = OF(c->l)->gesvd(LAPACK_COLUMNS, p->job, p->job, n, m, x,
		                       n, s, v, n, u, ld, w, work);
	}
	TYPED(put_some)(p, u, v, to_u, to_v);
	if (to_s)
		memcpy(to_s, s, z->k * sizeof(real));
	return info;
}
