/* symbols_svd.c - xGESVD and xGESDD.
 *
 * A workspace that is shorter than the least length of any case, which asks for
 * the best length if it is -1, leaves the call to the next library. */
#include "clients/lapack/export.h"

static double least_gesvd(const struct kind *k, const struct gesvd *g)
{
	const double least = g->m < g->n ? g->m : g->n;
	const double most = g->m < g->n ? g->n : g->m;

	if (k->is_complex)
		return 2 * least + most;
	return 3 * least + most > 5 * least ? 3 * least + most : 5 * least;
}

static double least_gesdd(const struct kind *k, const struct gesvd *g)
{
	const double least = g->m < g->n ? g->m : g->n;
	const double most = g->m < g->n ? g->n : g->m;
	const double rest = g->jobu == 'N' ? 7 * least :
	                    3 * least * least + 4 * least;

	if (k->is_complex)
		return 2 * least + most;
	return 3 * least + (most > rest ? most : rest);
}

static bool answer(const struct kind *k, const struct gesvd *g, double least,
                   void *work, fint lwork, fint *info)
{
	if (lwork < least || !gesvd(k, g, info))
		return false;
	export_store_work(k, work, lwork);
	return true;
}

/* `rest` and `pass`: export.h. */
#define GESVD(x, rest, pass)                                                  \
EXPORT void x##gesvd_(const char *jobu, const char *jobvt, const fint *m,     \
                      const fint *n, void *a, const fint *lda, void *s,       \
                      void *u, const fint *ldu, void *vt, const fint *ldvt,   \
                      void *work, const fint *lwork, rest fint *info,         \
                      size_t length_1, size_t length_2);                      \
									      \
void x##gesvd_(const char *jobu, const char *jobvt, const fint *m,            \
               const fint *n, void *a, const fint *lda, void *s, void *u,     \
               const fint *ldu, void *vt, const fint *ldvt, void *work,       \
               const fint *lwork, rest fint *info, size_t length_1,           \
               size_t length_2)                                               \
{                                                                             \
	static struct symbol own = SYMBOL(#x "gesvd_");                       \
	const struct kind *k = &kind_##x;                                     \
	const struct gesvd g = { option(jobu), option(jobvt), *m, *n, a,      \
	                         *lda, s, u, vt, *ldu, *ldvt };               \
									      \
	(void)length_1;                                                       \
	(void)length_2;                                                       \
	if (!symbol_count(&own, answer(k, &g, least_gesvd(k, &g), work,       \
	                               *lwork, info)))                        \
		NEXT(__typeof__(x##gesvd_), &own)(                            \
			jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, \
			lwork, pass info, 1, 1);                              \
}

#define GESDD(x, rest, pass)                                                  \
EXPORT void x##gesdd_(const char *jobz, const fint *m, const fint *n,         \
                      void *a, const fint *lda, void *s, void *u,             \
                      const fint *ldu, void *vt, const fint *ldvt,            \
                      void *work, const fint *lwork, rest fint *iwork,        \
                      fint *info, size_t length);                             \
									      \
void x##gesdd_(const char *jobz, const fint *m, const fint *n, void *a,       \
               const fint *lda, void *s, void *u, const fint *ldu, void *vt,  \
               const fint *ldvt, void *work, const fint *lwork,               \
               rest fint *iwork, fint *info, size_t length)                   \
{                                                                             \
	static struct symbol own = SYMBOL(#x "gesdd_");                       \
	const struct kind *k = &kind_##x;                                     \
	const struct gesvd g = { option(jobz), option(jobz), *m, *n, a,       \
	                         *lda, s, u, vt, *ldu, *ldvt };               \
									      \
	(void)length;                                                         \
	if (!symbol_count(&own, answer(k, &g, least_gesdd(k, &g), work,       \
	                               *lwork, info)))                        \
		NEXT(__typeof__(x##gesdd_), &own)(                            \
			jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, \
			pass iwork, info, 1);                                 \
}

GESVD(s, NONE, NONE)
GESVD(d, NONE, NONE)
GESVD(c, RWORK, PASS_RWORK)
GESVD(z, RWORK, PASS_RWORK)
GESDD(s, NONE, NONE)
GESDD(d, NONE, NONE)
GESDD(c, RWORK, PASS_RWORK)
GESDD(z, RWORK, PASS_RWORK)
