/* lapack_real.h - the calls of LAPACK for one element type; included by
 * lapack.c through ops/lapack/each_type.h. */

/* The larger of the two workspaces that xGESDD and xGESVD ask for, in
 * elements. */
static size_t TYPED(work)(const struct lapack *l, const struct svd_problem *p)
{
	const int m = (int)p->m, n = (int)p->n, ld = (int)lapack_ld(p->n);
	const int vt_ld = (int)lapack_ld(svd_lefts(p));
	real most[2] = { 1, 1 };

	OF(l)->gesdd(LAPACK_COLUMNS, p->job, n, m, NULL, ld, NULL, NULL,
	             ld, NULL, vt_ld, most, -1, NULL);
	OF(l)->gesvd(LAPACK_COLUMNS, p->job, p->job, n, m, NULL, ld, NULL,
	             NULL, ld, NULL, vt_ld, most + 1, -1);
	return (size_t)(most[0] > most[1] ? most[0] : most[1]) + 1;
}

/* The arrays that LAPACK works on, with columns of lapack_ld() elements. LAPACK
 * decomposes the transpose of the client's matrix: its A is n x m, its U n x
 * svd_rights(), and its V^T svd_lefts() x m. */
struct TYPED(padded) {
	real *a, *u, *vt, *work;
	size_t ld, vt_ld;
};

static struct TYPED(padded) TYPED(padded_at)(const struct svd_problem *p,
                                             real *room)
{
	struct TYPED(padded) x = {
		.a = room, .ld = lapack_ld(p->n),
		.vt_ld = lapack_ld(svd_lefts(p)),
	};

	x.u = x.a + x.ld * p->m;
	x.vt = x.u + x.ld * svd_rights(p);
	x.work = x.vt + x.vt_ld * p->m;
	return x;
}

static void TYPED(load)(const struct svd_problem *p, const real *a,
                        const struct TYPED(padded) *x)
{
	lapack_copy(a, p->n, p->n, p->m, sizeof *a, x->a, x->ld);
	for (size_t j = 0; j < p->m && p->shift != 0; j++)
		for (size_t i = 0; i < p->n; i++)
			x->a[j * x->ld + i] = (real)ldexp(
			    (double)x->a[j * x->ld + i], p->shift);
}

/* Every singular value is at most |A| in the Frobenius norm, which is at most
 * `bound`. */
static int TYPED(shift)(const real *a, size_t m, size_t n)
{
	double most = 0, bound;

	for (size_t i = 0; i < m * n; i++)
		most = fmax(most, fabs((double)a[i]));
	bound = sqrt((double)m * (double)n);
	if (most > REAL_MAX / 4 / bound)
		return -ilogb(bound) - 3;
	return most > 0 && most < (double)REAL_MIN / REAL_EPSILON ?
	       -ilogb(most) : 0;
}

static int TYPED(decompose)(const struct lapack_call *c,
                            const struct svd_problem *p, const real *a,
                            real *s, real *u, real *vh, int *integers,
                            real *room)
{
	const struct TYPED(padded) x = TYPED(padded_at)(p, room);
	const int m = (int)p->m, n = (int)p->n, work = (int)p->work;
	const int ld = (int)x.ld, vt_ld = (int)x.vt_ld;
	int info;

	TYPED(load)(p, a, &x);
	info = OF(c->l)->gesdd(LAPACK_COLUMNS, p->job, n, m, x.a, ld, s, x.u,
	                       ld, x.vt, vt_ld, x.work, work, integers);
	if (info != 0) {
		atomic_store(c->fallback, true);
		TYPED(load)(p, a, &x);
		info = OF(c->l)->gesvd(LAPACK_COLUMNS, p->job, p->job, n, m,
		                       x.a, ld, s, x.u, ld, x.vt, vt_ld,
		                       x.work, work);
	}
	if (p->job != 'N') {
		lapack_copy(x.u, x.ld, p->n, svd_rights(p), sizeof *vh, vh,
		            p->n);
		lapack_copy(x.vt, x.vt_ld, svd_lefts(p), p->m, sizeof *u, u,
		            svd_lefts(p));
	}
	return info;
}
