/* choose.c - see expm.h. Degrees and bounds of float64 are those of Al-Mohy and
 * Higham (2009), algorithm 5.1; the bounds of float32 are of N. Higham, The
 * scaling and squaring method for the matrix exponential revisited (2005),
 * table 2.3, for its unit roundoff. */
#include <float.h>
#include <math.h>

#include "base/size.h"
#include "ops/expm/expm.h"

/* An approximant may be used up to this bound of d_k. `power` is the highest
 * one of A whose norm its choice needs. */
struct degree { int m, power; double bound; };

static const struct degree of_float32[] = {
	{ 3, 2, 4.258730016922831e-1 }, { 5, 4, 1.880152677804762 },
	{ 7, 6, 3.925724783138660 }, { 0 }
};

static const struct degree of_float64[] = {
	{ 3, 2, 1.495585217958292e-2 }, { 5, 4, 2.539398330063230e-1 },
	{ 7, 6, 9.504178996162932e-1 }, { 9, 6, 2.097847961257068 },
	{ 13, 6, 4.25 }, { 0 }
};

/* |A| / d_k of matrices that are called far from normal. */
#define FAR 64

/* The norms of A^2, A^4 and A^6 are infinite until they are known. */
struct norms { double n2, n4, n6; };

/* The least of max(d_k, d_(k+2)) for k = 2, 4, 6 and 8, as far as known norms
 * bound them: any of them bounds the error of all the degrees here. */
static double bound_of(const struct norms *n)
{
	const double d4 = pow(fmin(n->n4, n->n2 * n->n2), 1.0 / 4);
	const double d6 = pow(fmin(n->n6, n->n2 * fmin(n->n4, n->n2 * n->n2)),
	                      1.0 / 6);
	const double d8 = pow(fmin(n->n4 * n->n4, n->n2 * n->n6), 1.0 / 8);
	const double d10 = pow(n->n4 * n->n6, 1.0 / 10);

	return fmin(fmax(d4, d6), fmin(fmax(d6, d8), fmax(d8, d10)));
}

/* The scalings by two that the rounding errors of the polynomial itself ask
 * for, which depend on |A|^(2m+1): ell of the paper, for 2^-s A. */
static int extra(enum dtype t, const struct expm_matrix *x, int m, int s)
{
	const double unit = t == FLOAT32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
	const double log_c = 2 * lgamma(m + 1) - lgamma(2 * m + 1) -
	                     lgamma(2 * m + 2);
	/* of c (2^-s |A|)^(2m) / unit, which bounds what follows */
	double power = log_c / log(2) - log2(unit) +
	               2 * m * (log2(x->norm) - s);

	if (power <= 0)
		return 0;
	power += log2(x->magnitudes(x->arg, 2 * m + 1));
	return power > 0 ? (int)ceil(power / (2 * m)) : 0;
}

static void form(const struct expm_matrix *x, int power, struct norms *n)
{
	if (power == 2 && isinf(n->n2))
		n->n2 = x->power(x->arg, 2);
	if (power == 4 && isinf(n->n4))
		n->n4 = x->power(x->arg, 4);
	if (power == 6 && isinf(n->n6))
		n->n6 = x->power(x->arg, 6);
}

struct expm_plan expm_choose(enum dtype t, const struct expm_matrix *x)
{
	const struct degree *d = t == FLOAT32 ? of_float32 : of_float64;
	struct norms n = { INFINITY, INFINITY, INFINITY };
	double bound;
	int s;

	for (;; d++) {
		form(x, d->power, &n);
		bound = bound_of(&n);
		if (bound <= d->bound && extra(t, x, d->m, 0) == 0)
			return (struct expm_plan){ .degree = d->m };
		if (d[1].m == 0)
			break;
	}
	s = bound > d->bound ? (int)ceil(log2(bound / d->bound)) : 0;
	s += extra(t, x, d->m, s);
	return (struct expm_plan){ d->m, s, s > 0 && x->norm > FAR * bound };
}

int expm_first_scaling(enum dtype t, int exponent)
{
	const int most = (t == FLOAT32 ? FLT_MAX_EXP : DBL_MAX_EXP) / 6 - 1;

	return exponent > most ? exponent - most : 0;
}

void expm_coefficients(int degree, double c[EXPM_MOST_DEGREE + 1])
{
	c[0] = 1;
	for (int k = 1; k <= degree; k++)
		c[k] = c[k - 1] * (degree - k + 1) /
		       (k * (2 * degree - k + 1));
}

/* b e^((a + d) / 2) sinh(x) / x with x = (a - d) / 2 (the paper's equation
 * 2.2); by e^a and e^d where sinh would overflow. */
double expm_beside(double a, double b, double d)
{
	const double x = (a - d) / 2;

	if (fabs(x) < 1e-4)
		return b * exp((a + d) / 2) * (1 + x * x / 6);
	if (fabs(x) > 1)
		return b * ((exp(a) - exp(d)) / (a - d));
	return b * exp((a + d) / 2) * (sinh(x) / x);
}
