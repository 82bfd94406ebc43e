/* host_real.h - lstsq of one system by LAPACK, for one element type; included
 * by host.c through ops/lapack/each_type.h. */

/* Sets h->work and h->integers to what is enough for xGELSD and for xGELSS. */
static void TYPED(work)(const struct lapack *l, struct lstsq_plan *h)
{
	const int m = (int)h->m, n = (int)h->n, sides = (int)h->columns;
	const int lda = m > 0 ? m : 1, ldb = (int)larger(h);
	real most[2] = { 1, 1 };
	int integers = 0, rank;

	if (h->k == 0)
		return;
	OF(l)->gelsd(LAPACK_COLUMNS, m, n, sides, NULL, lda, NULL, ldb, NULL,
	             -1, &rank, most, -1, &integers);
	OF(l)->gelss(LAPACK_COLUMNS, m, n, sides, NULL, lda, NULL, ldb, NULL,
	             -1, &rank, most + 1, -1);
	h->work = (size_t)(most[0] > most[1] ? most[0] : most[1]) + 1;
	h->integers = size_round_up((size_t)integers * sizeof(int), 64);
}

/* Copies B to column-major order. The leading dimension is max(m, n), so that X
 * fits in its place, and the rows below B are 0. */
static void TYPED(take_b)(const struct lstsq_plan *h, const real *b, real *to)
{
	const size_t ld = larger(h);

	for (size_t j = 0; j < h->columns; j++)
		for (size_t i = 0; i < ld; i++)
			to[j * ld + i] = i < h->m && j < h->sides ?
			                 b[i * h->sides + j] : 0;
}

static void TYPED(put_x)(const struct lstsq_plan *h, const real *from, real *x)
{
	for (size_t i = 0; i < h->n; i++)
		for (size_t j = 0; j < h->sides; j++)
			x[i * h->sides + j] = from[j * larger(h) + i];
}

/* Copies A and B into LAPACK's workspace. */
static void TYPED(take)(const struct lstsq_plan *h,
                        const struct lstsq_system *y, real *a, real *b)
{
	lapack_transpose(y->a, h->n, h->m, h->n, sizeof(real), a, h->m);
	TYPED(take_b)(h, y->b, b);
}

/* Solves one system; to_s, if not NULL, receives the singular values. If A has
 * no rows the shortest x is 0, and if A has no columns x has no elements. */
static void TYPED(answer)(const struct lapack_call *c, struct lstsq_system *y,
                          real *to_s, int *integers, real *room)
{
	const struct lstsq_plan *h = c->how;
	const int m = (int)h->m, n = (int)h->n, sides = (int)h->columns;
	const int ldb = (int)larger(h), work = (int)h->work;
	/* LAPACK takes an rcond of 0 for eps. */
	const real rcond = h->rcond > REAL_MIN ? (real)h->rcond : REAL_MIN;
	real *s = room, *a = s + h->k, *b = a + h->m * h->n;
	real *w = b + larger(h) * h->columns;

	if (h->k == 0) {
		if (y->x)
			memset(y->x, 0, h->n * h->sides * sizeof(real));
		return;
	}
	TYPED(take)(h, y, a, b);
	y->info = OF(c->l)->gelsd(LAPACK_COLUMNS, m, n, sides, a, m, b, ldb, s,
	                          rcond, &y->rank, w, work, integers);
	if (y->info != 0) {
		atomic_store(c->fallback, true);
		TYPED(take)(h, y, a, b);
		y->info = OF(c->l)->gelss(LAPACK_COLUMNS, m, n, sides, a, m, b,
		                          ldb, s, rcond, &y->rank, w, work);
	}
	y->first = (double)s[0];
	y->next = y->rank < (int)h->k ? (double)s[y->rank] : 0;
	if (to_s)
		memcpy(to_s, s, h->k * sizeof(real));
	if (y->x)
		TYPED(put_x)(h, b, y->x);
}
