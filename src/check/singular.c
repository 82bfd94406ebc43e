/* singular.c - see singular.h. One-sided Jacobi rotations (M. Hestenes 1958)
 * make the shorter side's lines orthogonal; their lengths are the values. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/singular.h"

enum { MOST_SWEEPS = 60 };

/* Line i has `length` elements, `step` apart. */
struct lines {
	long double *a;
	size_t count, length, between, step;
	long double least;		/* product that is rounding error */
};

static long double *element(const struct lines *l, size_t line, size_t i)
{
	return &l->a[line * l->between + i * l->step];
}

static long double product(const struct lines *l, size_t i, size_t k)
{
	long double sum = 0;

	for (size_t j = 0; j < l->length; j++)
		sum += *element(l, i, j) * *element(l, k, j);
	return sum;
}

/* Makes lines i and k orthogonal; false if they were. */
static bool rotate(const struct lines *l, size_t i, size_t k)
{
	const long double x = product(l, i, i), y = product(l, k, k);
	const long double xy = product(l, i, k);
	long double zeta, t, c;

	if (!(fabsl(xy) > 4 * LDBL_EPSILON * sqrtl(x) * sqrtl(y)) ||
	    fabsl(xy) <= l->least)
		return false;
	zeta = (y - x) / (2 * xy);
	t = (zeta < 0 ? -1 : 1) / (fabsl(zeta) + sqrtl(1 + zeta * zeta));
	c = 1 / sqrtl(1 + t * t);
	for (size_t j = 0; j < l->length; j++) {
		long double *u = element(l, i, j), *v = element(l, k, j);
		const long double old = *u;

		*u = c * (old - t * *v);
		*v = c * (t * old + *v);
	}
	return true;
}

static bool sweep(const struct lines *l)
{
	bool turned = false;

	for (size_t i = 0; i < l->count; i++)
		for (size_t k = i + 1; k < l->count; k++)
			turned |= rotate(l, i, k);
	return turned;
}

static int descending(const void *x, const void *y)
{
	const long double a = *(const long double *)x;
	const long double b = *(const long double *)y;

	return (a < b) - (a > b);
}

void host_singular(long double *a, size_t m, size_t n, long double *s)
{
	struct lines l = m < n ? (struct lines){ a, m, n, n, 1, 0 } :
	                         (struct lines){ a, n, m, 1, n, 0 };
	int sweeps = 0;

	for (size_t i = 0; i < m * n; i++)
		l.least += a[i] * a[i] * LDBL_EPSILON * LDBL_EPSILON;
	while (sweeps <= MOST_SWEEPS && sweep(&l))
		sweeps++;
	for (size_t i = 0; i < l.count; i++)
		s[i] = sweeps > MOST_SWEEPS ? (long double)NAN :
		       sqrtl(product(&l, i, i));
	qsort(s, l.count, sizeof *s, descending);
}
