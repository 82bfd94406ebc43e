/* ritz.c - see ritz.h.
 *
 * A residual alone shows neither that a value is the dominant one nor that it
 * is real. So every Ritz value gets a reach, (residual + rounding) times its
 * condition: the eigenvalue lies within this distance. A pair is complex when
 * its imaginary part is farther than that from 0; a multiple real eigenvalue,
 * which rounding spreads over a small circle, is answered by the circle's
 * centre; and a value is dominant when no other value that is still uncertain
 * may be as large within its reach. The vector is the refined Ritz vector (Jia
 * 1997), whose y minimises |(B - value) V y|; the minimum is its residual.
 */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "ops/eigen/ritz.h"

#define SCATTER 12.0		/* radius of a multiple value, in reaches */
#define NEAR 0.9		/* smaller values, as a share, are no rivals:
				   if B is far from normal they converge last,
				   if ever */
#define BLUR 1e-3		/* largest share that rounding may tie */
#define TRUST 0.1		/* the largest reach that an answer may have */

struct look {
	const struct ritz_rules *rules;
	int p;
	double norm, noise;		/* |H|, rounding in H */
	double complex value[SCHUR_MAX];	/* falling modulus */
	double residual[SCHUR_MAX], rounding[SCHUR_MAX], reach[SCHUR_MAX];
	double condition[SCHUR_MAX];
};

static double norm_of(const struct ritz_space *s)
{
	double sum = 0;

	for (int i = 0; i <= s->p; i++)
		for (int j = 0; j < s->p; j++)
			sum += s->h[i][j] * s->h[i][j];
	return sqrt(sum);
}

/* |b^T Q x| / |x| */
static double residual_of(const struct ritz_space *s,
                          const double complex bq[SCHUR_MAX],
                          const double complex x[SCHUR_MAX])
{
	double complex sum = 0;
	double xx = 0;

	for (int l = 0; l < s->p; l++) {
		sum += bq[l] * x[l];
		xx += creal(x[l] * conj(x[l]));
	}
	return cabs(sum) / sqrt(xx);
}

/* How far rounding moves value i: by its condition times the noise, but a
 * k-fold value by at most about norm (noise / norm)^(1/k). That limit is needed
 * because computed copies of a multiple value may coincide by chance, and then
 * have an infinite condition. */
static double rounding_of(const struct look *k, int i, double condition)
{
	double limit = INFINITY;

	for (int fold = 2; fold <= k->p; fold++) {
		const double r =
		    k->norm * pow(k->noise / k->norm, 1.0 / fold);
		int count = 0;

		for (int j = 0; j < k->p; j++)
			count += cabs(k->value[j] - k->value[i]) <= r;
		if (count < fold)
			break;
		limit = 2 * r;
	}
	return fmin(k->noise * condition, limit);
}

static void look_at(const struct ritz_space *s, struct look *k)
{
	double complex bq[SCHUR_MAX] = { 0 }, x[SCHUR_MAX];

	k->p = s->p;
	k->norm = norm_of(s);
	k->noise = 4 * k->rules->epsilon * k->norm;
	for (int l = 0; l < s->p; l++) {
		k->value[l] = s->schur.t[l][l];
		for (int c = 0; c < s->p; c++)
			bq[l] += s->h[s->p][c] * s->schur.q[c][l];
	}
	for (int i = 0; i < s->p; i++) {
		const double condition = schur_vector(&s->schur, i, x);

		k->condition[i] = condition;
		k->residual[i] = residual_of(s, bq, x);
		k->rounding[i] = rounding_of(k, i, condition);
		k->reach[i] = k->residual[i] * condition + k->rounding[i];
	}
}

static bool real_like(const struct look *k, int i)
{
	const double im = fabs(cimag(k->value[i]));

	return im <= SCATTER * k->reach[i] ||
	       im <= k->rules->tol / 2 * cabs(k->value[i]);
}

/* The index of the first real candidate for the dominant value, or -1. */
static int candidate(const struct look *k)
{
	const double top = cabs(k->value[0]);

	for (int i = 0; i < k->p; i++) {
		const double size = cabs(k->value[i]);
		const double far = size * (1 + k->rules->tol) + k->reach[i];

		if (!real_like(k, i))
			continue;
		if (k->rules->perron ? creal(k->value[i]) >= 0 :
		    size >= NEAR * top && far >= top)
			return i;
	}
	return -1;
}

