/* qz.c - solves A x = lambda B x for any B by LAPACK's DGGEV3: the QZ algorithm
 * (Moler and Stewart 1973) on the Hessenberg-triangular form. B is not
 * inverted, and may be singular. See many.h. */
#include <math.h>
#include <stdlib.h>

#include "ops/eigen/many.h"

/* re + im i = alpha / beta, for eigenvalue i */
static void divide(struct eigen_set *s, size_t i)
{
	const double re = s->alpha[i], im = s->alpha[s->n + i];
	const bool finite = s->beta[i] != 0;

	s->re[i] = finite ? re / s->beta[i] :
	           re == 0 && im == 0 ? NAN : INFINITY;
	s->im[i] = finite ? im / s->beta[i] : 0;
}

/* The second eigenvalue of a conjugate pair is set to the conjugate of the
 * first one. Its own alpha and beta are those of the first one times some
 * factor, so that their quotient may be rounded to another number. */
static void divide_all(struct eigen_set *s)
{
	for (size_t i = 0; i < s->n; i++) {
		divide(s, i);
		if (s->im[i] < 0 && i > 0) {
			s->re[i] = s->re[i - 1];
			s->im[i] = -s->im[i - 1];
		}
	}
}

/* Returns LAPACK's info. If lwork is -1, only sets *work to the best length of
 * the work array. */
static int call_ggev3(struct eigen_set *s, const struct lapack *l, double *a,
                      double *b, double *work, int lwork)
{
	const int n = (int)s->n;

	return l->d.ggev3(LAPACK_COLUMNS, s->left ? 'V' : 'N',
	    s->right ? 'V' : 'N', n, a, n, b, n, s->alpha, s->alpha + n,
	    s->beta, s->left, n, s->right, n, work, lwork);
}

int eigen_qz(struct eigen_set *s, const struct lapack *l, double *a, double *b,
             bool *solved)
{
	double *work, best = 0;

	/* xLAQZ0 reads alpha and beta as shifts before it has set them. With
	 * what memory held before it may not converge; zeros are shifts that
	 * it can take. */
	s->alpha = calloc(3 * s->n, sizeof *s->alpha);
	if (!s->alpha)
		return -1;
	s->beta = s->alpha + 2 * s->n;
	call_ggev3(s, l, a, b, &best, -1);
	work = malloc((size_t)fmax(best, 1) * sizeof *work);
	if (!work)
		return -1;
	/* DGGEV3 calls BLAS for such small operations that a second thread
	 * would mostly wait. */
	lapack_threads_for(l, s->n, true);
	*solved = call_ggev3(s, l, a, b, work, (int)best) == 0;
	lapack_threads_for(l, s->n, false);
	free(work);
	if (*solved)
		divide_all(s);
	return 0;
}
