/* symbols_solve.c - xGETRF, xGETRI, xGESV, xPOTRF, xPOTRI and xPOSV.
 *
 * xGESV and xPOSV answer factors, too, which the service's solve does not. So
 * the service factors, and the next library's xGETRS or xPOTRS does the rest,
 * whose work is of lower order. */
#include "clients/lapack/export.h"

typedef void getrf_call(const fint *, const fint *, void *, const fint *,
                        fint *, fint *);
typedef void getri_call(const fint *, void *, const fint *, const fint *,
                        void *, const fint *, fint *);
typedef void getrs_call(const char *, const fint *, const fint *, const void *,
                        const fint *, const fint *, void *, const fint *,
                        fint *, size_t);
typedef void gesv_call(const fint *, const fint *, void *, const fint *,
                       fint *, void *, const fint *, fint *);
typedef void potrf_call(const char *, const fint *, void *, const fint *,
                        fint *, size_t);
typedef void posv_call(const char *, const fint *, const fint *, void *,
                       const fint *, void *, const fint *, fint *, size_t);
typedef posv_call potrs_call;

/* Are these legal sizes of right-hand sides? */
static bool are_sides(fint n, fint nrhs, fint ldb)
{
	return nrhs >= 0 && leads(ldb, n);
}

#define GETRF(x)                                                              \
EXPORT getrf_call x##getrf_;                                                  \
									      \
void x##getrf_(const fint *m, const fint *n, void *a, const fint *lda,        \
               fint *ipiv, fint *info)                                        \
{                                                                             \
	static struct symbol s = SYMBOL(#x "getrf_");                         \
									      \
	if (!symbol_count(&s, getrf(&kind_##x, *m, *n, a, *lda, ipiv, info))) \
		NEXT(getrf_call, &s)(m, n, a, lda, ipiv, info);               \
}

#define GESV(x)                                                               \
EXPORT gesv_call x##gesv_;                                                    \
									      \
void x##gesv_(const fint *n, const fint *nrhs, void *a, const fint *lda,      \
              fint *ipiv, void *b, const fint *ldb, fint *info)               \
{                                                                             \
	static struct symbol s = SYMBOL(#x "gesv_");                          \
	static struct symbol solve = SYMBOL(#x "getrs_");                     \
									      \
	if (!symbol_count(&s, are_sides(*n, *nrhs, *ldb) &&                   \
	                  getrf(&kind_##x, *n, *n, a, *lda, ipiv, info)))     \
		NEXT(gesv_call, &s)(n, nrhs, a, lda, ipiv, b, ldb, info);     \
	else if (*info == 0)                                                  \
		NEXT(getrs_call, &solve)("N", n, nrhs, a, lda, ipiv, b, ldb,  \
		                         info, 1);                            \
}

#define GETRI(x)                                                              \
EXPORT getri_call x##getri_;                                                  \
									      \
void x##getri_(const fint *n, void *a, const fint *lda, const fint *ipiv,     \
               void *work, const fint *lwork, fint *info)                     \
{                                                                             \
	static struct symbol s = SYMBOL(#x "getri_");                         \
									      \
	if (!symbol_count(&s, *lwork >= *n &&                                 \
	                  getri(&kind_##x, *n, a, *lda, ipiv, info)))         \
		NEXT(getri_call, &s)(n, a, lda, ipiv, work, lwork, info);     \
	else                                                                  \
		export_store_work(&kind_##x, work, *lwork);                   \
}

/* xPOTRF and xPOTRI have the same arguments. */
#define TRIANGLE(x, name)                                                     \
EXPORT potrf_call x##name##_;                                                 \
									      \
void x##name##_(const char *uplo, const fint *n, void *a, const fint *lda,    \
                fint *info, size_t length)                                    \
{                                                                             \
	static struct symbol s = SYMBOL(#x #name "_");                        \
									      \
	(void)length;                                                         \
	if (!symbol_count(&s, name(&kind_##x, option(uplo), *n, a, *lda,      \
	                           info)))                                    \
		NEXT(potrf_call, &s)(uplo, n, a, lda, info, 1);               \
}

#define POSV(x)                                                               \
EXPORT posv_call x##posv_;                                                    \
									      \
void x##posv_(const char *uplo, const fint *n, const fint *nrhs, void *a,     \
              const fint *lda, void *b, const fint *ldb, fint *info,          \
              size_t length)                                                  \
{                                                                             \
	static struct symbol s = SYMBOL(#x "posv_");                          \
	static struct symbol solve = SYMBOL(#x "potrs_");                     \
									      \
	(void)length;                                                         \
	if (!symbol_count(&s, are_sides(*n, *nrhs, *ldb) &&                   \
	                  potrf(&kind_##x, option(uplo), *n, a, *lda, info))) \
		NEXT(posv_call, &s)(uplo, n, nrhs, a, lda, b, ldb, info, 1);  \
	else                                                                  \
		NEXT(potrs_call, &solve)(uplo, n, nrhs, a, lda, b, ldb, info, \
		                         1);                                  \
}

#define EACH(x) \
	GETRF(x) GETRI(x) GESV(x) TRIANGLE(x, potrf) TRIANGLE(x, potri) POSV(x)

EACH(s)
EACH(d)
EACH(c)
EACH(z)
