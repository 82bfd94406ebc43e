/* exact.c - sums and products of whole numbers that came as text. JSON's
 * numbers are float64, which holds integers up to 2^53; a sum beyond that is
 * exact as int64. */
#include <math.h>

#include "ops/reduce/reduce.h"

/* Integers below this one are float64, and so are sums and products of them
 * that are below it. */
#define HELD 0x1p53
/* Below 2^63 by more than a bound's rounding. */
#define WITHIN_INT64 0x1.fffffp62

/* No sum or product of some of the elements of a line is beyond that; infinite
 * if one is no integer. */
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
