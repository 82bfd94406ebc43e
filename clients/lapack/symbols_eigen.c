/* symbols_eigen.c - xSYEV, xSYEVD, xHEEV, xHEEVD and xGEEV.
 *
 * A workspace that is shorter than the least length, which asks for the best
 * length if it is -1, leaves the call to the next library. */
#include <string.h>

#include "clients/lapack/export.h"

void export_store_work(const struct kind *k, void *work, fint lwork)
{
	const double d = lwork;
	const float f = (float)lwork;

	memset(work, 0, k->size);
	memcpy(work, k->part == sizeof d ? (const void *)&d : &f, k->part);
}

/* The least lengths of WORK, RWORK and IWORK for n rows. */
struct lengths {
	double work, rwork, iwork;
};

static struct lengths syevd_lengths(bool vectors, double n)
{
	return vectors ? (struct lengths){ 1 + 6 * n + 2 * n * n, 0, 3 + 5 * n }
	               : (struct lengths){ 2 * n + 1, 0, 1 };
}

static struct lengths heevd_lengths(bool vectors, double n)
{
	return vectors ? (struct lengths){ 2 * n + n * n,
	                                   1 + 5 * n + 2 * n * n, 3 + 5 * n }
	               : (struct lengths){ n + 1, n, 1 };
}

static bool suffice(struct lengths least, fint lwork, fint lrwork, fint liwork)
{
	return lwork >= least.work && lrwork >= least.rwork &&
	       liwork >= least.iwork;
}

/* What these routines have in common. */
static bool answer_syev(const struct kind *k, const char *jobz,
                        const char *uplo, fint n, void *a, fint lda, void *w,
                        void *work, fint lwork, fint *info)
{
	if (!syev(k, option(jobz), option(uplo), n, a, lda, w, info))
		return false;
	export_store_work(k, work, lwork);
	return true;
}

static bool answer_geev(const struct kind *k, const struct geev *g,
                        void *work, fint lwork, fint *info)
{
	const double least = k->is_complex ? 2.0 * g->n :
	                     g->jobvl == 'V' || g->jobvr == 'V' ? 4.0 * g->n :
	                     3.0 * g->n;

	if (lwork < least || !geev(k, g, info))
		return false;
	export_store_work(k, work, lwork);
	return true;
}

/* name: syev or heev; least_n: WORK has at least least_n N - 1 elements. `rest`
 * and `pass`: export.h. */
#define EV(x, name, least_n, rest, pass)                                      \
EXPORT void x##name##_(const char *jobz, const char *uplo, const fint *n,     \
                       void *a, const fint *lda, void *w, void *work,         \
                       const fint *lwork, rest fint *info, size_t length_1,   \
                       size_t length_2);                                      \
									      \
void x##name##_(const char *jobz, const char *uplo, const fint *n, void *a,   \
                const fint *lda, void *w, void *work, const fint *lwork,      \
                rest fint *info, size_t length_1, size_t length_2)            \
{                                                                             \
	static struct symbol s = SYMBOL(#x #name "_");                        \
									      \
	(void)length_1;                                                       \
	(void)length_2;                                                       \
	if (!symbol_count(&s, *lwork >= (least_n) * (double)*n - 1 &&         \
	                  answer_syev(&kind_##x, jobz, uplo, *n, a, *lda, w,  \
	                              work, *lwork, info)))                   \
		NEXT(__typeof__(x##name##_), &s)(jobz, uplo, n, a, lda, w,    \
		                                 work, lwork, pass info, 1,   \
		                                 1);                          \
}

#define SYEVD(x)                                                              \
typedef void x##syevd_call(const char *, const char *, const fint *, void *,  \
                           const fint *, void *, void *, const fint *,        \
                           fint *, const fint *, fint *, size_t, size_t);     \
EXPORT x##syevd_call x##syevd_;                                               \
									      \
void x##syevd_(const char *jobz, const char *uplo, const fint *n, void *a,    \
               const fint *lda, void *w, void *work, const fint *lwork,       \
               fint *iwork, const fint *liwork, fint *info, size_t length_1,  \
               size_t length_2)                                               \
{                                                                             \
	static struct symbol s = SYMBOL(#x "syevd_");                         \
	const struct lengths least =                                          \
		syevd_lengths(option(jobz) == 'V', *n);                       \
									      \
	(void)length_1;                                                       \
	(void)length_2;                                                       \
	if (!symbol_count(&s, suffice(least, *lwork, 0, *liwork) &&           \
	                  answer_syev(&kind_##x, jobz, uplo, *n, a, *lda, w,  \
	                              work, *lwork, info)))                   \
		NEXT(x##syevd_call, &s)(jobz, uplo, n, a, lda, w, work,       \
		                        lwork, iwork, liwork, info, 1, 1);    \
}

#define HEEVD(x)                                                              \
typedef void x##heevd_call(const char *, const char *, const fint *, void *,  \
                           const fint *, void *, void *, const fint *,        \
                           void *, const fint *, fint *, const fint *,        \
                           fint *, size_t, size_t);                           \
