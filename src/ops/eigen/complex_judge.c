/* complex_judge.c - measures the quality of the eigenpairs of one complex
 * matrix or pair, as they are stored; see complex.h. The ratios are those of
 * judge.c, in the 1-norm. */
#include <complex.h>
#undef complex				/* a member's name in many.h */
#include <float.h>
#include <math.h>

#include "ops/eigen/complex.h"
#include "ops/lapack/exported.h"

struct judged {
	const struct eigen_complex_set *s;
	const cplx *v;			/* the chosen right eigenvectors */
	cplx *y, *z;			/* scratch, n elements each */
	double of_a, of_b;		/* |A|; |B|, or 0 without B */
};

/* Computes y = second first x or, if second is NULL, y = first x. `room` has n
 * elements; without `second` it may be NULL. */
static void apply(const struct judged *q, const cplx *first, const cplx *second,
                  const cplx *x, cplx *y, cplx *room)
{
	const size_t n = q->s->n;

	complex_times(first, n, n, x, second ? room : y);
	if (second)
		complex_times(second, n, n, room, y);
}

/* Sets *alpha and *beta so that *alpha / *beta is eigenvalue k of the answer.
 * With A x = lambda B x they are divided by what the pair's residual is divided
 * by, so that scale_of() is 1: those of the QZ algorithm by max(|alpha| |B|,
 * |beta| |A|), lambda and 1 by |A| + |lambda| |B|. For other problems *beta is
 * 1. */
static void ratio_of(const struct judged *q, size_t k, cplx *alpha, cplx *beta)
{
	const struct eigen_complex_set *s = q->s;
	const size_t i = s->order[k];
	double most;

	*alpha = s->values[i];
	*beta = 1;
	if (s->b && s->form == EIGEN_DEFINITE) {
		most = q->of_a + cabs(*alpha) * q->of_b;
		*alpha = most > 0 ? *alpha / most : 0;
		*beta = most > 0 ? 1 / most : 0;
	}
	if (s->form != EIGEN_GENERAL_PENCIL)
		return;
	most = fmax(cabs(s->alpha[i]) * q->of_b, cabs(s->beta[i]) * q->of_a);
	*alpha = most > 0 ? s->alpha[i] / most : 0;
	*beta = most > 0 ? s->beta[i] / most : 0;
}

/* r = A V diag(beta) x - B V diag(alpha) x. For the problems A B x = lambda x
 * and B A x = lambda x, the product of both matrices stands for A, and I for
 * B. */
static void pair_defect(const void *how, const cplx *x, cplx *r)
{
	const struct judged *q = how;
	const struct eigen_complex_set *s = q->s;
	const bool product = s->form == EIGEN_DEFINITE_ABX ||
	                     s->form == EIGEN_DEFINITE_BAX;
	const bool b_first = s->form == EIGEN_DEFINITE_ABX;
	cplx alpha;

	for (size_t k = 0; k < s->count; k++) {
		ratio_of(q, k, &alpha, &q->z[k]);
		q->z[k] *= x[k];
	}
	complex_times(q->v, s->n, s->count, q->z, q->y);
	if (product)
		apply(q, b_first ? s->b : s->a, b_first ? s->a : s->b, q->y, r,
		      q->z);
	else
		apply(q, s->a, NULL, q->y, r, q->z);
	for (size_t k = 0; k < s->count; k++) {
		cplx beta;

		ratio_of(q, k, &q->z[k], &beta);
		q->z[k] *= x[k];
	}
	complex_times(q->v, s->n, s->count, q->z, q->y);
	if (s->b && !product)
		apply(q, s->b, NULL, q->y, q->z, NULL);
	for (size_t i = 0; i < s->n; i++)
		r[i] -= s->b && !product ? q->z[i] : q->y[i];
}

/* r = x - V^H V x */
static void orthogonality_defect(const void *how, const cplx *x, cplx *r)
{
	const struct judged *q = how;

	complex_times(q->v, q->s->n, q->s->count, x, q->y);
	complex_times_turned(q->v, q->s->n, q->s->count, q->y, r);
	for (size_t k = 0; k < q->s->count; k++)
		r[k] = x[k] - r[k];
}

/* Returns what the residual is divided by, without the factor n eps. */
static double scale_of(const struct judged *q)
{
	const struct eigen_complex_set *s = q->s;

	if (!s->b)
		return q->of_a;
	return s->form == EIGEN_DEFINITE || s->form == EIGEN_GENERAL_PENCIL ?
	       1 : q->of_a * q->of_b;		/* see ratio_of() */
}

void eigen_complex_judge(const struct lapack_call *c, size_t index,
                         const struct eigen_complex_set *s, const cplx *v,
                         cplx *room)
{
	const size_t n = s->n;
	const double scale = (double)n * dtype_epsilon(c->a->dtype);
	const struct judged q = {
		.s = s, .v = v, .y = room, .z = room + n,
		.of_a = complex_norm1(s->a, n, n, n),
		.of_b = s->b ? complex_norm1(s->b, n, n, n) : 0,
	};
	struct verdict *told = complex_told(c, index);

	if (s->count == 0)
		return;
	told->residual = complex_ratio(complex_defect(c, n, s->count,
	    pair_defect, &q, room + 2 * n), scale_of(&q) * scale);
	if (s->b)
		return;
	if (s->hermitian)
		told->orthogonality = complex_ratio(complex_defect(c,
		    s->count, s->count, orthogonality_defect, &q,
		    room + 2 * n), scale);
	for (size_t k = 0; k < s->count; k++)
		told->condition = verdict_worse(told->condition,
		    s->hermitian ? 1 : 1 / s->conditions[s->order[k]]);
}

/* Returns the largest |A v - l v| that is accepted of answered eigenvalue k:
 * the one that is promised, but at least the rounding errors of LAPACK and of
 * the stored vector. */
static double bound_of(const struct args *a, const struct eigen_complex_set *s,
                       size_t k, double norm)
{
	const double size = eigen_which(a) == EIGEN_DOMINANT ?
	                    cabs(s->values[s->order[k]]) : norm;
	const double rounding = 30 * (double)s->n * DBL_EPSILON +
	                        2 * dtype_epsilon(a->dtype);

	return fmax(eigen_tol(a) * size, rounding * norm);
}

/* May eigenvalues be denormal or overflow? */
static bool is_extreme(double norm)
{
	return !(norm >= DBL_MIN / DBL_EPSILON && norm < DBL_MAX / 4);
}

bool eigen_complex_keeps_promise(const struct args *a,
                                 const struct eigen_complex_set *s,
                                 const cplx *v, cplx *av)
{
	const double norm = complex_norm1(s->a, s->n, s->n, s->n);
	const int n = (int)s->n, count = (int)s->count;
	const cplx one = 1, zero = 0;
	bool kept = true;

	if (s->hermitian || s->b || !s->vectors || is_extreme(norm))
		return true;
	zgemm_("N", "N", &n, &count, &n, &one, s->a, &n, v, &n, &zero, av, &n);
	for (size_t k = 0; k < s->count; k++) {
		const cplx l = s->values[s->order[k]];
		const size_t first = k * s->n;

		for (size_t i = first; i < first + s->n; i++)
			av[i] -= l * v[i];
		kept &= complex_norm2(av + first, s->n) <=
		        bound_of(a, s, k, norm);
	}
	return kept;
}
