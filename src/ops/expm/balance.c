/* balance.c - see expm.h. Balancing by the largest elements of rows and columns
 * (E. Osborne 1960; B. Parlett, C. Reinsch 1969), of which only the exponents
 * count. Diagonal elements, which it does not change, are left out, so that all
 * the others become as small as they can. */
#include <limits.h>
#include <math.h>

#include "ops/expm/expm.h"

enum {
	SWEEPS = 30,
	NONE = INT_MIN,			/* the exponent of 0 */
	GAIN = 3			/* A is balanced if its largest element
					 * thereby becomes 2^GAIN times smaller,
					 * else its own bits count for more */
};

static double part_at(const struct expm_square *m, const void *x, size_t i)
{
	return m->single ? (double)((const float *)x)[i] :
	                   ((const double *)x)[i];
}

/* Returns the exponent of the largest part of element (i, j). */
static int exponent(const struct expm_square *m, const void *x, size_t i,
                    size_t j)
{
	const size_t at = (i * m->n + j) * m->parts;
	double most = 0;

	for (size_t k = 0; k < m->parts; k++)
		most = fmax(most, fabs(part_at(m, x, at + k)));
	return most > 0 ? ilogb(most) : NONE;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* What must be added to a power whose row has the exponent r and whose column
 * has c. Without the one, the other becomes 0, if it is more: less than that
 * gains nothing. */
static int step(int r, int c)
{
	if (r == NONE || c == NONE)
		return c == NONE ? larger(r, 0) : -larger(c, 0);
	return (r - c) / 2;
}

static bool sweep(const struct expm_square *m, const void *a, int *power)
{
	bool any = false;

	for (size_t i = 0; i < m->n; i++) {
		int r = NONE, c = NONE, by;

		for (size_t j = 0; j < m->n; j++) {
			const int x = j == i ? NONE : exponent(m, a, i, j);
			const int y = j == i ? NONE : exponent(m, a, j, i);

			if (x != NONE)
				r = larger(r, x + power[j] - power[i]);
			if (y != NONE)
				c = larger(c, y + power[i] - power[j]);
		}
		by = step(r, c);
		power[i] += by;
		any |= by != 0;
	}
	return any;
}

/* Returns the exponent of the largest element of D^-1 A D. */
static int top(const struct expm_square *m, const void *a, const int *power)
{
	int most = NONE;

	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->n; j++) {
			const int x = exponent(m, a, i, j);

			if (x != NONE)
				most = larger(most, x + power[j] - power[i]);
		}
	return most;
}

bool expm_balance(const struct expm_square *m, const void *a, int *power)
{
	int before, sweeps = 0;

	for (size_t i = 0; i < m->n; i++)
		power[i] = 0;
	before = top(m, a, power);
	while (sweeps < SWEEPS && sweep(m, a, power))
		sweeps++;
	return before - top(m, a, power) >= GAIN;
}

void expm_similar(const struct expm_square *m, void *x, const int *power,
                  bool back)
{
	for (size_t at = 0; at < m->n * m->n * m->parts; at++) {
		const size_t i = at / m->parts / m->n;
		const size_t j = at / m->parts % m->n;
		const int by = power[j] - power[i];
		const double y = ldexp(part_at(m, x, at), back ? -by : by);

		if (m->single)
			((float *)x)[at] = (float)y;
		else
			((double *)x)[at] = y;
	}
}
