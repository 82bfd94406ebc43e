/* symbols_qr.c - xGEQRF, xGELQF and xGELS.
 *
 * The service factors; the next library's xORMQR or xORMLQ (complex: xUNMQR,
 * xUNMLQ) and xTRTRS do the rest of xGELS, whose work is of lower order. A
 * workspace that is too short, and the query for the best one, are left to the
 * next library. */
#include <string.h>

#include "clients/lapack/export.h"

typedef void geqrf_call(const fint *, const fint *, void *, const fint *,
                        void *, void *, const fint *, fint *);
typedef void gels_call(const char *, const fint *, const fint *, const fint *,
                       void *, const fint *, void *, const fint *, void *,
                       const fint *, fint *, size_t);
typedef void ormqr_call(const char *, const char *, const fint *, const fint *,
                        const fint *, const void *, const fint *, const void *,
                        void *, const fint *, void *, const fint *, fint *,
                        size_t, size_t);
typedef void trtrs_call(const char *, const char *, const char *, const fint *,
                        const fint *, const void *, const fint *, void *,
                        const fint *, fint *, size_t, size_t, size_t);

/* The functions of the next library that solve with the factors. */
struct rest {
	ormqr_call *q;
	trtrs_call *triangle;
};

typedef bool factor_fn(const struct kind *k, fint m, fint n, void *a, fint lda,
                       void *tau, fint *info);

static bool answer(const struct kind *k, factor_fn *factor, fint m, fint n,
                   void *a, fint lda, void *tau, fint most, void *work,
                   fint lwork, fint *info)
{
	if (lwork < most || !factor(k, m, n, a, lda, tau, info))
		return false;
	export_store_work(k, work, lwork);
	return true;
}

/* Sets all rows of B from `first` on to 0. */
static void clear(const struct kind *k, const struct gels *g, fint first,
                  fint rows)
{
	for (fint j = 0; j < g->nrhs; j++)
		memset((char *)g->b + ((size_t)j * (size_t)g->ldb +
		                       (size_t)first) * k->size, 0,
		       (size_t)(rows - first) * k->size);
}

/* B = Q^H B, or Q B for the transposed system. */
static void multiply(const struct kind *k, const struct gels *g,
                     const struct rest *r, fint order, fint rows, fint *info)
{
	const fint lwork = g->lwork - order;

	r->q("L", g->trans != 'N' ? "N" : k->is_complex ? "C" : "T", &rows,
	     &g->nrhs, &order, g->a, &g->lda, g->work, g->b, &g->ldb,
	     (char *)g->work + (size_t)order * k->size, &lwork, info, 1, 1);
}

/* Solves with the factors in A: B = R^-1 (Q^H B) if A = Q R, and B = Q^H (L^-1
 * B) if A = L Q; for the transposed system in the opposite order. */
static void solve(const struct kind *k, const struct gels *g,
                  const struct rest *r, fint *info)
{
	const bool tall = g->m >= g->n, turned = g->trans != 'N';
	const bool first = tall != turned;
	const fint order = tall ? g->n : g->m, rows = tall ? g->m : g->n;

	if (first)
		multiply(k, g, r, order, rows, info);
	r->triangle(tall ? "U" : "L", &g->trans, "N", &order, &g->nrhs, g->a,
	            &g->lda, g->b, &g->ldb, info, 1, 1, 1);
	if (*info == 0 && !first) {
		clear(k, g, order, rows);
		multiply(k, g, r, order, rows, info);
	}
	if (*info == 0)
		export_store_work(k, g->work, g->lwork);
}

/* Both routines have the same arguments; `least` is the order of their
 * shortest workspace. */
#define FACTOR(x, name, least)                                                \
EXPORT geqrf_call x##name##_;                                                 \
									      \
void x##name##_(const fint *m, const fint *n, void *a, const fint *lda,       \
                void *tau, void *work, const fint *lwork, fint *info)         \
{                                                                             \
	static struct symbol s = SYMBOL(#x #name "_");                        \
									      \
	if (!symbol_count(&s, answer(&kind_##x, name, *m, *n, a, *lda, tau,   \
	                             *least, work, *lwork, info)))            \
		NEXT(geqrf_call, &s)(m, n, a, lda, tau, work, lwork, info);   \
}

/* q is the beginning of the names of the routines that multiply by Q. */
#define GELS(x, q)                                                            \
EXPORT gels_call x##gels_;                                                    \
									      \
void x##gels_(const char *trans, const fint *m, const fint *n,                \
              const fint *nrhs, void *a, const fint *lda, void *b,            \
              const fint *ldb, void *work, const fint *lwork, fint *info,     \
              size_t length)                                                  \
{                                                                             \
	static struct symbol s = SYMBOL(#x "gels_");                          \
	static struct symbol by_qr = SYMBOL(#x q "mqr_");                     \
	static struct symbol by_lq = SYMBOL(#x q "mlq_");                     \
	static struct symbol triangle = SYMBOL(#x "trtrs_");                  \
	const struct gels g = { option(trans), *m, *n, *nrhs, a, *lda, b,     \
	                        *ldb, work, *lwork };                         \
									      \
	(void)length;                                                         \
	if (!symbol_count(&s, gels(&kind_##x, &g, info)))                     \
		NEXT(gels_call, &s)(trans, m, n, nrhs, a, lda, b, ldb, work,  \
		                    lwork, info, 1);                          \
	else                                                                  \
		solve(&kind_##x, &g, &(struct rest){                          \
			NEXT(ormqr_call, g.m < g.n ? &by_lq : &by_qr),        \
			NEXT(trtrs_call, &triangle) }, info);                 \
}

#define EACH(x, q) FACTOR(x, geqrf, n) FACTOR(x, gelqf, m) GELS(x, q)

EACH(s, "or")
EACH(d, "or")
EACH(c, "un")
EACH(z, "un")
