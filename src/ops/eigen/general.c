/* general.c - the dominant pair of any matrix, from all its eigenvalues.
 *
 * Rounding errors turn a real eigenvalue of multiplicity k without k
 * independent eigenvectors into k values on a circle of radius about
 * (eps |B|)^(1/k), some of them complex. Their mean is far more exact than each
 * of them, and is the answer if its residual is that of an eigenvalue. For
 * k > 3 such a circle cannot be told from eigenvalues that really differ.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/eigen/eigen.h"
#include "ops/eigen/spectrum.h"

enum { FOLDS = 3 };

/* The preference among values of equal modulus but for rounding: positive, then
 * negative, then complex. */
static int rank(const struct spectrum *s, int i)
{
	return s->im[i] != 0 ? 0 : s->re[i] < 0 ? 1 : 2;
}

/* The index of the largest value; of a conjugate pair, of the value with the
 * positive imaginary part. */
static int largest(const struct spectrum *s)
{
	double top = 0;
	int best = -1;

	for (int i = 0; i < s->n; i++)
		top = fmax(top, spectrum_size(s, i));
	for (int i = 0; i < s->n; i++) {
		if (spectrum_size(s, i) < top - s->noise || s->im[i] < 0)
			continue;
		if (best < 0 || rank(s, i) > rank(s, best) ||
		    (rank(s, i) == rank(s, best) &&
		     spectrum_size(s, i) > spectrum_size(s, best)))
			best = i;
	}
	return best;
}

/* By Perron's and Frobenius' theorem the dominant eigenvalue of a non-negative
 * matrix is the one farthest to the right. */
static int rightmost(const struct spectrum *s)
{
	int best = 0;

	for (int i = 1; i < s->n; i++)
		if (s->im[i] >= 0 && s->re[i] > s->re[best])
			best = i;
	return best;
}

/* Are exactly `fold` values as near to value k as rounding errors move a
 * multiple eigenvalue, and is their mean real? Sets *mean. */
static bool is_scattered(const struct spectrum *s, int k, double condition,
                         int fold, double *mean)
{
	const double most = 2 * s->norm *
	    pow(64 * DBL_EPSILON, 1.0 / fold);
	const double reach = fmin(3 * s->noise * condition, most);
	double re = 0, im = 0;
	int count = 0;

	for (int i = 0; i < s->n; i++)
		if (hypot(s->re[i] - s->re[k], s->im[i] - s->im[k]) <= reach) {
			re += s->re[i];
			im += s->im[i];
			count++;
		}
	*mean = fabs(re) <= count * s->noise ? 0 : re / count;
	return count == fold && im == 0;
}

static bool is_tied(const struct spectrum *s, int k, double condition)
{
	const double size = spectrum_size(s, k);
	const double blur = fmin(s->noise * (1 + condition), 1e-6 * size);

	for (int i = 0; i < s->n; i++) {
		const bool own = i == k || (s->im[k] != 0 &&
		    s->re[i] == s->re[k] && s->im[i] == -s->im[k]);

		if (!own && spectrum_size(s, i) >= size - blur)
			return true;
	}
	return false;
}

/* May all eigenvalues be a multiple 0 that rounding errors moved? They move
 * those of a nilpotent matrix, whose k-th power vanishes, by about (eps
 * |B|)^(1/k). */
static bool is_about_nilpotent(const struct spectrum *s, int k)
{
	const double root = pow(64 * s->n * DBL_EPSILON,
	    1.0 / fmin(s->active + 1, 5));

	return spectrum_size(s, k) <= 2 * s->norm * root;
}

/* Takes the pair of the vectors that were computed last, and measures it. The
 * rounding errors of a matrix that has not been balanced are no excuse for its
 * residual: they may be much larger than the eigenvalue. */
