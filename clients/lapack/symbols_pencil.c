/* symbols_pencil.c - xGGEV and xGGEV3. A workspace that is shorter than the
 * least length leaves the call to the next library. */
#include "clients/lapack/export.h"

static bool answer_ggev(const struct kind *k, const struct ggev *g, void *work,
                        fint lwork, fint *info)
{
	const double least = (k->is_complex ? 2.0 : 8.0) * g->n;

	if (lwork < least || !ggev(k, g, info))
		return false;
	export_store_work(k, work, lwork);
	return true;
}

/* name: ggev or ggev3 */
#define REAL_GGEV(x, name)                                                    \
typedef void x##name##_call(const char *, const char *, const fint *, void *, \
                            const fint *, void *, const fint *, void *,       \
                            void *, void *, void *, const fint *, void *,     \
                            const fint *, void *, const fint *, fint *,       \
                            size_t, size_t);                                  \
EXPORT x##name##_call x##name##_;                                             \
									      \
void x##name##_(const char *jobvl, const char *jobvr, const fint *n, void *a, \
                const fint *lda, void *b, const fint *ldb, void *alphar,      \
                void *alphai, void *beta, void *vl, const fint *ldvl,         \
                void *vr, const fint *ldvr, void *work, const fint *lwork,    \
                fint *info, size_t length_1, size_t length_2)                 \
{                                                                             \
	static struct symbol s = SYMBOL(#x #name "_");                        \
	const struct ggev g = { option(jobvl), option(jobvr), *n, a, *lda, b, \
	                        *ldb, alphar, alphai, beta, vl, vr, *ldvl,    \
	                        *ldvr };                                      \
									      \
	(void)length_1;                                                       \
	(void)length_2;                                                       \
	if (!symbol_count(&s, answer_ggev(&kind_##x, &g, work, *lwork,        \
	                                  info)))                             \
		NEXT(x##name##_call, &s)(jobvl, jobvr, n, a, lda, b, ldb,     \
		                         alphar, alphai, beta, vl, ldvl, vr,  \
		                         ldvr, work, lwork, info, 1, 1);      \
}

#define COMPLEX_GGEV(x, name)                                                 \
typedef void x##name##_call(const char *, const char *, const fint *, void *, \
                            const fint *, void *, const fint *, void *,       \
                            void *, void *, const fint *, void *,             \
                            const fint *, void *, const fint *, void *,       \
                            fint *, size_t, size_t);                          \
EXPORT x##name##_call x##name##_;                                             \
									      \
void x##name##_(const char *jobvl, const char *jobvr, const fint *n, void *a, \
                const fint *lda, void *b, const fint *ldb, void *alpha,       \
                void *beta, void *vl, const fint *ldvl, void *vr,             \
                const fint *ldvr, void *work, const fint *lwork, void *rwork, \
                fint *info, size_t length_1, size_t length_2)                 \
{                                                                             \
	static struct symbol s = SYMBOL(#x #name "_");                        \
	const struct ggev g = { option(jobvl), option(jobvr), *n, a, *lda, b, \
	                        *ldb, alpha, NULL, beta, vl, vr, *ldvl,       \
	                        *ldvr };                                      \
									      \
	(void)length_1;                                                       \
	(void)length_2;                                                       \
	if (!symbol_count(&s, answer_ggev(&kind_##x, &g, work, *lwork,        \
	                                  info)))                             \
		NEXT(x##name##_call, &s)(jobvl, jobvr, n, a, lda, b, ldb,     \
		                         alpha, beta, vl, ldvl, vr, ldvr,     \
		                         work, lwork, rwork, info, 1, 1);     \
}

REAL_GGEV(s, ggev)
REAL_GGEV(d, ggev)
COMPLEX_GGEV(c, ggev)
COMPLEX_GGEV(z, ggev)
REAL_GGEV(s, ggev3)
REAL_GGEV(d, ggev3)
COMPLEX_GGEV(c, ggev3)
COMPLEX_GGEV(z, ggev3)