/* Is value j one of those whose mean is the real candidate c? */
static bool scattered(const struct look *k, int c, int j)
{
	return j == c || cabs(k->value[j] - creal(k->value[c])) <=
	                 SCATTER * k->rounding[c];
}

/* Is value j a rival of candidate c, rather than a part of it or its
 * conjugate? */
static bool is_rival(const struct look *k, int c, int j)
{
	const double complex conjugate = conj(k->value[c]);

	if (real_like(k, c))
		return !scattered(k, c, j);
	return j != c && cabs(k->value[j] - conjugate) >
	                 1e-12 * cabs(conjugate);
}

static double centre(const struct look *k, int c)
{
	double sum = 0;
	int count = 0;

	for (int j = 0; j < k->p; j++)
		if (scattered(k, c, j)) {
			sum += creal(k->value[j]);
			count++;
		}
	return sum / count;
}

/* y = argmin |(H - value; b^T) y| over |y| = 1, and that minimum. */
static double refine(const struct ritz_space *s, double value,
                     double y[SCHUR_MAX])
{
	double g[SCHUR_MAX + 1][SCHUR_MAX];

	for (int i = 0; i <= s->p; i++)
		for (int j = 0; j < s->p; j++)
			g[i][j] = s->h[i][j] - (i == j ? value : 0);
	return jacobi_smallest(s->p + 1, s->p, g, y);
}

static double relative(double error, double size)
{
	return error > 0 ? error / size : 0;
}

/* May another value turn out as large as candidate c once it has converged? A
 * complete space will show nothing more, so there nearly equal values are a tie
 * and no contest. */
static bool contested(const struct ritz_space *s, const struct look *k,
                      int c, double size)
{
	const double tol = k->rules->tol;
	const double sure = s->complete ? fmax(tol, BLUR) : tol;

	for (int j = 0; j < k->p; j++) {
		const double rival = cabs(k->value[j]);
		const double more = k->reach[j] + k->rounding[c];

		if (is_rival(k, c, j) && rival > NEAR * size &&
		    more > sure * size && rival + more > size * (1 - 2 * tol))
			return true;
	}
	return false;
}

static bool tied(const struct look *k, int c, double size)
{
	const double tol = k->rules->tol;

	for (int j = 0; j < k->p; j++) {
		const double blur = k->rounding[j] + k->rounding[c];

		if (is_rival(k, c, j) &&
		    cabs(k->value[j]) + blur >= size * (1 - 2 * tol))
			return true;
	}
	return false;
}

static void judge_real(const struct ritz_space *s, const struct look *k,
                       int c, struct ritz *r)
{
	const struct ritz_rules *rules = k->rules;
	const double size = fabs(r->value = centre(k, c));
	const double top = cabs(k->value[0]);

	r->error = relative(k->residual[c], size);
	if (!rules->last && r->error > 10 * rules->tol)
		return;
	r->error = relative(refine(s, r->value, r->y), size);
	if (r->error > rules->tol || k->rounding[c] > TRUST * size)
		return;
	if (cabs(k->value[c]) + k->rounding[c] + k->rounding[0] <
	    top * (1 - fmax(rules->tol, 1e-10)) && !scattered(k, c, 0))
		return;
	if (contested(s, k, c, size))
		return;
	r->tie = tied(k, c, size);
	r->verdict = RITZ_REAL;
}

/* Sets y + z i to the Ritz vector of value c, or to its conjugate if c's
 * imaginary part is negative. */
static void take_vector(const struct ritz_space *s, int c, struct ritz *r)
{
	const double sign = cimag(s->schur.t[c][c]) < 0 ? -1 : 1;
	double complex x[SCHUR_MAX];
	double norm = 0;

	schur_vector(&s->schur, c, x);
	for (int l = 0; l < s->p; l++)
		norm += creal(x[l] * conj(x[l]));
	for (int i = 0; i < s->p; i++) {
		double complex sum = 0;

		for (int l = 0; l <= c; l++)
			sum += s->schur.q[i][l] * x[l];
		r->y[i] = creal(sum) / sqrt(norm);
		r->z[i] = sign * cimag(sum) / sqrt(norm);
	}
}

