/* routines_real.h - included by routines.c for each type: REAL is its name in
 * C, NAME() and LIBRARY() make the names of our functions and of ScaLAPACK's,
 * which has no header for C. */
void LIBRARY(getrf)(const int *m, const int *n, REAL *a, const int *ia,
                    const int *ja, const int *desca, int *pivots, int *info);
void LIBRARY(getrs)(const char *trans, const int *n, const int *sides,
                    const REAL *a, const int *ia, const int *ja,
                    const int *desca, const int *pivots, REAL *b,
                    const int *ib, const int *jb, const int *descb, int *info);
void LIBRARY(gemm)(const char *transa, const char *transb, const int *m,
                   const int *n, const int *k, const REAL *alpha,
                   const REAL *a, const int *ia, const int *ja,
                   const int *desca, const REAL *b, const int *ib,
                   const int *jb, const int *descb, const REAL *beta, REAL *c,
                   const int *ic, const int *jc, const int *descc);
void LIBRARY(syevd)(const char *jobz, const char *uplo, const int *n, REAL *a,
                    const int *ia, const int *ja, const int *desca, REAL *w,
                    REAL *z, const int *iz, const int *jz, const int *descz,
                    REAL *work, const int *lwork, int *iwork,
                    const int *liwork, int *info);
void LIBRARY(syev)(const char *jobz, const char *uplo, const int *n, REAL *a,
                   const int *ia, const int *ja, const int *desca, REAL *w,
                   REAL *z, const int *iz, const int *jz, const int *descz,
                   REAL *work, const int *lwork, int *info);

static int NAME(getrf)(struct dist *a, int *pivots)
{
	const int m = (int)a->m, n = (int)a->n;
	int info = 0;

	LIBRARY(getrf)(&m, &n, a->data, &one, &one, a->desc, pivots, &info);
	return info;
}

static void NAME(getrs)(bool turned, const struct dist *lu, const int *pivots,
                        struct dist *x)
{
	const int n = (int)lu->n, sides = (int)x->n;
	int info = 0;

	LIBRARY(getrs)(turned ? "T" : "N", &n, &sides, lu->data, &one, &one,
	               lu->desc, pivots, x->data, &one, &one, x->desc, &info);
}

/* What a routine has said, in the first numbers of its workspaces, that it
 * needs; then these workspaces. */
struct NAME(work) {
	REAL *reals;
	int *ints;
	int n_reals, n_ints;
};

static enum err_code NAME(allocate)(struct NAME(work) *w, const struct ranks *g,
                                    REAL reals, int ints)
{
	/* A float is not exact from 2^24 on. */
	w->n_reals = (int)((double)reals * (1 + 0x1p-20)) + 1;
	w->n_ints = ints > 0 ? ints : 1;
	w->reals = calloc((size_t)w->n_reals, sizeof *w->reals);
	w->ints = calloc((size_t)w->n_ints, sizeof *w->ints);
	return grid_agree(g, w->reals && w->ints ? ERR_NONE : ERR_MEMORY);
}

static void NAME(release)(struct NAME(work) *w)
{
	free(w->reals);
	free(w->ints);
}

static void NAME(gemm)(bool turned, double alpha, const struct dist *a,
                       const struct dist *b, double beta, struct dist *c)
{
	const int m = (int)c->m, n = (int)c->n;
	const int k = (int)(turned ? a->m : a->n);
	const REAL x = (REAL)alpha, y = (REAL)beta;

	LIBRARY(gemm)(turned ? "T" : "N", "N", &m, &n, &k, &x, a->data, &one,
	              &one, a->desc, b->data, &one, &one, b->desc, &y,
	              c->data, &one, &one, c->desc);
}

/* PxSYEVD computes vectors always, PxSYEV is slower but can leave them out. */
static void NAME(decompose)(struct dist *a, REAL *values, struct dist *z,
                            REAL *reals, const int *n_reals, int *ints,
                            const int *n_ints, int *info)
{
	const int n = (int)a->n;

	if (z)
		LIBRARY(syevd)("V", "L", &n, a->data, &one, &one, a->desc,
		               values, z->data, &one, &one, z->desc, reals,
		               n_reals, ints, n_ints, info);
	else
		LIBRARY(syev)("N", "L", &n, a->data, &one, &one, a->desc,
		              values, a->data, &one, &one, a->desc, reals,
		              n_reals, info);
}

static enum err_code NAME(syev)(struct dist *a, double *values,
                                struct dist *z, int *info)
{
	struct NAME(work) w = { 0 };
	REAL *found = calloc(a->n, sizeof *found), reals[3] = { 0 };
	int ints = 0;
	enum err_code code = grid_agree(a->g, found ? ERR_NONE : ERR_MEMORY);

	if (code == ERR_NONE) {
		NAME(decompose)(a, found, z, reals, &query, &ints, &query,
		                info);
		code = NAME(allocate)(&w, a->g, reals[0] + (REAL)unasked(a),
		                      ints);
	}
	if (code == ERR_NONE)
		NAME(decompose)(a, found, z, w.reals, &w.n_reals, w.ints,
		                &w.n_ints, info);
	for (size_t i = 0; code == ERR_NONE && i < a->n; i++)
		values[i] = (double)found[i];
	NAME(release)(&w);
	free(found);
	return code;
}
