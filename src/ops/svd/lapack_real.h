/* lapack_real.h - the calls of LAPACK for one element type; included by
 * lapack.c through ops/lapack/each_type.h. */

/* The larger of the two workspaces that xGESDD and xGESVD ask for, in
 * elements. */
static size_t TYPED(work)(const struct lapack *l, const struct svd_problem *p)
{
	const int m = (int)p->m, n = (int)p->n, left = (int)svd_lefts(p);
	const int ld = left > 0 ? left : 1;
	real most[2] = { 1, 1 };

	OF(l)->gesdd(LAPACK_COLUMNS, p->job, n, m, NULL, n, NULL, NULL, n,
	             NULL, ld, most, -1, NULL);
	OF(l)->gesvd(LAPACK_COLUMNS, p->job, p->job, n, m, NULL, n, NULL, NULL,
	             n, NULL, ld, most + 1, -1);
	return (size_t)(most[0] > most[1] ? most[0] : most[1]) + 1;
}

static int TYPED(decompose)(const struct lapack_call *c,
                            const struct svd_problem *p, const real *a,
                            real *s, real *u, real *vh, int *integers,
                            real *room)
{
	const int m = (int)p->m, n = (int)p->n, work = (int)p->work;
	const int ld = svd_lefts(p) > 0 ? (int)svd_lefts(p) : 1;
	const size_t size = p->m * p->n;
	real *w = room + size;

	memcpy(room, a, size * sizeof(real));
	if (OF(c->l)->gesdd(LAPACK_COLUMNS, p->job, n, m, room, n, s, vh, n,
	                    u, ld, w, work, integers) == 0)
		return 0;
	atomic_store(c->fallback, true);
	memcpy(room, a, size * sizeof(real));
	return OF(c->l)->gesvd(LAPACK_COLUMNS, p->job, p->job, n, m, room, n, s,
	                       vh, n, u, ld, w, work);
}