static void judge_complex(const struct ritz_space *s, const struct look *k,
                          struct ritz *r)
{
	const struct ritz_rules *rules = k->rules;
	const double size = cabs(k->value[0]);

	r->value = creal(k->value[0]);
	r->imaginary = fabs(cimag(k->value[0]));
	r->error = relative(k->residual[0], size);
	if (r->error > rules->tol && !rules->last)
		return;
	take_vector(s, 0, r);
	if (r->error > rules->tol || k->rounding[0] > TRUST * size ||
	    contested(s, k, 0, size))
		return;
	r->tie = tied(k, 0, size);
	r->verdict = RITZ_COMPLEX;
}

int ritz_judge(struct ritz_space *s, const struct ritz_rules *rules,
               struct ritz *r)
{
	struct look k = { .rules = rules };
	int c;

	*r = (struct ritz){ .verdict = RITZ_OPEN };
	if (schur_form(&s->schur, s->p, s->h) < 0)
		return -1;
	schur_sort(&s->schur);
	look_at(s, &k);
	c = candidate(&k);
	r->condition = k.condition[c >= 0 ? c : 0];
	if (c >= 0)
		judge_real(s, &k, c, r);
	else
		judge_complex(s, &k, r);
	return 0;
}

/* How far the span of the first k Schur vectors is from being closed under
 * conjugation; 0 if no conjugate pair is cut. */
static double unpaired(const struct schur *t, int k)
{
	double most = 0;

	for (int i = 0; i < t->n; i++)
		for (int j = 0; j < i; j++) {
			double sum = 0;

			for (int l = 0; l < k; l++)
				sum += cimag(t->q[i][l] * conj(t->q[j][l]));
			most = fmax(most, fabs(sum));
		}
	return most;
}

static int whole_pairs(const struct schur *t, int keep)
{
	return unpaired(t, keep) <= unpaired(t, keep + 1) ? keep : keep + 1;
}

/* Re Q Q^H of the first k Schur vectors: for a set closed under conjugation
 * it is the orthogonal projector on their real invariant subspace. */
static void projector(const struct schur *t, int k,
                      double m[SCHUR_MAX][SCHUR_MAX])
{
	for (int i = 0; i < t->n; i++)
		for (int j = 0; j < t->n; j++) {
			double sum = 0;

			for (int l = 0; l < k; l++)
				sum += creal(t->q[i][l] * conj(t->q[j][l]));
			m[i][j] = sum;
		}
}

static double row_dot(int n, const double *x, const double *y)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/* An orthonormal basis of m's k-dimensional range, as rows of c, by
 * Gram-Schmidt with the longest remaining row first. */
static void basis_of(int n, int k, double m[SCHUR_MAX][SCHUR_MAX], double *c)
{
	for (int r = 0; r < k; r++) {
		double *y = c + (size_t)r * n;
		int best = 0;

		for (int i = 1; i < n; i++)
			if (row_dot(n, m[i], m[i]) >
			    row_dot(n, m[best], m[best]))
				best = i;
		const double norm = sqrt(row_dot(n, m[best], m[best]));
		for (int j = 0; j < n; j++)
			y[j] = m[best][j] / norm;
		for (int i = 0; i < n; i++) {
			const double d = row_dot(n, m[i], y);

			for (int j = 0; j < n; j++)
				m[i][j] -= d * y[j];
		}
	}
}

int ritz_restart(struct ritz_space *s, int keep, double *c)
{
	const int p = s->p, k = whole_pairs(&s->schur, keep);
	double m[SCHUR_MAX][SCHUR_MAX], hc[SCHUR_MAX + 1][SCHUR_MAX];

	projector(&s->schur, k, m);
	basis_of(p, k, m, c);
	for (int i = 0; i <= p; i++)	/* (H; b^T) C^T */
		for (int r = 0; r < k; r++)
			hc[i][r] = row_dot(p, s->h[i], c + (size_t)r * p);
	for (int q = 0; q < k; q++)
		for (int r = 0; r < k; r++) {
			double sum = 0;

			for (int i = 0; i < p; i++)
				sum += c[q * p + i] * hc[i][r];
			s->h[q][r] = sum;
		}
	for (int r = 0; r < k; r++)
		s->h[k][r] = hc[p][r];
	s->p = k;
	return k;
}