static int take(const struct spectrum *s, struct eigen_problem *p, double re,
                double im, struct eigen_pair *r)
{
	const double norm = s->plain ? 0 : ldexp(s->norm, s->power) * p->unit;

	r->value = ldexp(re, s->power);
	r->imaginary = ldexp(im, s->power);
	r->condition = s->condition;
	memcpy(r->vector, s->right, 2 * p->n * sizeof *r->vector);
	return eigen_measure(p, r, eigen_least_residual(p->n, norm));
}

/* Takes the mean of value k and those that rounding errors separated from it,
 * if there are any and the mean's residual is as small as an eigenvalue's. */
static int try_mean(struct spectrum *s, struct eigen_problem *p, int k,
                    struct eigen_pair *r)
{
	const double condition = s->inner;
	double mean;

	for (int fold = 2; fold <= FOLDS && !r->converged; fold++) {
		if (!is_scattered(s, k, condition, fold, &mean))
			continue;
		seq_host_begin(p->s);
		spectrum_vectors_at(s, k, mean);
		seq_host_end(p->s);
		r->tie = true;
		if (take(s, p, mean, 0, r) < 0)
			return -1;
		if (!r->converged)
			spectrum_vectors(s, k);
	}
	return 0;
}

static int try_itself(struct spectrum *s, struct eigen_problem *p, int k,
                      struct eigen_pair *r)
{
	r->tie = is_tied(s, k, s->inner);
	if (take(s, p, s->re[k], s->im[k], r) < 0 || r->converged)
		return seq_failed(p->s) ? -1 : 0;
	seq_host_begin(p->s);
	spectrum_vectors_again(s, k);
	seq_host_end(p->s);
	return take(s, p, s->re[k], s->im[k], r);
}

static int choose(struct spectrum *s, struct eigen_problem *p,
                  struct eigen_pair *r)
{
	const int k = p->non_negative ? rightmost(s) : largest(s);

	if (is_about_nilpotent(s, k) && eigen_try_nilpotent(p, r) < 0)
		return -1;
	if (r->converged)
		return 0;
	seq_host_begin(p->s);
	spectrum_vectors(s, k);
	seq_host_end(p->s);
	if (try_mean(s, p, k, r) < 0)
		return -1;
	return r->converged ? 0 : try_itself(s, p, k, r);
}

/* Computes the pair from a decomposition of the matrix, balanced or plain. */
static int decompose(struct eigen_problem *p, const struct lapack *l,
                     bool plain, struct eigen_pair *r)
{
	struct spectrum s = { .plain = plain };
	bool solved = false;
	int rc;

	r->converged = false;
	seq_host_begin(p->s);
	rc = spectrum_init(&s, l, p->m, p->index, &solved);
	seq_host_end(p->s);
	if (rc < 0)
		err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory to "
		        "decompose a matrix of %zu rows", p->n);
	else if (solved)
		rc = choose(&s, p, r);
	spectrum_fini(&s);
	return rc;
}

/* Where rows or columns differ by many orders of magnitude, a residual that is
 * small beside the balanced matrix may be large beside A. Then the pair of the
 * plain matrix is taken, if its eigenvalue is the same. */
static int decompose_plainly(struct eigen_problem *p, const struct lapack *l,
                             struct eigen_pair *r)
{
	struct eigen_pair f = { .vector = malloc(2 * p->n * sizeof(double)) };
	int rc;

	if (!f.vector)
		return err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
	rc = decompose(p, l, true, &f);
	r->iterations += f.iterations;
	if (rc == 0 && f.converged && eigen_agree(r, &f, p->tol))
		eigen_replace(r, &f, p->n);
	free(f.vector);
	return rc;
}

int eigen_general(struct eigen_problem *p, struct eigen_pair *r)
{
	const struct lapack *l = lapack_load(p->s, p->n, seq_err(p->s));

	if (!l || decompose(p, l, false, r) < 0)
		return -1;
	return r->converged ? 0 : decompose_plainly(p, l, r);
}