EXPORT x##heevd_call x##heevd_;                                               \
									      \
void x##heevd_(const char *jobz, const char *uplo, const fint *n, void *a,    \
               const fint *lda, void *w, void *work, const fint *lwork,       \
               void *rwork, const fint *lrwork, fint *iwork,                  \
               const fint *liwork, fint *info, size_t length_1,               \
               size_t length_2)                                               \
{                                                                             \
	static struct symbol s = SYMBOL(#x "heevd_");                         \
	const struct lengths least =                                          \
		heevd_lengths(option(jobz) == 'V', *n);                       \
									      \
	(void)length_1;                                                       \
	(void)length_2;                                                       \
	if (!symbol_count(&s, suffice(least, *lwork, *lrwork, *liwork) &&     \
	                  answer_syev(&kind_##x, jobz, uplo, *n, a, *lda, w,  \
	                              work, *lwork, info)))                   \
		NEXT(x##heevd_call, &s)(jobz, uplo, n, a, lda, w, work,       \
		                        lwork, rwork, lrwork, iwork, liwork,  \
		                        info, 1, 1);                          \
}

#define REAL_GEEV(x)                                                          \
typedef void x##geev_call(const char *, const char *, const fint *, void *,   \
                          const fint *, void *, void *, void *, const fint *, \
                          void *, const fint *, void *, const fint *, fint *, \
                          size_t, size_t);                                    \
EXPORT x##geev_call x##geev_;                                                 \
									      \
void x##geev_(const char *jobvl, const char *jobvr, const fint *n, void *a,   \
              const fint *lda, void *wr, void *wi, void *vl,                  \
              const fint *ldvl, void *vr, const fint *ldvr, void *work,       \
              const fint *lwork, fint *info, size_t length_1,                 \
              size_t length_2)                                                \
{                                                                             \
	static struct symbol s = SYMBOL(#x "geev_");                          \
	const struct geev g = { option(jobvl), option(jobvr), *n, a, *lda,    \
	                        wr, wi, vl, vr, *ldvl, *ldvr };               \
									      \
	(void)length_1;                                                       \
	(void)length_2;                                                       \
	if (!symbol_count(&s, answer_geev(&kind_##x, &g, work, *lwork,        \
	                                  info)))                             \
		NEXT(x##geev_call, &s)(jobvl, jobvr, n, a, lda, wr, wi, vl,   \
		                       ldvl, vr, ldvr, work, lwork, info, 1,  \
		                       1);                                    \
}

#define COMPLEX_GEEV(x)                                                       \
typedef void x##geev_call(const char *, const char *, const fint *, void *,   \
                          const fint *, void *, void *, const fint *, void *, \
                          const fint *, void *, const fint *, void *, fint *, \
                          size_t, size_t);                                    \
EXPORT x##geev_call x##geev_;                                                 \
									      \
void x##geev_(const char *jobvl, const char *jobvr, const fint *n, void *a,   \
              const fint *lda, void *w, void *vl, const fint *ldvl, void *vr, \
              const fint *ldvr, void *work, const fint *lwork, void *rwork,   \
              fint *info, size_t length_1, size_t length_2)                   \
{                                                                             \
	static struct symbol s = SYMBOL(#x "geev_");                          \
	const struct geev g = { option(jobvl), option(jobvr), *n, a, *lda, w, \
	                        NULL, vl, vr, *ldvl, *ldvr };                 \
									      \
	(void)length_1;                                                       \
	(void)length_2;                                                       \
	if (!symbol_count(&s, answer_geev(&kind_##x, &g, work, *lwork,        \
	                                  info)))                             \
		NEXT(x##geev_call, &s)(jobvl, jobvr, n, a, lda, w, vl, ldvl,  \
		                       vr, ldvr, work, lwork, rwork, info, 1, \
		                       1);                                    \
}

#define REAL(x) EV(x, syev, 3, NONE, NONE) SYEVD(x) REAL_GEEV(x)
#define COMPLEX(x) EV(x, heev, 2, RWORK, PASS_RWORK) HEEVD(x) COMPLEX_GEEV(x)

REAL(s)
REAL(d)
COMPLEX(c)
COMPLEX(z)
