/* extremes.c - see extremes.h. */
#include "ops/lstsq/extremes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { VECTORS = EXTREMES_VECTORS };

/* (2 / pi)^½ LEAST_PART is 10^(-15 / 16), rounded down. */
static const double LEAST_PART = 0.144;

/* The vectors after some steps of one matrix M. */
struct side {
	double *v;			/* M^p g, each of length 1 */
	double log[VECTORS];		/* ln |M^p g| */
	double lower, upper;		/* bounds of |M| */
};

/* A number above 0 and below 1, from the hash of its index (splitmix64 of
 * Steele, Lea and Flood, 2014). */
static double uniform(uint64_t i)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return ((double)(z >> 12) + 0.5) * 0x1p-52;
}

/* By the transformation of Box and Muller (1958), which makes two normal
 * numbers of two uniform ones. VECTORS is even. */
void extremes_start(double *start, size_t n)
{
	const double circle = 2 * acos(-1);

	for (size_t i = 0; i < n * VECTORS; i += 2) {
		const double length = sqrt(-2 * log(uniform(i)));
		const double angle = circle * uniform(i + 1);

		start[i] = length * cos(angle);
		start[i + 1] = length * sin(angle);
	}
}

/* Divides vector c by its length, which is returned. */
static double unite(double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * x[i];
	sum = sqrt(sum);
	for (size_t i = 0; i < n; i++)
		x[i] /= sum;
	return sum;
}

static struct side begin(const struct extremes *e, double *v)
{
	struct side s = { .v = v, .upper = INFINITY };

	memcpy(v, e->start, e->n * VECTORS * sizeof *v);
	for (int c = 0; c < VECTORS; c++)
		s.log[c] = log(unite(v + (size_t)c * e->n, e->n));
	return s;
}

/* Makes step p, counted from 1. Returns false if a length is not positive and
 * finite. */
static bool step(const struct extremes *e, struct side *s, bool inverse, int p)
{
	double most = -INFINITY;

	if (!e->apply(e->how, inverse, s->v))
		return false;
	for (int c = 0; c < VECTORS; c++) {
		const double by = unite(s->v + (size_t)c * e->n, e->n);

		if (!(by > 0 && by < INFINITY))
			return false;
		s->lower = fmax(s->lower, by);
		s->log[c] += log(by);
		most = fmax(most, s->log[c]);
	}
	s->upper = fmin(s->upper, exp((most - log(LEAST_PART)) / p));
	return true;
}

bool extremes_prove(const struct extremes *e, double most, double *first)
{
	struct side large = begin(e, e->v);
	struct side small = begin(e, e->v + e->n * VECTORS);

	large.upper = e->largest * e->largest;
	if (!step(e, &large, false, 1))
		return false;
	for (int p = 1; p <= EXTREMES_STEPS; p++) {
		if (!step(e, &large, false, p + 1) ||
		    !step(e, &small, true, p))
			return false;
		*first = sqrt(large.lower);
		if (sqrt(large.upper) * sqrt(small.upper) < most)
			return true;
		if (sqrt(large.lower) * sqrt(small.lower) >= most)
			return false;
	}
	return false;
}
