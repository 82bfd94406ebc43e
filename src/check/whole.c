/* whole.c - see line.h: the judge of int64 reductions, in 128-bit
 * arithmetic. */
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/size.h"
#include "check/line.h"
#include "ops/reduce/reduce.h"

__extension__ typedef __int128 wide;

/* The exact reductions of n integers; least and most are indices of
 * elements. */
struct total {
	wide sum, product, norm1;
	long double squares;
	size_t least, most;
};

static struct total total_of(const int64_t *v, size_t n)
{
	struct total t = { .product = 1 };

	for (size_t i = 0; i < n; i++) {
		t.sum += v[i];
		t.product *= v[i];
		t.norm1 += v[i] < 0 ? -(wide)v[i] : v[i];
		t.squares += (long double)v[i] * v[i];
		t.least = v[i] < v[t.least] ? i : t.least;
		t.most = v[i] > v[t.most] ? i : t.most;
	}
	return t;
}

static bool is_within(double got, long double want, double most)
{
	return fabsl(got - want) <= most * DBL_EPSILON * fabsl(want);
}

static bool is_near(double got, long double want)
{
	return is_within(got, want, 2);
}

double line_wrong_integers(const struct args *a)
{
	const struct reduction r = reduction_of(a);
	const int64_t *v = matrix_data(&a->in[0]);
	const struct total t = total_of(v, r.n);
	const double real = matrix_get(r.out, 0);
	const int64_t whole = *(const int64_t *)matrix_data(r.out);

	switch (r.op) {
	case REDUCE_SUM: return whole != t.sum;
	case REDUCE_PROD: return whole != t.product;
	case REDUCE_MIN: return whole != v[t.least];
	case REDUCE_MAX: return whole != v[t.most];
	case REDUCE_ARGMIN: return whole != (int64_t)t.least;
	case REDUCE_ARGMAX: return whole != (int64_t)t.most;
	case REDUCE_MEAN: return !is_near(real, (long double)t.sum / r.n);
	case REDUCE_NORM1: return !is_near(real, t.norm1);
	case REDUCE_NORM2:
		return !is_within(real, sqrtl(t.squares), (double)r.n + 2);
	case REDUCE_NORMINF:
		return !is_near(real, fmaxl(-(long double)v[t.least],
		                            v[t.most]));
	default: return NAN;
	}
}
