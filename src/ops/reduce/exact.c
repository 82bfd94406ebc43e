/* exact.c - whether a sum or product of whole numbers that came as text must be
 * computed as int64. JSON's numbers are float64, which holds integers up to
 * 2^53; sums beyond that are exact in int64. */
#include <math.h>

#include "ops/reduce/reduce.h"

/* float64 holds every integer below this one exactly, and so every sum and
 * product that stays below it. */
#define HELD 0x1p53
/* A limit that is less than 2^63 by more than the rounding error of a bound. */
#define WITHIN_INT64 0x1.fffffp62

/* Returns a bound of the moduli of all sums or products of elements of a line,
 * and infinity if an element is no integer. */
static double bound_of(const double *x, const struct reduction *r)
{
	double bound = r->op == REDUCE_PROD;

	for (size_t j = 0; j < r->n; j++) {
		const double size = fabs(x[j * r->inner]);

		if (size != rint(size))
			return HUGE_VAL;
		if (r->op == REDUCE_PROD)
			bound *= size;
		else
			bound += size;
	}
	return isnan(bound) ? HUGE_VAL : bound;
}

enum dtype reduce_exact_dtype(const struct args *a)
{
	const struct matrix *m = &a->in[0];
	const struct reduction r = reduction_of(a);
	const double *x = matrix_data(m);
	double most = 0;

	if (!m->text || m->dtype != FLOAT64 || m->layout != DENSE ||
	    (r.op != REDUCE_SUM && r.op != REDUCE_PROD))
		return FLOAT64;
	for (size_t o = 0; o < r.outer && most < WITHIN_INT64; o++)
		for (size_t i = 0; i < r.inner; i++)
			most = fmax(most, bound_of(x + o * r.n * r.inner + i,
			                           &r));
	return most >= HELD && most < WITHIN_INT64 ? INT64 : FLOAT64;
}
