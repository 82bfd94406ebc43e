/* estimate.c - see estimate.h. */
#include <math.h>

#include "ops/lapack/estimate.h"

enum { TURNS = 5 };			/* products with M, at most */

static double sum_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fabs(x[i]);
	return sum;
}

/* Replaces x by its signs and keeps them in `signs`. Returns false if they
 * equal those of the previous turn; `later`: was there a previous turn? */
static bool take_signs(double *x, double *signs, size_t n, bool later)
{
	bool changed = !later;

	for (size_t i = 0; i < n; i++) {
		const double sign = x[i] < 0 ? -1 : 1;

		changed |= sign != signs[i];
		x[i] = signs[i] = sign;
	}
	return changed;
}

static size_t place_of_largest(const double *x, size_t n)
{
	size_t top = 0;

	for (size_t i = 1; i < n; i++)
		if (fabs(x[i]) > fabs(x[top]))
			top = i;
	return top;
}

/* Replaces x by M x, or by M^T x. Returns the sum of its magnitudes. */
static double apply(const struct estimate_operator *m, bool back, double *x)
{
	m->apply(m->arg, back, x);
	return sum_of(x, m->n);
}

/* Returns the lower bound of |M| that a vector of growing elements with
 * alternating signs gives. It finds norms that the iteration misses where terms
 * of its products cancel. */
static double by_alternation(const struct estimate_operator *m, double *x)
{
	const size_t n = m->n;

	for (size_t i = 0; i < n; i++)
		x[i] = (i % 2 ? -1 : 1) *
		       (1 + (double)i / (double)(n > 1 ? n - 1 : 1));
	return 2 * apply(m, false, x) / (3 * (double)n);
}

double estimate_norm1(const struct estimate_operator *m, double *x,
                      double *signs)
{
	const size_t n = m->n;
	double best = 0, other;
	size_t last = n;

	for (size_t i = 0; i < n; i++)
		x[i] = 1 / (double)n;
	for (int turn = 0; turn < TURNS; turn++) {
		const double now = apply(m, false, x);
		size_t top;

		if (!isfinite(now))
			return INFINITY;
		if (now <= best)
			break;
		best = now;
		if (!take_signs(x, signs, n, turn > 0))
			break;
		if (!isfinite(apply(m, true, x)))
			return INFINITY;
		top = place_of_largest(x, n);
		if (top == last)
			break;
		last = top;
		for (size_t i = 0; i < n; i++)
			x[i] = i == top;
	}
	other = by_alternation(m, x);
	return other > best || isnan(other) ? other : best;
}
