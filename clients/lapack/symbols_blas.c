/* symbols_blas.c - xGEMM and cblas_xgemm. */
#include "clients/lapack/export.h"

typedef void gemm_call(const char *, const char *, const fint *, const fint *,
                       const fint *, const void *, const void *, const fint *,
                       const void *, const fint *, const void *, void *,
                       const fint *, size_t, size_t);

#define GEMM(x)                                                               \
EXPORT void x##gemm_(const char *transa, const char *transb, const fint *m,   \
                     const fint *n, const fint *k, const void *alpha,         \
                     const void *a, const fint *lda, const void *b,           \
                     const fint *ldb, const void *beta, void *c,              \
                     const fint *ldc);                                        \
									      \
void x##gemm_(const char *transa, const char *transb, const fint *m,          \
              const fint *n, const fint *k, const void *alpha, const void *a, \
              const fint *lda, const void *b, const fint *ldb,                \
              const void *beta, void *c, const fint *ldc)                     \
{                                                                             \
	static struct symbol s = SYMBOL(#x "gemm_");                          \
	const struct gemm g = {                                               \
		option(transa), option(transb), *m, *n, *k, alpha, a, b,      \
		beta, c, *lda, *ldb, *ldc };                                  \
									      \
	if (!symbol_count(&s, gemm(&kind_##x, &g)))                           \
		NEXT(gemm_call, &s)(transa, transb, m, n, k, alpha, a, lda,   \
		                    b, ldb, beta, c, ldc, 1, 1);              \
}

GEMM(s)
GEMM(d)
GEMM(c)
GEMM(z)

/* --- the C interface, which NumPy calls */

enum { BY_ROWS = 101, BY_COLUMNS = 102, NO_TRANS = 111, TRANS, CONJ_TRANS };

/* Returns 0, which gemm() refuses, for what is none of these. */
static char letter_of(int trans)
{
	return trans == NO_TRANS ? 'N' : trans == TRANS ? 'T' :
	       trans == CONJ_TRANS ? 'C' : 0;
}

/* C by rows is C^T = op(B)^T op(A)^T by columns. */
static bool gemm_in_order(const struct kind *k, int order, struct gemm g)
{
	const struct gemm exchanged = {
		g.transb, g.transa, g.n, g.m, g.k, g.alpha, g.b, g.a, g.beta,
		g.c, g.ldb, g.lda, g.ldc };

	if (order != BY_ROWS && order != BY_COLUMNS)
		return false;
	return gemm(k, order == BY_ROWS ? &exchanged : &g);
}

/* scalar: float or double, which are passed by value, or const void * to a
 * complex number; at(x) is its address. */
#define ADDRESS(x) (&(x))
#define ITSELF(x) (x)

#define CBLAS_GEMM(x, scalar, at)                                             \
typedef void cblas_##x##gemm_call(int, int, int, fint, fint, fint, scalar,    \
                                  const void *, fint, const void *, fint,     \
                                  scalar, void *, fint);                      \
									      \
EXPORT cblas_##x##gemm_call cblas_##x##gemm;                                  \
									      \
void cblas_##x##gemm(int order, int transa, int transb, fint m, fint n,       \
                     fint k, scalar alpha, const void *a, fint lda,           \
                     const void *b, fint ldb, scalar beta, void *c, fint ldc) \
{                                                                             \
	static struct symbol s = SYMBOL("cblas_" #x "gemm");                  \
	const struct gemm g = {                                               \
		letter_of(transa), letter_of(transb), m, n, k, at(alpha), a,  \
		b, at(beta), c, lda, ldb, ldc };                              \
									      \
	if (!symbol_count(&s, gemm_in_order(&kind_##x, order, g)))            \
		NEXT(cblas_##x##gemm_call, &s)(order, transa, transb, m, n,   \
		                               k, alpha, a, lda, b, ldb,      \
		                               beta, c, ldc);                 \
}

CBLAS_GEMM(s, float, ADDRESS)
CBLAS_GEMM(d, double, ADDRESS)
CBLAS_GEMM(c, const void *, ITSELF)
CBLAS_GEMM(z, const void *, ITSELF)
