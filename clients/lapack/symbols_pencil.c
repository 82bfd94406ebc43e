/* symbols_pencil.c - xGGEV and xGGEV3. If the work array is shorter than the
 * least length, which holds for a workspace query, too, the next library
 * answers the call. */
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

/* Real routines have an argument more after ALPHAR. */
#define IMAGINARY void *alphai,
#define PASS_IMAGINARY alphai,

/* name: ggev or ggev3. `imaginary` declares ALPHAI and pass_imaginary passes it
 * on, if the routine has it; alphai is its value, or NULL. `rest` and `pass`:
 * export.h. */
#define GGEV(x, name, imaginary, pass_imaginary, alphai, rest, pass)          \
EXPORT void x##name##_(const char *jobvl, const char *jobvr, const fint *n,   \
                       void *a, const fint *lda, void *b, const fint *ldb,    \
                       void *alpha, imaginary void *beta, void *vl,           \
                       const fint *ldvl, void *vr, const fint *ldvr,          \
                       void *work, const fint *lwork, rest fint *info,        \
                       size_t length_1, size_t length_2);                     \
									      \
void x##name##_(const char *jobvl, const char *jobvr, const fint *n, void *a, \
                const fint *lda, void *b, const fint *ldb, void *alpha,       \
                imaginary void *beta, void *vl, const fint *ldvl, void *vr,   \
                const fint *ldvr, void *work, const fint *lwork,              \
                rest fint *info, size_t length_1, size_t length_2)            \
{                                                                             \
	static struct symbol s = SYMBOL(#x #name "_");                        \
	const struct ggev g = { option(jobvl), option(jobvr), *n, a, *lda, b, \
	                        *ldb, alpha, alphai, beta, vl, vr, *ldvl,     \
	                        *ldvr };                                      \
									      \
	(void)length_1;                                                       \
	(void)length_2;                                                       \
	if (!symbol_count(&s, answer_ggev(&kind_##x, &g, work, *lwork,        \
	                                  info)))                             \
		NEXT(__typeof__(x##name##_), &s)(jobvl, jobvr, n, a, lda, b,  \
		                                 ldb, alpha,                  \
		                                 pass_imaginary beta, vl,     \
		                                 ldvl, vr, ldvr, work, lwork, \
		                                 pass info, 1, 1);            \
}

#define REAL(x, name) \
	GGEV(x, name, IMAGINARY, PASS_IMAGINARY, alphai, NONE, NONE)
#define COMPLEX(x, name) GGEV(x, name, NONE, NONE, NULL, RWORK, PASS_RWORK)

REAL(s, ggev)
REAL(d, ggev)
COMPLEX(c, ggev)
COMPLEX(z, ggev)
REAL(s, ggev3)
REAL(d, ggev3)
COMPLEX(c, ggev3)
COMPLEX(z, ggev3)
