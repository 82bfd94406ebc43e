/* factor_real.h - the factors of matrices of known structure in one of the two
 * types (ops/lapack/each_type.h). */

/* Allocates p->own and p->swaps for the factors of a symmetric matrix and
 * copies A to p->own. False: no memory. */
static bool TYPED(own)(struct prepared *p)
{
	const size_t n = p->n, all = n * n + n + 1;

	p->own = pages_new(all * sizeof(real));
	p->swaps = malloc((n + 1) * sizeof *p->swaps);
	if (p->own)
		memcpy(p->own, p->t, n * n * sizeof(real));
	return p->own && p->swaps;
}

/* Divides the lower triangle in p->own by a power of two, and sets p->exponent,
 * if its largest element is so large that factors may overflow, or so small
 * that reciprocals of pivots do, or that its elements have few digits. Factors
 * of a symmetric matrix are about as large as its elements. Those of a positive
 * definite one are smaller if it is large, and its largest element is on the
 * diagonal. */
static void TYPED(bring_into_range)(struct prepared *p, bool definite)
{
	const size_t n = p->n;
	real most = 0;
	int e;

	for (size_t i = 0; i < n; i++)
		for (size_t j = definite ? i : 0; j <= i; j++)
			most = fmax(most, fabs(((real *)p->own)[i * n + j]));
	frexp(most, &e);
	if (ldexp(REAL_MIN, SOLVE_MARGIN) <= most &&
	    (definite || most <= ldexp(REAL_MAX, -SOLVE_MARGIN)))
		return;
	p->exponent = e;
	for (size_t i = 0; i < n * n; i++)
		((real *)p->own)[i] = (real)ldexp(((real *)p->own)[i], -e);
}

static struct failure_detail TYPED(factor_spd)(const struct lapack *l,
                                               struct prepared *p)
{
	const int n = (int)p->n;
	int info;

	TYPED(bring_into_range)(p, true);
	info = OF(l)->potrf(LAPACK_COLUMNS, 'U', n, p->own, n);
	return (struct failure_detail){
		.code = info > 0 ? ERR_NOT_POSITIVE : ERR_NONE, .at = info
	};
}

/* Puts the factors that sytrf made into the form that sytrs_3 reads. syconvf
 * leaves the pivot of a block's second row positive, but sytrs_3 tells such
 * blocks by negative pivots in both rows; D's element beside the diagonal is
 * not 0 there, since it was the pivot. */
static void TYPED(convert)(const struct lapack *l, struct prepared *p)
{
	const int n = (int)p->n;
	real *const e = (real *)p->own + p->n * p->n;
	int info;

	OF(l)->syconvf("U", "C", &n, p->own, &n, e, p->swaps, &info);
	for (int i = 0; i < n; i++)
		if (e[i] != 0)
			p->swaps[i] = -abs(p->swaps[i]);
}

/* P A P^T = L D L^T. LAPACK sees the lower triangle as an upper one and
 * eliminates from the last row upwards; D's first zero block on that way makes
 * A singular. */
static struct failure_detail TYPED(factor_symmetric)(const struct lapack *l,
                                                     struct prepared *p)
{
	const int n = (int)p->n, room = SYMMETRIC_BLOCK * n;
	real *const work = malloc((size_t)room * sizeof *work);
	int info;

	if (!work)
		return (struct failure_detail){ .code = ERR_MEMORY };
	TYPED(bring_into_range)(p, false);
	info = OF(l)->sytrf(LAPACK_COLUMNS, 'U', n, p->own, n, p->swaps, work,
	                    room);
	free(work);
	if (info > 0)
		return (struct failure_detail){ .code = ERR_SINGULAR,
		                                .at = info - 1 };
	TYPED(convert)(l, p);
	return (struct failure_detail){ .code = ERR_NONE };
}

/* Factors a symmetric matrix. For other kinds, finds the first zero on the
 * diagonal of the triangle or of U. */
static struct failure_detail TYPED(factor)(const struct lapack *l,
                                           struct prepared *p)
{
	const size_t n = p->n;
	const real *t = p->t;

	if (p->kind == KIND_SPD || p->kind == KIND_SYMMETRIC) {
		if (!TYPED(own)(p))
			return (struct failure_detail){ .code = ERR_MEMORY };
		return (p->kind == KIND_SPD ? TYPED(factor_spd) :
		        TYPED(factor_symmetric))(l, p);
	}
	for (size_t i = 0; i < n; i++)
		if (t[i * (n + 1)] == 0)
			return (struct failure_detail){
				.code = ERR_SINGULAR, .at = (int32_t)i
			};
	return (struct failure_detail){ .code = ERR_NONE };
}
