/* line.c - see line.h. */
#include <float.h>
#include <math.h>

#include "check/host.h"
#include "check/line.h"
#include "ops/reduce/reduce.h"

/* s + e, where e is the rounding error of s (Knuth 1969, Dekker 1971). */
struct wide {
	long double s, e;
};

static struct wide wide_add(struct wide a, long double x)
{
	const long double s = a.s + x, d = s - a.s;

	return (struct wide){ s, a.e + ((a.s - (s - d)) + (x - d)) };
}

/* x rounded to the upper half of its digits (Veltkamp 1968). */
static long double upper(long double x)
{
	const long double t = x * (0x1p32L + 1);

	return t - (t - x);
}

static struct wide wide_mul(struct wide a, long double x)
{
	const long double p = a.s * x, ah = upper(a.s), xh = upper(x);
	const long double al = a.s - ah, xl = x - xh;
	const long double e = ((ah * xh - p) + ah * xl + al * xh) + al * xl;

	return (struct wide){ p, e + a.e * x };
}

/* The reference results for one line of elements. Each operation uses some of
 * them. */
struct line {
	size_t n, least, most;
	struct wide sum, product, norm1, squares;
	long double low, high;
};

/* Each of these functions adds an element to the members that it names. */
static void take_sums(struct line *l, double x, size_t i)
{
	(void)i;
	l->sum = wide_add(l->sum, x);
	l->norm1 = wide_add(l->norm1, fabsl(x));
}

static void take_product(struct line *l, double x, size_t i)
{
	(void)i;
	l->product = wide_mul(l->product, x);
}

static void take_squares(struct line *l, double x, size_t i)
{
	(void)i;
	l->squares = wide_add(l->squares, (long double)x * x);
}

/* Takes the first of equal elements, and the first NaN before any number. */
static void take_extremes(struct line *l, double x, size_t i)
{
	const bool first = i == 0 || (isnan(x) && !isnan(l->low));

	if (first || x < l->low) {
		l->low = x;
		l->least = i;
	}
	if (first || x > l->high) {
		l->high = x;
		l->most = i;
	}
}

static long double value_of(struct wide w)
{
	return w.s + w.e;
}

/* The result of each operation, and the sum of magnitudes that bounds its
 * error. */
static long double sum(const struct line *l) { return value_of(l->sum); }
static long double norm1(const struct line *l) { return value_of(l->norm1); }
static long double low(const struct line *l) { return l->low; }
static long double high(const struct line *l) { return l->high; }
static long double least(const struct line *l) { return l->least; }
static long double most(const struct line *l) { return l->most; }

static long double product(const struct line *l)
{
	return value_of(l->product);
}

static long double mean(const struct line *l)
{
	return value_of(l->sum) / l->n;
}

static long double mean1(const struct line *l)
{
	return value_of(l->norm1) / l->n;
}

static long double norm2(const struct line *l)
{
	return sqrtl(value_of(l->squares));
}

static long double norminf(const struct line *l)
{
	return l->n == 0 ? 0 : -l->low > l->high ? -l->low : fabsl(l->high);
}

static const struct rule {
	void (*take)(struct line *l, double x, size_t i);
	long double (*value)(const struct line *l);
	long double (*mass)(const struct line *l);
} rules[REDUCE_OPS] = {
	[REDUCE_SUM] = { take_sums, sum, norm1 },
	[REDUCE_PROD] = { take_product, product, product },
	[REDUCE_MIN] = { take_extremes, low, low },
	[REDUCE_MAX] = { take_extremes, high, high },
	[REDUCE_MEAN] = { take_sums, mean, mean1 },
	[REDUCE_NORM1] = { take_sums, norm1, norm1 },
	[REDUCE_NORM2] = { take_squares, norm2, norm2 },
	[REDUCE_NORMINF] = { take_extremes, norminf, norminf },
	[REDUCE_ARGMIN] = { take_extremes, least, least },
	[REDUCE_ARGMAX] = { take_extremes, most, most },
};

/* The results for every stride-th element from `at` on. */
static struct line line_of(const struct rule *r, const struct matrix *m,
                           size_t at, size_t stride, size_t n)
{
	struct line l = { .n = n, .product = { 1, 0 } };

	for (size_t i = 0; i < n; i++)
		r->take(&l, matrix_get(m, at + i * stride), i);
	return l;
}

/* |got - want| / (2 eps |want| + n eps growth mass), where eps is float64's for
 * sums of float32; infinity for a wrong integer. */
static double line_off(const struct args *a, const struct line *l, double got,
                       double growth)
{
	const enum reduce_op op =
	    (enum reduce_op)a->param[REDUCE_PARAM_OP];
	const bool whole = reduction_of(a).out->dtype == INT64;
	const double eps = a->dtype == FLOAT32 ? FLT_EPSILON : DBL_EPSILON;
	const long double want = rules[op].value(l);

	if (whole || isnan(want))
		return got == (double)want || (isnan(got) && isnan(want)) ?
		       0 : INFINITY;
	return host_ratio(got - want, 2 * eps * fabsl(want) +
	    (long double)l->n * DBL_EPSILON * growth *
	    fabsl(rules[op].mass(l)));
}

static double all_off(const struct args *a, double growth)
{
	const struct reduction r = reduction_of(a);
	double most_off = 0;

	for (size_t i = 0; i < r.outer * r.inner; i++) {
		const size_t at = i / r.inner * r.n * r.inner + i % r.inner;
		const struct line l = line_of(&rules[r.op], &a->in[0], at,
		                              r.inner, r.n);

		most_off = host_worse(line_off(a, &l, matrix_get(r.out, i),
		                               growth), most_off);
	}
	return most_off;
}

double line_any_order(const struct args *a)
{
	return all_off(a, 1);
}

double line_promised(const struct args *a)
{
	return all_off(a, DBL_EPSILON);
}
