/* gels.c - the factorization for xGELS, whose A has full rank: A = Q R if A has
 * at least as many rows as columns, else A = L Q. tau is stored at the
 * beginning of the workspace, where LAPACK's xGELS stores it, too.
 *
 * LAPACK scales operands whose largest element is near underflow or overflow,
 * and answers 0 for A = 0. Such calls are left to it. */
#include <float.h>
#include <math.h>

#include "clients/lapack/routines.h"
#include "clients/lapack/symbol.h"

/* The largest magnitude of a part of the m x n matrix; infinite for a NaN. */
static double largest(const struct kind *k, size_t m, size_t n, const void *a,
                      size_t ld)
{
	const size_t parts = k->size / k->part;
	double most = 0;

	for (size_t j = 0; j < n; j++) {
		const char *column = (const char *)a + j * ld * k->size;

		for (size_t i = 0; i < m * parts; i++) {
			const double x = k->part == sizeof(float) ?
			    fabsf(((const float *)column)[i]) :
			    fabs(((const double *)column)[i]);

			most = x <= most ? most : isnan(x) ? INFINITY : x;
		}
	}
	return most;
}

/* Is it in the range in which LAPACK does not scale? A factor of 2 stands for
 * the modulus of complex elements. */
static bool is_moderate(const struct kind *k, double x)
{
	const double small = k->part == sizeof(float) ?
	    (double)FLT_MIN / FLT_EPSILON : DBL_MIN / DBL_EPSILON;

	return x >= 2 * small && x <= 0.5 / small;
}

static bool is_for_service(const struct kind *k, const struct gels *g)
{
	const fint order = g->m < g->n ? g->m : g->n;
	const fint most = g->m < g->n ? g->n : g->m;
	double b;

	if ((g->trans != 'N' && g->trans != (k->is_complex ? 'C' : 'T')) ||
	    order < 1 || g->nrhs < 1 || !leads(g->lda, g->m) ||
	    !leads(g->ldb, most) ||
	    g->lwork < order + (double)(order < g->nrhs ? g->nrhs : order) ||
	    !symbol_is_worth(order))
		return false;
	b = largest(k, (size_t)(g->trans == 'N' ? g->m : g->n),
	            (size_t)g->nrhs, g->b, (size_t)g->ldb);
	return (b == 0 || is_moderate(k, b)) &&
	       is_moderate(k, largest(k, (size_t)g->m, (size_t)g->n, g->a,
	                              (size_t)g->lda));
}

bool gels(const struct kind *k, const struct gels *g, fint *info)
{
	return is_for_service(k, g) &&
	       (g->m < g->n ? gelqf : geqrf)(k, g->m, g->n, g->a, g->lda,
	                                     g->work, info);
}
