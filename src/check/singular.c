/* singular.c - see singular.h. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/size.h"
#include "check/singular.h"

enum { SWEEPS = 60 };

/* The columns of a matrix, or its rows if it has fewer rows: element i of
 * vector j is a[j step + i next]. */
struct vectors {
	long double *a;
	size_t count, length, step, next;
};

static long double dot(const struct vectors *v, size_t p, size_t q)
{
	long double sum = 0;

	for (size_t i = 0; i < v->length; i++)
		sum += v->a[p * v->step + i * v->next] *
		       v->a[q * v->step + i * v->next];
	return sum;
}

/* Makes vectors p and q orthogonal. Returns false if they already were. */
static bool rotate(const struct vectors *v, size_t p, size_t q)
{
	const long double a = dot(v, p, p), b = dot(v, q, q);
	const long double g = dot(v, p, q);
	long double zeta, t, c;

	if (fabsl(g) <= 4 * LDBL_EPSILON * sqrtl(a) * sqrtl(b))
		return false;
	zeta = (b - a) / (2 * g);
	t = copysignl(1, zeta) / (fabsl(zeta) + hypotl(1, zeta));
	c = 1 / hypotl(1, t);
	for (size_t i = 0; i < v->length; i++) {
		long double *x = &v->a[p * v->step + i * v->next];
		long double *y = &v->a[q * v->step + i * v->next];
		const long double was = *x;

		*x = c * (was - t * *y);
		*y = c * (*y + t * was);
	}
	return true;
}

/* Sorts s in descending order. */
static void sort(long double *s, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j > 0 && s[j] > s[j - 1]; j--) {
			const long double x = s[j];

			s[j] = s[j - 1];
			s[j - 1] = x;
		}
}

void host_singular(long double *a, size_t m, size_t n, long double *s)
{
	const struct vectors v = m >= n ?
	    (struct vectors){ a, n, m, 1, n } :
	    (struct vectors){ a, m, n, n, 1 };
	bool again = true;

	for (int k = 0; again && k < SWEEPS; k++) {
		again = false;
		for (size_t p = 0; p < v.count; p++)
			for (size_t q = p + 1; q < v.count; q++)
				again |= rotate(&v, p, q);
	}
	for (size_t j = 0; j < v.count; j++)
		s[j] = sqrtl(dot(&v, j, j));
	sort(s, v.count);
}
